package data

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tallynet/scenarios/problems/budget"
)

// svmField matches a feature, or the query of ranking data, which is an error later.
var svmField = regexp.MustCompile(`^(?:[0-9]+|qid):[-+.0-9eE]+$`)

// isSVM reports whether a file that begins with head is in svmlight's format: its first line with more than one field
// is a label and features. If head is full, the last field may be cut off.
func isSVM(head []byte) bool {
	lines := strings.Split(string(head), "\n")
	for i, line := range lines {
		line, _, _ = strings.Cut(line, "#")
		fields := strings.Fields(line)
		if i == len(lines)-1 && len(head) == headSize && len(fields) > 0 {
			fields = fields[:len(fields)-1]
		}
		if len(fields) > 1 {
			return !strings.ContainsAny(fields[0], ",:") &&
				!slices.ContainsFunc(fields[1:], func(f string) bool { return !svmField.MatchString(f) })
		}
	}
	return false
}

// readSVMTable reads svmlight's format into dense rows. Labels are numbers of any kind.
func readSVMTable(path string, o TableOptions, b *tableBuilder) error {
	f, err := openRegular(path)
	if err != nil {
		return err
	}
	defer f.Close()
	raw, _, err := unpacked(f, largestTable)
	if err != nil {
		return err
	}
	var samples []SparseSample
	nonzeros, width := 0, o.Width
	err = eachSVMLine(raw, func(line int, fields []string) error {
		row := len(samples) + 1
		s, err := readSVMFeatures(fields[1:], o.FirstIndex)
		if err != nil {
			return fmt.Errorf("row %d (line %d): %w", row, line, err)
		}
		where := fmt.Sprintf("row %d (line %d), the label", row, line)
		if missing(fields[0]) {
			return notANumber(where, fields[0])
		}
		b.addTarget(fields[0], where)
		width = max(width, s.width())
		nonzeros += len(s.Features)
		samples = append(samples, s)
		need := budget.Float64s(float64(row), 3*float64(width)+5).Plus(budget.Float64s(4, float64(nonzeros)))
		return b.limit.Check(fmt.Sprintf("the file up to row %d, with %d features each,", row, width), need)
	})
	if err != nil {
		return err
	}
	for j := range width {
		b.features = append(b.features, strconv.Itoa(j+o.FirstIndex))
	}
	b.x = make([]float64, len(samples)*width)
	for i, s := range samples {
		for k, j := range s.Features {
			b.x[i*width+int(j)] = s.Values[k]
		}
	}
	return nil
}

package data

import (
	"bufio"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"tallynet/scenarios/problems/budget"
)

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
	lines := bufio.NewScanner(raw)
	lines.Buffer(nil, largestSVMLine)
	var samples []SparseSample
	line, nonzeros, width := 0, 0, o.Width
	for lines.Scan() {
		line++
		text, _, _ := strings.Cut(lines.Text(), "#")
		fields := strings.Fields(text)
		if len(fields) == 0 {
			continue
		}
		s, err := readSVMFeatures(fields[1:], o.FirstIndex)
		if err != nil {
			return fmt.Errorf("row %d (line %d): %w", len(samples)+1, line, err)
		}
		where := fmt.Sprintf("row %d (line %d), the label", len(samples)+1, line)
		if missing(fields[0]) {
			return notANumber(where, fields[0])
		}
		b.addTarget(fields[0], where)
		if n := len(s.Features); n > 0 {
			width = max(width, int(s.Features[n-1])+1)
		}
		nonzeros += len(s.Features)
		samples = append(samples, s)
		need := budget.Float64s(float64(len(samples)), 3*float64(width)+5).Plus(budget.Float64s(4, float64(nonzeros)))
		what := fmt.Sprintf("the file up to row %d, with %d features each,", len(samples), width)
		if err := b.limit.Check(what, need); err != nil {
			return err
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return fmt.Errorf("line %d is longer than %d bytes", line+1, largestSVMLine)
	case err != nil:
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

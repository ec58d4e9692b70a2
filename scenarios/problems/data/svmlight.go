package data

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"tallynet/scenarios/problems/budget"
)

// SparseSample is a labelled sample with few nonzero features.
type SparseSample struct {
	Features []int32 // ascending
	Values   []float64
	Class    int
}

// width returns the number of features that the sample needs.
func (s *SparseSample) width() int {
	if n := len(s.Features); n > 0 {
		return int(s.Features[n-1]) + 1
	}
	return 0
}

// SparseSet is a set of sparse samples.
type SparseSet struct {
	Name     string
	Features int   // the number of features
	Labels   []int // as in the file, ascending; a sample's Class is the index of its label
	Samples  []SparseSample
}

// Limits of ReadSVM and ReadSVMFile.
const (
	largestSVMFile    = 4_000_000_000 // bytes, unpacked
	largestSVMLine    = 1 << 24       // bytes
	largestSVMFeature = 1 << 30
)

// ReadSVMFile reads a regular file in svmlight format, compressed by gzip or not; see
// ReadSVM. Errors name the file. limit is for the memory of the samples.
func ReadSVMFile(path string, base int, limit budget.Limit) (*SparseSet, error) {
	f, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	// Text compresses to a tenth or so; a file that expands far more is an attack.
	r, _, err := unpacked(f, min(largestSVMFile, max(100_000_000, 50*info.Size())))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	s, err := readSVM(r, base, limit)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	s.Name = filepath.Base(path)
	return s, nil
}

// ReadSVM reads samples in the format of svmlight and libsvm, one a line:
//
//	label index:value index:value ...   # a comment
//
// A label is a whole number. Indices ascend and start at base, 0 or 1. Features that are
// not listed are 0. The "qid:" of ranking data is an error. Errors name the line.
func ReadSVM(r io.Reader, base int) (*SparseSet, error) { return readSVM(r, base, budget.Limit{}) }

func readSVM(r io.Reader, base int, limit budget.Limit) (*SparseSet, error) {
	s := &SparseSet{}
	var labels []int // of each sample
	nonzeros := 0
	err := eachSVMLine(r, func(line int, fields []string) error {
		label, err := strconv.ParseFloat(fields[0], 64)
		if err != nil || label != math.Trunc(label) || math.Abs(label) > 1<<31 {
			return fmt.Errorf("line %d: the label is %.40q; want a whole number", line, fields[0])
		}
		sample, err := readSVMFeatures(fields[1:], base)
		if err == nil {
			nonzeros += len(sample.Features)
			err = svmNeed(limit, len(s.Samples)+1, nonzeros)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
		s.Features = max(s.Features, sample.width())
		s.Samples, labels = append(s.Samples, sample), append(labels, int(label))
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case len(s.Samples) == 0:
		return nil, errors.New("the file has no samples; want at least one")
	}
	s.Labels = slices.Clone(labels)
	slices.Sort(s.Labels)
	s.Labels = slices.Compact(s.Labels)
	for i, label := range labels {
		s.Samples[i].Class, _ = slices.BinarySearch(s.Labels, label)
	}
	return s, nil
}

// eachSVMLine calls f with the fields of each line that has some, without comments.
func eachSVMLine(r io.Reader, f func(line int, fields []string) error) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, largestSVMLine)
	line := 0
	for lines.Scan() {
		line++
		text, _, _ := strings.Cut(strings.TrimPrefix(lines.Text(), "\ufeff"), "#")
		fields := strings.Fields(text)
		if len(fields) == 0 {
			continue
		}
		if err := f(line, fields); err != nil {
			return err
		}
	}
	if err := lines.Err(); !errors.Is(err, bufio.ErrTooLong) {
		return err
	}
	return fmt.Errorf("line %d is longer than %d bytes", line+1, largestSVMLine)
}

// svmNeed returns an error unless the limit allows samples with so many nonzeros. Slices
// grow to up to twice what they hold.
func svmNeed(limit budget.Limit, samples, nonzeros int) error {
	const perSample, perNonzero = 2 * 72, 2 * (4 + 8)
	need := budget.Need{Bytes: perSample*float64(samples) + perNonzero*float64(nonzeros)}
	return limit.Check(fmt.Sprintf("the file up to here, %d samples with %d features that are not 0,", samples,
		nonzeros), need)
}

func readSVMFeatures(fields []string, base int) (s SparseSample, err error) {
	last := int64(-1)
	for _, field := range fields {
		index, value, found := strings.Cut(field, ":")
		j, err1 := strconv.ParseInt(index, 10, 64)
		v, err2 := strconv.ParseFloat(value, 64)
		j -= int64(base)
		switch err := cmp.Or(err1, err2); {
		case !found || err != nil || math.IsNaN(v) || math.IsInf(v, 0):
			return s, fmt.Errorf("the feature is %.40q; want index:value, such as 17:0.25", field)
		case j < 0:
			return s, fmt.Errorf("feature %q: the index is below %d, where indices start", field, base)
		case j >= largestSVMFeature:
			return s, fmt.Errorf("feature %q: the index is too large; want at most %d", field, largestSVMFeature)
		case j <= last:
			return s, fmt.Errorf("feature %q: the index is not above the one before; want ascending indices", field)
		}
		last = j
		if v != 0 {
			s.Features, s.Values = append(s.Features, int32(j)), append(s.Values, v)
		}
	}
	return s, nil
}

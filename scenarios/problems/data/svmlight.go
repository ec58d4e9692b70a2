package data

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// SparseSample is a labelled sample most of whose features are 0.
type SparseSample struct {
	Features []int32 // ascending
	Values   []float64
	Class    int
}

// SparseSet is a set of sparse samples.
type SparseSet struct {
	Name     string
	Features int   // how many there are
	Labels   []int // as written, ascending; a sample's Class is its label's place
	Samples  []SparseSample
}

// What is read at most.
const (
	largestSVMFile    = 4_000_000_000 // bytes
	largestSVMLine    = 1 << 26       // bytes
	largestSVMFeature = 1 << 30
)

// ReadSVMFile reads a regular file in svmlight's format; see ReadSVM. Errors name the file.
func ReadSVMFile(path string, base int) (*SparseSet, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular(): // to open a named pipe could wait forever
		return nil, fmt.Errorf("%s: it is no regular file; give a file in svmlight's format", path)
	case info.Size() > largestSVMFile:
		return nil, fmt.Errorf("%s: it has %d bytes; at most %d are read", path, info.Size(), int64(largestSVMFile))
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	s, err := ReadSVM(f, base)
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
// The label is a whole number; indices ascend and begin with base, 0 or 1; what is not
// named is 0. A ranking's "qid:" is refused. Errors name the line.
func ReadSVM(r io.Reader, base int) (*SparseSet, error) {
	if base != 0 && base != 1 {
		return nil, fmt.Errorf("the first index is %d; want 0 or 1", base)
	}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, largestSVMLine)
	s := &SparseSet{}
	var labels []int // of each sample
	number := 0
	for lines.Scan() {
		number++
		line, _, _ := strings.Cut(lines.Text(), "#")
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		label, err := strconv.ParseFloat(fields[0], 64)
		if err != nil || label != math.Trunc(label) || math.Abs(label) > 1<<31 {
			return nil, fmt.Errorf("line %d: the label is %q; want a whole number", number, fields[0])
		}
		sample, err := readSVMFeatures(fields[1:], base)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		if n := len(sample.Features); n > 0 {
			s.Features = max(s.Features, int(sample.Features[n-1])+1)
		}
		s.Samples, labels = append(s.Samples, sample), append(labels, int(label))
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, fmt.Errorf("line %d: it is longer than %d bytes", number+1, largestSVMLine)
	case err != nil:
		return nil, err
	case len(s.Samples) == 0:
		return nil, errors.New("it has no samples")
	}
	s.Labels = slices.Clone(labels)
	slices.Sort(s.Labels)
	s.Labels = slices.Compact(s.Labels)
	for i, label := range labels {
		s.Samples[i].Class, _ = slices.BinarySearch(s.Labels, label)
	}
	return s, nil
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
			return s, fmt.Errorf("%q; want index:value, as in 17:0.25", field)
		case j < 0:
			return s, fmt.Errorf("%q: indices begin with %d", field, base)
		case j >= largestSVMFeature:
			return s, fmt.Errorf("%q: the index is above %d", field, largestSVMFeature)
		case j <= last:
			return s, fmt.Errorf("%q: indices must ascend", field)
		}
		last = j
		if v != 0 {
			s.Features, s.Values = append(s.Features, int32(j)), append(s.Values, v)
		}
	}
	return s, nil
}

package data

import (
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

// Table is a user's own data set: samples with numbers as features and one target each.
// It is shared once it is read and must not be changed.
type Table struct {
	Name     string    // of the file
	Features []string  // the name of each feature, as in the header or "0", "1", ...
	X        []float64 // samples x features, one sample after the other
	// Numbers are the targets as numbers; nil if one of them is none, and NotNumber says which.
	Numbers   []float64
	NotNumber string
	// Labels are the targets as classes: indices of Classes; nil if there are more than
	// largestClasses different ones.
	Labels  []int
	Classes []string // ascending as numbers if all are numbers, as texts otherwise
	// Groups are the values of TableOptions.Groups: indices of GroupNames; nil without it.
	Groups     []int
	GroupNames []string
}

// Len returns the number of samples.
func (t *Table) Len() int {
	if len(t.Labels) > 0 {
		return len(t.Labels)
	}
	return len(t.Numbers)
}

// Row returns the features of a sample, which must not be changed.
func (t *Table) Row(i int) []float64 { return t.X[i*len(t.Features) : (i+1)*len(t.Features)] }

// TableOptions say how a file is read.
type TableOptions struct {
	Target  string   // the column of the targets; "": the last one
	Columns []string // those of the features; nil: all others
	Ignore  []string // columns that are not features
	Groups  string   // the column that names the node of a sample; "": none
	// NoHeader: the first row is data, and columns are called 1, 2, ...
	NoHeader  bool
	Delimiter string // one character; "": a tab in .tsv files, otherwise a comma
	// Labels is the file of the targets of idx and npy files; "": none. In an npz file the
	// arrays are called Array and Target.
	Labels     string
	Array      string // "": X
	FirstIndex int    // of svmlight, 0 or 1
	Width      int    // svmlight: the number of features at least; a test file may use fewer than its training file
}

// zipMagic begins a zip file, such as an npz file.
const zipMagic = "PK\x03\x04"

// headSize is the number of bytes by which the format of a file is recognized.
const headSize = 4096

// largestClasses is the largest number of different targets that count as classes.
const largestClasses = 10_000

// Table reads a file once and shares it; see ReadTable.
func (l *Loader) Table(path string, o TableOptions, limit budget.Limit) (*Table, error) {
	return l.tables.get(fmt.Sprintf("%q %+v", path, o), func() (*Table, error) { return ReadTable(path, o, limit) })
}

// ReadTable reads a regular file of samples, compressed with gzip or not, whose format is recognized by
// its name, .csv, .tsv, .npy, .npz, .svm, .svmlight, .libsvm, or by its first bytes:
//
//	CSV, TSV   RFC 4180 with quoted fields, one sample a row
//	npy, npz   arrays of NumPy, one sample a row; more dimensions are flattened
//	svmlight   label index:value ...
//	idx        as MNIST's; unsigned bytes are scaled to [0, 1]
//
// A value that is missing or no number is an error that names row and column: rows count
// from 1 without the header. limit is for the memory of the whole.
func ReadTable(path string, o TableOptions, limit budget.Limit) (*Table, error) {
	read, err := tableReader(path)
	if err != nil {
		return nil, err
	}
	var t *Table
	b := &tableBuilder{limit: limit}
	if err = o.check(read.columns); err == nil {
		err = read.read(path, o, b)
	}
	if err == nil {
		t, err = b.table()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	t.Name = filepath.Base(path)
	return t, nil
}

// tableFormat is a format of files.
type tableFormat struct {
	read    func(path string, o TableOptions, b *tableBuilder) error
	columns bool // with names
}

// check returns an error if an option has no meaning for the format of the file.
func (o TableOptions) check(columns bool) error {
	for _, k := range []struct {
		name    string
		given   bool
		columns bool
	}{
		{"features", o.Columns != nil, true}, {"ignore", o.Ignore != nil, true}, {"node_column", o.Groups != "", true},
		{"header", o.NoHeader, true}, {"delimiter", o.Delimiter != "", true}, {"labels", o.Labels != "", false},
	} {
		if k.given && k.columns && !columns {
			return fmt.Errorf("%s is for CSV and TSV files; leave it out", k.name)
		}
		if k.given && !k.columns && columns {
			return fmt.Errorf("%s is for npy and idx files; in a CSV or TSV file target names a column", k.name)
		}
	}
	return nil
}

func tableReader(path string) (tableFormat, error) {
	csv, svm := tableFormat{readCSV, true}, tableFormat{readSVMTable, false}
	npy, npz, idx := tableFormat{readNPY, false}, tableFormat{readNPZ, false}, tableFormat{readIdxTable, false}
	name := strings.TrimSuffix(strings.ToLower(filepath.Base(path)), ".gz")
	switch filepath.Ext(name) {
	case ".csv", ".tsv", ".tab":
		return csv, nil
	case ".svm", ".svmlight", ".libsvm":
		return svm, nil
	case ".npy":
		return npy, nil
	case ".npz":
		return npz, nil
	}
	head, err := firstBytes(path, headSize)
	switch {
	case err != nil:
		return tableFormat{}, err
	case len(head) == 0:
		return tableFormat{}, fmt.Errorf("%s: the file is empty", filepath.Base(path))
	case strings.HasPrefix(string(head), npyMagic):
		return npy, nil
	case strings.HasPrefix(string(head), zipMagic):
		return npz, nil
	case len(head) >= 4 && head[0] == 0 && head[1] == 0 && head[3] > 0:
		return idx, nil
	case slices.Contains(head[:min(8, len(head))], 0):
		return tableFormat{}, fmt.Errorf("%s: the format is not known; want CSV, TSV, npy, npz, svmlight or idx, packed "+
			"by gzip or not",
			filepath.Base(path))
	case isSVM(head):
		return svm, nil
	}
	return csv, nil
}

func firstBytes(path string, n int) ([]byte, error) {
	f, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head := make([]byte, n)
	if k, err := f.ReadAt(head, 0); k >= 4 && string(head[:4]) == zipMagic || err != nil && !errors.Is(err, io.EOF) {
		return head[:k], err
	}
	r, _, err := unpacked(f, int64(n))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	got, err := io.ReadFull(r, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	return head[:got], nil
}

// tableBuilder collects samples as they are read.
type tableBuilder struct {
	limit    budget.Limit
	features []string
	x        []float64
	target   interned
	numbers  []float64
	notYet   string // why the targets are not numbers
	groups   *interned
}

// interned is a list of strings that stores equal ones once.
type interned struct {
	index map[string]int
	texts []string
	of    []int
	over  bool // there are more than largestClasses different ones
}

func (s *interned) add(text string) {
	if s.over {
		return
	}
	if s.index == nil {
		s.index = map[string]int{}
	}
	k, ok := s.index[text]
	if !ok {
		if len(s.texts) == largestClasses {
			*s = interned{over: true}
			return
		}
		k = len(s.texts)
		text = strings.Clone(text)
		s.index[text], s.texts = k, append(s.texts, text)
	}
	s.of = append(s.of, k)
}

// sorted returns the texts in order, as numbers if all are numbers, and the index of each item.
func (s *interned) sorted() (texts []string, of []int) {
	texts = slices.Clone(s.texts)
	if slices.ContainsFunc(texts, func(t string) bool { return math.IsNaN(number(t)) }) {
		slices.Sort(texts)
	} else {
		slices.SortFunc(texts, func(a, b string) int { return cmp.Compare(number(a), number(b)) })
	}
	place := map[string]int{}
	for i, t := range texts {
		place[t] = i
	}
	of = make([]int, len(s.of))
	for i, k := range s.of {
		of[i] = place[s.texts[k]]
	}
	return texts, of
}

// number returns the finite number that a text is, or NaN.
func number(text string) float64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(v, 0) {
		return math.NaN()
	}
	return v
}

// addTarget adds a target, which is not missing. where names its place.
func (b *tableBuilder) addTarget(text, where string) {
	v := number(text)
	if math.IsNaN(v) {
		if b.notYet == "" {
			b.notYet = fmt.Sprintf("%s: the target is %.40q, not a number", where, text)
			b.numbers = nil
		}
	} else {
		text = strconv.FormatFloat(v, 'g', -1, 64) // 1, 1.0 and 01 are one class
	}
	if b.notYet == "" {
		b.numbers = append(b.numbers, v)
	}
	b.target.add(text)
}

func (b *tableBuilder) addGroup(text string) {
	if b.groups == nil {
		b.groups = new(interned)
	}
	if v := number(text); !math.IsNaN(v) {
		text = strconv.FormatFloat(v, 'g', -1, 64)
	}
	b.groups.add(text)
}

// check returns an error unless the limit allows what would be needed with so many samples.
// A problem has the table, which grows to up to twice its size, and copies of the samples.
func (b *tableBuilder) check(samples int) error {
	row := budget.Float64s(3*float64(len(b.features)) + 5)
	err := b.limit.Check(fmt.Sprintf("the file up to row %d, with %d features each,", samples, len(b.features)),
		budget.Need{Bytes: row.Bytes * float64(samples)})
	if over, ok := errors.AsType[*budget.Error](err); ok {
		over.Fits = fmt.Sprintf("rows up to %.0f (here %d)", math.Floor(over.Limit.Bytes/row.Bytes), samples)
	}
	return err
}

func (b *tableBuilder) table() (*Table, error) {
	t := &Table{Features: b.features, X: b.x, Numbers: b.numbers, NotNumber: b.notYet}
	if !b.target.over {
		t.Classes, t.Labels = b.target.sorted()
	}
	if b.groups != nil {
		if b.groups.over {
			return nil, fmt.Errorf("the column of the nodes has more than %d different values", largestClasses)
		}
		t.GroupNames, t.Groups = b.groups.sorted()
	}
	switch {
	case t.Len() == 0 && b.target.over:
		return nil, fmt.Errorf("the targets are texts with more than %d different values, neither numbers nor classes; %s",
			largestClasses, b.notYet)
	case t.Len() == 0:
		return nil, errors.New("the file has no samples; want at least one row below the header")
	case len(t.Features) == 0:
		return nil, errors.New("no column is left for the features; want at least one besides the target")
	}
	return t, nil
}

// missing returns whether a text denotes a missing value.
func missing(text string) bool {
	switch strings.ToLower(text) {
	case "", "na", "n/a", "nan", "null", "none", "?", "-":
		return true
	}
	return false
}

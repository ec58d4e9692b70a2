package data

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// largestTable is the most that a file of text may unpack to, in bytes.
const largestTable = 20_000_000_000

// csvColumns are the positions of features, target and group in a row.
type csvColumns struct {
	names    []string // of all columns
	features []int
	target   int
	groups   int // -1: none
}

func readCSV(path string, o TableOptions, b *tableBuilder) error {
	f, err := openRegular(path)
	if err != nil {
		return err
	}
	defer f.Close()
	raw, _, err := unpacked(f, largestTable)
	if err != nil {
		return err
	}
	text, err := asText(raw)
	if err != nil {
		return err
	}
	r := csv.NewReader(text)
	r.ReuseRecord = true
	if r.Comma, err = delimiter(path, o.Delimiter); err != nil {
		return err
	}
	first, err := r.Read()
	switch {
	case errors.Is(err, io.EOF):
		return errors.New("the file is empty")
	case err != nil:
		return csvError(err)
	}
	c, err := newCSVColumns(first, o)
	if err != nil {
		return err
	}
	for _, k := range c.features {
		b.features = append(b.features, c.names[k])
	}
	record := first
	if !o.NoHeader {
		record, err = r.Read()
	}
	for row := 1; err == nil; row++ {
		if err := c.add(b, record, r, row); err != nil {
			return err
		}
		record, err = r.Read()
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return csvError(err)
}

// asText skips the byte order mark that spreadsheets write. It returns an error if r is not a text file.
func asText(r io.Reader) (io.Reader, error) {
	b := bufio.NewReaderSize(r, 1<<16)
	head, err := b.Peek(4096)
	begins := func(with string) bool { return bytes.HasPrefix(head, []byte(with)) }
	line, _, _ := bytes.Cut(head, []byte("\n"))
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		return nil, cutOff(err)
	case begins("\xff\xfe") || begins("\xfe\xff"):
		return nil, errors.New("the text is in UTF-16: save it in UTF-8, as CSV UTF-8 in a spreadsheet")
	case begins("PAR1"):
		return nil, errors.New("the file is in the format Parquet, which is not read: write it as CSV or npz")
	case begins("\x89PNG") || begins("%PDF") || begins("\xff\xd8\xff") || bytes.IndexByte(line, 0) >= 0:
		return nil, errors.New("the file is not a text: want a table as CSV")
	case bytes.ContainsRune(bytes.TrimSuffix(line, []byte("\r")), '\r'):
		return nil, errors.New("the first line contains a carriage return, as if lines ended in it: save the file with " +
			"line feeds")
	}
	if begins("\ufeff") {
		_, err = b.Discard(len("\ufeff"))
		return b, err
	}
	return b, nil
}

// cutOff explains the error of a compressed file that ends too early.
func cutOff(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("the file is cut off; get it again: %w", err)
	}
	return err
}

func delimiter(path, given string) (rune, error) {
	switch {
	case given == "" && strings.Contains(strings.ToLower(filepath.Base(path)), ".t"):
		return '\t', nil
	case given == "":
		return ',', nil
	case given == `\t` || given == "tab":
		return '\t', nil
	}
	c, n := utf8.DecodeRuneInString(given)
	if n != len(given) || c == '"' || c == '\r' || c == '\n' || c == utf8.RuneError {
		return 0, fmt.Errorf("the delimiter is %q; want one character, such as \";\", or tab", given)
	}
	return c, nil
}

// csvError rephrases an error of the CSV reader, with the line.
func csvError(err error) error {
	var at *csv.ParseError
	if !errors.As(err, &at) {
		return cutOff(err)
	}
	why := at.Err.Error()
	if errors.Is(at.Err, csv.ErrFieldCount) {
		why = "the row has another number of fields than the first row"
	}
	return fmt.Errorf("line %d, character %d: %s", at.Line, at.Column, why)
}

func newCSVColumns(first []string, o TableOptions) (*csvColumns, error) {
	c := &csvColumns{groups: -1}
	if len(first) == 1 {
		for _, other := range []struct{ character, key string }{{";", ";"}, {"\t", "tab"}, {"|", "|"}, {",", ","}} {
			if strings.Contains(first[0], other.character) {
				return nil, fmt.Errorf("the first row is one column, %q; write delimiter: %q if that separates columns",
					Some(first, 12), other.key)
			}
		}
	}
	numbers := 0
	for k, name := range first {
		name = strings.TrimSpace(name)
		if !math.IsNaN(number(name)) {
			numbers++
		}
		if o.NoHeader {
			name = strconv.Itoa(k + 1)
		}
		if name == "" {
			name = strconv.Itoa(k + 1) // as pandas writes an index
		}
		c.names = append(c.names, strings.Clone(name))
	}
	if !o.NoHeader && numbers == len(first) {
		return nil, errors.New("the first row has numbers only, so it is not a header; write header: false, and name " +
			"columns by " +
			"their numbers from 1 on")
	}
	find := func(what, name string) (int, error) {
		k := slices.Index(c.names, name)
		if k < 0 {
			return 0, fmt.Errorf("%s: there is no column %q; the columns are %s", what, name, Some(c.names, 12))
		}
		return k, nil
	}
	var err error
	c.target = len(c.names) - 1
	if o.Target != "" {
		if c.target, err = find("target", o.Target); err != nil {
			return nil, err
		}
	}
	if o.Groups != "" {
		if c.groups, err = find("node_column", o.Groups); err != nil {
			return nil, err
		}
		if c.groups == c.target {
			return nil, fmt.Errorf("the column %q is the target and says the node as well", o.Groups)
		}
	}
	for _, name := range o.Ignore {
		if _, err := find("ignore", name); err != nil {
			return nil, err
		}
	}
	if o.Columns == nil {
		for k, name := range c.names {
			if k != c.target && k != c.groups && !slices.Contains(o.Ignore, name) {
				c.features = append(c.features, k)
			}
		}
	}
	for _, name := range o.Columns {
		k, err := find("features", name)
		if err != nil {
			return nil, err
		}
		if k == c.target || slices.Contains(o.Ignore, name) || slices.Contains(c.features, k) {
			return nil, fmt.Errorf("features: the column %q is the target, or ignored, or named twice", name)
		}
		c.features = append(c.features, k)
	}
	if len(c.features) == 0 {
		return nil, fmt.Errorf("no column is left for the features; the columns are %s", Some(c.names, 12))
	}
	return c, c.checkTwice()
}

// checkTwice returns an error if a column that is used has the name of another one.
func (c *csvColumns) checkTwice() error {
	first := map[string]int{}
	for k, name := range c.names {
		i, twice := first[name]
		if !twice {
			first[name] = k
		} else if c.uses(i) || c.uses(k) {
			return fmt.Errorf("the header has the column %q twice, as columns %d and %d; rename one, or leave both out with "+
				"ignore or features", name, i+1, k+1)
		}
	}
	return nil
}

func (c *csvColumns) uses(k int) bool {
	return k == c.target || k == c.groups || slices.Contains(c.features, k)
}

// Some lists names, at most so many of them.
func Some(names []string, most int) string {
	if len(names) > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
	}
	return strings.Join(names, ", ")
}

// add adds a row.
func (c *csvColumns) add(b *tableBuilder, record []string, r *csv.Reader, row int) error {
	if row%1024 == 1 {
		if err := b.check(row); err != nil {
			return err
		}
	}
	where := func(k int) string {
		line, _ := r.FieldPos(k)
		return fmt.Sprintf("row %d (line %d), column %q", row, line, c.names[k])
	}
	for _, k := range c.features {
		text := strings.TrimSpace(record[k])
		v := number(text)
		if math.IsNaN(v) {
			return notANumber(where(k), text)
		}
		b.x = append(b.x, v)
	}
	target := strings.TrimSpace(record[c.target])
	if missing(target) {
		return notANumber(where(c.target), target)
	}
	b.addTarget(target, where(c.target))
	if c.groups >= 0 {
		text := strings.TrimSpace(record[c.groups])
		if missing(text) {
			return notANumber(where(c.groups), text)
		}
		b.addGroup(text)
	}
	return nil
}

func notANumber(where, text string) error {
	switch {
	case text == "":
		return fmt.Errorf("%s: the value is missing; fill it in, or remove the row or, with ignore, the column", where)
	case missing(text):
		return fmt.Errorf("%s: the value is missing (%q); fill it in, or remove the row or, with ignore, the column", where,
			text)
	}
	if _, err := strconv.ParseFloat(strings.ReplaceAll(text, ",", ""), 64); err == nil && strings.Contains(text, ",") {
		return fmt.Errorf("%s: want a finite number, got %.40q; write numbers with a decimal point and without commas",
			where, text)
	}
	return fmt.Errorf("%s: want a finite number, got %.40q; encode the column in numbers, or leave it out with ignore",
		where,
		text)
}

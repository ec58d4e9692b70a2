package keys

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"tallynet/metrics/jsonio"
)

// Limits of a file, so that a hostile one cannot exhaust the machine. A list of a million edges fits.
const (
	maxNesting = 100
	maxKeys    = 10000    // of one section; the YAML library takes quadratic time
	maxValues  = 10 << 20 // scalars, lists and maps, with aliases expanded
)

// Form is the shape of a Value.
type Form uint8

const (
	Null Form = iota
	Scalar
	List
	Map
)

func (k Form) String() string {
	return [...]string{"nothing", "a single value", "a list", "a section of keys"}[k]
}

// Value is a value of the file. Values are immutable: --set and the sweep copy the path to the root, and trees share
// the rest.
type Value struct {
	Shape  Form
	Text   string // of a scalar, without quotes
	Quoted bool
	Items  []*Value
	Fields []Field
	Pos    FilePosition
	Size   int // number of values in the tree, with aliases expanded
}

// Field is a key of a map and its value.
type Field struct {
	Key    string
	KeyPos FilePosition
	Value  *Value
}

// Child returns the field with the given key, or nil.
func (n *Value) Child(key string) *Field {
	if n == nil || n.Shape != Map {
		return nil
	}
	for i := range n.Fields {
		if n.Fields[i].Key == key {
			return &n.Fields[i]
		}
	}
	return nil
}

// With returns a copy of the map n with a field in place of that of the same key, or after the others.
func (n *Value) With(f Field) *Value {
	c := *n
	c.Fields = slices.Clone(n.Fields)
	if i := slices.IndexFunc(n.Fields, func(e Field) bool { return e.Key == f.Key }); i >= 0 {
		c.Fields[i] = f
	} else {
		c.Fields = append(c.Fields, f)
	}
	return &c
}

// Without returns a copy of the map n that lacks a key.
func Without(n *Value, key string) *Value {
	c := *n
	c.Fields = slices.DeleteFunc(slices.Clone(n.Fields), func(e Field) bool { return e.Key == key })
	return &c
}

// Source is the text of a file, or the value of a --set.
type Source struct {
	Name  string
	text  string
	Lines []string // without their ends
	set   string   // the --set text, or ""
}

// NewSource returns the source of a text, without a byte order mark.
func NewSource(name string, text []byte) *Source {
	s := &Source{Name: name, text: strings.TrimPrefix(string(text), "\ufeff")}
	s.Lines = strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s.text), "\n") // as YAML has it
	return s
}

// At returns a position, clamped to the text.
func (s *Source) At(line, column int) FilePosition {
	if s.set != "" {
		return FilePosition{File: s.Name, Set: s.set}
	}
	line = min(max(line, 1), len(s.Lines))
	column = min(max(column, 1), len(s.Lines[line-1])+1) // fail counts characters
	return FilePosition{File: s.Name, Line: line, Column: column}
}

// Fail returns an error at p with the text of its line.
func (s *Source) Fail(p FilePosition, path, hint, format string, args ...any) *FileError {
	text := fmt.Errorf(format, args...)
	e := &FileError{FilePosition: p, Path: path, Hint: hint, Message: text.Error(), Err: errors.Unwrap(text)}
	if p.Set == "" && p.Line >= 1 && p.Line <= len(s.Lines) {
		e.Source = s.Lines[p.Line-1]
		e.Column = min(p.Column, utf8.RuneCountInString(e.Source)+1)
	}
	return e
}

// Flow writes a value on one line, numbers in their shortest form.
func Flow(n *Value) string {
	var parts []string
	switch n.Shape {
	case Scalar:
		if f, ok := Plain(n).(float64); ok {
			return FormatFloat(f)
		}
		return n.Text
	case List:
		for _, v := range n.Items {
			parts = append(parts, Flow(v))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case Map:
		for _, e := range n.Fields {
			parts = append(parts, e.Key+": "+Flow(e.Value))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return "null"
}

// Plain converts a value for a result file: scalars to bool, int, float64 or string, lists to []any, maps to
// jsonio.Object.
func Plain(n *Value) any {
	switch n.Shape {
	case List:
		list := []any{}
		for _, v := range n.Items {
			list = append(list, Plain(v))
		}
		return list
	case Map:
		o := jsonio.Object{}
		for _, e := range n.Fields {
			o = append(o, jsonio.Member{Key: e.Key, Value: Plain(e.Value)})
		}
		return o
	case Null:
		return nil
	}
	switch {
	case n.Quoted:
	case n.Text == "true" || n.Text == "false":
		return n.Text == "true"
	case plainNumber.MatchString(n.Text) && (len(n.Text) == 1 || n.Text[0] != '0' || n.Text[1] == '.'):
		if i, err := strconv.Atoi(n.Text); err == nil {
			return i
		}
		if f, err := strconv.ParseFloat(n.Text, 64); err == nil {
			return f
		}
	}
	return n.Text
}

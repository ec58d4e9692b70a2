package table

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"tallynet/metrics"
	"tallynet/metrics/escape"
	"tallynet/metrics/list"
	"tallynet/metrics/report/quantity"
	"tallynet/sim"
)

// Table is a table for people. Each row has one cell for each column; the writers panic if it does not.
type Table struct {
	Title   string
	Label   string // for LaTeX's \ref, of letters, digits and hyphens; may be empty
	Columns []Column
	Rows    [][]Cell
	Notes   []string // below the table; CSV omits title and notes
}

// A Column describes the cells below it.
type Column struct {
	ID     string       // the header in files for programs; if empty, the name with the unit
	Name   string       // for people, without the unit
	Unit   metrics.Unit // of numbers; empty for words, which are left-aligned
	Type   Type         // of the cells of a Sheet; tables for people ignore it
	Digits int          // significant digits; 0 means 3. CSV always has full precision
}

// Ratio is the unit of a factor: 3.20×.
const Ratio metrics.Unit = "ratio"

// header returns the name of the column in CSV.
func (c Column) header() string {
	if c.ID != "" {
		return c.ID
	}
	if u := quantity.UnitOf(c.Unit); u != nil {
		return c.Name + " (" + u.Symbol + ")"
	}
	return c.Name
}

// WordColumns returns columns of words with the given names.
func WordColumns(names ...string) []Column {
	return list.Map(names, func(name string) Column { return Column{Name: name} })
}

// A Field is a column together with its cell in a row that shows an R.
type Field[R any] struct {
	Column
	Cell func(R) Cell
}

// Fields are the columns of a table that shows an R in each row.
type Fields[R any] []Field[R]

// Add adds a column.
func (f *Fields[R]) Add(c Column, cell func(R) Cell) { *f = append(*f, Field[R]{c, cell}) }

// Columns returns the columns without their cells.
func (f Fields[R]) Columns() []Column {
	return list.Map(f, func(field Field[R]) Column { return field.Column })
}

// Row returns the cells of a row.
func (f Fields[R]) Row(r R) []Cell {
	return list.Map(f, func(field Field[R]) Cell { return field.Cell(r) })
}

// Table returns a table with the given rows.
func (f Fields[R]) Table(title string, rows []R) Table {
	return Table{Title: title, Columns: f.Columns(), Rows: list.Map(rows, f.Row)}
}

// Note adds a note to the table unless it is there already.
func (t *Table) Note(text string) {
	if !slices.Contains(t.Notes, text) {
		t.Notes = append(t.Notes, text)
	}
}

// A Cell is one value of a table. The zero Cell is a missing value: "-" for people, empty in CSV.
type Cell struct {
	Type    Type
	Text    string  // of Words
	Integer int64   // of Integers; the bits of Naturals, the nanoseconds of Times, 1 for a true one of Truths
	Real    float64 // of Reals
	// Markup is how Markdown shows Words that are more than text, such as a link. It is escaped already.
	Markup string
}

// Type is the type of a cell's value.
type Type uint8

// The types of cells.
const (
	Nothing Type = iota
	Words
	Integers
	Naturals // unsigned
	Truths
	Reals
	Times
)

// Missing returns a missing value.
func Missing() Cell { return Cell{} }

// Text returns a cell of words. In a column of numbers it says why there is none, such as "diverged".
func Text(s string) Cell { return Cell{Type: Words, Text: s} }

// Marked returns a cell of words that Markdown shows with markup of its own; other formats have the words.
func Marked(s, markup string) Cell { return Cell{Type: Words, Text: s, Markup: markup} }

// Integer returns an exact count.
func Integer(n int64) Cell { return Cell{Type: Integers, Integer: n} }

// Natural returns a count that may need all 64 bits.
func Natural(n uint64) Cell { return Cell{Type: Naturals, Integer: int64(n)} }

// Truth returns a boolean.
func Truth(yes bool) Cell {
	if yes {
		return Cell{Type: Truths, Integer: 1}
	}
	return Cell{Type: Truths}
}

// Number returns a measured value in the unit of its column. It may be a mean, even of bytes.
func Number(x float64) Cell { return Cell{Type: Reals, Real: x} }

// Measured returns a number for people: an Integer if it is whole, missing if it is not finite.
func Measured(x float64) Cell {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0):
		return Missing()
	case x == math.Trunc(x) && math.Abs(x) < 1<<53:
		return Integer(int64(x))
	}
	return Number(x)
}

// Time returns an exact time.
func Time(t sim.Time) Cell { return Cell{Type: Times, Integer: int64(t)} }

// Float returns the number in the cell; a time in seconds.
func (c Cell) Float() float64 {
	switch c.Type {
	case Times:
		return sim.Time(c.Integer).Seconds()
	case Reals:
		return c.Real
	}
	return float64(c.Integer)
}

// check panics unless every row has one cell for each column.
func (t Table) check() {
	for i, row := range t.Rows {
		if len(row) != len(t.Columns) {
			panic(fmt.Sprintf("table: row %d of %q has %d cells for %d columns", i, t.Title, len(row), len(t.Columns)))
		}
	}
}

// shown is a cell for people, in parts that each format writes in its own way.
type shown struct {
	text     string // words, or the number
	exponent string // of ten, or ""
	unit     string // "MB", "×", or ""
	number   bool
}

// show formats a cell; separator goes between thousands.
func (c Column) show(cell Cell, separator string) shown {
	digits := c.Digits
	if digits == 0 {
		digits = quantity.DefaultDigits
	}
	u := quantity.UnitOf(c.Unit)
	switch {
	case cell.Type == Nothing:
		return shown{text: "-"}
	case cell.Type == Words:
		return shown{text: escape.Words(cell.Text)}
	case u != nil:
		number, symbol := quantity.Value{Number: cell.Float(), Unit: *u, Digits: digits}.Split(separator)
		mantissa, exponent, _ := strings.Cut(number, "e")
		return shown{mantissa, exponent, symbol, true}
	case cell.Type == Integers && c.Unit != Ratio:
		return shown{text: quantity.Group(strconv.FormatInt(cell.Integer, 10), separator), number: true}
	}
	mantissa, exponent := quantity.Scientific(cell.Float(), digits)
	s := shown{text: quantity.Group(mantissa, separator), exponent: exponent, number: true}
	if c.Unit == Ratio {
		s.unit = "×"
	}
	return s
}

// plain returns the common form: "1.23 MB", "2.50e-4", "3.20×".
func (s shown) plain() string {
	out := s.text
	if s.exponent != "" {
		out += "e" + s.exponent
	}
	switch s.unit {
	case "":
	case "×":
		out += "×"
	default:
		out += " " + s.unit
	}
	return out
}

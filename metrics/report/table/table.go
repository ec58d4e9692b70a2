package table

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"tallynet/metrics/escape"
	"tallynet/metrics/report/quantity"
)

// Table is a table with typed columns. Each row has one cell for each column;
// the writers panic if it does not.
type Table struct {
	Title   string
	Label   string // by which LaTeX refers to it, of letters, digits and hyphens; may be empty
	Columns []Column
	Rows    [][]Cell
	Notes   []string // below the table; CSV omits title and notes
}

// Column says how its cells are shown.
type Column struct {
	Name   string // without the unit
	Kind   ColumnKind
	Digits int // significant digits; 0 means 3. CSV always has full precision
}

// ColumnKind is the kind of quantity in a column.
type ColumnKind uint8

// The kinds of columns, each with an example for people and for CSV.
const (
	TextColumn    ColumnKind = iota // words, left-aligned
	IntegerColumn                   // 12,345 | 12345
	FloatColumn                     // 2.50e-4 | 0.00025
	ByteColumn                      // 1.23 MB | 1234567, header with "(B)"
	SecondColumn                    // 4.50 ms | 0.0045, header with "(s)"
	RatioColumn                     // 3.20× | 3.2
	JouleColumn                     // 1.23 kJ | 1234, header with "(J)"
)

// siUnits are the units of the columns that have prefixes.
var siUnits = map[ColumnKind]quantity.Unit{ByteColumn: quantity.InBytes, SecondColumn: quantity.InSeconds,
	JouleColumn: quantity.InJoules}

// Cell is one value of a table. The zero Cell is a missing value: "-" for people, empty in
// CSV.
type Cell struct {
	kind    cellKind
	text    string
	integer int64
	float   float64
}

type cellKind uint8

const (
	missing cellKind = iota
	text
	integer
	float
)

// Missing is a missing value.
func Missing() Cell { return Cell{} }

// Text is a cell of words. In a column of numbers it says why there is none, such as
// "diverged".
func Text(s string) Cell { return Cell{kind: text, text: s} }

// Integer is an exact count, of bytes in a ByteColumn.
func Integer(n int64) Cell { return Cell{kind: integer, integer: n} }

// Number is a measured value: seconds in a SecondColumn, bytes (a mean of
// several runs, say) in a ByteColumn.
func Number(x float64) Cell { return Cell{kind: float, float: x} }

// check panics unless every row has one cell for each column.
func (t Table) check() {
	for i, row := range t.Rows {
		if len(row) != len(t.Columns) {
			panic(fmt.Sprintf("render: row %d of table %q has %d cells for %d columns",
				i, t.Title, len(row), len(t.Columns)))
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
	switch cell.kind {
	case missing:
		return shown{text: "-"}
	case text:
		return shown{text: escape.Words(cell.text)}
	case integer:
		if c.Kind == TextColumn || c.Kind == IntegerColumn || c.Kind == FloatColumn {
			return shown{text: quantity.Group(strconv.FormatInt(cell.integer, 10), separator), number: true}
		}
	}
	x := cell.asFloat()
	switch c.Kind {
	case ByteColumn, SecondColumn, JouleColumn:
		u := siUnits[c.Kind]
		number, symbol := quantity.Value{Number: x, Unit: u, Digits: digits}.Split(separator)
		mantissa, exponent, _ := strings.Cut(number, "e")
		return shown{mantissa, exponent, symbol, true}
	case RatioColumn:
		mantissa, exponent := quantity.Scientific(x, digits)
		return shown{quantity.Group(mantissa, separator), exponent, "×", true}
	default:
		mantissa, exponent := quantity.Scientific(x, digits)
		return shown{quantity.Group(mantissa, separator), exponent, "", true}
	}
}

func (c Cell) asFloat() float64 {
	if c.kind == integer {
		return float64(c.integer)
	}
	return c.float
}

// plain is the common form: "1.23 MB", "2.50e-4", "3.20×".
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

// machine is a cell at full precision, without separators and units.
func (c Cell) machine() string {
	switch c.kind {
	case missing:
		return ""
	case text:
		return c.text
	case integer:
		return strconv.FormatInt(c.integer, 10)
	}
	if math.IsInf(c.float, 1) {
		return "Inf" // not all programs read strconv's +Inf
	}
	// Write an exponent only if digits would not be clearer: 1.2e+06 bytes is 1200000.
	if abs := math.Abs(c.float); abs >= 1e-6 && abs < 1e21 || c.float == 0 {
		return strconv.FormatFloat(c.float, 'f', -1, 64)
	}
	return strconv.FormatFloat(c.float, 'g', -1, 64)
}

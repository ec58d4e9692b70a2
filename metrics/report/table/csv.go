package table

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"tallynet/metrics/escape"
	"tallynet/sim"
)

// A Sheet is a table for programs, whose rows are made one at a time.
type Sheet struct {
	Columns []Column
	// Each calls add with each row in turn, and returns its first error. Add must not keep the row.
	Each func(add func(row []Cell) error) error
}

// WriteCSV writes the sheet as RFC 4180 CSV, but with \n line ends: one header row, numbers at full precision,
// missing values empty. Non-finite numbers are NaN, Inf and -Inf. Texts that a spreadsheet would compute begin with
// an apostrophe; see escape.CSV.
func (s Sheet) WriteCSV(w io.Writer) error { return s.writeCSV(w, exact) }

// WriteCSV writes the table as Sheet.WriteCSV does, but numbers have no exponent where digits are clearer.
func (t Table) WriteCSV(w io.Writer) error {
	t.check()
	sheet := Sheet{t.Columns, func(add func([]Cell) error) error {
		for _, row := range t.Rows {
			if err := add(row); err != nil {
				return err
			}
		}
		return nil
	}}
	return sheet.writeCSV(w, decimal)
}

func (s Sheet) writeCSV(w io.Writer, number func(float64) string) error {
	out := csv.NewWriter(w)
	record := make([]string, len(s.Columns))
	for i, c := range s.Columns {
		record[i] = escape.CSV(c.header())
	}
	if err := out.Write(record); err != nil {
		return err
	}
	err := s.Each(func(row []Cell) error {
		for i, cell := range row {
			record[i] = cell.machine(number)
		}
		return out.Write(record)
	})
	if err != nil {
		return err
	}
	out.Flush()
	return out.Error()
}

// machine returns the cell at full precision, without separators and units.
func (c Cell) machine(number func(float64) string) string {
	switch c.Type {
	case Nothing:
		return ""
	case Words:
		return escape.CSV(c.Text)
	case Naturals:
		return strconv.FormatUint(uint64(c.Integer), 10)
	case Truths:
		return strconv.FormatBool(c.Integer != 0)
	case Times:
		return Seconds(sim.Time(c.Integer))
	case Reals:
		return number(c.Real)
	}
	return strconv.FormatInt(c.Integer, 10)
}

// exact returns the shortest text that is read back as x.
func exact(x float64) string {
	if math.IsInf(x, 1) {
		return "Inf" // not all programs read strconv's +Inf
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// decimal writes an exponent only where digits would not be clearer: 1.2e+06 bytes is 1200000.
func decimal(x float64) string {
	if abs := math.Abs(x); abs >= 1e-6 && abs < 1e21 || x == 0 {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return exact(x)
}

// Seconds returns the exact number of seconds, without trailing zeros.
func Seconds(t sim.Time) string {
	sign, ns := "", uint64(t)
	if t < 0 {
		sign, ns = "-", -ns
	}
	text := fmt.Sprintf("%s%d.%09d", sign, ns/1e9, ns%1e9)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

package platform

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"tallynet/sim"
)

// Matrix is a square table of the links between regions.
type Matrix struct {
	Names []string
	Cells [][]RegionLink // by row, from, and column, to
	Notes []string
}

// RegionLink is a link between two regions. Values that the file does not give are negative. A bandwidth of 0
// is unlimited.
type RegionLink struct {
	Latency   sim.Time
	Bandwidth float64
}

// maxRegions bounds a matrix, whose links grow with the square.
const maxRegions = 1500

// ReadLatencies reads a square table from a CSV file. Cells are latencies, as 12ms, or latencies and
// bandwidths, as 12ms/1Gbit/s; an empty cell or a dash means that there is no link, and so does a 0 off the
// diagonal, which measurements have where they failed. The first row and column may have names. Plain numbers
// are in the given unit; if it is empty, in milliseconds, with a note.
func ReadLatencies(r io.Reader, unit string) (*Matrix, error) {
	assumed := 0
	m, err := readMatrix(r, func(text string) (RegionLink, error) {
		text, rate, with := strings.Cut(text, "/")
		latency, needed, err := latencyOf(text, cmp.Or(unit, "ms"))
		if err != nil {
			return RegionLink{}, err
		}
		if needed && unit == "" {
			assumed++
		}
		c := RegionLink{latency, -1}
		if with {
			c.Bandwidth, _, err = rateOf(rate, "")
		}
		return c, err
	})
	if err != nil {
		return nil, err
	}
	m.unmeasured()
	if assumed > 0 {
		m.Notes = append(m.Notes, counted(assumed, "latency has", "latencies have")+
			" no unit, read as milliseconds (unit sets another)")
	}
	return m, nil
}

// unmeasured removes the links of no latency between two regions, unless they have a bandwidth.
func (m *Matrix) unmeasured() {
	zeros := 0
	for i, row := range m.Cells {
		for j := range row {
			if i != j && row[j].Latency == 0 && row[j].Bandwidth < 0 {
				row[j].Latency = -1
				zeros++
			}
		}
	}
	if zeros > 0 {
		m.Notes = append(m.Notes, counted(zeros, "latency between regions is", "latencies between regions are")+
			" 0, read as not measured (0ms/1Gbit/s is a link without latency)")
	}
}

// ReadBandwidths reads a square table of bandwidths, as ReadLatencies reads latencies. A plain number is an
// error.
func ReadBandwidths(r io.Reader) (*Matrix, error) {
	return readMatrix(r, func(text string) (RegionLink, error) {
		bits, _, err := rateOf(text, "")
		return RegionLink{-1, bits}, err
	})
}

// readMatrix reads a table of cells.
func readMatrix(r io.Reader, cell func(string) (RegionLink, error)) (*Matrix, error) {
	rows, lines, note, err := readTable(r)
	if err != nil {
		return nil, err
	}
	columns := len(rows[0])
	both := columns == len(rows) && columns > 1 && !slices.ContainsFunc(rows[0][1:], isNumber)
	header, labels := both || len(rows) == columns+1, both || columns == len(rows)+1
	m := &Matrix{}
	if note != "" {
		m.Notes = append(m.Notes, note)
	}
	if columns != len(rows) && !header && !labels {
		return nil, failAt(lines[0],
			"want a square table, got %d rows of %d cells (the first row and column may have names)",
			len(rows), columns)
	}
	if header {
		m.Names, rows, lines = rows[0], rows[1:], lines[1:]
		if labels {
			m.Names = m.Names[1:]
		}
	}
	n := len(rows)
	if err := m.names(rows, lines, header, labels); err != nil {
		return nil, err
	}
	for i, row := range rows {
		if labels {
			row = row[1:]
		}
		cells := make([]RegionLink, n)
		for j, text := range row {
			if cells[j] = (RegionLink{-1, -1}); missing(text) {
				continue
			}
			if cells[j], err = cell(text); err != nil {
				return nil, failAt(lines[i], "from %s to %s: %v", m.Names[i], m.Names[j], err)
			}
		}
		m.Cells = append(m.Cells, cells)
	}
	return m, nil
}

// isNumber reports whether a cell begins like a number, or is a word for one.
func isNumber(cell string) bool {
	return cell == "" || slices.Contains([]string{"inf", "infinity", "nan"}, strings.ToLower(cell)) ||
		strings.ContainsRune("+-.0123456789", rune(cell[0]))
}

// names sets the names of regions from the first row or column. Rows must have the order of the columns.
func (m *Matrix) names(rows [][]string, lines []int, header, labels bool) error {
	n := len(rows)
	switch {
	case !header && !labels:
		for i := range n {
			m.Names = append(m.Names, fmt.Sprintf("region%d", i))
		}
		return nil
	case !header:
		for _, row := range rows {
			m.Names = append(m.Names, row[0])
		}
	}
	seen := map[string]bool{}
	for i := range n {
		m.Names[i] = clean(m.Names[i])
		if m.Names[i] == "" || seen[m.Names[i]] {
			return failAt(lines[0], "want a name of its own for each region, got %q for region %d", m.Names[i], i)
		}
		seen[m.Names[i]] = true
		if header && labels && clean(rows[i][0]) != m.Names[i] {
			return failAt(lines[i], "row %d is of %s, but column %d is of %s: want the same order", i, clean(rows[i][0]), i,
				m.Names[i])
		}
	}
	return nil
}

// readTable reads the cells of a CSV file and the lines of its rows. The separator is a comma, a semicolon or a
// tab.
func readTable(r io.Reader) (rows [][]string, lines []int, note string, err error) {
	text, note, err := readText(r)
	if err != nil {
		return nil, nil, "", err
	}
	first, _, _ := bytes.Cut(text, []byte("\n"))
	c := csv.NewReader(bytes.NewReader(text))
	c.Comment, c.LazyQuotes = '#', true
	for bytes.HasPrefix(first, []byte("#")) {
		text = text[len(first):]
		text = bytes.TrimLeft(text, "\r\n")
		first, _, _ = bytes.Cut(text, []byte("\n"))
	}
	switch {
	case bytes.ContainsRune(first, '\t'):
		c.Comma = '\t'
	case bytes.ContainsRune(first, ';'):
		c.Comma = ';'
	}
	for {
		row, err := c.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, nil, "", csvError(err)
		}
		line, _ := c.FieldPos(0)
		for i := range row {
			row[i] = strings.TrimSpace(row[i])
		}
		rows, lines = append(rows, row), append(lines, line)
		if len(rows) > maxRegions+1 || len(row) > maxRegions+1 {
			return nil, nil, "", failAt(line, "the table has more than %d regions; keep those that you need", maxRegions)
		}
	}
	if len(rows) == 0 {
		return nil, nil, "", errors.New("the file is empty")
	}
	return rows, lines, note, nil
}

func csvError(err error) error {
	var wrong *csv.ParseError
	if !errors.As(err, &wrong) {
		return err
	}
	if errors.Is(wrong.Err, csv.ErrFieldCount) {
		return failAt(wrong.Line, "the row has another number of cells than those before")
	}
	return failAt(wrong.Line, "%v", wrong.Err)
}

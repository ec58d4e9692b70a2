package parquet

import (
	"io"
	"os"
	"reflect"
	"strings"

	format "github.com/parquet-go/parquet-go"

	"tallynet/metrics/report/result"
	"tallynet/metrics/report/table"
)

// rowsInGroup is the number of rows in memory before they are written.
const rowsInGroup = 1 << 15

// creator is the name of the program in the files.
const creator = "tallynet"

// Names returns the names of the files.
func Names() []string { return []string{"runs.parquet", "iterations.parquet"} }

// Files returns runs.parquet and iterations.parquet of a result. Equal results give equal bytes.
func Files(r *result.Report) []result.File {
	names := Names()
	return []result.File{{Name: names[0], Write: writer("runs", r.RunSheet)},
		{Name: names[1], Write: writer("iterations", r.IterationSheet)}}
}

// Own reports whether a file is a Parquet file by this program.
func Own(path string) bool {
	in, err := os.Open(path)
	if err != nil {
		return false
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return false
	}
	file, err := format.OpenFile(in, info.Size(), format.SkipPageIndex(true), format.SkipBloomFilters(true))
	return err == nil && strings.HasPrefix(file.Metadata().CreatedBy, creator+" ")
}

// writer returns a function that writes a sheet under a name.
func writer(name string, sheet func() (table.Sheet, error)) func(io.Writer) error {
	return func(w io.Writer) error {
		s, err := sheet()
		if err != nil {
			return err
		}
		fields := make([]format.Field, len(s.Columns))
		for i, c := range s.Columns {
			fields[i] = column{node(c.Type), c.ID}
		}
		schema := format.NewSchema(name, columns{all: fields})
		out := format.NewGenericWriter[any](w, schema, format.Compression(&format.Snappy),
			format.CreatedBy(creator, "1", "none"), format.MaxRowsPerRowGroup(rowsInGroup))
		var row format.Row // reused
		err = s.Each(func(cells []table.Cell) error {
			row = row[:0]
			for i, c := range cells {
				row = append(row, valueOf(c, i))
			}
			_, err := out.WriteRows([]format.Row{row})
			return err
		})
		if err != nil {
			return err
		}
		return out.Close()
	}
}

// column is a column with its name and type.
type column struct {
	format.Node
	name string
}

// Name returns the column's name.
func (c column) Name() string { return c.name }

// Value is never called: the rows are no Go structs.
func (c column) Value(reflect.Value) reflect.Value { return reflect.Value{} }

// columns keeps the columns in order. A format.Group alone sorts them by name.
type columns struct {
	format.Group
	all []format.Field
}

// Fields returns the columns.
func (c columns) Fields() []format.Field { return c.all }

// node returns the type of a column in the format.
func node(t table.Type) format.Node {
	switch t {
	case table.Integers:
		return format.Optional(format.Int(64))
	case table.Naturals:
		return format.Optional(format.Uint(64))
	case table.Truths:
		return format.Optional(format.Leaf(format.BooleanType))
	case table.Words:
		return format.Optional(format.Encoded(format.String(), &format.RLEDictionary))
	}
	return format.Optional(format.Leaf(format.DoubleType))
}

// valueOf returns a value of the i-th column. The format allows no invalid UTF-8.
func valueOf(c table.Cell, i int) format.Value {
	var v format.Value
	switch c.Type {
	case table.Nothing:
		return format.NullValue().Level(0, 0, i)
	case table.Words:
		v = format.ByteArrayValue([]byte(strings.ToValidUTF8(c.Text, "\ufffd")))
	case table.Truths:
		v = format.BooleanValue(c.Integer != 0)
	case table.Integers, table.Naturals:
		v = format.Int64Value(c.Integer)
	default:
		v = format.DoubleValue(c.Float())
	}
	return v.Level(0, 1, i)
}

package parquet

import (
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"

	format "github.com/parquet-go/parquet-go"

	"tallynet/metrics"
	"tallynet/metrics/report/result"
	"tallynet/sim"
)

// What is held in memory before it is written.
const (
	rowsInGroup = 1 << 15
	rowsInBatch = 1 << 8
)

// creator is the name of the program in the files.
const creator = "tallynet"

// Names are the names of the files.
func Names() []string { return []string{"runs.parquet", "iterations.parquet"} }

// Files are runs.parquet and iterations.parquet of a result. The same result gives the same bytes.
func Files(r *result.Report) []result.File {
	names := Names()
	return []result.File{{Name: names[0], Write: writer("runs", r.RunTable)},
		{Name: names[1], Write: writer("iterations", r.IterationTable)}}
}

// Own reports whether a file is a Parquet file that this program has written.
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

// writer returns what writes a table under a name.
func writer(name string, table func() (*result.TypedTable, error)) func(io.Writer) error {
	return func(w io.Writer) error {
		t, err := table()
		if err != nil {
			return err
		}
		out := newRows(w, name, t.Columns)
		if err := t.Each(out.add); err != nil {
			return err
		}
		return out.end()
	}
}

// rows writes the rows of a file with columns that may all be null.
type rows struct {
	w     *format.GenericWriter[any]
	batch []format.Row
}

// column is a column with its name and type.
type column struct {
	format.Node
	name string
}

// Name returns the column's name.
func (c column) Name() string { return c.name }

// Value is for rows that are Go structs, which ours are not.
func (c column) Value(reflect.Value) reflect.Value { return reflect.Value{} }

// columns keeps columns in their order, where the library's group sorts them by name.
type columns struct {
	format.Group
	all []format.Field
}

// Fields returns the columns.
func (c columns) Fields() []format.Field { return c.all }

// newRows returns the writer of a file.
func newRows(w io.Writer, table string, typed []result.TypedColumn) *rows {
	fields := make([]format.Field, len(typed))
	for i, c := range typed {
		fields[i] = column{node(c.Type), c.Name}
	}
	schema := format.NewSchema(table, columns{all: fields})
	return &rows{w: format.NewGenericWriter[any](w, schema, format.Compression(&format.Snappy),
		format.CreatedBy(creator, "1", "none"), format.MaxRowsPerRowGroup(rowsInGroup))}
}

// add writes a row: a value for each column, or nil.
func (r *rows) add(values []any) error {
	n := len(r.batch)
	if r.batch == nil {
		r.batch = make([]format.Row, 0, rowsInBatch)
	}
	r.batch = r.batch[:n+1]
	row := r.batch[n][:0]
	for i, v := range values {
		row = append(row, valueOf(v, i))
	}
	r.batch[n] = row
	if len(r.batch) < cap(r.batch) {
		return nil
	}
	return r.flush()
}

func (r *rows) flush() error {
	_, err := r.w.WriteRows(r.batch)
	r.batch = r.batch[:0]
	return err
}

// end writes what is left.
func (r *rows) end() error {
	if err := r.flush(); err != nil {
		return err
	}
	return r.w.Close()
}

// node returns the type of a column in the format.
func node(t result.ColumnType) format.Node {
	switch t {
	case result.RealColumn:
		return format.Optional(format.Leaf(format.DoubleType))
	case result.IntegerColumn:
		return format.Optional(format.Int(64))
	case result.UnsignedColumn:
		return format.Optional(format.Uint(64))
	case result.BoolColumn:
		return format.Optional(format.Leaf(format.BooleanType))
	case result.TextColumn:
		return format.Optional(format.Encoded(format.String(), &format.RLEDictionary))
	}
	panic(fmt.Sprintf("parquet: no type of columns is %d", t))
}

// valueOf returns a value of the i-th column; nil is null.
func valueOf(field any, i int) format.Value {
	var v format.Value
	switch x := field.(type) {
	case nil:
		return format.NullValue().Level(0, 0, i)
	case float64:
		v = format.DoubleValue(x)
	case *float64:
		v = format.DoubleValue(*x)
	case *sim.Time:
		v = format.DoubleValue(x.Seconds())
	case int:
		v = format.Int64Value(int64(x))
	case *int:
		v = format.Int64Value(int64(*x))
	case int64:
		v = format.Int64Value(x)
	case *int64:
		v = format.Int64Value(*x)
	case uint64:
		v = format.Int64Value(int64(x))
	case bool:
		v = format.BooleanValue(x)
	case string:
		v = textOf(x)
	case *string:
		v = textOf(*x)
	case *metrics.Kind:
		v = textOf(x.String())
	default:
		panic(fmt.Sprintf("parquet: a column of type %T", field))
	}
	return v.Level(0, 1, i)
}

// textOf returns a text; the format allows no invalid UTF-8.
func textOf(s string) format.Value {
	return format.ByteArrayValue([]byte(strings.ToValidUTF8(s, "\ufffd")))
}

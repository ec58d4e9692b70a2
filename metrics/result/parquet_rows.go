package result

import (
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"

	"github.com/parquet-go/parquet-go"

	"tallynet/metrics"
	"tallynet/sim"
)

// What is held in memory before it is written.
const (
	rowsInGroup = 1 << 15
	rowsInBatch = 1 << 8
)

// creator is the name of the program in the files.
const creator = "tallynet"

// OwnParquet reports whether a file is a Parquet file that this program has written.
func OwnParquet(path string) bool {
	in, err := os.Open(path)
	if err != nil {
		return false
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return false
	}
	file, err := parquet.OpenFile(in, info.Size(), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	return err == nil && strings.HasPrefix(file.Metadata().CreatedBy, creator+" ")
}

// parquetRows writes the rows of a Parquet file with columns that may all be null.
type parquetRows struct {
	w     *parquet.GenericWriter[any]
	batch []parquet.Row
}

// parquetColumn is a column with its name and type.
type parquetColumn struct {
	parquet.Node
	name string
}

// Name returns the column's name.
func (c parquetColumn) Name() string { return c.name }

// Value is for rows that are Go structs, which ours are not.
func (c parquetColumn) Value(reflect.Value) reflect.Value { return reflect.Value{} }

// parquetColumns keeps columns in their order, where the library's group sorts them by name.
type parquetColumns struct {
	parquet.Group
	all []parquet.Field
}

// Fields returns the columns.
func (c parquetColumns) Fields() []parquet.Field { return c.all }

// newParquetRows returns the writer of a file.
func newParquetRows(w io.Writer, table string, columns []parquetColumn) (*parquetRows, error) {
	fields := make([]parquet.Field, len(columns))
	seen := map[string]bool{}
	for i, c := range columns {
		if seen[c.name] {
			return nil, twice(c.name)
		}
		fields[i], seen[c.name] = c, true
	}
	schema := parquet.NewSchema(table, parquetColumns{all: fields})
	return &parquetRows{w: parquet.NewGenericWriter[any](w, schema, parquet.Compression(&parquet.Snappy),
		parquet.CreatedBy(creator, "1", "none"), parquet.MaxRowsPerRowGroup(rowsInGroup))}, nil
}

// add writes a row: a value for each column, as a column's field is, or nil.
func (p *parquetRows) add(values []any) error {
	n := len(p.batch)
	if p.batch == nil {
		p.batch = make([]parquet.Row, 0, rowsInBatch)
	}
	p.batch = p.batch[:n+1]
	row := p.batch[n][:0]
	for i, v := range values {
		row = append(row, parquetValue(v, i))
	}
	p.batch[n] = row
	if len(p.batch) < cap(p.batch) {
		return nil
	}
	return p.flush()
}

func (p *parquetRows) flush() error {
	_, err := p.w.WriteRows(p.batch)
	p.batch = p.batch[:0]
	return err
}

// end writes what is left.
func (p *parquetRows) end() error {
	if err := p.flush(); err != nil {
		return err
	}
	return p.w.Close()
}

// parquetNode returns the type of a column with field as an example; nil means a metric.
func parquetNode(field any) parquet.Node {
	switch field.(type) {
	case nil, float64, *float64, *sim.Time:
		return parquet.Optional(parquet.Leaf(parquet.DoubleType))
	case int, int64, *int, *int64:
		return parquet.Optional(parquet.Int(64))
	case uint64:
		return parquet.Optional(parquet.Uint(64))
	case bool:
		return parquet.Optional(parquet.Leaf(parquet.BooleanType))
	case string, *string, *metrics.Kind:
		return parquet.Optional(parquet.Encoded(parquet.String(), &parquet.RLEDictionary))
	}
	panic(fmt.Sprintf("result: a column of type %T", field))
}

// parquetValue is a value in the i-th column; nil is null.
func parquetValue(field any, i int) parquet.Value {
	var v parquet.Value
	switch x := field.(type) {
	case nil:
		return parquet.NullValue().Level(0, 0, i)
	case float64:
		v = parquet.DoubleValue(x)
	case *float64:
		v = parquet.DoubleValue(*x)
	case *sim.Time:
		v = parquet.DoubleValue(x.Seconds())
	case int:
		v = parquet.Int64Value(int64(x))
	case *int:
		v = parquet.Int64Value(int64(*x))
	case int64:
		v = parquet.Int64Value(x)
	case *int64:
		v = parquet.Int64Value(*x)
	case uint64:
		v = parquet.Int64Value(int64(x))
	case bool:
		v = parquet.BooleanValue(x)
	case string:
		v = parquetText(x)
	case *string:
		v = parquetText(*x)
	case *metrics.Kind:
		v = parquetText(x.String())
	default:
		panic(fmt.Sprintf("result: a column of type %T", field))
	}
	return v.Level(0, 1, i)
}

// parquetText is a text; the format allows no invalid UTF-8.
func parquetText(s string) parquet.Value {
	return parquet.ByteArrayValue([]byte(strings.ToValidUTF8(s, "\ufffd")))
}

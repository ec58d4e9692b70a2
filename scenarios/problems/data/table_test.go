package data_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tallynet/scenarios/problems/budget"
	"tallynet/scenarios/problems/data"
)

func write(t *testing.T, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func packed(content []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(content); err != nil {
		panic(err)
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// npy returns an array as np.save writes it.
func npy(kind, order, shape string, elements any) []byte {
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }", kind, order, shape)
	header += strings.Repeat(" ", 63-(10+len(header))%64) + "\n"
	b := append([]byte("\x93NUMPY\x01\x00"), byte(len(header)), byte(len(header)>>8))
	var body bytes.Buffer
	var bytes binary.ByteOrder = binary.LittleEndian
	if kind[0] == '>' {
		bytes = binary.BigEndian
	}
	if err := binary.Write(&body, bytes, elements); err != nil {
		panic(err)
	}
	return append(append(b, header...), body.Bytes()...)
}

func npz(arrays map[string][]byte) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, content := range arrays {
		f, err := z.Create(name + ".npy")
		if err != nil {
			panic(err)
		}
		if _, err := f.Write(content); err != nil {
			panic(err)
		}
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// TestReadTable: one table in every format.
func TestReadTable(t *testing.T) {
	x := []float64{1, 2, 3, 4, 5, 6.5}
	csv := []byte("a,\"b, quoted\",\"y\"\n1,2,7\r\n3, 4 ,8\n\"5\",6.5,7.0\n")
	idx := append([]byte{0, 0, 0x0E, 2, 0, 0, 0, 3, 0, 0, 0, 2}, bigEndian(x)...)
	idxLabels := []byte{0, 0, 8, 1, 0, 0, 0, 3, 7, 8, 7}
	images := npy("<f8", "False", "3, 2", x)
	for _, c := range []struct {
		name, file string
		content    []byte
		o          data.TableOptions
		labels     []byte
		features   string
	}{
		{"csv", "a.csv", csv, data.TableOptions{}, nil, "a|b, quoted"},
		{"packed csv under any name", "data.bin", packed(csv), data.TableOptions{Target: "y"}, nil, "a|b, quoted"},
		{"with a byte order mark", "a.csv", append([]byte("\ufeff"), csv...), data.TableOptions{}, nil, "a|b, quoted"},
		{"tsv", "a.tsv", []byte("id\ty\ta\tb\nx\t7\t1\t2\ny\t8\t3\t4\nz\t7\t5\t6.5\n"),
			data.TableOptions{Target: "y", Ignore: []string{"id"}}, nil, "a|b"},
		{"semicolons without a header", "a.txt", []byte("7;1;2\n8;3;4\n7;5;6.5\n"),
			data.TableOptions{Target: "1", NoHeader: true, Delimiter: ";"}, nil, "2|3"},
		{"chosen columns", "a.csv", []byte("y,z,a,b\n7,text,1,2\n8,,3,4\n7,?,5,6.5\n"),
			data.TableOptions{Target: "y", Columns: []string{"a", "b"}}, nil, "a|b"},
		{"a column twice that is not chosen", "a.csv",
			[]byte("c,a,c,b,,,y\n0,1,0,2,0,0,7\n0,3,0,4,0,0,8\n0,5,0,6.5,0,0,7\n"),
			data.TableOptions{Columns: []string{"a", "b"}}, nil, "a|b"},
		{"a column twice that is ignored", "a.csv", []byte("c,a,c,b,y,c\n0,1,0,2,7,?\n0,3,0,4,8,?\n0,5,0,6.5,7,\n"),
			data.TableOptions{Target: "y", Ignore: []string{"c"}}, nil, "a|b"},
		{"npy", "a.npy", npy("<f8", "False", "3, 3", []float64{1, 2, 7, 3, 4, 8, 5, 6.5, 7}), data.TableOptions{}, nil,
			"1|2"},
		{"npy by columns, big endian", "a.npy", npy(">f4", "True", "3, 3", []float32{7, 8, 7, 1, 3, 5, 2, 4, 6.5}),
			data.TableOptions{Target: "1"}, nil, "2|3"},
		{"npy and labels", "a.npy", images, data.TableOptions{}, npy("|u1", "False", "3,", []byte{7, 8, 7}), "1|2"},
		{"npz", "a.npz", npz(map[string][]byte{"X": images, "y": npy("<i8", "False", "3,", []int64{7, 8, 7})}),
			data.TableOptions{}, nil, "1|2"},
		{"npz of other names", "a.npz", npz(map[string][]byte{"f": images,
			"t": npy("<i2", "False", "3, 1", []int16{7, 8, 7})}),
			data.TableOptions{Array: "f", Target: "t"}, nil, "1|2"},
		{"svmlight", "a.svm", []byte("7 1:1 2:2 # a\n8 1:3 2:4\n\n7.0 1:5 2:6.5\n"), data.TableOptions{FirstIndex: 1}, nil,
			"1|2"},
		{"svmlight without extension", "a", []byte("\ufeff7 1:1 2:2 # a\r\n8 1:3 2:4\r\n7.0 1:5 2:6.5"),
			data.TableOptions{FirstIndex: 1}, nil, "1|2"},
		{"svmlight as libsvm's tests, packed", "a.t.gz", []byte(gzipped("# made\n7 0:1 1:2 " + strings.Repeat(" ", 5000) +
			"\n8 0:3 1:4\n7 0:5 1:6.5\n")), data.TableOptions{}, nil, "0|1"},
		{"idx", "images", idx, data.TableOptions{}, idxLabels, "1|2"},
	} {
		if c.labels != nil {
			c.o.Labels = write(t, "labels", c.labels)
		}
		got, err := data.ReadTable(write(t, c.file, c.content), c.o, budget.Limit{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if strings.Join(got.Features, "|") != c.features || !slices.Equal(got.X, x) || got.Len() != 3 ||
			!slices.Equal(got.Numbers, []float64{7, 8, 7}) || !slices.Equal(got.Labels, []int{0, 1, 0}) ||
			!slices.Equal(got.Classes, []string{"7", "8"}) {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

func bigEndian(x []float64) []byte {
	var b []byte
	for _, v := range x {
		b = binary.BigEndian.AppendUint64(b, math.Float64bits(v))
	}
	return b
}

func gzipped(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		panic(err)
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.String()
}

// TestReadTableErrors: errors have the row and the column.
func TestReadTableErrors(t *testing.T) {
	const head = "a,b,y\n"
	for _, c := range []struct {
		name, file, content string
		o                   data.TableOptions
		want                string
	}{
		{"missing", "m.csv", head + "1,2,0\n3,,1\n", data.TableOptions{},
			`m.csv: row 2 (line 3), column "b": the value is missing; `},
		{"after a field of two lines", "m.csv", "a,\"b\nc\",y\n1,2,0\n3,NA,1\n", data.TableOptions{},
			`row 2 (line 4), column "b\nc": the value is missing ("NA")`},
		{"a missing target", "m.csv", head + "1,2,\n", data.TableOptions{},
			`row 1 (line 2), column "y": the value is missing`},
		{"text", "m.csv", head + "1,red,0\n", data.TableOptions{},
			`row 1 (line 2), column "b": want a finite number, got "red"; encode`},
		{"decimal comma", "m.csv", "a;b;y\n1;1,5;0\n", data.TableOptions{Delimiter: ";"},
			`column "b": want a finite number, got "1,5"; write numbers with a decimal point and without commas`},
		{"infinite", "m.csv", head + "1,inf,0\n", data.TableOptions{}, `want a finite number, got "inf"`},
		{"hostile NaN", "m.csv", head + "1,nan,0\n", data.TableOptions{}, `column "b": the value is missing ("nan")`},
		{"a short row", "m.csv", head + "1,2,0\n1,2\n", data.TableOptions{},
			"line 3, character 1: the row has another number of fields"},
		{"a quote", "m.csv", head + "1,\"2,0\n", data.TableOptions{}, "line 2, character"},
		{"no column", "m.csv", head + "1,2,0\n", data.TableOptions{Target: "z"},
			`target: there is no column "z"; the columns are a, b, y`},
		{"a column twice", "m.csv", "a,a,y\n1,2,0\n", data.TableOptions{}, `the column "a" twice, as columns 1 and 2`},
		{"the target twice", "m.csv", "y,a,y\n1,2,0\n", data.TableOptions{Target: "y", Columns: []string{"a"}},
			`the column "y" twice, as columns 1 and 3`},
		{"the nodes twice", "m.csv", "n,a,n,y\n1,2,0,0\n", data.TableOptions{Groups: "n", Columns: []string{"a"}},
			`the column "n" twice, as columns 1 and 3`},
		{"no header", "m.csv", "1,2,0\n3,4,1\n", data.TableOptions{}, "write header: false"},
		{"no rows", "m.csv", head, data.TableOptions{}, "the file has no samples"},
		{"empty", "m.csv", "", data.TableOptions{}, "the file is empty"},
		{"semicolons", "m.csv", "a;b;y\n1;2;0\n", data.TableOptions{Target: "y"}, `"a;b;y"; write delimiter: ";"`},
		{"tabs", "m.csv", "a\ty\n1\t0\n", data.TableOptions{}, `write delimiter: "tab"`},
		{"commas", "m.tsv", "a,y\n1,0\n", data.TableOptions{}, `write delimiter: ","`},
		{"no features", "m.csv", "y\n1\n", data.TableOptions{}, "no column is left for the features"},
		{"a delimiter of two", "m.csv", head, data.TableOptions{Delimiter: "ab"},
			`the delimiter is "ab"; want one character`},
		{"an option of CSV", "m.svm", "1 1:2\n", data.TableOptions{Ignore: []string{"a"}},
			"ignore is for CSV and TSV files"},
		{"svmlight", "m.svm", "1 1:2\n0 1:x\n", data.TableOptions{FirstIndex: 1}, `row 2 (line 2): the feature is "1:x"`},
		{"svmlight without extension", "m", "1 1:2\n0 1:x\n", data.TableOptions{FirstIndex: 1},
			`row 2 (line 2): the feature is "1:x"`},
		{"ranking data", "m.dat", "1 qid:3 1:2\n", data.TableOptions{FirstIndex: 1}, `the feature is "qid:3"`},
		{"no svmlight", "m", "time,1 1:2\n", data.TableOptions{}, "the file has no samples"},
		{"npy of text", "m.npy", string(npy("<U3", "False", "2,", []byte{1})), data.TableOptions{}, "got one of type U3"},
		{"a short npy", "m.npy", string(npy("<f8", "False", "9, 9", []float64{1})), data.TableOptions{},
			"648 bytes of elements, and the file has 8"},
		{"NaN in npy", "m.npy", string(npy("<f8", "False", "1, 2", []float64{math.NaN(), 1})), data.TableOptions{},
			"row 1, column 1: want a finite number"},
		{"npz without y", "m.npz", string(npz(map[string][]byte{"X": npy("<f8", "False", "1, 1", []float64{1})})),
			data.TableOptions{},
			`target: there is no array "y"; the arrays are X`},
		{"idx alone", "m", "\x00\x00\x08\x01\x00\x00\x00\x01\x05", data.TableOptions{}, "name the other one with labels"},
		{"UTF-16", "m.csv", "\xff\xfea\x00,\x00y\x00\n\x00", data.TableOptions{}, "the text is in UTF-16: save it in UTF-8"},
		{"lines of an old Mac", "m.csv", "a,b,y\r1,2,0\r2,3,1\r", data.TableOptions{}, "contains a carriage return"},
		{"Parquet", "m.csv", "PAR1xxxxPAR1", data.TableOptions{}, "the format Parquet, which is not read"},
		{"a picture", "m.csv", "\x89PNG\r\n\x1a\n", data.TableOptions{}, "the file is not a text"},
		{"zero bytes", "m.csv", "a,b\x00,y\n1,2,0\n", data.TableOptions{}, "the file is not a text"},
		{"cut off", "m.csv.gz", gzipped(strings.Repeat("a,b,y\n1,2,0\n", 500))[:40], data.TableOptions{},
			"the file is cut off; get it again"},
		{"an empty npz", "m.npz", string(npz(nil)), data.TableOptions{}, "the file has no arrays"},
		{"binary", "m", "\x7fELF\x00\x00\x00\x00", data.TableOptions{}, "the format is not known"},
	} {
		_, err := data.ReadTable(write(t, c.file, []byte(c.content)), c.o, budget.Limit{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

// TestReadTableLimit: a file that exceeds the limit is refused, and the error says what would fit.
func TestReadTableLimit(t *testing.T) {
	text := "a,y\n" + strings.Repeat("1,0\n0,1\n", 3000)
	_, err := data.ReadTable(write(t, "m.csv", []byte(text)), data.TableOptions{}, budget.Limit{Bytes: 64_000})
	const want = "the file up to row 1025, with 1 features each, needs 65.6 kB of memory, and the limit is 64 kB"
	if err == nil || !strings.Contains(err.Error(), want) ||
		!strings.Contains(err.Error(), "what would fit: rows up to 1000 (here 1025)") {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestManyTargets: numeric targets that differ in every row are not classes. That many different texts are an
// error.
func TestManyTargets(t *testing.T) {
	numbers, texts := []byte("a,y\n"), []byte("a,y\n")
	for i := range 10_001 {
		numbers = fmt.Appendf(numbers, "1,%d.5\n", i)
		texts = fmt.Appendf(texts, "1,name %d\n", i)
	}
	got, err := data.ReadTable(write(t, "m.csv", numbers), data.TableOptions{}, budget.Limit{})
	if err != nil || got.Labels != nil || got.Len() != 10_001 {
		t.Errorf("%v, %v labels", err, got)
	}
	_, err = data.ReadTable(write(t, "m.csv", texts), data.TableOptions{}, budget.Limit{})
	if err == nil || !strings.Contains(err.Error(), `neither numbers nor classes; row 1 (line 2), column "y"`) {
		t.Error(err)
	}
}

// TestGroups: the values of the nodes' column are in ascending order, as numbers if possible.
func TestGroups(t *testing.T) {
	got, err := data.ReadTable(write(t, "m.csv", []byte("a,y,site\n1,0,10\n2,1,9\n3,0,10.0\n")),
		data.TableOptions{Target: "y", Groups: "site"}, budget.Limit{})
	if err != nil || !slices.Equal(got.GroupNames, []string{"9", "10"}) || !slices.Equal(got.Groups, []int{1, 0, 1}) {
		t.Errorf("%v, %+v", err, got)
	}
}

func FuzzReadTable(f *testing.F) {
	f.Add("m.csv", []byte("a,b,y\n1,2,0\n"))
	f.Add("m.npy", npy("<f8", "True", "2, 2", []float64{1, 2, 3, 4}))
	f.Add("m.npz", npz(map[string][]byte{"X": npy("<f8", "False", "1, 1", []float64{1})}))
	f.Add("m.svm", []byte("1 1:2 3:4\n"))
	f.Add("m", []byte("\x00\x00\x08\x01\x00\x00\x00\x01\x05"))
	f.Fuzz(func(t *testing.T, name string, content []byte) {
		if !slices.Contains([]string{"m.csv", "m.npy", "m.npz", "m.svm", "m"}, name) {
			return
		}
		path := write(t, name, content)
		table, err := data.ReadTable(path, data.TableOptions{Labels: map[bool]string{true: path}[name == "m"]},
			budget.Limit{Bytes: 1e8})
		if err != nil {
			return
		}
		if table.Len() < 1 || len(table.X) != table.Len()*len(table.Features) {
			t.Errorf("%d samples, %d features, %d numbers", table.Len(), len(table.Features), len(table.X))
		}
	})
}

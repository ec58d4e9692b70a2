package parquet

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	format "github.com/parquet-go/parquet-go"

	"tallynet/metrics"
	"tallynet/metrics/escape"
	"tallynet/metrics/report/result"
)

// example returns two runs that differ in everything.
func example(t *testing.T) *result.Report {
	t.Helper()
	r, err := result.ReadFolder("../result/testdata")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// point returns settings from alternating keys and values.
func point(t *testing.T, pairs ...any) result.Settings {
	t.Helper()
	var p result.Settings
	for i := 0; i < len(pairs); i += 2 {
		s, err := result.NewSetting(pairs[i].(string), pairs[i+1])
		if err != nil {
			t.Fatal(err)
		}
		p = append(p, s)
	}
	return p
}

// sheet is a Parquet file as the library reads it back.
type sheet struct {
	names  []string
	kinds  []string
	values [][]format.Value // by row, then column
}

func (p *sheet) column(t *testing.T, name string) int {
	t.Helper()
	i := slices.Index(p.names, name)
	if i < 0 {
		t.Fatalf("no column %q in %q", name, p.names)
	}
	return i
}

// cells returns the values of a column as text; null is "null".
func (p *sheet) cells(t *testing.T, name string) []string {
	t.Helper()
	var all []string
	for _, row := range p.values {
		all = append(all, row[p.column(t, name)].String())
	}
	return all
}

// written writes one of the Parquet files of a report, and reads it back.
func written(t *testing.T, r *result.Report, name string) (*sheet, []byte) {
	t.Helper()
	var b bytes.Buffer
	for _, f := range Files(r) {
		if f.Name == name {
			if err := f.Write(&b); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
	}
	return read(t, b.Bytes()), b.Bytes()
}

func read(t *testing.T, content []byte) *sheet {
	t.Helper()
	file, err := format.OpenFile(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	out := new(sheet)
	for _, c := range file.Root().Columns() {
		out.names, out.kinds = append(out.names, c.Name()), append(out.kinds, c.Type().String())
	}
	for _, group := range file.RowGroups() {
		rows := group.Rows()
		out.values = slices.Grow(out.values, int(group.NumRows()))
		all := make([]format.Value, 0, int(group.NumRows())*len(out.names)) // of the group's rows
		buffer := make([]format.Row, 100)
		for {
			n, err := rows.ReadRows(buffer)
			for _, row := range buffer[:n] {
				at := len(all)
				for _, v := range row {
					all = append(all, v.Clone())
				}
				out.values = append(out.values, all[at:])
			}
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := rows.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func TestHasTheTypesOfItsColumns(t *testing.T) {
	r := example(t)
	got, content := written(t, r, "runs.parquet")
	if len(got.values) != len(r.Runs) {
		t.Fatalf("%d rows of %d runs", len(got.values), len(r.Runs))
	}
	for name, want := range map[string]string{
		"run": "INT(64,true)", "seed": "INT(64,false)", "label": "STRING", "topology.nodes": "INT(64,true)",
		"network.latency": "STRING", "algorithms.x": "STRING", "parameters.alpha": "DOUBLE",
		"parameters.warm": "BOOLEAN", "parameters.solve": "STRING", "status": "STRING", "iterations": "INT(64,true)",
		"final.grad_norm2": "DOUBLE", "totals.payload_bytes": "INT(64,true)", "totals.time_s": "DOUBLE",
		"totals.energy_j": "DOUBLE", "to[0].reached": "BOOLEAN", "to[0].rounds": "INT(64,true)",
		"network.latency_s": "DOUBLE",
	} {
		if kind := got.kinds[got.column(t, name)]; kind != want {
			t.Errorf("%s is %s, want %s", name, kind, want)
		}
	}
	first := &r.Runs[0]
	for name, want := range map[string]string{
		"seed": "18446744073709551615", "label": first.Label, "topology.nodes": "4", "network.latency": "0.1ms",
		"algorithms.x": "[1,0.5]", "parameters.warm": "true", "status": "reached", "iterations": "2",
		"final.grad_norm2": "0.00025", "totals.payload_bytes": "129616", "to[0].target": first.Targets[0].Target.String(),
		"hash": "a1b2c3d4", "network.latency_s": "0.0001",
	} {
		v := got.values[0][got.column(t, name)]
		text := v.String()
		if name == "seed" {
			text = strconv.FormatUint(v.Uint64(), 10)
		}
		if text != want {
			t.Errorf("%s of the first run is %s, want %s", name, text, want)
		}
	}
	if v := got.values[1][got.column(t, "final.grad_norm2")]; !v.IsNull() {
		t.Errorf("a run that recorded nothing ends with grad_norm2 = %s, want null", v)
	}
	if _, again := written(t, r, "runs.parquet"); !bytes.Equal(content, again) {
		t.Error("the same result gave other bytes")
	}
}

// TestEqualsCSV compares each cell of iterations.parquet with that of iterations.csv.
func TestEqualsCSV(t *testing.T) {
	r := example(t)
	var b bytes.Buffer
	k := slices.IndexFunc(r.Files(), func(f result.File) bool { return f.Name == "iterations.csv" })
	if err := r.Files()[k].Write(&b); err != nil {
		t.Fatal(err)
	}
	records, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	got, _ := written(t, r, "iterations.parquet")
	if !slices.Equal(got.names, records[0]) || len(got.values) != len(records)-1 {
		t.Fatalf("columns %q, and %d rows; want %q and %d", got.names, len(got.values), records[0], len(records)-1)
	}
	for i, record := range records[1:] {
		for k, text := range record {
			v, name := got.values[i][k], records[0][k]
			switch {
			case v.IsNull():
				if text != "" {
					t.Errorf("row %d, %s: null, want %s", i, name, text)
				}
			case v.Kind() == format.Double:
				x, err := strconv.ParseFloat(text, 64)
				if err != nil || x != v.Double() && !(math.IsNaN(x) && math.IsNaN(v.Double())) {
					t.Errorf("row %d, %s: %g, want %s", i, name, v.Double(), text)
				}
			case name == "seed":
				if strconv.FormatUint(v.Uint64(), 10) != text {
					t.Errorf("row %d: seed %d, want %s", i, v.Uint64(), text)
				}
			case v.String() != escape.FromCSV(text):
				t.Errorf("row %d, %s: %q, want %q", i, name, v.String(), text)
			}
		}
	}
}

// TestSettings: a column has the narrowest type for all values of its key.
func TestSettings(t *testing.T) {
	for _, c := range []struct {
		values []any
		kind   string
		cells  []string
	}{
		{[]any{1, 2}, "INT(64,true)", []string{"1", "2"}},
		{[]any{1, 0.5}, "DOUBLE", []string{"1", "0.5"}},
		{[]any{0.5, 3, nil}, "DOUBLE", []string{"0.5", "3", "<null>"}},
		{[]any{true, false}, "BOOLEAN", []string{"true", "false"}},
		{[]any{true, 1}, "STRING", []string{"true", "1"}},
		{[]any{"auto", 3, nil}, "STRING", []string{"auto", "3", "<null>"}},
		{[]any{nil, 7}, "INT(64,true)", []string{"<null>", "7"}},
		{[]any{nil, nil}, "STRING", []string{"<null>", "<null>"}},
		{[]any{int64(math.MaxInt64), 1e300}, "DOUBLE", []string{"9.223372036854775807e+18", "1e+300"}},
		{[]any{[]int{1, 2}, "x"}, "STRING", []string{"[1,2]", "x"}},
	} {
		r := &result.Report{}
		for _, v := range c.values {
			r.Runs = append(r.Runs, result.Run{Label: "a", Point: point(t, "key", v)})
		}
		r.Runs = append(r.Runs, result.Run{Label: "without"})
		got, _ := written(t, r, "runs.parquet")
		if kind := got.kinds[got.column(t, "key")]; kind != c.kind {
			t.Errorf("%v: %s, want %s", c.values, kind, c.kind)
		}
		cells := got.cells(t, "key")
		if cells[len(cells)-1] != "<null>" {
			t.Errorf("%v: a run without the key has %s, want null", c.values, cells[len(cells)-1])
		}
		for i, want := range c.cells {
			x, err := strconv.ParseFloat(cells[i], 64)
			y, err2 := strconv.ParseFloat(want, 64)
			if cells[i] != want && (err != nil || err2 != nil || x != y) {
				t.Errorf("%v: %q, want %q", c.values, cells, c.cells)
			}
		}
	}
}

// TestTargets: whether and at what cost each run reached a target; empty for a run that was not asked.
func TestTargets(t *testing.T) {
	goal := result.Target{Conditions: []result.Condition{{Metric: "g", Relation: "<=", Value: 1}}}
	at := &metrics.Moment{Iteration: 5}
	at.Totals.Rounds = 7
	reached, missed := []result.Attempt{{Target: goal, At: at}}, []result.Attempt{{Target: goal}}
	r := &result.Report{Runs: []result.Run{{Targets: reached}, {Targets: missed}, {}}}
	got, _ := written(t, r, "runs.parquet")
	for name, want := range map[string][]string{
		"to[0].target": {"g <= 1", "g <= 1", "<null>"}, "to[0].reached": {"true", "false", "<null>"},
		"to[0].iterations": {"5", "<null>", "<null>"}, "to[0].rounds": {"7", "<null>", "<null>"},
	} {
		if cells := got.cells(t, name); !slices.Equal(cells, want) {
			t.Errorf("%s: %q, want %q", name, cells, want)
		}
	}
}

// TestTakesAnyName: metrics, keys and methods may have names that break other formats.
func TestTakesAnyName(t *testing.T) {
	names := []string{"", " ", ",", "a,b", "a.b", `"`, "'; DROP TABLE runs; --", "\n", "\x00", "é", "=1+1", "final.x",
		"list.element", "key_value", "🜁", "a\xff"}
	r := &result.Report{}
	for i, name := range names {
		r.Runs = append(r.Runs, result.Run{Algorithm: name, Label: name, Seed: uint64(i), Status: result.Completed,
			Reason: name, Point: point(t, "at "+name, name), Parameters: point(t, name, i), Metrics: []string{"m " + name},
			Samples: []result.Sample{{Moment: metrics.Moment{Iteration: i}, Values: []float64{float64(i)}}}})
		r.Runs[i].Finish()
	}
	runs, _ := written(t, r, "runs.parquet")
	iterations, _ := written(t, r, "iterations.parquet")
	for i, name := range names {
		valid := string([]rune(name)) // the format replaces an invalid byte
		for column, want := range map[string]string{"label": valid, "reason": valid, "parameters." + name: strconv.Itoa(i),
			"final.m " + name: strconv.Itoa(i)} {
			if got := runs.cells(t, column)[i]; got != want {
				t.Errorf("column %q of run %d: %q, want %q", column, i, got, want)
			}
		}
		if got := iterations.cells(t, "m "+name)[i]; got != strconv.Itoa(i) {
			t.Errorf("metric %q: %s, want %d", name, got, i)
		}
	}
}

// TestOfManyRows: rows that exceed one row group keep their order, and one run has
// no samples.
func TestOfManyRows(t *testing.T) {
	r := &result.Report{}
	const each = rowsInGroup/4 + 10
	for run := range 5 {
		one := result.Run{Label: fmt.Sprint("run ", run), Seed: uint64(run), Metrics: []string{"m"}}
		for k := range each {
			if run == 2 {
				break
			}
			one.Samples = append(one.Samples,
				result.Sample{Moment: metrics.Moment{Iteration: k}, Values: []float64{float64(k * run)}})
		}
		r.Runs = append(r.Runs, one)
	}
	got, _ := written(t, r, "iterations.parquet")
	if len(got.values) != 4*each {
		t.Fatalf("%d rows, want %d", len(got.values), 4*each)
	}
	label, iteration, m := got.column(t, "label"), got.column(t, "iteration"), got.column(t, "m")
	runs, labels := []int{0, 1, 3, 4}, []string{"run 0", "run 1", "run 3", "run 4"}
	for i, row := range got.values {
		run, k := runs[i/each], i%each
		if string(row[label].ByteArray()) != labels[i/each] || row[iteration].Int64() != int64(k) ||
			row[m].Double() != float64(k*run) {
			t.Fatalf("row %d: %s, %s, %s; want iteration %d of run %d", i, row[label], row[iteration], row[m], k, run)
		}
	}
}

func TestRefusesTwoColumnsOfOneName(t *testing.T) {
	r := &result.Report{Runs: []result.Run{{Label: "a", Point: point(t, "label", 1)}}}
	if err := Files(r)[0].Write(io.Discard); err == nil {
		t.Error("a swept key named label made two columns of that name")
	}
}

// TestOwn: a file of this program, one of another program, and no file.
func TestOwn(t *testing.T) {
	folder, report := t.TempDir(), example(t)
	for _, f := range Files(report) {
		if err := result.WriteFiles(folder, []result.File{f}, nil); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(folder, f.Name)
		if !Own(path) {
			t.Errorf("%s is not our own", f.Name)
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		raw = bytes.Replace(raw, []byte(creator+" "), []byte("Tallynet "), 1)
		if err := os.WriteFile(path, raw, 0o666); err != nil {
			t.Fatal(err)
		}
		if Own(path) {
			t.Errorf("%s of another program is our own", f.Name)
		}
	}
	if err := os.WriteFile(filepath.Join(folder, "text"), []byte(creator+" "), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"text", "absent", "."} {
		if Own(filepath.Join(folder, name)) {
			t.Errorf("%s is our own Parquet file", name)
		}
	}
}

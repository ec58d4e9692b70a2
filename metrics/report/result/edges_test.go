package result

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"tallynet/sim"
)

// TestShare: a run adopts the equal parts of another run without changing its value.
func TestShare(t *testing.T) {
	make1 := func(name string) *Run {
		text := func(s string) string { return string([]byte(s)) } // in separate memory
		r := &Run{Algorithm: text("dgbo"), Label: text(name), Notes: []string{text("note")}, Metrics: []string{text("g")},
			NodeMetrics: []string{text("own")}, Point: Settings{{Key: text("k"), Value: json.RawMessage(text("1"))}}}
		r.Final.Values = []NamedValue{{text("g"), 1}, {text(name), 2}, {text("last"), 3}}
		for _, value := range []float64{1, 2, 3} {
			if name == "B" && value == 2 {
				value = 9
			}
			bound := Condition{Metric: text("g"), Relation: "<=", Value: value}
			r.Targets = append(r.Targets, Attempt{Target: Target{Conditions: []Condition{bound}}})
		}
		return r
	}
	same := func(a, b string) bool { return unsafe.StringData(a) == unsafe.StringData(b) }
	for _, parts := range []int{3, 1} { // of the other run's parts
		r, o, was := make1("A"), make1("B"), make1("A")
		o.Final.Values, o.Targets = o.Final.Values[:parts], o.Targets[:parts]
		other := *o
		r.Share(o)
		if !reflect.DeepEqual(r, was) || !reflect.DeepEqual(*o, other) {
			t.Errorf("%d parts: %+v became %+v, beside %+v", parts, was, r, o)
		}
		if !same(r.Algorithm, o.Algorithm) || same(r.Label, o.Label) || &r.Notes[0] != &o.Notes[0] ||
			&r.Metrics[0] != &o.Metrics[0] || &r.NodeMetrics[0] != &o.NodeMetrics[0] || &r.Point[0] != &o.Point[0] {
			t.Errorf("%d parts: not all that is equal is shared", parts)
		}
		for i := range r.Final.Values {
			shared := i < parts && same(r.Final.Values[i].Name, o.Final.Values[i].Name)
			conditions := i < parts && &r.Targets[i].Conditions[0] == &o.Targets[i].Conditions[0]
			if want := i < parts && i != 1; shared != want || conditions != want {
				t.Errorf("%d parts: value %d is shared: %t, target: %t", parts, i, shared, conditions)
			}
		}
	}
}

// TestWriteFileRefusedRename: a folder of the same name makes WriteFile fail with an error that names it.
func TestWriteFileRefusedRename(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	err := WriteFile(path, func(io.Writer) error { return os.MkdirAll(filepath.Join(path, "in"), 0o777) })
	if err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v", err)
	}
}

// TestStaleFilesGoFirst: a file that is written alone marks the result as complete, so it is replaced
// after stale files are removed.
func TestStaleFilesGoFirst(t *testing.T) {
	folder := t.TempDir()
	if err := os.MkdirAll(filepath.Join(folder, "stale", "full"), 0o777); err != nil {
		t.Fatal(err)
	}
	one := []File{{"one", func(w io.Writer) error { _, err := io.WriteString(w, "new"); return err }}}
	if err := WriteFiles(folder, one, []string{"stale"}); err == nil {
		t.Error("a folder with something in it was removed")
	}
	if _, err := os.Stat(filepath.Join(folder, "one")); err == nil {
		t.Error("the file is there, and so is the stale one")
	}
	if err := WriteFiles(folder, nil, []string{"absent"}); err != nil {
		t.Error(err)
	}
	for _, name := range []string{`a\b`, "a/b", ""} {
		if err := WriteFiles(folder, nil, []string{name}); err == nil {
			t.Errorf("%q is taken for the name of a file", name)
		}
	}
}

// TestSettingsAsText: texts have no quotes, other values are as in JSON; a point has its name and settings.
func TestSettingsAsText(t *testing.T) {
	for raw, want := range map[string]string{`"x"`: "x", `""`: "", "1.50": "1.50", "null": "null", "[1]": "[1]", "": "",
		`{"a":1}`: `{"a":1}`} {
		if got := (Setting{Value: json.RawMessage(raw)}).Text(); got != want {
			t.Errorf("%s is %q, want %q", raw, got, want)
		}
	}
	p := Settings{{"a", json.RawMessage("1")}, {"b", json.RawMessage(`"x"`)}}
	if got := p.Text(" = "); got != "a = 1, b = x" {
		t.Errorf("got %q", got)
	}
	for want, r := range map[string]Run{"a = 1, b = x": {Point: p}, "big": {PointName: "big"},
		"big (a = 1, b = x)": {PointName: "big", Point: p}, "": {}} {
		if got := r.pointText(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		r.Label, r.Seed = "A", 3
		name := "A at " + want + ", seed 3"
		if want == "" {
			name = "A, seed 3"
		}
		if got := r.Name(); got != name {
			t.Errorf("got %q, want %q", got, name)
		}
	}
}

// TestCellsThatAreLacking: a row's cell is empty for a metric that it lacks, and no cell begins a formula.
func TestCellsThatAreLacking(t *testing.T) {
	columns := valueColumns("", []string{"a", "b", "c"}, []string{"a", "b"}, func(v *[]float64) []float64 { return *v })
	row := []float64{1}
	for i, c := range columns {
		if got := c.field(&row); (got != nil) != (i == 0) {
			t.Errorf("column %s has %v", c.name, got)
		}
	}
	report := example(t)
	report.Runs[0].Label = "=1+1"
	var b bytes.Buffer
	if err := iterationFile.file(report).Write(&b); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); strings.Contains(text, ",=1+1,") || !strings.Contains(text, "=1+1") {
		t.Errorf("a label begins a formula:\n%.200s", text)
	}
}

// TestPhysicalOfAPlatform: seconds are exact, and a run without a platform has no physical links.
func TestPhysicalOfAPlatform(t *testing.T) {
	s := Seconds(1500 * sim.Millisecond)
	if s.Float() != 1.5 || s.Time() != 1500*sim.Millisecond {
		t.Errorf("%v: %g s, %v", s, s.Float(), s.Time())
	}
	var r Run
	r.SetPhysical(nil, nil, nil, 0, sim.Second)
	if !reflect.DeepEqual(r, Run{}) {
		t.Errorf("without a platform: %+v", r)
	}
}

// TestMeasures: a run measures a target if it has all its metrics.
func TestMeasures(t *testing.T) {
	r := Run{Metrics: []string{"f", "g"}}
	for metrics, want := range map[string]bool{"f": true, "f g": true, "h": false, "f h": false, "": true} {
		var target Target
		for _, m := range strings.Fields(metrics) {
			target.Conditions = append(target.Conditions, Condition{Metric: m})
		}
		if got := r.Measures(target); got != want {
			t.Errorf("%q is measured: %t", metrics, got)
		}
	}
}

// TestOptionalKeys: result.json has claims, files and trajectories if there are any.
func TestOptionalKeys(t *testing.T) {
	for _, with := range []bool{false, true} {
		report := example(t)
		report.Claims, report.Written = nil, nil
		if with {
			report.Claims, report.Written = []Claim{{}}, []string{"a.csv"}
		}
		var b bytes.Buffer
		if err := report.WriteJSON(&b); err != nil {
			t.Fatal(err)
		}
		for _, key := range []string{`"claims":`, `"files":`} {
			if strings.Contains(b.String(), key) != with {
				t.Errorf("result.json has %s: %t", key, !with)
			}
		}
		if with {
			continue
		}
		if r, err := report.Runs[0].whole(); err != nil || r.Trajectory != nil {
			t.Errorf("a trajectory of no iterates: %v, %v", r.Trajectory, err)
		}
	}
}

// TestReadEdges: absent or wrong input is an error; minimal valid input is not.
func TestReadEdges(t *testing.T) {
	if _, err := OpenFolder(filepath.Join(t.TempDir(), "absent")); err == nil {
		t.Error("a folder that is not there was opened")
	}
	if got := tidy(json.RawMessage("null")); got != nil {
		t.Errorf("null is %q", got)
	}
	if got := tidy(nil); got != nil {
		t.Errorf("nothing is %q", got)
	}
	for text, good := range map[string]bool{"1.123456789": true, "1.1234567890": false, "1": true, ".5": true,
		"x": false} {
		if _, err := parseSeconds(text); (err == nil) != good {
			t.Errorf("%q as a time: %v", text, err)
		}
	}
	d := json.NewDecoder(strings.NewReader("null"))
	if err := passList(d, func(*json.Decoder) error { t.Error("an item of nothing"); return nil }); err != nil {
		t.Error(err)
	}
	for _, text := range []string{`[1, 2]`, `"a"`, ``, `{} {}`} {
		if _, err := ReadHead(strings.NewReader(text)); err == nil {
			t.Errorf("%s is taken for a result", text)
		}
		if _, err := withoutRuns(json.NewDecoder(strings.NewReader(text)), nil); err == nil {
			t.Errorf("%s is taken for an object", text)
		}
	}
	report := example(t)
	one := &Report{Runs: []Run{{Recorded: 1}}}
	if one.complete("", 0, 0) == nil || one.complete("", 0, 1) != nil {
		t.Error("one row of one is whole, and none is not")
	}
	var b bytes.Buffer
	if err := phaseFile.file(report).Write(&b); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"x", "-1", "2"} {
		text := strings.Replace(b.String(), "\n0,", "\n"+bad+",", 1)
		err := phaseFile.readRows(report, strings.NewReader(text))
		if err == nil || !strings.Contains(err.Error(), "is not one of the") {
			t.Errorf("run %q: %v", bad, err)
		}
	}
	none := Report{Runs: []Run{{Label: "A", Samples: []Sample{{}}}}}
	b.Reset()
	if err := iterationFile.file(&none).Write(&b); err != nil {
		t.Fatal(err)
	}
	if err := iterationFile.readRows(&none, bytes.NewReader(b.Bytes())); err != nil || len(none.Runs[0].Samples) != 1 {
		t.Errorf("without metrics: %v", err)
	}
	for _, column := range []string{"rounds", "time_s"} {
		text := strings.Replace(b.String(), ","+column+",", ",x,", 1)
		err := iterationFile.readRows(&none, strings.NewReader(text))
		if err == nil || !strings.Contains(err.Error(), "no columns") {
			t.Errorf("without %s: %v", column, err)
		}
	}
}

// TestLargeFilesThatChange: reading rows that were damaged after a result was opened is an error.
func TestLargeFilesThatChange(t *testing.T) {
	folder := t.TempDir()
	report := manyRuns(t)
	for i := range report.Runs {
		report.Runs[i].Label = "plain" // so that each row is one line
	}
	if err := WriteFiles(folder, report.Files(), nil); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"iterations.csv", "links.csv", "nodes.csv", "phases.csv"} {
		opened, err := openLarge(folder)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(folder, name)
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		whole := true
		for i := range opened.Runs {
			_, err := opened.Runs[i].Full()
			whole = whole && err == nil
		}
		if whole {
			t.Errorf("%s is gone, and was read", name)
		}
		if err := os.WriteFile(path, raw, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestStoreHasAndCounts: only stored runs count, and nothing else in the folder.
func TestStoreHasAndCounts(t *testing.T) {
	folder := t.TempDir()
	s, err := OpenRunStore(folder)
	if err != nil {
		t.Fatal(err)
	}
	if has, err := s.Has("a"); has || err != nil {
		t.Errorf("an empty folder has a run: %t, %v", has, err)
	}
	if err := s.Put("a", &Run{Label: "A"}); err != nil {
		t.Fatal(err)
	}
	release, claimed, err := s.Claim("b")
	if err != nil || !claimed {
		t.Fatal(claimed, err)
	}
	if err := os.WriteFile(filepath.Join(folder, ".x"+runExtension), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	has, err := s.Has("a")
	n, wrong := filepath.Glob(filepath.Join(folder, "[^.]*"+runExtension))
	if !has || err != nil || len(n) != 1 || wrong != nil {
		t.Errorf("has %t, %v; %q, %v", has, err, n, wrong)
	}
	if err := release(); err != nil {
		t.Error(err)
	}
}

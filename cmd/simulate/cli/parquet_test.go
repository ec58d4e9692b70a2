package cli

import (
	"os"
	"slices"
	"strings"
	"testing"

	format "github.com/parquet-go/parquet-go"

	"tallynet/metrics/report/parquet"
	"tallynet/metrics/report/result"
)

// parquetRows opens a Parquet file and returns its number of rows and its columns.
func parquetRows(t *testing.T, path string) (rows int, columns []string) {
	t.Helper()
	in, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		t.Fatal(err)
	}
	file, err := format.OpenFile(in, info.Size())
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	for _, c := range file.Root().Columns() {
		columns = append(columns, c.Name())
	}
	return int(file.NumRows()), columns
}

// TestParquetFiles: run and report write the same bytes. If a run without --parquet replaces the
// result, its Parquet files are removed, including those that report made.
func TestParquetFiles(t *testing.T) {
	enter(t)
	mustSimulate(t, "run", "study.yaml", "--quiet", "--parquet")
	const folder = "results/study/"
	rows, columns := parquetRows(t, folder+"runs.parquet")
	report, err := result.ReadFolder(folder)
	if err != nil {
		t.Fatal(err)
	}
	samples := 0
	for i := range report.Runs {
		samples += len(report.Runs[i].Samples)
	}
	if rows != len(report.Runs) || rows < 2 {
		t.Errorf("runs.parquet has %d rows of %d runs", rows, len(report.Runs))
	}
	if rows, _ := parquetRows(t, folder+"iterations.parquet"); rows != samples || samples == 0 {
		t.Errorf("iterations.parquet has %d rows, iterations.csv %d", rows, samples)
	}
	for _, s := range report.Runs[0].Point {
		if !slices.Contains(columns, s.Key) {
			t.Errorf("runs.parquet has no column for the swept key %s", s.Key)
		}
	}
	for _, name := range parquet.Names() {
		if !slices.Contains(report.Written, name) {
			t.Errorf("result.json does not list %s", name)
		}
	}
	want := contents(t, folder)
	for _, name := range parquet.Names() {
		if err := os.Remove(folder + name); err != nil {
			t.Fatal(err)
		}
	}
	mustSimulate(t, "report", "results/study", "--parquet")
	sameFiles(t, want, contents(t, folder))

	mustSimulate(t, "run", "study.yaml", "--quiet")
	for _, name := range parquet.Names() {
		if _, err := os.Stat(folder + name); err == nil {
			t.Errorf("%s of the earlier result is still there", name)
		}
	}
	mustSimulate(t, "report", "results/study", "--parquet") // result.json does not list the files that report writes
	mustSimulate(t, "report", "results/study", "--parquet")
	mustSimulate(t, "run", "study.yaml", "--quiet")
	if _, err := os.Stat(folder + "runs.parquet"); err == nil {
		t.Error("a Parquet file that report made of the earlier result is still there")
	}
}

// TestParquetOfOthers: a file of the same name from another program stays.
func TestParquetOfOthers(t *testing.T) {
	enter(t)
	mustSimulate(t, "run", "study.yaml", "--quiet")
	const mine = "results/study/runs.parquet"
	if err := format.WriteFile(mine, []struct{ A int }{{1}}); err != nil {
		t.Fatal(err)
	}
	before := readText(t, mine)
	for _, args := range [][]string{{"report", "results/study", "--parquet"}, {"run", "study.yaml", "--parquet"}} {
		if _, errs, code := simulate(args...); code != codeUsage || !strings.Contains(errs, "runs.parquet is in the way") {
			t.Errorf("%q: code %d: %s", args, code, errs)
		}
		if after, err := os.ReadFile(mine); err != nil || string(after) != string(before) {
			t.Errorf("%q changed a file of another program (%v)", args, err)
		}
	}
	mustSimulate(t, "run", "study.yaml", "--quiet")
	if after, err := os.ReadFile(mine); err != nil || string(after) != string(before) {
		t.Errorf("run changed a file of another program (%v)", err)
	}
}

func TestParquetIsNotForShares(t *testing.T) {
	enter(t)
	if _, errs, code := simulate("run", "study.yaml", "--share", "1/2", "--parquet"); code != codeUsage ||
		!strings.Contains(errs, "--parquet") {
		t.Errorf("code %d: %s", code, errs)
	}
}

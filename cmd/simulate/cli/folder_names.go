package cli

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tallynet/metrics/escape"
	"tallynet/metrics/report/papers"
	"tallynet/metrics/report/parquet"
	"tallynet/metrics/report/result"
	"tallynet/metrics/report/table"
)

// runsFolder is the subfolder of a result that holds its finished runs.
const runsFolder = "runs"

// folderName turns a scenario's name into the name of a single folder, whatever the name contains.
func folderName(name string) string {
	clean := strings.Map(func(r rune) rune {
		if escape.Plain(string(r)) != string(r) || strings.ContainsRune("/\\:*?\"<>|\ufffd", r) {
			return '-'
		}
		return r
	}, name)
	return cmp.Or(strings.Trim(escape.Middle(clean, 60), ". "), "scenario")
}

// holdsResult reports whether the folder contains a result.
func holdsResult(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, "result.json"))
	return err == nil
}

// nameIn returns the scenario's name in a resolved scenario.
func nameIn(resolved json.RawMessage) string {
	var s struct{ Name string }
	if json.Unmarshal(resolved, &s) != nil {
		return ""
	}
	return s.Name
}

// ownFiles returns the names of all files that a run may write without further flags.
func ownFiles() []string {
	var files []string
	for _, f := range new(result.Report).Files() {
		files = append(files, f.Name)
	}
	for _, t := range table.Forms() {
		files = append(files, "table."+t.Extension)
	}
	files = append(files, "report.html", "runs.csv", result.TimelineName, "summary.json", "summary.txt", "summary.md")
	for _, p := range []string{"decision", "convergence", "accuracy", "trajectory"} {
		files = append(files, papers.DrawnFileNames(p)...)
	}
	return files
}

// filesOf returns the names of the files that belong to the result in a folder. For a result that
// does not list its files, these are all names that it may have used.
func filesOf(folder string, owner *result.Report) []string {
	switch {
	case owner == nil:
		return nil
	case owner.Written != nil:
		return append(withLaterFiles(folder, owner.Written), "result.json")
	}
	names := ownFiles()
	for _, t := range owner.Tables {
		names = append(names, papers.PaperFileNames(t.Name)...)
	}
	return names
}

// withLaterFiles adds the files that simulate report may have made of a result: other formats of
// its figures, the map of its answer, and Parquet files. Parquet files that other programs wrote are not included.
func withLaterFiles(folder string, written []string) []string {
	all := slices.Clone(written)
	for _, name := range parquet.Names() {
		if !slices.Contains(all, name) && parquet.Own(filepath.Join(folder, name)) {
			all = append(all, name)
		}
	}
	for _, name := range append(slices.Clone(written), "decision.svg") {
		if figure, ok := strings.CutSuffix(name, ".svg"); ok {
			for _, form := range papers.DrawnFileNames(figure) {
				if !slices.Contains(all, form) {
					all = append(all, form)
				}
			}
		}
	}
	return all
}

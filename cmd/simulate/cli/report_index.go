package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tallynet/metrics/escape"
	"tallynet/metrics/report/page"
	"tallynet/metrics/report/papers"
	"tallynet/metrics/report/quantity"
	"tallynet/metrics/report/result"
	"tallynet/metrics/report/table"
	"tallynet/metrics/report/views"
)

// Limits of the search for results.
const (
	mostResults = 1000
	mostDepth   = 4 // folders within folders
)

// resultsIn returns the folders that contain results. For a folder without a result these are its
// subfolders with one or, if there are none, the folder itself.
func resultsIn(folders []string) ([]string, error) {
	var all []string
	for _, folder := range folders {
		found := []string{folder}
		if !holdsResult(folder) {
			if below := resultsBelow(folder); len(below) > 0 {
				found = below
			}
		}
		for _, f := range found {
			if !slices.Contains(all, f) {
				all = append(all, f)
			}
		}
		if len(all) > mostResults {
			return nil, fmt.Errorf("there are more than %d results; give some of the folders", mostResults)
		}
	}
	return all, nil
}

// resultsBelow returns the subfolders of a folder that contain results, sorted by name.
func resultsBelow(folder string) []string {
	var found []string
	top := strings.Count(filepath.Clean(folder), string(filepath.Separator))
	// Folders that cannot be read are skipped.
	_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || len(found) > mostResults:
			return fs.SkipDir
		case !d.IsDir():
			return nil
		case path != folder && strings.HasPrefix(d.Name(), "."), d.Name() == runsFolder,
			strings.Count(path, string(filepath.Separator))-top > mostDepth:
			return fs.SkipDir
		case holdsResult(path):
			found = append(found, path)
			return fs.SkipDir
		}
		return nil
	})
	return found
}

// reportAll regenerates the files of several results, lists them and writes an index page. A result
// that cannot be read is listed with the reason.
func (a *app) reportAll(given, folders []string, f reportFlags) error {
	file := f.index
	if file == "" {
		common, err := indexFolder(given)
		if err != nil {
			return fmt.Errorf("report: %w", err)
		}
		file = filepath.Join(common, "index.html")
	}
	if err := checkPage("report: --index", "index", file); err != nil {
		return err
	}
	index := page.Index{Title: indexTitle(given)}
	var wrong error
	for _, folder := range folders {
		shown, err := a.report(folder, f)
		if errors.Is(err, errInterrupted) {
			return err
		}
		if err != nil {
			wrong = err
			fmt.Fprintln(a.io.Err, messageOf(err))
			index.Entries = append(index.Entries, page.Entry{Name: filepath.ToSlash(folder), Trouble: err.Error()})
			continue
		}
		index.Entries = append(index.Entries, entryOf(folder, filepath.Dir(file), shown))
	}
	if err := a.saving(func() error {
		return result.WriteFile(file, func(w io.Writer) error { return page.WriteIndex(w, index) })
	}); err != nil {
		return fmt.Errorf("report: --index: %w", err)
	}
	if err := a.listResults(index.Entries, f.format); err != nil {
		return failed(err)
	}
	fmt.Fprintf(a.io.Err, "%s: an index of %s\n", file, quantity.Plural(len(index.Entries), "result"))
	if wrong != nil {
		return &exit{code: codeFailed}
	}
	return nil
}

// indexTitle returns the title of an index.
func indexTitle(given []string) string {
	if len(given) == 1 {
		if path, err := filepath.Abs(given[0]); err == nil {
			return filepath.Base(path)
		}
	}
	return quantity.Plural(len(given), "result")
}

// indexFolder returns the folder for the index: the given folder of results, or the deepest folder that
// contains all given results.
func indexFolder(folders []string) (string, error) {
	if len(folders) == 1 && !holdsResult(folders[0]) {
		return folders[0], nil
	}
	common := ""
	for i, folder := range folders {
		at, err := filepath.Abs(filepath.Dir(filepath.Clean(folder)))
		switch {
		case err != nil:
			return "", err
		case i == 0:
			common = at
		case filepath.VolumeName(at) != filepath.VolumeName(common):
			return "", errors.New("the results are on several volumes: name the index with --index")
		default:
			common = commonFolder(common, at)
		}
	}
	here, err := os.Getwd()
	if err != nil {
		return "", err
	}
	if rel, err := filepath.Rel(here, common); err == nil {
		return rel, nil
	}
	return common, nil
}

// entryOf returns the entry of a result in an index that lies in the folder from.
func entryOf(folder, from string, shown *views.StudyView) page.Entry {
	s := shown.Summary
	e := page.Entry{Name: filepath.ToSlash(folder), About: shown.About, Headline: shown.Answer().Headline(),
		Methods: s.Labels}
	if shown.Name != "" && shown.Name != filepath.Base(folder) {
		e.Name += ": " + shown.Name
	}
	if path, err := filepath.Rel(from, filepath.Join(folder, "report.html")); err == nil {
		e.Report = filepath.ToSlash(path)
	}
	e.Facts = append(e.Facts, quantity.Plural(s.Runs, "run")+": "+s.Statuses.String(),
		quantity.Plural(len(s.Labels), "method"))
	if n := len(s.Points); n > 1 {
		e.Facts = append(e.Facts, quantity.Plural(n, "grid point"))
	}
	if n := len(shown.Claims); n > 0 {
		counts := papers.CountClaims(shown.Claims)
		e.Facts = append(e.Facts, fmt.Sprintf("%s: %s", quantity.Plural(n, "claim"), counts.Short()))
	}
	e.Picture = pictureOf(folder)
	return e
}

// pictureOf returns the most telling picture of a result, or nil if it has none.
func pictureOf(folder string) []byte {
	for _, name := range []string{"decision.svg", "accuracy.svg", "convergence.svg", "trajectory.svg"} {
		if info, err := os.Lstat(filepath.Join(folder, name)); err != nil || !info.Mode().IsRegular() {
			continue
		}
		if text, err := os.ReadFile(filepath.Join(folder, name)); err == nil {
			return text
		}
	}
	return nil
}

// listResults prints a list of results: a few lines for each as text, a table in other formats.
func (a *app) listResults(entries []page.Entry, format string) error {
	if format != "text" {
		t := table.Table{Title: "Results", Columns: table.WordColumns("result", "methods", "what", "answer")}
		for _, e := range entries {
			t.Rows = append(t.Rows, []table.Cell{table.Text(e.Name), table.Text(strings.Join(e.Methods, ", ")),
				table.Text(strings.Join(e.Facts, "; ")), table.Text(cmp.Or(e.Trouble, e.Headline))})
		}
		return table.Document{Tables: []table.Table{t}}.Write(a.io.Out, format)
	}
	for _, e := range entries {
		lines := []string{e.Name}
		methods := strings.Join(escape.Names(e.Methods), ", ")
		for _, text := range []string{strings.Join(e.Facts, "; "), methods, cmp.Or(e.Trouble, e.Headline)} {
			if text != "" {
				lines = append(lines, table.Wrapped(text, "  "))
			}
		}
		if _, err := fmt.Fprintln(a.io.Out, strings.Join(lines, "\n")); err != nil {
			return err
		}
	}
	return nil
}

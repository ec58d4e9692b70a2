package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tallynet/cmd/simulate/present"
	"tallynet/metrics/escape"
	"tallynet/metrics/report/page"
	"tallynet/metrics/report/parquet"
	"tallynet/metrics/report/result"
	"tallynet/metrics/report/views"
	"tallynet/scenarios/spec"
	"tallynet/scenarios/study"
)

// ownFiles are all files that a run may write without being asked for more.
func ownFiles() []string {
	var files []string
	for _, f := range new(result.Report).Files() {
		files = append(files, f.Name)
	}
	for _, t := range views.TableForms() {
		files = append(files, "table."+t.Extension)
	}
	files = append(files, "report.html", result.TimelineName, "summary.json", "summary.txt", "summary.md")
	for _, p := range []string{"convergence", "accuracy", "trajectory"} {
		files = append(files, views.DrawnFileNames(p)...)
	}
	return files
}

// folderName turns a scenario's name into the name of a folder: one folder below the
// results, whatever the name is.
func folderName(name string) string {
	clean := strings.Map(func(r rune) rune {
		if escape.Plain(string(r)) != string(r) || strings.ContainsRune("/\\:*?\"<>|\ufffd", r) {
			return '-'
		}
		return r
	}, name)
	clean = strings.Trim(escape.Middle(clean, 60), ". ")
	if clean == "" {
		return "scenario"
	}
	return clean
}

// holdsResult reports whether a run has written to the folder.
func holdsResult(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, "result.json"))
	return err == nil
}

// claimFolder makes the folder of a scenario's results and checks that it can be
// written to, before hours of computing depend on it. Files of an earlier result of
// the same scenario may be replaced, which is announced if its values differ; any other
// file is left alone, so if one is in the way, that is an error. More are files that will be
// written besides those of every result.
func (a *app) claimFolder(folder string, s *spec.Scenario, more ...string) error {
	info, err := os.Stat(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return fmt.Errorf("the results cannot go to %s: %w", folder, cause(err))
	case !info.IsDir():
		return fmt.Errorf("the results cannot go to %s: it is a file; give another folder with --out", folder)
	default:
		earlier, err := checkOwner(folder, s, more)
		if err != nil {
			return err
		}
		if err := a.announceReplaced(folder, earlier, s); err != nil {
			return err
		}
	}
	if err := a.makeFolder(folder); err != nil {
		return fmt.Errorf("the results cannot go to %s: %w; give another folder with --out", folder, cause(err))
	}
	probe, err := os.CreateTemp(folder, ".tallynet-*.tmp")
	if err != nil {
		return fmt.Errorf("the results cannot go to %s: %w; give another folder with --out", folder, cause(err))
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// checkOwner returns the earlier result of the scenario in the folder, nil if there is
// none. It returns an error if the folder holds files that a run would replace and that do
// not belong to such a result.
func checkOwner(folder string, s *spec.Scenario, more []string) (*result.Report, error) {
	earlier, err := resultIn(folder)
	if err != nil {
		return nil, err
	}
	beside := "there is no result.json beside it that says what it belongs to"
	if earlier != nil {
		if other := nameIn(earlier.Scenario); other != s.Name {
			return nil, fmt.Errorf("%s holds results of another scenario, %q: give another folder with --out", folder, other)
		}
		beside = "does not belong to the result there"
	}
	names := append(ownFiles(), more...)
	for _, t := range s.Tables {
		names = append(names, views.PaperFileNames(t.Name)...)
	}
	for _, f := range s.Figures {
		names = append(names, views.DrawnFileNames(f.Name)...)
	}
	return earlier, checkFree(folder, names, earlier, beside)
}

// checkFree returns an error if one of the files is there and does not belong to the
// result in the folder.
func checkFree(folder string, names []string, owner *result.Report, why string) error {
	owned := filesOf(folder, owner)
	for _, name := range slices.Concat(names, owned) { // those that will be written, and those that may be removed
		path := filepath.Join(folder, name)
		info, err := os.Lstat(path)
		switch {
		case err != nil:
		case !slices.Contains(owned, name):
			return fmt.Errorf("%s is in the way, and %s: move it, or give another folder with --out", path, why)
		case !info.Mode().IsRegular(): // a result has regular files only, so somebody else has put it there
			return fmt.Errorf("%s is in the way: it is not the file that a run wrote: "+
				"move it, or give another folder with --out", path)
		}
	}
	return nil
}

// resultIn reads the result.json in a folder without its runs; nil if there is none.
func resultIn(folder string) (*result.Report, error) {
	file, err := os.Open(filepath.Join(folder, "result.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the results cannot go to %s: %w", folder, err)
	}
	report, err := result.ReadHead(file)
	if err := errors.Join(err, file.Close()); err != nil {
		return nil, fmt.Errorf("%s is in the way, and cannot be read: %w; move it, or give another folder with --out",
			filepath.Join(folder, "result.json"), err)
	}
	return report, nil
}

// filesOf returns the names of the files that belong to the result in a folder; for one that
// does not list them, the names that it may have.
func filesOf(folder string, owner *result.Report) []string {
	switch {
	case owner == nil:
		return nil
	case owner.Written != nil:
		return append(withLaterFiles(folder, owner.Written), "result.json")
	}
	names := ownFiles()
	for _, t := range owner.Tables {
		names = append(names, views.PaperFileNames(t.Name)...)
	}
	return names
}

// withLaterFiles adds the files that report may have made of a result: the forms in which a later
// version writes its figures, and the Parquet files. Parquet files of others do not belong to it.
func withLaterFiles(folder string, written []string) []string {
	all := slices.Clone(written)
	for _, name := range parquet.Names() {
		if !slices.Contains(all, name) && parquet.Own(filepath.Join(folder, name)) {
			all = append(all, name)
		}
	}
	for _, name := range written {
		if figure, ok := strings.CutSuffix(name, ".svg"); ok {
			for _, form := range views.DrawnFileNames(figure) {
				if !slices.Contains(all, form) {
					all = append(all, form)
				}
			}
		}
	}
	return all
}

// parquetUsage is what --parquet does.
const parquetUsage = "also write runs.parquet and iterations.parquet, for pandas, R and DuckDB"

// writeResults fills the folder: with all files of a result, or none. It returns the
// names of the files and notes on the pictures.
func (a *app) writeResults(folder string, st *study.Study, report *result.Report, shown *views.StudyView,
	typed bool) (names, notes []string, err error) {
	data := report.Files()
	last := len(data) - 1 // result.json, which says what the others belong to
	made, notes, err := madeFiles(st, report, shown)
	if err != nil {
		return nil, nil, err
	}
	files := append(data[:last:last], made...)
	if typed {
		files = append(files, parquet.Files(report)...)
	}
	report.Written = fileNames(files)
	earlier, err := resultIn(folder)
	if err != nil {
		return nil, nil, err
	}
	names = append([]string{data[last].Name}, report.Written...)
	// Files of an earlier result that this one does not have would seem to be part of it.
	stale := slices.DeleteFunc(filesOf(folder, earlier), func(name string) bool { return slices.Contains(names, name) })
	return names, notes, a.io.writeFiles(folder, append(files, data[last]), stale)
}

// madeFiles returns the files that are made from a result and can be made again.
func madeFiles(st *study.Study, report *result.Report, shown *views.StudyView) (files []result.File,
	notes []string,
	err error) {
	files, notes, err = shown.Files()
	if err != nil {
		return nil, nil, err
	}
	p, err := present.Page(st, report, shown)
	write := func(w io.Writer) error { return page.Write(w, p) }
	return append(files, result.File{Name: "report.html", Write: write}), notes, err
}

func fileNames(files []result.File) []string {
	var names []string
	for _, f := range files {
		names = append(names, f.Name)
	}
	return names
}

// cause is err without the operation and path that a *fs.PathError repeats.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"tallynet/metrics/report/papers"
	"tallynet/metrics/report/result"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/spec"
)

// claimFolder creates the folder for a scenario's results and checks that it is writable, before
// hours of computing depend on it. Files of an earlier result of the same scenario will be
// replaced, which is announced if its values differ. Any other file that has the name of a result
// file is an error. The names in more are files that this command writes in addition.
func (a *app) claimFolder(folder string, s *spec.Scenario, more ...string) error {
	info, err := os.Stat(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return fmt.Errorf("the results cannot go to %s: %w", folder, keys.Cause(err))
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
		return fmt.Errorf("the results cannot go to %s: %w; give another folder with --out", folder, keys.Cause(err))
	}
	probe, err := os.CreateTemp(folder, ".tallynet-*.tmp")
	if err != nil {
		return fmt.Errorf("the results cannot go to %s: %w; give another folder with --out", folder, keys.Cause(err))
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// checkOwner returns the scenario's earlier result in the folder, or nil if there is none. It
// returns an error if a run would replace a file that does not belong to such a result.
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
		names = append(names, papers.PaperFileNames(t.Name)...)
	}
	for _, f := range s.Figures {
		names = append(names, papers.DrawnFileNames(f.Name)...)
	}
	return earlier, checkFree(folder, names, earlier, beside)
}

// checkFree returns an error if one of the files exists and does not belong to the result in the
// folder.
func checkFree(folder string, names []string, owner *result.Report, why string) error {
	owned := filesOf(folder, owner)
	for _, name := range slices.Concat(names, owned) { // to be written, or perhaps removed
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

// resultIn reads the result.json in a folder without its runs. It returns nil if there is none.
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

// makeFolder creates a folder with its missing parents, and records which ones it created.
func (a *app) makeFolder(path string) error {
	var missing []string
	for at := filepath.Clean(path); ; at = filepath.Dir(at) {
		if _, err := os.Lstat(at); err == nil || at == filepath.Dir(at) {
			break
		}
		missing = append(missing, at)
	}
	a.made = append(missing, a.made...)
	return os.MkdirAll(path, 0o777)
}

// dropFolders removes the empty folders that this process created.
func (a *app) dropFolders() {
	for _, at := range a.made {
		_ = os.Remove(at) // fails for a folder that is not empty
	}
	a.made = nil
}

// writeText replaces a file, as [result.WriteFile] does.
func writeText(file, text string) error {
	return result.WriteFile(file, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}

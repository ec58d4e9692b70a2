package serve

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"tallynet/metrics/report/page"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/spec"
)

// Limits of the search for scenarios.
const (
	mostEntries  = 5000    // files and folders
	mostListed   = 500     // scenarios
	mostScenario = 1 << 20 // bytes of a listed scenario
)

// page sends the live page.
func (s *Server) page(w http.ResponseWriter, _ *http.Request) {
	files, note, err := s.scenarios()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	// An error means that the connection is broken.
	_ = page.WriteLive(w, page.Live{Folder: filepath.Base(s.folder.Name()), Files: files, Note: note})
}

// scenarios returns the slash-separated paths of the scenario files in the folder, and a note if the
// list is incomplete or empty.
func (s *Server) scenarios() (files []string, note string, err error) {
	seen := 0
	err = fs.WalkDir(s.folder.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		seen++
		switch {
		case err != nil && name != ".":
			return nil // skip what cannot be read
		case err != nil:
			return err
		case seen > mostEntries || len(files) >= mostListed:
			note = fmt.Sprintf("The list ends after %d scenarios and %d files and folders: serve a smaller folder to see "+
				"others.", len(files), seen-1)
			return fs.SkipAll
		case d.IsDir() && name != "." && !keys.HoldsScenarios(s.folder.FS(), name):
			return fs.SkipDir
		case isName(name) && d.Type().IsRegular() && s.isScenario(name):
			files = append(files, name)
		}
		return nil
	})
	if err == nil && len(files) == 0 {
		note = "There is no scenario in this folder: simulate new FILE writes one."
	}
	slices.Sort(files)
	return files, note, err
}

// isName reports whether a file has the name of a scenario.
func isName(name string) bool {
	return slices.Contains([]string{".yaml", ".yml", ".json"}, path.Ext(name)) && !strings.HasPrefix(path.Base(name), ".")
}

// isScenario reports whether a file has the keys that every scenario has.
func (s *Server) isScenario(name string) bool {
	if info, err := s.folder.Stat(name); err != nil || info.Size() > mostScenario {
		return false
	}
	text, err := s.text(name)
	if err != nil {
		return false
	}
	tree, wrong := keys.NewSource(name, text).Parse()
	return wrong == nil && tree != nil && tree.Child("version") != nil && tree.Child("algorithms") != nil
}

// text reads a scenario file of the folder. No path leads out of the folder.
func (s *Server) text(name string) ([]byte, error) {
	if !fs.ValidPath(name) || !isName(name) {
		return nil, fmt.Errorf("%q is not a scenario of this folder", name)
	}
	info, err := s.folder.Stat(name)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%q cannot be read: %w", name, keys.Cause(err))
	case !info.Mode().IsRegular() || info.Size() > keys.LargestFile:
		return nil, fmt.Errorf("%q is not a scenario: want a regular file of at most %d bytes", name, keys.LargestFile)
	}
	file, err := s.folder.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%q cannot be read: %w", name, keys.Cause(err))
	}
	text, err := io.ReadAll(io.LimitReader(file, keys.LargestFile))
	return text, errors.Join(err, file.Close())
}

// path returns the path of a file of the folder, for use in commands and for relative paths in
// scenarios.
func (s *Server) path(name string) string {
	return filepath.Join(s.folder.Name(), filepath.FromSlash(name))
}

// load reads a scenario and applies the changes of its controls, which it returns as --set arguments.
func (s *Server) load(name string, changes map[string]string) (*spec.Scenario, []string, error) {
	text, err := s.text(name)
	if err != nil {
		return nil, nil, err
	}
	file, err := spec.Parse(s.path(name), text, s.config.Catalog, nil)
	var set []string
	if err == nil && len(changes) > 0 {
		if set, err = sets(file, s.config.Catalog, changes); err == nil {
			file, err = spec.Parse(s.path(name), text, s.config.Catalog, set)
		}
	}
	if err != nil {
		return nil, nil, err
	}
	file.Limits = s.config.Limits
	return file, set, nil
}

// mayBeNew reports whether the name is valid for a new file.
func mayBeNew(name string) bool {
	stem, isYAML := strings.CutSuffix(name, ".yaml")
	for i, c := range stem {
		if !unicode.IsLetter(c) && !unicode.IsNumber(c) && (i == 0 || !strings.ContainsRune(" _.+=,-", c)) {
			return false
		}
	}
	n := utf8.RuneCountInString(stem)
	return isYAML && n > 0 && n <= 75
}

// save writes a scenario with its changed controls to a new file beside the old one.
func (s *Server) save(w http.ResponseWriter, r *http.Request) {
	var q struct {
		File    string
		Changes map[string]string
		Name    string
	}
	if !read(w, r, &q) {
		return
	}
	name, err := s.write(q.File, q.Changes, q.Name)
	switch {
	case errors.Is(err, fs.ErrExist):
		http.Error(w, q.Name+" already exists", http.StatusConflict)
	case err != nil:
		http.Error(w, err.Error(), http.StatusBadRequest)
	default:
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		fmt.Fprintf(w, "%s is written; run it with: simulate run %s\n", name, page.Shell([]string{s.path(name)}))
	}
}

// write writes the resolved scenario under its new name, and returns its path in the folder.
func (s *Server) write(file string, changes map[string]string, name string) (string, error) {
	if !mayBeNew(name) {
		return "", fmt.Errorf("the name is %q; want a file name that ends in .yaml, of letters, numbers and _ . + = , - "+
			"after the first one, with at most 80 characters", name)
	}
	scenario, set, err := s.load(file, changes)
	if err != nil {
		return "", err
	}
	scenario.Name = strings.TrimSuffix(name, ".yaml")
	scenario.Limits = spec.DefaultLimits() // nothing runs
	text, err := scenario.YAML()
	if err != nil {
		return "", err
	}
	head := "# From " + path.Base(file) + " by simulate serve, with all defaults written out.\n"
	for _, x := range set {
		head += "# --set " + x + "\n"
	}
	text = append([]byte(head), text...)
	target := path.Join(path.Dir(file), name)
	again, err := spec.Parse(s.path(target), text, s.config.Catalog, nil)
	if err != nil {
		return "", fmt.Errorf("the scenario cannot be written as a file of its own: %w", err)
	}
	if !spec.SameRuns(scenario, again) {
		return "", errors.New("the scenario cannot be written as a file of its own: its runs would differ")
	}
	out, err := s.folder.OpenFile(target, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return "", err
	}
	_, err = out.Write(text)
	if err := errors.Join(err, out.Close()); err != nil {
		return "", errors.Join(err, s.folder.Remove(target))
	}
	return target, nil
}

// propose returns a name for a new file beside another one.
func (s *Server) propose(file string) string {
	base := strings.TrimSuffix(path.Base(file), path.Ext(file))
	for n := 2; ; n++ {
		name := fmt.Sprintf("%s-%d.yaml", base, n)
		if _, err := s.folder.Lstat(path.Join(path.Dir(file), name)); err != nil || n > 1000 {
			return name
		}
	}
}

package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tallynet/metrics/jsonio"
	"tallynet/metrics/report/papers"
	"tallynet/metrics/report/result"
	"tallynet/scenarios/keys"
)

// pagesList is the file that lists the pages in a folder. The next call replaces the listed files
// and no others.
const pagesList = "pages.json"

// pagesSchema names the format of the list.
const pagesSchema = "tallynet/pages/v1"

// pageFiles is the content of pagesList.
type pageFiles struct {
	Schema string   `json:"schema"`
	Files  []string `json:"files"`
}

// pagesIn returns the files that the pages in a folder consist of.
func pagesIn(folder string) ([]string, error) {
	path := filepath.Join(folder, pagesList)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var list pageFiles
	if err := json.Unmarshal(text, &list); err != nil || list.Schema != pagesSchema {
		return nil, fmt.Errorf("%s is not a list of pages: move it, or give another folder with --pages", path)
	}
	for _, name := range list.Files {
		if name != filepath.Base(name) || strings.HasPrefix(name, ".") {
			return nil, fmt.Errorf("%s names %q, which cannot be a file of pages: move it", path, name)
		}
	}
	return append(list.Files, pagesList), nil
}

// checkPages creates the folder for the pages and checks that no other file is in the way.
func (a *app) checkPages(folder string) error {
	owned, err := pagesIn(folder)
	if err != nil {
		return fmt.Errorf("verify: --pages: %w", err)
	}
	if err := a.makeFolder(folder); err != nil {
		return fmt.Errorf("verify: --pages %s: %w", folder, keys.Cause(err))
	}
	return notInTheWay(folder, []string{"README.md", pagesList}, owned)
}

// notInTheWay returns an error if one of the files exists and is not owned by the pages.
func notInTheWay(folder string, names, owned []string) error {
	for _, name := range names {
		path := filepath.Join(folder, name)
		info, err := os.Lstat(path)
		if err == nil && (!slices.Contains(owned, name) || !info.Mode().IsRegular()) {
			return fmt.Errorf("verify: --pages: %s is in the way, and is not of pages that this program wrote: "+
				"move it, or give another folder", path)
		}
	}
	return nil
}

// writePages writes the pages of the papers into a folder.
func (a *app) writePages(folder string, pages *papers.Pages) error {
	files := pages.Files()
	names := fileNames(files)
	owned, err := pagesIn(folder)
	if err != nil {
		return err
	}
	if err := notInTheWay(folder, names, owned); err != nil {
		return err
	}
	stale := slices.DeleteFunc(owned, func(name string) bool { return slices.Contains(names, name) || name == pagesList })
	list := result.File{Name: pagesList, Write: func(w io.Writer) error {
		return jsonio.Write(w, pageFiles{pagesSchema, names})
	}}
	return a.io.writeFiles(folder, append(files, list), stale)
}

package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"tallynet/metrics/report/result"
)

// runsFolder is where the finished runs are, in the folder of a result.
const runsFolder = "runs"

// openStore returns the store of finished runs in a folder of results.
func (a *app) openStore(folder string) (*result.RunStore, error) {
	path := filepath.Join(folder, runsFolder)
	err := a.makeFolder(path)
	var store *result.RunStore
	if err == nil {
		store, err = result.OpenRunStore(path)
	}
	if err != nil {
		return nil, fmt.Errorf("the runs cannot be kept in %s: %w; give another folder with --out", folder, cause(err))
	}
	return store, nil
}

// makeFolder makes a folder, and those above it that are missing, and notes which ones it
// made.
func (a *app) makeFolder(path string) error {
	var missing []string
	for at := filepath.Clean(path); ; at = filepath.Dir(at) {
		info, err := os.Stat(at)
		if err == nil && !info.IsDir() {
			return &fs.PathError{Op: "mkdir", Path: at, Err: syscall.ENOTDIR}
		}
		if err == nil || at == filepath.Dir(at) {
			break
		}
		missing = append(missing, at)
	}
	for _, at := range slices.Backward(missing) {
		switch err := os.Mkdir(at, 0o777); {
		case errors.Is(err, fs.ErrExist): // another process was faster; the folder is that one's
		case err != nil:
			return err
		default:
			a.made = append(a.made, at)
		}
	}
	return nil
}

// dropFolders removes the folders that this process made and that are empty. Those that
// were there before, or hold anything, stay.
func (a *app) dropFolders() {
	for _, at := range slices.Backward(a.made) {
		_ = os.Remove(at) // fails, as it should, if there is something in it
	}
	a.made = nil
}

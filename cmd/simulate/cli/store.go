package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"

	"tallynet/metrics/result"
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

// programDigest identifies this program, with all the methods that its main added, by the
// digest of its file, so that a result of another build is not taken for this one's. The
// file is read once: that of a program that runs does not change.
var programDigest = sync.OnceValues(func() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	_, err = io.Copy(h, file)
	if err := errors.Join(err, file.Close()); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
})

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
	"strings"
	"time"

	"tallynet/metrics/result"
)

// runsFolder is where, in the folder of a result, the finished runs are.
const runsFolder = "runs"

// openStore returns the store of finished runs in a folder of results.
func openStore(folder string) (*result.RunStore, error) {
	store, err := result.OpenRunStore(filepath.Join(folder, runsFolder))
	if err != nil {
		return nil, fmt.Errorf("the runs cannot be kept in %s: %w; give another folder with --out", folder, cause(err))
	}
	removeLeftovers(folder)
	removeLeftovers(store.Folder())
	return store, nil
}

// removeLeftovers removes temporary files of processes that were killed. A file takes
// moments to write, so none of an hour ago is in use.
func removeLeftovers(folder string) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return // whoever reads a run will tell
	}
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && strings.HasPrefix(e.Name(), ".") && strings.HasSuffix(e.Name(), ".tmp") &&
			time.Since(info.ModTime()) > time.Hour {
			_ = os.Remove(filepath.Join(folder, e.Name())) // it is in nobody's way
		}
	}
}

// dropStore removes the folder of a result in which nothing came to be stored.
func dropStore(folder string) {
	_ = os.Remove(filepath.Join(folder, runsFolder)) // fails, as it should, if there is something
	_ = os.Remove(folder)
}

// programDigest identifies this program, with all the methods that its main added, by the
// digest of its file: what another build has computed is not taken for this one's.
func programDigest() (string, error) {
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
}

// kept says how many finished runs are stored in a folder of results; "" if none.
func kept(store *result.RunStore) string {
	n, err := store.Count()
	if err != nil && !errors.Is(err, fs.ErrNotExist) || n == 0 {
		return ""
	}
	return fmt.Sprintf("%s kept in %s: the same command goes on from there", plural(n, "finished run"), store.Folder())
}

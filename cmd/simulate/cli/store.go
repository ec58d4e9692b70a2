package cli

import (
	"fmt"
	"path/filepath"

	"tallynet/metrics/report/result"
	"tallynet/scenarios/keys"
)

// openStore opens the store of finished runs in a folder of results, and returns the ID of this
// program, under which its runs are stored.
func (a *app) openStore(folder string) (store *result.RunStore, program string, err error) {
	if program, err = programID(); err != nil {
		return nil, "", fmt.Errorf("read this program's own file: %w", err)
	}
	path := filepath.Join(folder, runsFolder)
	if err = a.makeFolder(path); err == nil {
		store, err = result.OpenRunStore(path)
	}
	if err != nil {
		return nil, "", fmt.Errorf("the runs cannot be kept in %s: %w; give another folder with --out", folder,
			keys.Cause(err))
	}
	return store, program, nil
}

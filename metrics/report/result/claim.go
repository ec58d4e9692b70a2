package result

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"
)

// Processes that share a study claim a run before they execute it. A claim is a file beside the run's own, which its
// owner touches from time to time. A claim that was not touched for a while belongs to a process that is gone.
// Claims only save work: if two processes execute the same run, they get the same result.
const (
	claimExtension = ".claim"
	claimTouched   = 15 * time.Second
	claimExpired   = 90 * time.Second
)

// Claim claims the run of a key. Claimed is false if another process has claimed it. Release ends the claim.
func (s *RunStore) Claim(key string) (release func() error, claimed bool, err error) {
	path := s.path(key) + claimExtension
	for range 2 {
		file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
		if err == nil {
			host, _ := os.Hostname() // only for people who look
			_, err = fmt.Fprintf(file, "%s, process %d\n", host, os.Getpid())
			if err = errors.Join(err, file.Close()); err != nil {
				return nil, false, errors.Join(err, os.Remove(path))
			}
			return hold(path), true, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, false, err
		}
		info, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist): // just given back
			continue
		case err != nil:
			return nil, false, err
		case time.Since(info.ModTime()) < claimExpired:
			return nil, false, nil
		}
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, false, err
		}
	}
	return nil, false, nil
}

// hold touches a claim until it is released.
func hold(path string) (release func() error) {
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(claimTouched)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case now := <-tick.C:
				_ = os.Chtimes(path, now, now) // a claim that is lost costs work only
			}
		}
	}()
	return func() error {
		close(done)
		<-ended
		if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
}

// Has reports whether a run is stored under a key, without reading it.
func (s *RunStore) Has(key string) (bool, error) {
	_, err := os.Stat(s.path(key))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// Claims returns how many runs live processes have claimed.
func (s *RunStore) Claims() (int, error) {
	entries, err := os.ReadDir(s.folder)
	n := 0
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), claimExtension) {
			continue
		}
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) < claimExpired {
			n++
		}
	}
	return n, err
}

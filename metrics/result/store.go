package result

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// RunStore keeps finished runs in a folder, each in a file of its own, so that a study
// can go on where it was interrupted. A file is there whole or not at all, whatever
// happens; processes that share a folder do each other no harm. It may be used by
// several goroutines.
type RunStore struct {
	folder string
	mu     sync.Mutex
	recent []recentRun // the last that were read, the newest last
	wrote  map[string]bool
	codecs []*runCodec // that nobody uses
}

type recentRun struct {
	key string
	run *Run
}

// recentRuns is how many runs are kept decoded: tables, claims and files read each of a
// small study's runs several times.
const recentRuns = 64

// runExtension names the files of a store; see runCodec.
const runExtension = ".run.gz"

// OpenRunStore returns the store in a folder, which it makes if need be.
func OpenRunStore(folder string) (*RunStore, error) {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, err
	}
	return &RunStore{folder: folder, wrote: map[string]bool{}}, nil
}

// Folder returns where the runs are.
func (s *RunStore) Folder() string { return s.folder }

func (s *RunStore) path(key string) string { return filepath.Join(s.folder, key+runExtension) }

// Get returns the run that was stored under a key, or nil if there is none. A file
// that cannot be read as a run, as after a fault of the disk, is an error that names it.
func (s *RunStore) Get(key string) (*Run, error) {
	if run := s.remembered(key); run != nil {
		return run, nil
	}
	file, err := os.Open(s.path(key))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err // it names the path
	}
	codec := s.codec()
	run, err := codec.decode(file, key)
	s.free(codec)
	if err := errors.Join(err, file.Close()); err != nil {
		return nil, fmt.Errorf("read %s: %w", s.path(key), err)
	}
	s.remember(key, run)
	return run, nil
}

// codec returns one that nobody else uses, and free gives it back.
func (s *RunStore) codec() *runCodec {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.codecs); n > 0 {
		c := s.codecs[n-1]
		s.codecs = s.codecs[:n-1]
		return c
	}
	return newRunCodec()
}

func (s *RunStore) free(c *runCodec) {
	c.shrink()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.codecs = append(s.codecs, c)
}

// Put stores a run under a key. It is on the disk when Put returns.
func (s *RunStore) Put(key string, run *Run) error {
	codec := s.codec()
	err := WriteFile(s.path(key), func(w io.Writer) error { return codec.encode(w, key, run) })
	s.free(codec)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wrote[key] = true
	return nil
}

// Wrote reports whether the run under a key was stored by this RunStore, and not by an
// earlier one or another process.
func (s *RunStore) Wrote(key string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.wrote[key]
}

// Count returns how many runs are stored.
func (s *RunStore) Count() (int, error) {
	entries, err := os.ReadDir(s.folder)
	n := 0
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), runExtension) && !strings.HasPrefix(e.Name(), ".") {
			n++
		}
	}
	return n, err
}

func (s *RunStore) remembered(key string) *Run {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.recent {
		if r.key == key {
			return r.run
		}
	}
	return nil
}

func (s *RunStore) remember(key string, run *Run) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.recent) == recentRuns {
		s.recent = append(s.recent[:0], s.recent[1:]...)
	}
	s.recent = append(s.recent, recentRun{key, run})
}

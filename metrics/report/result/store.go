package result

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// RunStore keeps finished runs in a folder, each in a file of its own, so that an interrupted study can continue.
// Files are written atomically. Several processes may share a folder, and several goroutines a RunStore.
type RunStore struct {
	folder string
	mu     sync.Mutex
	recent map[string]recentRun // those that are kept decoded
	order  []string             // their keys, the first that was read first
	size   int                  // of all of them
	wrote  map[string]bool
	codecs sync.Pool
}

// recentRun is a decoded run with its size as gob. Decoded it takes four times as many bytes.
type recentRun struct {
	run  *Run
	size int
}

// Tables, claims and files read each run of a study some ten times. The store keeps the last recentRuns decoded,
// however large, and more of them while all together have at most recentSize.
const (
	recentRuns = 64
	recentSize = 8 << 20
)

// runExtension is the extension of the files of a store; see runCodec.
const runExtension = ".run.gz"

// OpenRunStore returns the store in a folder. It makes the folder if necessary.
func OpenRunStore(folder string) (*RunStore, error) {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, err
	}
	return &RunStore{folder: folder, recent: map[string]recentRun{}, wrote: map[string]bool{},
		codecs: sync.Pool{New: func() any { return newRunCodec() }}}, nil
}

// Folder returns the folder of the store.
func (s *RunStore) Folder() string { return s.folder }

func (s *RunStore) path(key string) string { return filepath.Join(s.folder, key+runExtension) }

// Get returns the run that was stored under a key, or nil if there is none. If the file cannot be read as a run, as
// after a fault of the disk, the error names it.
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
	codec := s.codecs.Get().(*runCodec)
	run, err := codec.decode(file, key)
	size := codec.size
	s.free(codec)
	if err := errors.Join(err, file.Close()); err != nil {
		return nil, fmt.Errorf("read %s: %w", s.path(key), err)
	}
	s.remember(key, recentRun{run, size})
	return run, nil
}

// free returns a codec to the pool.
func (s *RunStore) free(c *runCodec) {
	c.shrink()
	s.codecs.Put(c)
}

// Put stores a run under a key. It is on the disk when Put returns.
func (s *RunStore) Put(key string, run *Run) error {
	codec := s.codecs.Get().(*runCodec)
	err := WriteFile(s.path(key), func(w io.Writer) error { return codec.encode(w, key, run) })
	s.free(codec)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wrote[key] = true
	s.forget(key)
	return nil
}

// Wrote reports whether the run under a key was stored by this RunStore, and not by an
// earlier one or another process.
func (s *RunStore) Wrote(key string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.wrote[key]
}

func (s *RunStore) remembered(key string) *Run {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.recent[key].run
}

// remember caches a run, and evicts the oldest ones.
func (s *RunStore) remember(key string, r recentRun) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.recent[key]; ok { // another goroutine has read it meanwhile
		return
	}
	s.recent[key], s.order, s.size = r, append(s.order, key), s.size+r.size
	for len(s.order) > recentRuns && s.size > recentSize {
		s.forget(s.order[0])
	}
}

// Forget clears the cache of decoded runs.
func (s *RunStore) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.recent)
	s.order, s.size = nil, 0
}

// forget removes a run from the cache.
func (s *RunStore) forget(key string) {
	if i := slices.Index(s.order, key); i >= 0 {
		s.size -= s.recent[key].size
		delete(s.recent, key)
		s.order = slices.Delete(s.order, i, i+1)
	}
}

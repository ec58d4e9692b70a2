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
	recent []recentRun // those that are kept decoded, the first that was read first
	wrote  map[string]bool
	codecs sync.Pool
}

// recentRun is a decoded run with its size as gob. Decoded it takes four times as many bytes.
type recentRun struct {
	key  string
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
	return &RunStore{folder: folder, wrote: map[string]bool{},
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
	s.codecs.Put(codec)
	if err := errors.Join(err, file.Close()); err != nil {
		return nil, fmt.Errorf("read %s: %w", s.path(key), err)
	}
	s.remember(recentRun{key, run, size})
	return run, nil
}

// Put stores a run under a key. It is on the disk when Put returns.
func (s *RunStore) Put(key string, run *Run) error {
	codec := s.codecs.Get().(*runCodec)
	err := WriteFile(s.path(key), func(w io.Writer) error { return codec.encode(w, key, run) })
	s.codecs.Put(codec)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wrote[key] = true
	s.recent = slices.DeleteFunc(s.recent, func(r recentRun) bool { return r.key == key })
	return nil
}

// Wrote reports whether the run under a key was stored by this RunStore, and not by an
// earlier one or another process.
func (s *RunStore) Wrote(key string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.wrote[key]
}

// remembered returns a run that is kept decoded; nil if it is not.
func (s *RunStore) remembered(key string) *Run {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.recent, func(r recentRun) bool { return r.key == key })
	if i < 0 {
		return nil
	}
	return s.recent[i].run
}

// remember keeps a run decoded, and evicts the oldest ones. A run that another goroutine has read meanwhile is there
// twice.
func (s *RunStore) remember(r recentRun) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.recent = append(s.recent, r)
	size := 0
	for i, r := range slices.Backward(s.recent) {
		if size += r.size; size > recentSize && len(s.recent)-i > recentRuns {
			s.recent = slices.Delete(s.recent, 0, i+1)
			return
		}
	}
}

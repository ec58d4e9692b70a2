package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strings"
)

// A checker tells which mutants compile.
type checker struct {
	files   map[string][]string // that are built here, by their package's folder from the root of the repository
	exports map[string]string   // files of what packages export, by import path
}

// newChecker builds the packages of some groups of mutants.
func newChecker(groups [][]mutant) (*checker, error) {
	args := []string{"list", "-export", "-deps", "-f", `{{.ImportPath}}|{{.Export}}|{{.Dir}}|{{join .GoFiles " "}}`,
		"os", "strconv", "sync/atomic"} // what switches imports
	for _, g := range groups {
		if len(g) > 0 {
			args = append(args, "./"+g[0].target.folder)
		}
	}
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Stderr = root(), os.Stderr
	output, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	c := checker{files: map[string][]string{}, exports: map[string]string{}}
	for line := range strings.Lines(string(output)) {
		fields := strings.Split(strings.TrimSpace(line), "|")
		c.exports[fields[0]] = fields[1]
		if folder, err := filepath.Rel(root(), fields[2]); err == nil && filepath.IsLocal(folder) {
			c.files[filepath.ToSlash(folder)] = strings.Fields(fields[3])
		}
	}
	return &c, nil
}

// broken returns which of the mutants do not compile. Those of a file that is not built here are among them.
func (c *checker) broken(mutants []mutant) (map[int]bool, error) {
	broken := map[int]bool{}
	folders := map[string]bool{}
	for i, m := range mutants {
		folders[m.target.folder] = true
		broken[i] = true
		for _, file := range c.files[m.target.folder] {
			if path.Join(m.target.folder, file) == m.file {
				broken[i] = false
			}
		}
	}
	woven, err := weave(mutants)
	if err != nil {
		return nil, err
	}
	for folder := range folders {
		if err := c.check(folder, woven, broken); err != nil {
			return nil, fmt.Errorf("%s: %w", folder, err)
		}
	}
	return broken, nil
}

// check notes the mutants of a package that do not compile.
func (c *checker) check(folder string, woven map[string][]byte, broken map[int]bool) error {
	set := token.NewFileSet()
	var files []*ast.File
	var failed []error
	note := func(err error, file string) {
		var number int
		if _, no := fmt.Sscanf(filepath.Base(file), "mutant%d.go", &number); no == nil {
			broken[number-1] = true
		} else {
			failed = append(failed, err)
		}
	}
	for _, name := range append([]string{switchesFile}, c.files[folder]...) {
		src, ok := woven[path.Join(folder, name)]
		if !ok {
			var err error
			if src, err = os.ReadFile(filepath.Join(root(), filepath.FromSlash(folder), name)); err != nil {
				return err
			}
		}
		tree, err := parser.ParseFile(set, name, src, parser.SkipObjectResolution)
		if err != nil {
			note(err, set.Position(tree.Pos()).Filename)
		}
		files = append(files, tree)
	}
	look := func(name string) (io.ReadCloser, error) {
		export, err := os.ReadFile(c.exports[name])
		return io.NopCloser(bytes.NewReader(export)), err
	}
	config := types.Config{
		Importer: importer.ForCompiler(set, "gc", look),
		Sizes:    types.SizesFor("gc", runtime.GOARCH),
		Error: func(err error) {
			var e types.Error
			if errors.As(err, &e) {
				note(err, set.Position(e.Pos).Filename)
			}
		},
	}
	config.Check(folder, set, files, nil) // its error is the first of those
	return errors.Join(failed...)
}

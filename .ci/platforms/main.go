// Command platforms asks whether the program and its tests compile for other systems and processors, and pass what
// go vet looks for:
//
//	go -C .ci run ./platforms windows/amd64 linux/386
//
// It does what `GOOS=windows GOARCH=amd64 CGO_ENABLED=0 go vet ./...` does, with the analyzers of go vet, but checks
// types from source instead of compiling every package for every platform, and reads a file that several platforms
// share once. Of packages outside the module it reads declarations only: what go vet knows about their functions
// without being told, such as fmt.Printf, is all that it knows. A function without a body must have one in assembly.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/analysis/suite/vet"
	"golang.org/x/tools/go/packages"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "platforms: want systems and processors, as windows/amd64")
		os.Exit(2)
	}
	debug.SetGCPercent(300)                 // nearly all that is read is kept until the end
	faults, err := check("..", os.Args[1:]) // the product, seen from the module of this command
	for _, f := range faults {
		fmt.Fprintln(os.Stderr, f)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "platforms:", err)
	}
	if err != nil || len(faults) > 0 {
		os.Exit(1)
	}
}

// check returns what is wrong with the packages of the module in a folder on each platform, platform by platform.
func check(folder string, platforms []string) ([]string, error) {
	s := source{set: token.NewFileSet(), files: map[string]func() (*ast.File, error){}}
	all := make([][]string, len(platforms))
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, p := range platforms {
		g.Go(func() (err error) {
			all[i], err = s.check(folder, p)
			return err
		})
	}
	err := g.Wait()
	return slices.Concat(all...), err
}

// A listed package is one of go list.
type listed struct {
	ImportPath, Dir, Name, ForTest  string
	GoFiles, SFiles, IgnoredGoFiles []string
	ImportMap                       map[string]string
	Standard, DepOnly               bool
	Module                          *struct{ GoVersion string }
	Error                           *struct{ Err, Pos string }
}

// list returns the packages of the module in a folder and all that they and their tests import, each after what it
// imports.
func list(folder, system, processor string) ([]listed, error) {
	c := exec.Command("go", "list", "-e", "-deps", "-test", "-json="+
		"ImportPath,Dir,Name,ForTest,GoFiles,SFiles,IgnoredGoFiles,ImportMap,Standard,DepOnly,Module,Error", "./...")
	c.Dir = folder
	c.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+processor, "CGO_ENABLED=0")
	var out, said bytes.Buffer
	c.Stdout, c.Stderr = &out, &said
	if err := c.Run(); err != nil {
		return nil, fmt.Errorf("go list: %w: %s", err, said.String())
	}
	var all []listed
	for d := json.NewDecoder(&out); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("what go list prints: %w", err)
		}
		all = append(all, p)
	}
}

// source is what has been parsed.
type source struct {
	set   *token.FileSet
	lock  sync.Mutex
	files map[string]func() (*ast.File, error)
}

// file returns the syntax of a file. Nobody changes it.
func (s *source) file(name string) (*ast.File, error) {
	s.lock.Lock()
	f, ok := s.files[name]
	if !ok {
		f = sync.OnceValues(func() (*ast.File, error) {
			return parser.ParseFile(s.set, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		})
		s.files[name] = f
	}
	s.lock.Unlock()
	return f()
}

// check returns what is wrong on one platform.
func (s *source) check(folder, platform string) ([]string, error) {
	system, processor, ok := strings.Cut(platform, "/")
	sizes := types.SizesFor("gc", processor)
	if !ok || sizes == nil {
		return nil, fmt.Errorf("%q is no system and processor, as windows/amd64", platform)
	}
	all, err := list(folder, system, processor)
	if err != nil {
		return nil, err
	}
	p := one{source: s, sizes: sizes, loaded: map[string]*packages.Package{"unsafe": {Types: types.Unsafe}}}
	tested := map[string]bool{} // packages that their tests, whose files lie in the same package, are checked with
	for _, l := range all {
		if !l.DepOnly && l.ForTest != "" && strings.HasPrefix(l.ImportPath, l.ForTest+" ") {
			tested[l.ForTest] = true
		}
	}
	var roots []*packages.Package
	for _, l := range all {
		if l.ImportPath == "unsafe" || l.Name == "main" && strings.HasSuffix(l.ImportPath, ".test") {
			continue // the latter runs tests, and is written by go test
		}
		loaded, err := p.load(l)
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", platform, l.ImportPath, err)
		}
		if !l.DepOnly && !tested[l.ImportPath] {
			roots = append(roots, loaded)
		}
	}
	if len(roots) == 0 {
		return nil, fmt.Errorf("%s: there are no packages in %s", platform, folder)
	}
	if len(p.faults) == 0 { // else analyzers would stumble
		if err := p.analyze(roots); err != nil {
			return nil, fmt.Errorf("%s: %w", platform, err)
		}
	}
	slices.Sort(p.faults)
	p.faults = slices.Compact(p.faults) // a file is part of a package with its tests, and of the one without
	for i, f := range p.faults {
		p.faults[i] = platform + ": " + f
	}
	return p.faults, nil
}

// one is a platform.
type one struct {
	*source
	sizes  types.Sizes
	loaded map[string]*packages.Package // by import path, with the test that it is compiled for
	faults []string
}

func (p *one) fault(at token.Pos, format string, args ...any) {
	p.faults = append(p.faults, fmt.Sprintf("%s: ", p.set.Position(at))+fmt.Sprintf(format, args...))
}

// Import returns a package of those that are loaded.
func (p *one) Import(path string) (*types.Package, error) {
	if found := p.loaded[path]; found != nil && found.Types != nil {
		return found.Types, nil
	}
	return nil, fmt.Errorf("package %s is not listed before what imports it", path)
}

// A renamed importer imports what a package means by a path.
type renamed struct {
	*one
	paths map[string]string
}

func (r renamed) Import(path string) (*types.Package, error) {
	if other, ok := r.paths[path]; ok {
		path = other
	}
	return r.one.Import(path)
}

// load checks the types of a package.
func (p *one) load(l listed) (*packages.Package, error) {
	ours := !l.Standard && !l.DepOnly
	if l.Error != nil { // of what is imported, too: it may not be there
		p.faults = append(p.faults, l.Error.Pos+": "+l.Error.Err)
	}
	path, _, _ := strings.Cut(l.ImportPath, " ")
	out := &packages.Package{ID: l.ImportPath, PkgPath: path, Name: l.Name, Fset: p.set, TypesSizes: p.sizes,
		Imports: map[string]*packages.Package{}}
	p.loaded[l.ImportPath] = out
	for _, name := range l.GoFiles {
		name = filepath.Join(l.Dir, name)
		tree, err := p.file(name)
		if err != nil && ours {
			p.faults = append(p.faults, err.Error())
		}
		if tree == nil {
			continue
		}
		out.Syntax = append(out.Syntax, tree)
		out.GoFiles = append(out.GoFiles, name)
	}
	config := types.Config{Importer: renamed{p, l.ImportMap}, Sizes: p.sizes, IgnoreFuncBodies: !ours,
		Error: func(err error) {
			var e types.Error
			if ours && errors.As(err, &e) {
				p.fault(e.Pos, "%s", e.Msg)
			}
		}}
	if l.Module != nil && l.Module.GoVersion != "" {
		config.GoVersion = "go" + l.Module.GoVersion
	}
	if ours {
		out.TypesInfo = &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Instances: map[*ast.Ident]types.Instance{},
			Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Implicits: map[ast.Node]types.Object{},
			Selections: map[*ast.SelectorExpr]*types.Selection{}, Scopes: map[ast.Node]*types.Scope{},
			FileVersions: map[*ast.File]string{}}
	}
	out.Types, _ = config.Check(path, p.set, out.Syntax, out.TypesInfo) // errors are faults
	if !ours {
		return out, nil
	}
	if l.Module != nil {
		out.Module = &packages.Module{GoVersion: l.Module.GoVersion}
	}
	out.CompiledGoFiles = out.GoFiles
	for _, name := range l.SFiles {
		out.OtherFiles = append(out.OtherFiles, filepath.Join(l.Dir, name))
	}
	for _, name := range l.IgnoredGoFiles {
		out.IgnoredFiles = append(out.IgnoredFiles, filepath.Join(l.Dir, name))
	}
	for _, imported := range out.Types.Imports() { // facts about functions of the module
		for path := range maps.Values(map[string]string{"": imported.Path(), "renamed": l.ImportMap[imported.Path()]}) {
			if dep := p.loaded[path]; dep != nil && dep.Types == imported && dep.TypesInfo != nil {
				out.Imports[path] = dep
			}
		}
	}
	if len(l.SFiles) == 0 {
		p.bodies(out)
	}
	return out, nil
}

// bodies looks for functions without a body, in a package without assembly.
func (p *one) bodies(pkg *packages.Package) {
	for _, tree := range pkg.Syntax {
		for _, d := range tree.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body == nil {
				p.fault(f.Pos(), "function %s has no body", f.Name.Name)
			}
		}
	}
}

// analyze runs the analyzers of go vet.
func (p *one) analyze(roots []*packages.Package) error {
	graph, err := checker.Analyze(vet.Suite, roots, nil)
	if err != nil {
		return err
	}
	for _, action := range graph.Roots {
		if action.Err != nil {
			return fmt.Errorf("%s: %w", action, action.Err)
		}
		for _, d := range action.Diagnostics {
			p.fault(d.Pos, "%s", d.Message)
		}
	}
	return nil
}

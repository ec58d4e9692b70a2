package sim

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

const module = "tallynet"

// mayImport lists for each package the other packages of the module that it may import.
var mayImport = map[string][]string{
	"sim":        nil,
	"sim/golden": nil,
	"sim/slow":   nil,
	"topologies": {"sim"},

	"topologies/platform": {"sim"},

	"metrics/escape":       nil,
	"metrics/jsonio":       nil,
	"metrics/list":         nil,
	"metrics":              {"metrics/jsonio", "sim"},
	"metrics/report/stats": {"metrics/list", "sim"},
	"metrics/report/result": {"metrics/escape", "metrics/list", "metrics/report/table", "metrics", "metrics/jsonio",
		"sim"},
	"metrics/report/parquet": {"metrics/report/result", "metrics/report/table"},
	"metrics/trace":          {"metrics", "sim"},
	"metrics/report/fold": {"metrics/escape", "metrics/list", "metrics/report/result", "metrics/report/stats", "metrics",
		"metrics/jsonio"},
	"metrics/report/quantity": {"metrics"},
	"metrics/report/table":    {"metrics/escape", "metrics/list", "metrics/report/quantity", "metrics", "sim"},
	"metrics/report/figure":   {"metrics/escape", "metrics/list", "metrics/report/quantity", "metrics/report/table"},
	"metrics/report/answer": {"metrics/escape", "metrics/list", "metrics/report/quantity", "metrics/report/fold",
		"metrics/report/stats", "metrics/report/result", "metrics", "metrics/jsonio"},
	"metrics/report/papers": {"metrics/escape", "metrics/report/figure", "metrics/report/table",
		"metrics/report/quantity", "metrics/report/fold", "metrics/report/result", "metrics", "metrics/jsonio"},
	"metrics/report/decision": {"metrics/escape", "metrics/list", "metrics/report/answer", "metrics/report/figure",
		"metrics/report/table", "metrics/report/quantity", "metrics/report/fold", "metrics/report/result", "metrics"},
	"metrics/report/compare": {"metrics/escape", "metrics/list", "metrics/report/answer", "metrics/report/table",
		"metrics/report/fold", "metrics/report/result", "metrics", "metrics/jsonio"},
	"metrics/report/views": {"metrics/escape", "metrics/list", "metrics/report/answer", "metrics/report/decision",
		"metrics/report/papers",
		"metrics/report/figure", "metrics/report/table", "metrics/report/quantity", "metrics/report/fold",
		"metrics/report/result", "metrics", "metrics/jsonio"},
	"metrics/report/page": {"metrics/escape", "metrics/list", "metrics/report/answer", "metrics/report/decision",
		"metrics/report/compare",
		"metrics/report/views", "metrics/report/figure", "metrics/report/table", "metrics/report/quantity",
		"metrics/report/fold", "metrics/report/result", "metrics"},
	"metrics/report/page/browser": nil,

	"channel":             {"metrics", "sim"},
	"node":                {"channel", "metrics", "sim"},
	"algorithms/cholesky": nil,
	"algorithms/declare":  nil,
	"algorithms/share":    {"metrics"},
	"algorithms": {"algorithms/cholesky", "algorithms/declare", "algorithms/share", "node", "channel", "metrics",
		"sim"},
	"algorithms/methodtest": {"algorithms", "node", "channel", "topologies", "metrics", "sim"},

	"scenarios/problems/budget": nil,
	"scenarios/problems/gemm":   nil,
	"scenarios/problems/data":   {"scenarios/problems/budget", "sim"},
	"scenarios/problems": {"algorithms/share", "scenarios/keys", "scenarios/problems/budget", "scenarios/problems/data",
		"scenarios/problems/gemm", "metrics", "sim"},
	"scenarios/problems/oracletest": {"scenarios/problems", "metrics", "sim"},
	"scenarios/measure":             {"algorithms/cholesky", "scenarios/keys", "scenarios/problems", "metrics"},
	"scenarios/keys":                {"algorithms/declare", "metrics/jsonio", "sim"},
	"scenarios/catalog": {"scenarios/problems/budget", "scenarios/keys", "scenarios/measure", "scenarios/problems",
		"scenarios/problems/data",
		"algorithms", "algorithms/declare", "topologies", "topologies/platform", "metrics", "sim"},
	"scenarios/python": {"scenarios/catalog", "scenarios/keys", "scenarios/problems", "algorithms", "node", "channel",
		"metrics",
		"metrics/jsonio", "sim"},
	"scenarios/facts": {"scenarios/keys", "metrics/report/result", "metrics/jsonio"},
	"scenarios/claims": {"scenarios/keys", "metrics/report/result", "metrics/report/stats", "metrics", "metrics/jsonio",
		"sim"},
	"scenarios/sections": {"scenarios/catalog", "scenarios/keys", "algorithms", "node", "channel", "topologies",
		"topologies/platform", "metrics", "metrics/jsonio", "sim"},
	"scenarios/spec": {"scenarios/sections", "scenarios/claims", "scenarios/facts", "scenarios/catalog", "scenarios/keys",
		"scenarios/measure",
		"scenarios/problems/budget", "topologies", "topologies/platform", "metrics/report/result", "metrics",
		"metrics/jsonio"},
	"scenarios/build": {"scenarios/spec", "scenarios/sections", "scenarios/catalog", "scenarios/keys",
		"scenarios/measure",
		"scenarios/problems", "scenarios/problems/budget", "scenarios/problems/data", "algorithms", "node", "channel",
		"topologies", "topologies/platform", "metrics/report/result", "metrics"},
	"scenarios/predict": {"scenarios/build", "scenarios/spec", "scenarios/problems/data", "algorithms", "channel",
		"topologies", "metrics/report/result", "metrics"},
	"scenarios/execute": {"scenarios/predict", "scenarios/build", "scenarios/spec", "scenarios/sections",
		"scenarios/problems", "metrics/trace", "scenarios/keys", "scenarios/measure",
		"scenarios/catalog", "scenarios/problems/budget", "scenarios/problems/data", "algorithms", "node", "channel",
		"topologies", "metrics/report/result", "metrics", "sim"},
	"scenarios/papers": {"scenarios/build", "scenarios/spec",
		"scenarios/claims", "scenarios/problems", "scenarios/problems/data",
		"metrics/report/fold", "metrics/report/result", "metrics"},
	"scenarios/study": {"scenarios/papers", "scenarios/catalog", "scenarios/execute", "scenarios/build",
		"scenarios/spec", "scenarios/keys",
		"scenarios/retime", "scenarios/measure", "scenarios/problems/data", "metrics/trace", "metrics/report/result",
		"metrics/report/stats", "metrics", "metrics/jsonio", "sim"},
	"scenarios/retime": {"scenarios/execute", "scenarios/build", "scenarios/spec", "scenarios/keys", "algorithms", "node",
		"metrics/report/stats", "metrics", "sim"},
	"scenarios":              nil, // YAML only
	"scenarios/scenariotest": {"scenarios/spec", "scenarios/catalog", "scenarios/problems/data"},

	"cmd/simulate/present": {"scenarios/study", "scenarios/build", "scenarios/spec", "scenarios/keys",
		"scenarios/problems", "scenarios/problems/data",
		"metrics/report/page", "metrics/report/views", "metrics/report/figure", "metrics/report/table",
		"metrics/report/quantity", "metrics/report/fold", "metrics/report/result"},
	"cmd/simulate/serve": {"cmd/simulate/present", "scenarios/study", "scenarios/predict", "scenarios/execute",
		"scenarios/build", "scenarios/spec", "scenarios/catalog", "scenarios/keys",
		"scenarios/problems/data", "metrics/report/page", "metrics/report/views", "metrics/report/quantity",
		"metrics/report/result"},
	"cmd/simulate/cli": {"cmd/simulate/present", "cmd/simulate/serve",
		"scenarios/study", "scenarios/predict", "scenarios/execute", "scenarios/build", "scenarios/spec", "scenarios/facts",
		"scenarios/python",
		"scenarios/catalog", "scenarios/keys", "scenarios/problems", "scenarios/problems/data", "topologies",
		"topologies/platform", "metrics/report/page", "metrics/report/views", "metrics/report/papers",
		"metrics/report/compare", "metrics/report/figure", "metrics/report/table", "metrics/report/quantity",
		"metrics/report/fold", "metrics/report/parquet", "metrics/report/result", "metrics/trace", "metrics",
		"metrics/escape", "metrics/jsonio"},
	"cmd/simulate": {"cmd/simulate/cli", "scenarios/catalog", "scenarios/python"},
}

// deterministic lists the packages whose results may depend on their arguments only.
var deterministic = []string{"sim", "channel", "node", "algorithms", "algorithms/cholesky", "topologies",
	"topologies/platform", "metrics", "scenarios/problems"}

// unfused lists the packages whose floats reach times and events. Every product of floats there must be rounded
// by a conversion, since some processors would fuse it with a sum.
var unfused = []string{"sim", "channel", "node"}

// forbidden lists functions whose results depend on more than their arguments. In math/rand/v2 these are all
// that draw from the global generator.
var forbidden = map[string][]string{
	"time": {"Now", "Since", "Until", "After", "Tick", "Sleep", "NewTimer", "NewTicker", "AfterFunc"},
	"os":   {"Getenv", "LookupEnv", "Environ", "ExpandEnv"},
	"math/rand/v2": {"ExpFloat64", "Float32", "Float64", "Int", "Int32", "Int32N", "Int64", "Int64N", "IntN", "N",
		"NormFloat64",
		"Perm", "Shuffle", "Uint", "Uint32", "Uint32N", "Uint64", "Uint64N", "UintN"},
}

// allowed lists findings that are correct, with the reason.
var allowed = map[string]string{
	"metrics/report/result: time.Since": "a claim of another process is old by the clock on the wall; no result " +
		"depends " +
		"on it",
	"metrics/report/result: time.NewTicker": "the owner of a claim touches it; no result depends on it",
	"sim/slow: os.Getenv":                   "it is for tests: which of them run is no result",
	"scenarios/problems/data: os.Getenv": "where the data are is the user's machine's business; what they are is " +
		"checked by digest",
}

// TestTidy checks design rules that a compiler does not check.
func TestTidy(t *testing.T) {
	files := sources(t, "..")
	if len(files) < len(deterministic) {
		t.Fatalf("only %d packages found", len(files))
	}
	used := map[string]bool{}
	for _, f := range inspect(files) {
		key := f.dir + ": " + f.what
		if _, ok := allowed[key]; ok {
			used[key] = true
			continue
		}
		t.Errorf("%s: %s", f.at, f.what)
	}
	for key := range allowed {
		if !used[key] {
			t.Errorf("allowed, but not there: %s", key)
		}
	}
}

// TestTidyFires checks that each rule finds a violation.
func TestTidyFires(t *testing.T) {
	for _, c := range []struct{ name, dir, body, want string }{
		{"clock", "node", `import "time"; func f() { time.Now() }`, "time.Now"},
		{"renamed clock", "node", `import clock "time"; var f = clock.Since`, "time.Since"},
		{"environment", "metrics", `import "os"; func f() { os.Getenv("X") }`, "os.Getenv"},
		{"global random", "algorithms", `import "math/rand/v2"; func f() { rand.IntN(3) }`, "math/rand/v2.IntN"},
		{"old random", "sim", `import "math/rand"; var _ = rand.New`, "imports math/rand"},
		{"dot import", "sim", `import . "time"; var _ = Now`, "dot import of time"},
		{"map literal", "node", `func f() { for range map[int]int{} {} }`, "ranges over a map"},
		{"named map", "node", `type m map[int]int; func f(x m) { for range x {} }`, "ranges over a map"},
		{"map in a field", "node", `type s struct { m map[string]int }; func f(x []*s) { for k := range x[0].m { _ = k } }`,
			"ranges over a map"},
		{"map from a function", "node", `func g() map[int]int { return nil }; func f() { x := g(); for range x {} }`,
			"ranges over a map"},
		{"map of another package", "node", `import "tallynet/metrics"; func f() { for range metrics.M {} }`,
			"ranges over a map"},
		{"generic map", "node", `func f[M map[int]int | map[int]bool](m M) { for range m {} }`, "ranges over a map"},
		{"unsorted keys", "node", `import "maps"; func f(m map[int]int) { for range maps.Keys(m) {} }`,
			"maps.Keys in no order"},
		{"upwards", "channel", `import "tallynet/node"; var _ node.Config`, "imports node"},
		{"figures upwards", "metrics/report/figure", `import "tallynet/topologies"; var _ topologies.Graph`,
			"imports topologies"},
		{"engine reads statistics", "node", `import "tallynet/metrics/report/fold"; var _ fold.Summary`,
			"imports metrics/report/fold"},
		{"ledger presents", "metrics", `import "tallynet/metrics/report/table"; var _ table.Table`,
			"imports metrics/report/table"},
		{"command computes", "cmd/simulate/cli", `import "gonum.org/v1/gonum/stat"; var _ = stat.Mean`,
			"computes with gonum.org/v1/gonum/stat"},
		{"fused", "channel", `func f(x, y, z float64) float64 { return x*y + z }`, "product of floats that may be fused"},
		{"fused later", "node", `func f(x, y, z float64) float64 { t := x * y; return t - z }`,
			"product of floats that may be fused"},
		{"fused in place", "sim", `func f(x, y float64) { x *= y }`, "product of floats that may be fused"},
		{"fused with another's", "sim",
			`import "math/rand/v2"; func f(x float64, r *rand.Rand) float64 { return 1 + x*r.Float64() }`,
			"product of floats that may be fused"},
		{"rounded", "sim", `func f(x, y, z float64, i int) float64 { return float64(2*x*y) + z + float64(3*i+1) }`, ""},
		{"new package", "metrics/other", `var _ = 1`, "package metrics/other is not in the table"},
		{"fine", "node", `import ("maps"; "slices"; "tallynet/sim"; "math/rand/v2")
			func f(m map[int]int,
				r *rand.Rand) { for range slices.Sorted(maps.Keys(m)) { r.IntN(2) }; for range []int{} {}; _ = sim.Now }`, ""},
	} {
		files := map[string]map[string]string{
			"metrics": {"metrics/m.go": "package metrics; var M map[int]int"},
		}
		if files[c.dir] == nil {
			files[c.dir] = map[string]string{}
		}
		files[c.dir][c.dir+"/mutant.go"] = "package p; " + c.body
		if c.dir == "metrics" {
			files[c.dir][c.dir+"/mutant.go"] = "package metrics; " + c.body
		}
		var got []string
		for _, f := range inspect(files) {
			got = append(got, f.what)
		}
		if want := strings.Fields(c.want); (len(want) == 0) != (len(got) == 0) || len(got) > 0 &&
			!slices.Contains(got, c.want) {
			t.Errorf("%s: found %q, want %q", c.name, got, c.want)
		}
	}
}

// sources reads all Go files below root other than tests, by package directory.
func sources(t *testing.T, root string) map[string]map[string]string {
	files := map[string]map[string]string{}
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && len(d.Name()) > 2) {
			return fs.SkipDir
		}
		if !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		if strings.HasPrefix(string(text), "//go:build ignore") || strings.Contains(string(text), "\n//go:build ignore\n") {
			return nil // a separate program: as the first file of its folder it would hide the package
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		dir := path.Dir(name)
		if files[dir] == nil {
			files[dir] = map[string]string{}
		}
		files[dir][name] = string(text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// finding is one breach of a rule.
type finding struct {
	dir, what string
	at        token.Position
}

// inspector checks the packages of a module. It type-checks these packages against empty stand-ins for all
// others: their values have no type, but need neither source nor much time.
type inspector struct {
	files map[string]map[string]string // text by package directory and file
	fset  *token.FileSet
	done  map[string]*types.Package
	found []finding
}

// inspect returns all findings in the given files.
func inspect(files map[string]map[string]string) []finding {
	in := &inspector{files: files, fset: token.NewFileSet(), done: map[string]*types.Package{}}
	for _, dir := range slices.Sorted(maps.Keys(files)) {
		in.check(dir)
	}
	slices.SortFunc(in.found, func(a, b finding) int {
		return strings.Compare(a.at.String()+a.what,
			b.at.String()+b.what)
	})
	return in.found
}

// Import implements types.Importer.
func (in *inspector) Import(name string) (*types.Package, error) {
	dir, ours := strings.CutPrefix(name, module+"/")
	if ours && in.files[dir] != nil {
		return in.check(dir), nil
	}
	if p := in.done[name]; p != nil {
		return p, nil
	}
	base := path.Base(name)
	if name == "math/rand/v2" {
		base = "rand"
	}
	p := types.NewPackage(name, base)
	p.MarkComplete()
	in.done[name] = p
	return p, nil
}

// check applies all rules to one package of the module.
func (in *inspector) check(dir string) *types.Package {
	if p := in.done[module+"/"+dir]; p != nil {
		return p
	}
	var parsed []*ast.File
	for _, name := range slices.Sorted(maps.Keys(in.files[dir])) {
		f, err := parser.ParseFile(in.fset, name, in.files[dir][name], parser.SkipObjectResolution)
		if err != nil {
			continue // the compiler reports it
		}
		parsed = append(parsed, f)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: in, Error: func(error) {}, FakeImportC: true}
	p, _ := conf.Check(module+"/"+dir, in.fset, parsed, info) // the stand-ins cause errors
	in.done[module+"/"+dir] = p
	for _, f := range parsed {
		in.imports(dir, f)
		if _, ok := owner(dir, deterministic); ok {
			in.determinism(dir, f, info)
		}
		if slices.Contains(unfused, dir) {
			in.products(dir, f, info)
		}
	}
	return p
}

func (in *inspector) report(dir string, at ast.Node, format string, args ...any) {
	in.found = append(in.found, finding{dir, fmt.Sprintf(format, args...), in.fset.Position(at.Pos())})
}

// owner returns the longest entry that equals dir or contains it.
func owner(dir string, entries []string) (string, bool) {
	for d := dir; d != "."; d = path.Dir(d) {
		if slices.Contains(entries, d) {
			return d, true
		}
	}
	return "", false
}

// imports checks who imports whom.
func (in *inspector) imports(dir string, f *ast.File) {
	may, known := mayImport[dir]
	if !known {
		in.report(dir, f, "package %s is not in the table", dir)
	}
	for _, spec := range f.Imports {
		name, _ := strconv.Unquote(spec.Path.Value)
		if name == "math/rand" {
			in.report(dir, spec, "imports math/rand")
		}
		if strings.HasPrefix(dir, "cmd/") && strings.HasPrefix(name, "gonum.org/") {
			in.report(dir, spec, "computes with %s", name) // the command computes nothing
		}
		if target, ours := strings.CutPrefix(name, module+"/"); ours && !slices.Contains(may, target) {
			in.report(dir, spec, "imports %s", target)
		}
	}
}

// determinism checks what a deterministic package uses and how it iterates.
func (in *inspector) determinism(dir string, f *ast.File, info *types.Info) {
	names := map[string]string{} // of imported packages in this file
	for _, spec := range f.Imports {
		p, _ := strconv.Unquote(spec.Path.Value)
		name := strings.TrimSuffix(p, "/v2")
		name = path.Base(name)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		if name == "." && forbidden[p] != nil {
			in.report(dir, spec, "dot import of %s", p)
		}
		names[name] = p
	}
	sorted := map[ast.Node]bool{} // arguments of slices.Sorted and the like
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if s, ok := n.Fun.(*ast.SelectorExpr); ok && len(n.Args) > 0 && strings.HasPrefix(s.Sel.Name, "Sorted") {
				sorted[n.Args[0]] = true
			}
			s, ok := n.Fun.(*ast.SelectorExpr)
			if !ok || sorted[n] {
				break
			}
			if x, ok := s.X.(*ast.Ident); ok && names[x.Name] == "maps" &&
				slices.Contains([]string{"Keys", "Values", "All"}, s.Sel.Name) {
				in.report(dir, n, "maps.%s in no order", s.Sel.Name)
			}
		case *ast.SelectorExpr:
			x, ok := n.X.(*ast.Ident)
			if !ok {
				break
			}
			if obj, ok := info.Uses[x].(*types.PkgName); ok && slices.Contains(forbidden[obj.Imported().Path()], n.Sel.Name) {
				in.report(dir, n, "%s.%s", obj.Imported().Path(), n.Sel.Name)
			}
		case *ast.RangeStmt:
			if isMap(info.Types[n.X].Type) {
				in.report(dir, n, "ranges over a map")
			}
		}
		return true
	})
}

// products checks that every product of floats is the argument of a conversion, or a factor.
func (in *inspector) products(dir string, f *ast.File, info *types.Info) {
	isFloat := func(x ast.Expr) bool {
		v := info.Types[x]
		if v.Type == nil || v.Value != nil {
			return false // a constant is exact
		}
		b, ok := v.Type.Underlying().(*types.Basic)
		return ok && b.Info()&types.IsFloat != 0
	}
	rounded := map[ast.Expr]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok && id.Name == "float64" && len(n.Args) == 1 {
				rounded[ast.Unparen(n.Args[0])] = true
			}
		case *ast.AssignStmt:
			if n.Tok == token.MUL_ASSIGN && isFloat(n.Lhs[0]) {
				in.report(dir, n, "product of floats that may be fused")
			}
		case *ast.BinaryExpr:
			// A value from outside the module has no type here: one typed factor decides.
			if n.Op != token.MUL || !isFloat(n.X) && !isFloat(n.Y) {
				break
			}
			rounded[ast.Unparen(n.X)], rounded[ast.Unparen(n.Y)] = true, true
			if !rounded[n] {
				in.report(dir, n, "product of floats that may be fused")
			}
		}
		return true
	})
}

// isMap reports whether t, or a type that a type parameter t admits, is a map.
func isMap(t types.Type) bool {
	if t == nil {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Map:
		return true
	case *types.Union:
		return u.Len() > 0 && isMap(u.Term(0).Type())
	case *types.Interface:
		for i := range u.NumEmbeddeds() {
			if isMap(u.EmbeddedType(i)) {
				return true
			}
		}
	}
	return false
}

// width is the upper limit of a line of Go, in characters.
const width = 120

// TestLinesFit: all Go files, including tests and build scripts, have lines of less
// than width characters.
func TestLinesFit(t *testing.T) {
	files := 0
	err := filepath.WalkDir("..", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == ".git") {
			return fs.SkipDir
		}
		if !strings.HasSuffix(p, ".go") {
			return nil
		}
		text, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		files++
		for _, line := range longLines(text) {
			t.Errorf("%s:%d: the line has %d characters or more: wrap it", p, line, width)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < len(mayImport) {
		t.Errorf("only %d files of Go found", files)
	}
}

// TestLinesFitFires: a long line is found in code, comments and one-line literals. The lines of
// a text in back quotes belong to the text.
func TestLinesFitFires(t *testing.T) {
	x := strings.Repeat("x", width)
	text := "package p\n\n// " + x + "\nvar a = \"" + x + "\"\nvar b = `" + x + "`\nvar c = `\n" + x + "\n`\n\n" +
		"var d" + x + " int\n" +
		"var e = `" + strings.Repeat("ä", width-12) + "`\n"
	if got, want := longLines([]byte(text)), []int{3, 4, 5, 10}; !slices.Equal(got, want) {
		t.Errorf("long lines are %v, want %v", got, want)
	}
}

// longLines returns the numbers of lines that are too long. A text in back quotes over several
// lines breaks where the text does, so its lines are skipped.
func longLines(text []byte) (long []int) {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(text))
	s.Init(file, text, nil, 0)
	free := map[int]bool{}
	for {
		pos, tok, literal := s.Scan()
		if tok == token.EOF {
			break
		}
		if n := strings.Count(literal, "\n"); tok == token.STRING && n > 0 {
			for i := range n + 1 {
				free[file.Line(pos)+i] = true
			}
		}
	}
	for i, line := range strings.Split(string(text), "\n") {
		if utf8.RuneCountInString(line) >= width && !free[i+1] {
			long = append(long, i+1)
		}
	}
	return long
}

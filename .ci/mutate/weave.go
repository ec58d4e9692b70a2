package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strings"
)

// A mutant is selected, and the notes of what is reached are asked for, by environment variables of a test.
const (
	selects = "TALLYNET_MUTANT"  // the number of the mutant that is on; 0 or nothing for none
	traces  = "TALLYNET_REACHED" // the file that takes the numbers of mutants whose statement is reached, one a line
)

// switches is a file of a package with mutants in it, with the package's name and the number of mutants. A number is
// noted once in a process, and then costs no more than a look.
const switches = `package %s

import (
	"os"
	"strconv"
	"sync/atomic"
)

var mutantOn, _ = strconv.Atoi(os.Getenv("` + selects + `"))

var mutantTrace = os.Getenv("` + traces + `")

var mutantsSeen [%d + 1]atomic.Bool

func mutantSee(number int) {
	if mutantTrace != "" && !mutantsSeen[number].Load() {
		mutantNote(number)
	}
}

func mutantNote(number int) {
	if mutantsSeen[number].Swap(true) {
		return
	}
	file, err := os.OpenFile(mutantTrace, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err == nil {
		_, err = file.WriteString(strconv.Itoa(number) + "\n")
	}
	if err == nil {
		err = file.Close()
	}
	if err != nil {
		panic(err)
	}
}
`

// switchesFile is its name.
const switchesFile = "mutant_switches.go"

// weave returns the files that hold mutants, with the mutants in them, by their paths from the root of the
// repository, and those that their packages need besides. The number of a mutant is its place in the list, from 1.
//
// Each mutant is a copy of its function with the edit, a method of the same type where that is one. The function
// hands over to the copy if its mutant is on, and notes that the statement with the edit is reached.
func weave(mutants []mutant) (map[string][]byte, error) {
	numbers := map[string][]int{}
	for i, m := range mutants {
		numbers[m.file] = append(numbers[m.file], i+1)
	}
	files := map[string][]byte{}
	for file, some := range numbers {
		src := mutants[some[0]-1].src
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, file, src, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		w := weaver{editor: editor{set: set, src: src}, mutants: mutants}
		for _, d := range tree.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
				w.weave(f, some)
			}
		}
		files[file] = w.file()
		files[path.Join(path.Dir(file), switchesFile)] = fmt.Appendf(nil, switches, tree.Name.Name, len(mutants))
	}
	return files, nil
}

// A weaver writes a file with mutants in it.
type weaver struct {
	editor
	mutants []mutant
	changes []change
	copies  strings.Builder
}

// A change puts a text in place of what lies between two offsets.
type change struct {
	from, to int
	text     string
}

func (w *weaver) change(from, to token.Pos, text string) {
	w.changes = append(w.changes, change{w.offset(from), w.offset(to), text})
}

// file returns the whole file. It has the lines of before, then the copies.
func (w *weaver) file() []byte {
	slices.SortStableFunc(w.changes, func(a, b change) int { return a.from - b.from })
	var out []byte
	at := 0
	for _, c := range w.changes {
		out = append(append(out, w.src[at:c.from]...), c.text...)
		at = c.to
	}
	return append(append(out, w.src[at:]...), w.copies.String()...)
}

// weave adds the mutants of a function, which are among those with the numbers. Positions in a copy are of the file
// that numbered says.
func (w *weaver) weave(f *ast.FuncDecl, numbers []int) {
	var cases strings.Builder
	parameters, arguments := w.parameters(f.Type.Params)
	for _, number := range numbers {
		m := w.mutants[number-1]
		if m.from < w.offset(f.Body.Pos()) || m.to > w.offset(f.Body.End()) {
			continue
		}
		name := fmt.Sprintf("mutant%d%s", number, f.Name.Name)
		fmt.Fprintf(&w.copies, "\n//line %s:%d\n%s%s%s%s%s\n", numbered(number), w.set.Position(f.Pos()).Line,
			w.src[w.offset(f.Pos()):w.offset(f.Name.Pos())], name, w.src[w.offset(f.Name.End()):m.from], m.text,
			w.src[m.to:w.offset(f.End())])
		call := w.callee(f, name) + "(" + arguments + ")"
		if f.Type.Results == nil {
			fmt.Fprintf(&cases, "case %d: %s; return; ", number, call)
		} else {
			fmt.Fprintf(&cases, "case %d: return %s; ", number, call)
		}
		at := w.statement(f.Body, m)
		w.change(at, at, fmt.Sprintf("mutantSee(%d); ", number))
	}
	if cases.Len() == 0 {
		return
	}
	if f.Recv != nil {
		w.change(f.Recv.Pos(), f.Recv.End(), "("+receiver(f)+" "+w.text(f.Recv.List[0].Type)+")")
	}
	w.change(f.Type.Params.Pos(), f.Type.Params.End(), "("+parameters+")")
	w.changes = append([]change{{w.offset(f.Body.Lbrace) + 1, w.offset(f.Body.Lbrace) + 1,
		" switch mutantOn { " + cases.String() + "}; "}}, w.changes...)
}

// numbered returns the name of the file that positions in the copy of a function are of.
func numbered(number int) string { return fmt.Sprintf("mutant%d.go", number) }

// receiver returns a name for the receiver of a method, the one that it has if it has one.
func receiver(f *ast.FuncDecl) string {
	if names := f.Recv.List[0].Names; len(names) > 0 && names[0].Name != "_" {
		return names[0].Name
	}
	return "mutantReceiver"
}

// callee returns how the function calls its copy of a name.
func (w *weaver) callee(f *ast.FuncDecl, name string) string {
	if f.Recv != nil {
		return receiver(f) + "." + name
	}
	if f.Type.TypeParams == nil {
		return name
	}
	var types []string
	for _, field := range f.Type.TypeParams.List {
		for _, n := range field.Names {
			types = append(types, n.Name)
		}
	}
	return name + "[" + strings.Join(types, ", ") + "]"
}

// parameters returns the parameters of a function, each with a name, and the arguments that hand them on.
func (w *weaver) parameters(list *ast.FieldList) (parameters, arguments string) {
	var with, names []string
	for _, field := range list.List {
		kind := w.text(field.Type)
		some := field.Names
		if len(some) == 0 {
			some = []*ast.Ident{ast.NewIdent("_")}
		}
		for _, n := range some {
			name := n.Name
			if name == "_" {
				name = fmt.Sprintf("mutantArgument%d", len(names))
			}
			with = append(with, name+" "+kind)
			if strings.HasPrefix(kind, "...") {
				name += "..."
			}
			names = append(names, name)
		}
	}
	return strings.Join(with, ", "), strings.Join(names, ", ")
}

// statement returns where the innermost statement of a list begins that holds a mutant.
func (w *weaver) statement(body *ast.BlockStmt, m mutant) token.Pos {
	at := body.Lbrace + 1
	ast.Inspect(body, func(n ast.Node) bool {
		if n == nil || m.from < w.offset(n.Pos()) || m.to > w.offset(n.End()) {
			return false
		}
		var list []ast.Stmt
		switch n := n.(type) {
		case *ast.BlockStmt:
			list = n.List
		case *ast.CaseClause:
			list = n.Body
		case *ast.CommClause:
			list = n.Body
		}
		for _, s := range list {
			switch s.(type) {
			case *ast.CaseClause, *ast.CommClause: // parts of a statement
				continue
			}
			if w.offset(s.Pos()) <= m.from && m.to <= w.offset(s.End()) {
				at = s.Pos()
			}
		}
		return true
	})
	return at
}

package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// A mutant is one edit of one line of a file.
type mutant struct {
	target   target
	file     string // from the root of the repository, with slashes
	function string
	operator string // the kind of edit
	line     int
	from, to int // offsets of what is replaced
	text     string
	src      []byte // of the whole file, before
}

// mutated returns the file with the edit in it.
func (m mutant) mutated() []byte {
	return bytes.Join([][]byte{m.src[:m.from], m.src[m.to:]}, []byte(m.text))
}

// place returns where the edit is, and what kind of edit.
func (m mutant) place() string {
	return fmt.Sprintf("%s:%d: %s", m.file, m.line, m.operator)
}

// key returns the file, the function, the line before and the line after: what stays when
// lines move.
func (m mutant) key() string {
	begin := bytes.LastIndexByte(m.src[:m.from], '\n') + 1
	end := m.to + bytes.IndexByte(m.src[m.to:], '\n')
	before := strings.TrimSpace(string(m.src[begin:end]))
	after := strings.TrimSpace(string(m.src[begin:m.from]) + m.text + string(m.src[m.to:end]))
	return fmt.Sprintf("%s %s\n- %s\n%s\n", m.file, m.function, before, strings.TrimSpace("+ "+after))
}

// exchanged are the operators that replace others.
var exchanged = map[token.Token]token.Token{
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL, token.REM: token.QUO,
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LAND: token.LOR, token.LOR: token.LAND,
	token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN,
	token.MUL_ASSIGN: token.QUO_ASSIGN, token.QUO_ASSIGN: token.MUL_ASSIGN,
	token.INC: token.DEC, token.DEC: token.INC,
}

// candidates returns the mutants of the files in the plan, one group for each package
// whose folder matches the regular expression.
func candidates(only string) ([][]mutant, error) {
	wanted, err := regexp.Compile(only)
	if err != nil {
		return nil, err
	}
	var groups [][]mutant
	for _, t := range plan {
		if !wanted.MatchString(t.folder) {
			continue
		}
		files, err := filepath.Glob(filepath.Join(root(), filepath.FromSlash(t.folder), "*.go"))
		if err != nil {
			return nil, err
		}
		var group []mutant
		for _, file := range files {
			if !t.holds(filepath.Base(file)) {
				continue
			}
			src, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			some, err := mutate(t, path.Join(t.folder, filepath.Base(file)), src)
			if err != nil {
				return nil, err
			}
			group = append(group, some...)
		}
		groups = append(groups, group)
	}
	return groups, nil
}

// mutate returns every mutant of a file, in the order of its text.
func mutate(t target, file string, src []byte) ([]mutant, error) {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, file, src, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	e := editor{set: set, src: src}
	for _, d := range tree.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil {
			continue
		}
		e.function = f.Name.Name
		if f.Recv != nil {
			receiver := f.Recv.List[0].Type
			if star, ok := receiver.(*ast.StarExpr); ok {
				receiver = star.X
			}
			e.function = e.text(receiver) + "." + e.function
		}
		ast.Inspect(f.Body, e.visit)
	}
	for i := range e.found {
		e.found[i].target, e.found[i].file = t, file
	}
	return e.found, nil
}

// editor collects the mutants of a file.
type editor struct {
	set      *token.FileSet
	src      []byte
	function string
	found    []mutant
}

func (e *editor) offset(p token.Pos) int { return e.set.Position(p).Offset }

func (e *editor) text(n ast.Node) string { return string(e.src[e.offset(n.Pos()):e.offset(n.End())]) }

// edit adds the mutant that has a text in place of what lies between two positions, if
// they are on one line.
func (e *editor) edit(operator string, from, to token.Pos, text string) {
	a, b := e.set.Position(from), e.set.Position(to)
	if a.Line != b.Line {
		return
	}
	e.found = append(e.found, mutant{function: e.function, operator: operator, line: a.Line, from: a.Offset, to: b.Offset,
		text: text, src: e.src})
}

// exchange adds the mutant with the operator that replaces another.
func (e *editor) exchange(at token.Pos, op token.Token) {
	if other, ok := exchanged[op]; ok {
		e.edit(op.String()+" becomes "+other.String(), at, at+token.Pos(len(op.String())), other.String())
	}
}

// visit adds the mutants of a node. It returns whether to look into it: texts of errors
// and panics are left alone.
func (e *editor) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		e.binary(n)
	case *ast.UnaryExpr:
		if n.Op == token.NOT {
			e.edit("! removed", n.OpPos, n.X.Pos(), "")
		}
	case *ast.BasicLit:
		e.constant(n)
	case *ast.CallExpr:
		if e.words(n) {
			return false
		}
		e.swap(n)
	case *ast.AssignStmt:
		e.exchange(n.TokPos, n.Tok)
		if n.Tok != token.DEFINE {
			e.edit("statement removed", n.Pos(), n.End(), "")
		}
	case *ast.IncDecStmt:
		e.exchange(n.TokPos, n.Tok)
		e.edit("statement removed", n.Pos(), n.End(), "")
	case *ast.ExprStmt:
		if call, ok := n.X.(*ast.CallExpr); ok && !e.words(call) {
			e.edit("statement removed", n.Pos(), n.End(), "")
		}
	case *ast.BranchStmt:
		if n.Label == nil && n.Tok != token.FALLTHROUGH {
			e.edit("statement removed", n.Pos(), n.End(), "")
		}
	}
	return true
}

// binary adds the mutants of an expression with two terms. Texts are only joined.
func (e *editor) binary(n *ast.BinaryExpr) {
	if joins(n) {
		return
	}
	e.exchange(n.OpPos, n.Op)
	switch n.Op {
	case token.ADD, token.SUB, token.MUL, token.QUO, token.LAND, token.LOR:
		e.edit("term dropped", n.X.End(), n.Y.End(), "")
	}
}

// joins returns whether an expression joins texts, as far as its form shows.
func joins(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.BinaryExpr:
		return x.Op == token.ADD && (joins(x.X) || joins(x.Y))
	case *ast.BasicLit:
		return x.Kind == token.STRING
	}
	return false
}

// constant adds the mutant of a number: the next integer, or twice the fraction; 1 for 0.
func (e *editor) constant(n *ast.BasicLit) {
	switch n.Kind {
	case token.INT:
		if i, err := strconv.Atoi(n.Value); err == nil {
			e.edit("constant raised", n.Pos(), n.End(), strconv.Itoa(i+1))
		}
	case token.FLOAT:
		text := "(2*" + n.Value + ")"
		if strings.Trim(n.Value, "0.") == "" {
			text = "1.0"
		}
		e.edit("constant doubled", n.Pos(), n.End(), text)
	}
}

// swap adds the mutants with two neighbouring arguments in each other's place, where it
// matters which is first.
func (e *editor) swap(n *ast.CallExpr) {
	switch e.text(n.Fun) {
	case "min", "max", "bits.Mul64", "sum", "product", "floats.Dot", "floats.Distance":
		return
	}
	for i := range len(n.Args) - 1 {
		a, b := n.Args[i], n.Args[i+1]
		first, second := e.text(a), e.text(b)
		if first != second && plain(a) && plain(b) {
			e.edit("arguments swapped", a.Pos(), b.End(), second+", "+first)
		}
	}
}

// plain returns whether an argument is a name, a field, an element or a number: of what
// is longer, two neighbours seldom have one type.
func plain(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr:
		return true
	case *ast.BasicLit:
		return x.Kind != token.STRING
	}
	return false
}

// words returns whether a call only words an error, or is a panic.
func (e *editor) words(n *ast.CallExpr) bool {
	switch e.text(n.Fun) {
	case "panic", "fmt.Errorf", "errors.New", "fmt.Sprintf", "fmt.Sprint":
		return true
	}
	return false
}

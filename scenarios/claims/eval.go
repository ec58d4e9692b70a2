package claims

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"

	"tallynet/metrics/report/result"
)

// evaluation is one pass over a check.
type evaluation struct {
	check   *Check
	runs    []*runView
	labeled map[string][]*runView // the runs of each label
	named   map[string]*runView   // by the names that identifiers are
	handed  map[*runView]bool     // the runs that the check has used
	remarks []string              // why it is undecided
	values  map[ast.Node][]any
	here    ast.Node // the current call
	items   []item   // the current items of nested predicates, the innermost last
	steps   int

	totalsOf *result.Run // the run whose totals were asked for last
	totals   any         // and these
}

// item is the meaning of # and #index.
type item struct {
	value any
	index int
}

// nothing is a panic that ends an evaluation because a part has no value. A missing number is NaN instead, so that
// the other values can be reported.
type nothing string

func (c *Check) evaluation(runs []*runView) *evaluation {
	e := &evaluation{check: c, runs: runs, handed: map[*runView]bool{}, named: map[string]*runView{}}
	e.values, e.labeled = map[ast.Node][]any{}, map[string][]*runView{}
	for _, r := range runs {
		e.labeled[r.Label] = append(e.labeled[r.Label], r)
	}
	for name, label := range c.scope.identifiers() {
		if of := e.labeled[label]; len(of) > 0 {
			e.named[name] = of[len(of)-1]
		}
	}
	for _, s := range c.sides {
		e.values[s.node] = nil
	}
	return e
}

// run evaluates the check. If there is no value, it is nil and a remark says why.
func (e *evaluation) run() (v any, wrong *Error) {
	wrong = e.guard(func() { v = e.eval(e.check.tree) })
	return v, wrong
}

// guard calls f. It returns an *Error that f panics with, and records nothing as a remark.
func (e *evaluation) guard(f func()) (wrong *Error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *Error:
			wrong = r
		case nothing:
			e.missing("%s", string(r))
		default:
			panic(r)
		}
	}()
	f()
	return nil
}

// wrong panics with an error in the check itself.
func wrong(n ast.Node, format string, args ...any) {
	panic(&Error{n.Location().From, fmt.Sprintf(format, args...), ""})
}

// missing records why a number is missing, and returns NaN.
func (e *evaluation) missing(format string, args ...any) float64 {
	if text := fmt.Sprintf(format, args...); !slices.Contains(e.remarks, text) {
		e.remarks = append(e.remarks, text)
	}
	return math.NaN()
}

// step spends n steps of the budget.
func (e *evaluation) step(n int) {
	limit := maxSteps + stepsPerRun*len(e.runs)
	if e.steps += n; e.steps > limit {
		const format = "the expression takes more than %d steps: its lists are too long, or too deeply nested"
		panic(&Error{0, fmt.Sprintf(format, limit), ""})
	}
}

func (e *evaluation) eval(n ast.Node) any {
	e.step(1)
	v := e.value(n)
	if _, ok := e.values[n]; ok {
		e.values[n] = append(e.values[n], v)
	}
	return v
}

func (e *evaluation) value(n ast.Node) any {
	switch n := n.(type) {
	case *ast.IntegerNode:
		return float64(n.Value)
	case *ast.FloatNode:
		return n.Value
	case *ast.StringNode:
		return n.Value
	case *ast.BoolNode:
		return n.Value
	case *ast.IdentifierNode:
		r := e.named[n.Value]
		e.handed[r] = true
		return r
	case *ast.PointerNode:
		it := e.items[len(e.items)-1]
		if n.Name == "index" {
			return float64(it.index)
		}
		return it.value
	case *ast.ChainNode:
		return e.eval(n.Node)
	case *ast.UnaryNode:
		return e.unary(n)
	case *ast.BinaryNode:
		return e.binary(n)
	case *ast.ConditionalNode:
		if e.truth(n.Cond) {
			return e.eval(n.Exp1)
		}
		return e.eval(n.Exp2)
	case *ast.ArrayNode:
		return e.each(len(n.Nodes), func(i int) any { return e.eval(n.Nodes[i]) })
	case *ast.MemberNode:
		return e.member(n)
	case *ast.SliceNode:
		return e.slice(n)
	case *ast.BuiltinNode:
		return e.builtin(n)
	case *ast.CallNode:
		return e.call(n)
	}
	panic(fmt.Sprintf("claims: a walk let %T through", n))
}

// each returns a list of n items.
func (e *evaluation) each(n int, item func(i int) any) []any {
	e.step(n)
	list := make([]any, n)
	for i := range list {
		list[i] = item(i)
	}
	return list
}

func (e *evaluation) number(n ast.Node) float64 { return typed[float64](e, n, "a number") }
func (e *evaluation) truth(n ast.Node) bool     { return typed[bool](e, n, "true or false") }
func (e *evaluation) list(n ast.Node) []any     { return typed[[]any](e, n, "a list") }

// typed returns the value of a node, which must be of the type.
func typed[T any](e *evaluation, n ast.Node, want string) T {
	v := e.eval(n)
	t, ok := v.(T)
	if !ok {
		wrong(n, "%s is %s; want %s", n, kindOf(v), want)
	}
	return t
}

// index returns the value of a node that must be a whole number.
func (e *evaluation) index(n ast.Node) int {
	x := e.number(n)
	if math.IsNaN(x) {
		panic(nothing(fmt.Sprintf("%s is not a number", n)))
	}
	if x != math.Trunc(x) || math.Abs(x) > 1e9 { // fits an int of 32 bits
		panic(nothing(fmt.Sprintf("%s is %v, not a whole number of reasonable size", n, x)))
	}
	return int(x)
}

func (e *evaluation) unary(n *ast.UnaryNode) any {
	switch n.Operator {
	case "-":
		return -e.number(n.Node)
	case "+":
		return e.number(n.Node)
	}
	return !e.truth(n.Node)
}

func (e *evaluation) binary(n *ast.BinaryNode) any {
	if f, ok := arithmetic[n.Operator]; ok {
		a, b := e.number(n.Left), e.number(n.Right)
		if n.Operator == "/" && b == 0 && a != 0 {
			e.missing("%s divides by zero", n)
		}
		return f(a, b)
	}
	if f, ok := textual[n.Operator]; ok {
		a, aText := e.eval(n.Left).(string)
		b, bText := e.eval(n.Right).(string)
		if !aText || !bText {
			wrong(n, "%s wants a text on both sides", n.Operator)
		}
		return f(a, b)
	}
	switch n.Operator {
	case "and", "&&":
		a, b := e.truth(n.Left), e.truth(n.Right)
		return a && b
	case "or", "||":
		a, b := e.truth(n.Left), e.truth(n.Right)
		return a || b
	case "==":
		return e.equal(n)
	case "!=":
		return !e.equal(n)
	case "in":
		a, list := e.eval(n.Left), e.list(n.Right)
		e.occupied(n.Operator, n.Right, list)
		return slices.ContainsFunc(list, func(b any) bool { return e.same(n, a, b) })
	case "..":
		from, to := e.index(n.Left), e.index(n.Right)
		return e.each(max(0, to-from+1), func(i int) any { return float64(from + i) })
	}
	c := e.order(n)
	switch n.Operator {
	case "<":
		return c < 0
	case "<=":
		return c <= 0
	case ">":
		return c > 0
	}
	return c >= 0
}

// arithmetic and textual are the operators of numbers and of texts.
var (
	arithmetic = map[string]func(a, b float64) float64{
		"+": func(a, b float64) float64 { return a + b }, "-": func(a, b float64) float64 { return a - b },
		"*": func(a, b float64) float64 { return a * b }, "/": func(a, b float64) float64 { return a / b },
		"%": math.Mod, "**": math.Pow, "^": math.Pow,
	}
	textual = map[string]func(a, b string) bool{
		"contains": strings.Contains, "startsWith": strings.HasPrefix, "endsWith": strings.HasSuffix,
	}
)

func comparison(operator string) bool {
	return slices.Contains([]string{"==", "!=", "<", "<=", ">", ">="}, operator)
}

// order compares the sides of n, as cmp.Compare does.
func (e *evaluation) order(n *ast.BinaryNode) int {
	a, b := e.eval(n.Left), e.eval(n.Right)
	switch x := a.(type) {
	case float64:
		if y, ok := b.(float64); ok {
			e.comparable(n, x, y)
			return cmp.Compare(x, y)
		}
	case string:
		if y, ok := b.(string); ok {
			return cmp.Compare(x, y)
		}
	}
	wrong(n, "%s compares two numbers or two texts, not %s with %s", n.Operator, kindOf(a), kindOf(b))
	return 0
}

// equal reports whether the sides of n are equal. A comparison with the literal [] compares lengths; any other
// comparison of lists compares items, of which there must be some.
func (e *evaluation) equal(n *ast.BinaryNode) bool {
	a, b := e.eval(n.Left), e.eval(n.Right)
	x, aList := a.([]any)
	y, bList := b.([]any)
	if aList && bList && (emptyLiteral(n.Left) || emptyLiteral(n.Right)) {
		return len(x) == len(y)
	}
	return e.same(n, a, b)
}

func emptyLiteral(n ast.Node) bool {
	a, ok := n.(*ast.ArrayNode)
	return ok && len(a.Nodes) == 0
}

func (e *evaluation) same(n *ast.BinaryNode, a, b any) bool {
	switch x := a.(type) {
	case float64:
		y, ok := b.(float64)
		e.comparable(n, x, y)
		return ok && x == y
	case string, bool:
		return a == b
	case []any:
		y, ok := b.([]any)
		if !ok {
			return false
		}
		e.step(len(x))
		e.occupied(n.Operator, n.Left, x)
		e.occupied(n.Operator, n.Right, y)
		same := len(x) == len(y)
		for i := 0; i < min(len(x), len(y)); i++ {
			same = e.same(n, x[i], y[i]) && same
		}
		return same
	}
	wrong(n, "%s compares values, not %s", n.Operator, strings.Split(kindOf(a), ",")[0])
	return false
}

// comparable records why a comparison of two numbers is undecided.
func (e *evaluation) comparable(n ast.Node, a, b float64) {
	switch {
	case (math.IsNaN(a) || math.IsNaN(b)) && len(e.remarks) == 0: // else a remark says why
		e.missing("a part of %s is not a number", n)
	case a == b && math.IsInf(a, 0):
		e.missing("%s compares infinities, such as the cost of a target that is never reached", n)
	}
}

// occupied records that a list is empty, so that a statement about its items is undecided.
func (e *evaluation) occupied(function string, part ast.Node, list []any) {
	if len(list) == 0 {
		e.missing("%s looks at nothing: %s is empty", function, part)
	}
}

// member returns a field of a value, or an item of a list. Index -1 is the last item.
func (e *evaluation) member(n *ast.MemberNode) any {
	if key, ok := n.Property.(*ast.StringNode); ok {
		base := e.eval(n.Node)
		v, ok := e.field(base, key.Value)
		if !ok {
			wrong(n.Property, "%s is %s, which has no %s", n.Node, kindOf(base), key.Value)
		}
		return v
	}
	return e.at(n, e.list(n.Node), e.index(n.Property))
}

func (e *evaluation) at(n ast.Node, list []any, i int) any {
	k := i
	if k < 0 {
		k += len(list)
	}
	if k < 0 || k >= len(list) {
		items := "items"
		if len(list) == 1 {
			items = "item"
		}
		panic(nothing(fmt.Sprintf("%s: the list has %d %s", n, len(list), items)))
	}
	return list[k]
}

// slice returns list[from:to]. Bounds out of range are clamped.
func (e *evaluation) slice(n *ast.SliceNode) []any {
	list := e.list(n.Node)
	from, to := 0, len(list)
	for _, bound := range []struct {
		node ast.Node
		at   *int
	}{{n.From, &from}, {n.To, &to}} {
		if bound.node == nil {
			continue
		}
		i := e.index(bound.node)
		if i < 0 {
			i += len(list)
		}
		*bound.at = min(max(i, 0), len(list))
	}
	return list[min(from, to):to]
}

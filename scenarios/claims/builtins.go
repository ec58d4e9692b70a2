package claims

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/expr-lang/expr/ast"
)

// The functions of Expr that a check can call. A predicate or a sum over an empty list makes the check undecided.
// len, count without a predicate, map, sort, reverse and slices accept empty lists.

var quantifiers = map[string]func(yes, of int) any{
	"all":   func(yes, of int) any { return yes == of },
	"any":   func(yes, _ int) any { return yes > 0 },
	"none":  func(yes, _ int) any { return yes == 0 },
	"one":   func(yes, _ int) any { return yes == 1 },
	"count": func(yes, _ int) any { return float64(yes) },
}

var roundings = map[string]func(float64) float64{
	"abs": math.Abs, "floor": math.Floor, "ceil": math.Ceil, "round": math.Round,
}

// builtinNames returns the names of these functions.
func builtinNames() []string {
	others := []string{"filter", "map", "sum", "len", "last", "sort", "reverse"}
	return slices.Concat(slices.Sorted(maps.Keys(quantifiers)), slices.Sorted(maps.Keys(roundings)), others)
}

func (e *evaluation) builtin(n *ast.BuiltinNode) any {
	if f, ok := roundings[n.Name]; ok {
		return f(e.number(n.Arguments[0]))
	}
	list := e.list(n.Arguments[0])
	if f, ok := quantifiers[n.Name]; ok {
		if len(n.Arguments) == 1 {
			return e.count(n, list)
		}
		return f(len(e.filtered(n, list)), len(list))
	}
	switch n.Name {
	case "filter":
		return e.filtered(n, list)
	case "map":
		return e.mapped(n, list)
	case "sum":
		return e.sum(n, list)
	case "len":
		return float64(len(list))
	case "last":
		return e.at(n, list, -1)
	case "reverse":
		list = slices.Clone(list)
		slices.Reverse(list)
		return list
	}
	return e.sorted(n, list)
}

// count returns the number of items, without those that are false.
func (e *evaluation) count(n *ast.BuiltinNode, list []any) float64 {
	if m, ok := n.Arguments[0].(*ast.BuiltinNode); ok && m.Name == "map" { // these are answers
		e.occupied(n.Name, m, list)
	}
	count := 0.0
	for _, v := range list {
		if v != any(false) {
			count++
		}
	}
	return count
}

// mapped applies the predicate to each item.
func (e *evaluation) mapped(n *ast.BuiltinNode, list []any) []any {
	predicate := n.Arguments[1].(*ast.PredicateNode).Node
	e.items = append(e.items, item{})
	depth := len(e.items) - 1
	made := e.each(len(list), func(i int) any {
		e.items[depth] = item{list[i], i}
		return e.eval(predicate)
	})
	e.items = e.items[:depth]
	return made
}

// filtered returns the items that satisfy the predicate. It evaluates the predicate for all of them.
func (e *evaluation) filtered(n *ast.BuiltinNode, list []any) []any {
	e.occupied(n.Name, n.Arguments[0], list)
	passed := []any{}
	for i, answer := range e.mapped(n, list) {
		yes, ok := answer.(bool)
		if !ok {
			wrong(n.Arguments[1], "%s wants true or false of each item, not %s", n.Name, kindOf(answer))
		}
		if yes {
			passed = append(passed, list[i])
		}
	}
	return passed
}

func (e *evaluation) sum(n *ast.BuiltinNode, list []any) float64 {
	e.occupied(n.Name, n.Arguments[0], list)
	if len(n.Arguments) > 1 {
		list = e.mapped(n, list)
	}
	sum := 0.0
	for _, v := range list {
		x, ok := v.(float64)
		if !ok {
			wrong(n, "sum wants numbers, not %s", kindOf(v))
		}
		sum += x
	}
	return sum
}

// sorted sorts numbers or texts. The second argument "desc" reverses the order.
func (e *evaluation) sorted(n *ast.BuiltinNode, list []any) []any {
	e.step(len(list))
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b any) int {
		switch x := a.(type) {
		case float64:
			if y, ok := b.(float64); ok {
				if math.IsNaN(x) || math.IsNaN(y) {
					e.missing("%s has an item that is not a number", n.Arguments[0])
				}
				return cmp.Compare(x, y)
			}
		case string:
			if y, ok := b.(string); ok {
				return cmp.Compare(x, y)
			}
		}
		wrong(n, "sort wants numbers or texts, not %s and %s", kindOf(a), kindOf(b))
		return 0
	})
	if len(n.Arguments) > 1 && e.eval(n.Arguments[1]) == "desc" {
		slices.Reverse(list)
	}
	return list
}

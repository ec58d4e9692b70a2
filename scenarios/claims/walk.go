package claims

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/expr-lang/expr/ast"

	"tallynet/metrics"
)

// walker checks names and types in all parts of a check before it is evaluated. It records which runs the check needs
// and which values it reports.
type walker struct {
	scope     *Scope
	runs      map[string]string // names of runs, and their labels
	check     *Check
	trial     *evaluation // on made-up runs
	inside    int         // how many predicates of map, all, ... the node is in
	anonymous need        // of runs in lists
	depends   bool        // the items of a list depend on the results of runs
	kinds     map[ast.Node]any
	err       *Error // the first
}

func (w *walker) fail(n ast.Node, hint, format string, args ...any) any {
	if w.err == nil {
		w.err = &Error{n.Location().From, fmt.Sprintf(format, args...), hint}
	}
	return nil
}

// walk returns a sample value of a node's type, or nil if the type is unknown. A sample list has one item. item is
// the value of "#".
func (w *walker) walk(n ast.Node, item any) any {
	if w.err != nil {
		return nil
	}
	if _, again := w.kinds[n]; again { // Expr's parser shares the middle of a < b < c
		return w.fail(n, "as in a < b and b < c", "a check compares two values at a time")
	}
	v := w.kind(n, item)
	w.kinds[n] = v
	return v
}

func (w *walker) kind(n ast.Node, item any) any {
	switch n := n.(type) {
	case *ast.IntegerNode, *ast.FloatNode:
		return 0.0
	case *ast.StringNode:
		return ""
	case *ast.BoolNode:
		return false
	case *ast.IdentifierNode:
		return w.identifier(n)
	case *ast.MemberNode:
		return w.member(n, item)
	case *ast.CallNode:
		return w.call(n, item)
	case *ast.BuiltinNode:
		return w.builtin(n, item)
	case *ast.PredicateNode:
		w.inside++
		defer func() { w.inside-- }()
		return w.walk(n.Node, item)
	case *ast.PointerNode:
		switch n.Name { // Expr's parser accepts these in predicates only
		case "":
			return item
		case "index":
			return 0.0
		}
		return w.fail(n, "", "there is no %s", n)
	case *ast.BinaryNode:
		return w.binary(n, item)
	case *ast.UnaryNode:
		return w.walk(n.Node, item)
	case *ast.ConditionalNode:
		w.walk(n.Cond, item)
		w.walk(n.Exp2, item)
		return w.walk(n.Exp1, item)
	case *ast.ArrayNode:
		return w.array(n, item)
	case *ast.SliceNode:
		for _, bound := range []ast.Node{n.From, n.To} {
			if bound != nil {
				w.index(bound, item)
			}
		}
		return w.walk(n.Node, item)
	case *ast.ChainNode:
		return w.walk(n.Node, item)
	case *ast.VariableDeclaratorNode, *ast.SequenceNode:
		return w.fail(n, "", "a check is one expression, without variables")
	case *ast.MapNode:
		return w.fail(n, "", "only the grid point of at(LABEL, {KEY: value}) is written in braces")
	}
	return w.fail(n, "", "a check cannot use %s", n)
}

// index checks an index of a list.
func (w *walker) index(n ast.Node, item any) {
	w.depends = w.depends || !constant(n)
	w.walk(n, item)
}

func (w *walker) binary(n *ast.BinaryNode, item any) any {
	left, right := w.walk(n.Left, item), w.walk(n.Right, item)
	switch {
	case comparison(n.Operator):
		w.side(n.Left)
		w.side(n.Right)
		if left != nil && right != nil && reflect.TypeOf(left) != reflect.TypeOf(right) {
			const message = "%s is %s and %s is %s: they cannot be compared"
			return w.fail(n, "", message, n.Left, kindOf(left), n.Right, kindOf(right))
		}
		return false
	case arithmetic[n.Operator] != nil:
		return 0.0
	case n.Operator == "..":
		w.depends = w.depends || !constant(n.Left) || !constant(n.Right)
		return []any{0.0}
	case textual[n.Operator] != nil, slices.Contains([]string{"and", "&&", "or", "||", "in"}, n.Operator):
		return false
	}
	return w.fail(n, "", "a check cannot use the operator %s", n.Operator)
}

// array checks a literal list. The type of its items is unknown if they differ.
func (w *walker) array(n *ast.ArrayNode, item any) any {
	var all any
	for i, x := range n.Nodes {
		v := w.walk(x, item)
		if i == 0 {
			all = v
		} else if v == nil || all == nil || kindOf(v) != kindOf(all) {
			all = nil
		}
	}
	return []any{all}
}

func (w *walker) identifier(n *ast.IdentifierNode) any {
	label, ok := w.runs[n.Value]
	if !ok {
		return w.unknown(n, n.Value, "run or helper")
	}
	w.names(label)
	return w.trial.runs[0]
}

// unknown reports an unknown name.
func (w *walker) unknown(n ast.Node, name, what string) any {
	for _, l := range w.scope.Labels {
		if strings.EqualFold(name, l) {
			return w.many(n, l)
		}
	}
	known := slices.Concat(slices.Sorted(maps.Keys(w.runs)), slices.Sorted(maps.Keys(helpers)), builtinNames())
	var names []string
	for _, l := range w.scope.Labels {
		names = append(names, strconv.Quote(l))
	}
	hint := meant(name, known, "the runs are "+strings.Join(names, ", "))
	return w.fail(n, hint, "there is no %s called %s", what, name)
}

// many reports that a label has several runs.
func (w *walker) many(n ast.Node, label string) any {
	hint := fmt.Sprintf("write runs(%q) for the list of them", label)
	if at := w.scope.pointsOf(label); len(at) > 1 && len(at[0]) > 0 {
		s := at[0][0]
		hint += fmt.Sprintf(", or at(%q, {%q: %s}) for those of a grid point", label, s.Key, s.Value)
	}
	return w.fail(n, hint, "there are %d runs of %s, one for each grid point and seed", w.scope.sizeOf(label), label)
}

func (w *walker) names(label string) {
	if !slices.Contains(w.check.labels, label) {
		w.check.labels = append(w.check.labels, label)
	}
}

// requires records what the check needs of the run that a node denotes.
func (w *walker) requires(n ast.Node, level need) {
	label := ""
	switch n := n.(type) {
	case *ast.IdentifierNode:
		label = w.runs[n.Value]
	case *ast.CallNode:
		if f, ok := n.Callee.(*ast.IdentifierNode); ok && f.Value == "run" && len(n.Arguments) == 1 {
			if s, ok := n.Arguments[0].(*ast.StringNode); ok {
				label = s.Value
			}
		}
	}
	if label == "" {
		w.anonymous = max(w.anonymous, level)
		return
	}
	w.check.needs[label] = max(w.check.needs[label], level)
}

func (w *walker) member(n *ast.MemberNode, item any) any {
	base := w.walk(n.Node, item)
	key, literal := n.Property.(*ast.StringNode)
	if list, ok := base.([]any); ok {
		if literal {
			hint := fmt.Sprintf("write map(%s, .%s), or take one of them by its index, as in [0]", n.Node, key.Value)
			return w.fail(n.Property, hint, "a list has no %s: its items may", key.Value)
		}
		w.index(n.Property, item)
		return list[0]
	}
	switch {
	case base == nil:
		w.walk(n.Property, item)
		w.anonymous = needEnd // it may be a run
		return nil
	case !literal:
		return w.fail(n.Property, "", "the name must be written out here")
	}
	switch base.(type) {
	case final:
		w.metric(n.Property, key.Value)
		return 0.0
	case point:
		return w.key(n.Property, key.Value)
	case *runView:
		w.requires(n.Node, fields[key.Value].needs)
	}
	v, ok := w.trial.field(base, key.Value)
	if !ok {
		return w.fail(n.Property, meant(key.Value, members(base), ""), "%s has no %s", n.Node, key.Value)
	}
	return v
}

// key checks the name of a swept key. The type of its value may differ between points.
func (w *walker) key(n ast.Node, name string) any {
	var keys []string
	for _, p := range w.scope.Points {
		for _, s := range p {
			if !slices.Contains(keys, s.Key) {
				keys = append(keys, s.Key)
			}
		}
	}
	if !slices.Contains(keys, name) {
		return w.fail(n, meant(name, keys, "nothing is swept"), "the sweep has no key %s", name)
	}
	return nil
}

func (w *walker) metric(n ast.Node, name string) {
	var names []string
	for _, m := range w.scope.Metrics {
		names = append(names, m.Name)
	}
	switch {
	case !slices.Contains(names, name):
		w.fail(n, meant(name, names, ""), "there is no metric called %s", name)
	case !slices.Contains(w.check.metrics, name):
		w.check.metrics = append(w.check.metrics, name)
	}
}

func (w *walker) call(n *ast.CallNode, item any) any {
	f, ok := n.Callee.(*ast.IdentifierNode)
	if !ok {
		w.walk(n.Callee, item)
		return w.fail(n, "", "%s is not a helper", n.Callee)
	}
	h, ok := helpers[f.Value]
	switch {
	case w.runs[f.Value] != "":
		return w.fail(n, "", "%s is a run, not a helper", f.Value)
	case !ok:
		return w.unknown(f, f.Value, "helper")
	case !h.fits(len(n.Arguments)):
		return w.fail(n, "", "the arguments of %s are: %s", f.Value, h.usage)
	case f.Value == "cost" && len(n.Arguments) == 2 && len(w.scope.Targets) == 0:
		return w.fail(n, `as in cost(run, "payload_bytes", "grad_norm2", 1e-3)`, "the scenario has no target: name one")
	}
	for i, arg := range n.Arguments {
		w.argument(f.Value, &h, arg, h.parameter(i), item)
		if i < h.compares {
			w.side(arg)
		}
	}
	return w.made(h.gives)
}

// made returns a sample of the value of a helper.
func (w *walker) made(gives any) any {
	switch g := gives.(type) {
	case parameter:
		return w.trial.runs[0]
	case []any:
		return []any{w.made(g[0])}
	}
	return gives
}

func (w *walker) argument(name string, h *helper, arg ast.Node, p parameter, item any) {
	switch p {
	case aPlace:
		w.where(arg, item)
	case aLabel:
		w.label(name, arg)
	case aMetric:
		if s := w.literal(arg, "the metric"); s != "" {
			w.metric(arg, s)
		}
	case aCost:
		if s := w.literal(arg, "the cost"); s != "" && metrics.FindCost(s) == nil {
			w.fail(arg, meant(s, CostIDs(), ""), "there is no cost called %s", s)
		}
	case aKind:
		if s := w.literal(arg, "the kind"); s != "" && !slices.Contains(h.kinds, s) {
			w.fail(arg, meant(s, h.kinds, ""), "%s has no kind called %s", name, s)
		}
	case aRun:
		w.walk(arg, item)
		w.requires(arg, h.needs)
	default:
		w.walk(arg, item)
	}
}

// CostIDs returns the IDs of all costs.
func CostIDs() []string {
	var all []string
	for _, c := range metrics.CostItems() {
		all = append(all, c.ID)
	}
	return all
}

// where checks the grid point in at(LABEL, {KEY: value}).
func (w *walker) where(arg ast.Node, item any) {
	m, ok := arg.(*ast.MapNode)
	if !ok {
		w.fail(arg, `as in at("DAGM", {"topology.nodes": 20})`, "the grid point must be written out here")
		return
	}
	for _, p := range m.Pairs {
		pair := p.(*ast.PairNode)
		if s, ok := pair.Key.(*ast.StringNode); ok {
			w.key(s, s.Value)
		} else {
			w.fail(pair.Key, "", "the swept key must be a text in quotes")
		}
		w.walk(pair.Value, item)
	}
}

func (w *walker) label(helper string, arg ast.Node) {
	label := w.literal(arg, "the label")
	switch {
	case label == "":
	case !slices.Contains(w.scope.Labels, label):
		w.fail(arg, meant(label, w.scope.Labels, ""), "there is no run with the label %s", label)
	case helper == "run" && w.scope.sizeOf(label) > 1:
		w.many(arg, label)
	default:
		w.names(label)
	}
}

func (w *walker) literal(arg ast.Node, what string) string {
	if s, ok := arg.(*ast.StringNode); ok && s.Value != "" {
		return s.Value
	}
	w.fail(arg, "", "%s must be a text in quotes here", what)
	return ""
}

// builtin checks a call of a function of Expr.
func (w *walker) builtin(n *ast.BuiltinNode, item any) any {
	if !slices.Contains(builtinNames(), n.Name) {
		return w.unknown(n, n.Name, "helper")
	}
	two := quantifiers[n.Name] != nil || slices.Contains([]string{"filter", "map", "sum", "sort"}, n.Name)
	if k := len(n.Arguments); k != 1 && (k != 2 || !two) {
		return w.fail(n, "", "%s does not take %d arguments", n.Name, k)
	}
	w.depends = w.depends || n.Name == "filter"
	base := w.walk(n.Arguments[0], item)
	list, isList := base.([]any)
	if base != nil && !isList && roundings[n.Name] == nil {
		w.fail(n.Arguments[0], "", "%s takes a list; %s is %s", n.Name, n.Arguments[0], kindOf(base))
	}
	var each, made any
	if isList {
		each = list[0]
	}
	if len(n.Arguments) > 1 {
		w.compared(n)
		made = w.walk(n.Arguments[1], each)
	}
	switch n.Name {
	case "map":
		return []any{made}
	case "filter", "sort", "reverse":
		return base
	case "last":
		return each
	case "all", "any", "none", "one":
		return false
	}
	return 0.0
}

// compared records the left side of the comparison that all, any, none, one or count makes for each item.
func (w *walker) compared(n *ast.BuiltinNode) {
	p, ok := n.Arguments[1].(*ast.PredicateNode)
	if !ok || w.inside > 0 || quantifiers[n.Name] == nil {
		return
	}
	if b, ok := p.Node.(*ast.BinaryNode); ok && comparison(b.Operator) && !constant(b.Left) {
		text := fmt.Sprintf("map(%s, %s)", n.Arguments[0], b.Left)
		w.check.sides = append(w.check.sides, side{b.Left, text, true})
	}
}

// side records a part of the check whose value is reported. It skips constants and parts of predicates. If the part
// is a field of an estimate, the whole interval is reported.
func (w *walker) side(n ast.Node) {
	if w.err != nil || w.inside > 0 || constant(n) {
		return
	}
	if m, ok := n.(*ast.MemberNode); ok {
		if _, ok := w.kinds[m.Node].(Interval); ok {
			n = m.Node
		}
	}
	w.check.sides = append(w.check.sides, side{n, n.String(), false})
}

func constant(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.IntegerNode, *ast.FloatNode, *ast.StringNode, *ast.BoolNode:
		return true
	case *ast.UnaryNode:
		return constant(n.Node)
	}
	return false
}

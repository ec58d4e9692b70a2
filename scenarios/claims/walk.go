package claims

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"

	"tallynet/metrics"
	"tallynet/scenarios/keys"
)

// walker looks at a check before Expr does: it knows the names, so that it can say
// what was meant, and which runs and which parts matter.
type walker struct {
	scope     *Scope
	env       map[string]any
	check     *Check
	sides     []string // the texts of the parts to report
	inside    int      // how many predicates of map, all, ... the node is in
	anonymous need     // of runs that are reached through a list
	err       *Error   // the first
}

var (
	runType      = reflect.TypeFor[*Run]()
	finalType    = reflect.TypeFor[final]()
	pointType    = reflect.TypeFor[point]()
	intervalType = reflect.TypeFor[Interval]()
	floatType    = reflect.TypeFor[float64]()
)

// helper says what the texts among the arguments of a helper stand for.
type helper struct {
	label  bool // the first argument
	metric bool // the second argument
	kinds  func() []string
	from   int // the first argument that is a kind
	needs  need
}

func helpers() map[string]helper {
	return map[string]helper{
		"run": {label: true}, "runs": {label: true}, "at": {label: true},
		"metric": {metric: true, needs: needSamples}, "first": {metric: true, needs: needSamples},
		"to_bytes": {metric: true, kinds: byteKinds, from: 3, needs: needSamples}, "to_time": {metric: true, needs: needSamples},
		"to_rounds": {metric: true, needs: needSamples}, "to_calls": {metric: true, kinds: callKinds, from: 3, needs: needSamples},
		"metric_at_bytes": {metric: true, needs: needEnd}, "metric_at_time": {metric: true, needs: needEnd},
	}
}

func byteKinds() []string {
	var names []string
	for k := range metrics.NumKinds {
		names = append(names, k.String())
	}
	return names
}

func callKinds() []string {
	var names []string
	for c := range metrics.NumCalls {
		names = append(names, c.String())
	}
	return names
}

func (w *walker) fail(n ast.Node, hint, format string, args ...any) reflect.Type {
	if w.err == nil {
		w.err = &Error{n.Location().From, fmt.Sprintf(format, args...), hint}
	}
	return nil
}

// walk returns the type of a node, nil where it does not matter here. item is what
// "#" and a leading "." stand for, nil where that is not known.
func (w *walker) walk(n ast.Node, item reflect.Type) reflect.Type {
	switch n := n.(type) {
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
		if n.Name == "" {
			return item
		}
	case *ast.BinaryNode:
		w.walk(n.Left, item)
		w.walk(n.Right, item)
		if comparison(n) {
			w.check.orders = w.check.orders || n.Operator != "=="
			w.side(n.Left, item)
			w.side(n.Right, item)
			return reflect.TypeFor[bool]()
		}
		if slices.Contains([]string{"-", "*", "/", "%", "**", "^"}, n.Operator) {
			return floatType
		}
	case *ast.UnaryNode:
		return w.walk(n.Node, item)
	case *ast.ConditionalNode:
		w.walk(n.Cond, item)
		w.walk(n.Exp2, item)
		return w.walk(n.Exp1, item)
	case *ast.ArrayNode:
		return w.array(n, item)
	case *ast.MapNode:
		for _, x := range n.Pairs {
			w.walk(x.(*ast.PairNode).Value, item)
		}
	case *ast.SliceNode:
		return w.walk(n.Node, item)
	case *ast.ChainNode:
		return w.walk(n.Node, item)
	case *ast.VariableDeclaratorNode, *ast.SequenceNode:
		return w.fail(n, "", "a check is one expression, without variables")
	}
	return nil
}

// array is the type of a list that is written out, where all its items have one type.
func (w *walker) array(n *ast.ArrayNode, item reflect.Type) reflect.Type {
	var all reflect.Type
	for i, x := range n.Nodes {
		t := w.walk(x, item)
		if i > 0 && t != all {
			t = nil
		}
		all = t
	}
	if all == nil {
		return nil
	}
	return reflect.SliceOf(all)
}

func (w *walker) identifier(n *ast.IdentifierNode) reflect.Type {
	v, ok := w.env[n.Value]
	if !ok {
		return w.unknown(n, n.Value, "run or helper")
	}
	if label, ok := w.scope.identifiers()[n.Value]; ok && reflect.TypeOf(v) == runType {
		w.names(label)
	}
	return reflect.TypeOf(v)
}

// unknown explains a name that is not there.
func (w *walker) unknown(n ast.Node, name, what string) reflect.Type {
	for _, l := range w.scope.Labels {
		if strings.EqualFold(name, l) {
			return w.many(n, l)
		}
	}
	names := append(slices.Sorted(maps.Keys(w.env)), builtins()...)
	return w.fail(n, meant(name, names, w.listed()), "there is no %s called %s", what, name)
}

// many explains that a label has several runs.
func (w *walker) many(n ast.Node, label string) reflect.Type {
	hint := fmt.Sprintf("write runs(%q) for the list of them", label)
	if len(w.scope.Points) > 1 && len(w.scope.Points[0]) > 0 {
		s := w.scope.Points[0][0]
		hint += fmt.Sprintf(", or at(%q, {%q: %s}) for those of a grid point", label, s.Key, s.Value)
	}
	return w.fail(n, hint, "there are %d runs of %s, one for each grid point and seed", len(w.scope.Points)*len(w.scope.Seeds), label)
}

// listed names the runs.
func (w *walker) listed() string {
	var names []string
	for _, l := range w.scope.Labels {
		names = append(names, fmt.Sprintf("%q", l))
	}
	return "the runs are " + strings.Join(names, ", ")
}

func (w *walker) names(label string) {
	if !slices.Contains(w.check.labels, label) {
		w.check.labels = append(w.check.labels, label)
	}
}

// requires notes what is asked of the run that a node stands for.
func (w *walker) requires(n ast.Node, level need) {
	label := ""
	switch n := n.(type) {
	case *ast.IdentifierNode:
		label = w.scope.identifiers()[n.Value]
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

func (w *walker) member(n *ast.MemberNode, item reflect.Type) reflect.Type {
	base := w.walk(n.Node, item)
	if base == nil {
		w.walk(n.Property, item)
		return nil
	}
	key, literal := n.Property.(*ast.StringNode)
	switch {
	case base == finalType || base == pointType:
		if !literal {
			return w.fail(n.Property, "", "the name must be written out here")
		}
		return w.key(n.Property, base, key.Value)
	case base.Kind() == reflect.Slice:
		if literal {
			hint := fmt.Sprintf("write map(%s, .%s), or take one of them by its index, as in [0]", n.Node, key.Value)
			return w.fail(n.Property, hint, "a list has no %s: its items may", key.Value)
		}
		w.walk(n.Property, item)
		return base.Elem()
	case base == runType || base.Kind() == reflect.Struct:
		if !literal {
			return w.fail(n.Property, "", "the name must be written out here")
		}
		return w.field(n, base, key.Value)
	}
	if literal {
		return w.fail(n.Property, "", "%s has no %s", n.Node, key.Value)
	}
	w.walk(n.Property, item)
	return nil
}

// key checks the name of a metric or a swept key.
func (w *walker) key(n ast.Node, base reflect.Type, name string) reflect.Type {
	if base == finalType {
		w.metric(n, name)
		return floatType
	}
	var keys []string
	if len(w.scope.Points) > 0 {
		for _, s := range w.scope.Points[0] {
			keys = append(keys, s.Key)
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
	if !slices.Contains(names, name) {
		w.fail(n, meant(name, names, ""), "there is no metric called %s", name)
		return
	}
	if !slices.Contains(w.check.metrics, name) {
		w.check.metrics = append(w.check.metrics, name)
	}
}

// field checks the name of a field and notes what it asks of the run.
func (w *walker) field(n *ast.MemberNode, base reflect.Type, name string) reflect.Type {
	t := base
	if t == runType {
		t = t.Elem()
		switch name {
		case "iterations", "final", "totals", "predicted":
			w.requires(n.Node, needEnd)
		default:
			w.requires(n.Node, needStatus)
		}
	}
	var names []string
	for i := range t.NumField() {
		f := t.Field(i)
		if !f.IsExported() {
			continue
		}
		tag := f.Tag.Get("expr")
		if tag == name {
			return f.Type
		}
		names = append(names, tag)
	}
	return w.fail(n.Property, meant(name, names, ""), "%s has no %s", n.Node, name)
}

func (w *walker) call(n *ast.CallNode, item reflect.Type) reflect.Type {
	f, ok := n.Callee.(*ast.IdentifierNode)
	if !ok {
		w.walk(n.Callee, item)
		return w.fail(n, "", "%s is no helper", n.Callee)
	}
	t := reflect.TypeOf(w.env[f.Value])
	if t == nil {
		return w.unknown(f, f.Value, "helper")
	}
	if t.Kind() != reflect.Func {
		return w.fail(n, "", "%s is a run, no helper", f.Value)
	}
	h := helpers()[f.Value]
	w.check.orders = w.check.orders || f.Value == "ordered"
	for i, arg := range n.Arguments {
		switch {
		case h.label && i == 0:
			w.label(f.Value, arg)
			continue
		case h.metric && i == 1:
			if s := w.literal(arg, "the metric"); s != "" {
				w.metric(arg, s)
			}
			continue
		case h.kinds != nil && i >= h.from:
			if s := w.literal(arg, "the kind"); s != "" && !slices.Contains(h.kinds(), s) {
				w.fail(arg, meant(s, h.kinds(), ""), "%s has no kind called %s", f.Value, s)
			}
			continue
		case f.Value == "at" && i == 1:
			w.where(arg)
		}
		w.walk(arg, item)
		if h.metric && i == 0 {
			w.requires(arg, h.needs)
		}
		if f.Value == "ordered" || f.Value == "within" && i < 2 {
			w.side(arg, item)
		}
	}
	return t.Out(0)
}

// where checks the keys of at("LABEL", {"key": value}).
func (w *walker) where(arg ast.Node) {
	m, ok := arg.(*ast.MapNode)
	if !ok {
		w.fail(arg, `as in at("DAGM", {"topology.nodes": 20})`, "the grid point must be written out here")
		return
	}
	for _, p := range m.Pairs {
		key := p.(*ast.PairNode).Key
		if s, ok := key.(*ast.StringNode); ok {
			w.key(key, pointType, s.Value)
		} else {
			w.fail(key, "", "the swept key must be a text in quotes")
		}
	}
}

func (w *walker) label(helper string, arg ast.Node) {
	label := w.literal(arg, "the label")
	switch {
	case label == "":
	case !slices.Contains(w.scope.Labels, label):
		w.fail(arg, meant(label, w.scope.Labels, ""), "there is no run with the label %s", label)
	case helper == "run" && len(w.scope.Points)*len(w.scope.Seeds) > 1:
		w.many(arg, label)
	default:
		w.names(label)
	}
}

func (w *walker) literal(arg ast.Node, what string) string {
	s, ok := arg.(*ast.StringNode)
	if !ok || s.Value == "" {
		w.fail(arg, "", "%s must be a text in quotes here", what)
		return ""
	}
	return s.Value
}

// builtin is a function of Expr: what it does to each item is of the items' type.
func (w *walker) builtin(n *ast.BuiltinNode, item reflect.Type) reflect.Type {
	var list, result reflect.Type
	for i, arg := range n.Arguments {
		if i == 0 {
			list = w.walk(arg, item)
			w.compared(n)
			continue
		}
		var elem reflect.Type
		if list != nil && list.Kind() == reflect.Slice {
			elem = list.Elem()
		} else if list != nil && list.Kind() != reflect.Slice {
			w.fail(n.Arguments[0], "", "%s takes a list; %s is none", n.Name, n.Arguments[0])
		}
		result = w.walk(arg, elem)
	}
	switch n.Name {
	case "map":
		if result != nil {
			return reflect.SliceOf(result)
		}
	case "filter", "sort", "reverse":
		return list
	case "last":
		if list != nil && list.Kind() == reflect.Slice {
			return list.Elem()
		}
	case "sum", "len", "count", "abs", "floor", "ceil", "round":
		return floatType
	}
	return nil
}

// compared notes what all, any, none, one and count compare of each item of a list.
func (w *walker) compared(n *ast.BuiltinNode) {
	if len(n.Arguments) != 2 || w.inside > 0 || !slices.Contains([]string{"all", "any", "none", "one", "count"}, n.Name) {
		return
	}
	p, ok := n.Arguments[1].(*ast.PredicateNode)
	if !ok {
		return
	}
	if b, ok := p.Node.(*ast.BinaryNode); ok && comparison(b) && !constant(b.Left) {
		w.sides = append(w.sides, fmt.Sprintf("map(%s, %s)", n.Arguments[0], b.Left))
	}
}

func comparison(n *ast.BinaryNode) bool {
	return slices.Contains([]string{"==", "!=", "<", "<=", ">", ">="}, n.Operator)
}

// side notes a part of the check whose value is to be reported: not a constant, and
// not a part of what is done to each item of a list.
func (w *walker) side(n ast.Node, item reflect.Type) {
	if w.inside > 0 || constant(n) {
		return
	}
	if m, ok := n.(*ast.MemberNode); ok && w.walk(m.Node, item) == intervalType {
		for _, part := range []string{"value", "low", "high"} {
			w.sides = append(w.sides, m.Node.String()+"."+part)
		}
		return
	}
	w.sides = append(w.sides, n.String())
}

func constant(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.IntegerNode, *ast.FloatNode, *ast.StringNode, *ast.BoolNode, *ast.NilNode:
		return true
	case *ast.UnaryNode:
		return constant(n.Node)
	}
	return false
}

// meant proposes the name that is nearest to a word, or lists them.
func meant(word string, names []string, otherwise string) string {
	best := keys.Nearest(word, names)
	switch {
	case best != "":
		return "did you mean " + best + "?"
	case otherwise != "" || len(names) == 0:
		return otherwise
	}
	return "it may be: " + strings.Join(names, ", ")
}

package algorithms

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"tallynet/algorithms/declare"
	"tallynet/metrics"
)

// CostInWords says what an outer iteration of a method costs. It fits polynomials in the dimensions and in
// the counts of steps to Cost: first with the defaults of all other fields, then for each choice that costs
// something else.
func CostInWords(m Declared) string {
	counts, choices := costFields(m)
	m = Example(m)
	base := costBlocks(m, counts)
	lines := costText(base, nil)
	var matter, others []costChoice
	for _, c := range choices {
		c.text = c.against(m, counts, base)
		i := slices.IndexFunc(matter, func(d costChoice) bool { return d.field.Name == c.field.Name && d.text == c.text })
		switch {
		case c.text == "":
			others = append(others, c)
		case i >= 0:
			matter[i].values = append(matter[i].values, c.values...)
		default:
			matter = append(matter, c)
		}
	}
	for _, c := range matter {
		lines = append(lines, c.name()+": "+c.text)
		chosen, its := c.choose(m, counts)
		for _, d := range others { // which may matter together with c
			if text := d.against(chosen, its, costBlocks(chosen, its)); text != "" && d.field.Name != c.field.Name {
				lines = append(lines, c.name()+", "+d.name()+": "+text)
			}
		}
	}
	if len(matter) > 1 {
		lines = append(lines, "(each of these choices alone)")
	}
	if paper := m.Cost(2, Dims{P: 1, Q: 1, Nodes: 4, Links: 8}).Paper; paper != nil {
		lines = append(lines, fmt.Sprintf("the paper's own count of elements: %s (%s)", paper.Formula, paper.Source))
	}
	return strings.Join(lines, "\n")
}

// costChoice are values of a field other than its default, or any value of a count that can be left out.
type costChoice struct {
	field  declare.Field
	values []string
	count  bool
	text   string // what costs something else with it
}

// costFields returns the fields that count steps, and the choices.
func costFields(m Declared) (counts []declare.Field, choices []costChoice) {
	for _, f := range m.Declare().Fields[1:] {
		kind := FieldOf(m, f.Name).Kind()
		switch {
		case kind == reflect.Int && (f.Required || f.Default != nil && f.Default != 0):
			counts = append(counts, f)
		case kind == reflect.Int:
			choices = append(choices, costChoice{field: f, values: []string{f.Example}, count: true})
		case kind == reflect.Bool:
			choices = append(choices, costChoice{field: f, values: []string{strconv.FormatBool(f.Default != true)}})
		}
		for _, v := range f.Values {
			if v != f.Default {
				choices = append(choices, costChoice{field: f, values: []string{v}})
			}
		}
	}
	return counts, choices
}

func (c costChoice) name() string {
	if c.count {
		return c.field.Name + " given"
	}
	return c.field.Name + ": " + strings.Join(c.values, " or ")
}

// choose returns the method with the choice, and its counts.
func (c costChoice) choose(m Declared, counts []declare.Field) (Declared, []declare.Field) {
	if c.count {
		counts = append(slices.Clip(counts), c.field)
	}
	return With(m, c.field.Name, c.values[0]), counts
}

// against describes how the choice differs from the blocks of base.
func (c costChoice) against(m Declared, counts []declare.Field, base []costBlock) string {
	return strings.Join(costText(costBlocks(c.choose(m, counts)), base), "; ")
}

// costBlock is the cost of some of the iterations in some place.
type costBlock struct {
	heading string // "on a star with a server", "in iterations 2 to 5 of each 5"
	lines   []string
}

const atStart = "at the start"

// costText returns the blocks, each without the lines of the block with the same heading in base. Without a
// base, these are the lines of the first block.
func costText(blocks, base []costBlock) (all []string) {
	for i, b := range blocks {
		var known []string
		if k := slices.IndexFunc(base, func(c costBlock) bool { return c.heading == b.heading }); k >= 0 {
			known = base[k].lines
		} else if i > 0 && b.heading != atStart {
			known = blocks[0].lines
		}
		lines := slices.DeleteFunc(slices.Clone(b.lines), func(l string) bool { return slices.Contains(known, l) })
		switch {
		case len(lines) == 0:
		case base == nil && b.heading == "":
			all = append(all, lines...)
		case b.heading == "":
			all = append(all, strings.Join(lines, "; "))
		case base != nil && slices.Equal(b.lines, base[0].lines):
			all = append(all, b.heading+": as above")
		default:
			all = append(all, b.heading+": "+strings.Join(lines, "; "))
		}
	}
	return all
}

// costBlocks returns what the iterations of a method cost where it runs.
func costBlocks(m Declared, counts []declare.Field) (blocks []costBlock) {
	free := slices.DeleteFunc(slices.Clone(counts), func(f declare.Field) bool { return f.Name == "period" })
	for _, place := range costPlaces(m.Needs()) {
		for _, span := range costSpans(m, place.dims(5, 7, 4)) {
			f := newCostFit(m, free, place, span.k)
			if !f.fits() { // give the numbers of the example
				f = newCostFit(m, nil, place, span.k)
				for _, c := range counts {
					f.note += fmt.Sprintf(" (%s: %v)", c.Name, FieldOf(m, c.Name))
				}
			}
			heading := strings.Trim(place.name+", "+span.name, ", ")
			blocks = append(blocks, costBlock{heading, f.lines()})
		}
	}
	return blocks
}

// costPlace is where a method runs, and what is counted of one node there.
type costPlace struct {
	name, elements, calls string
	dims                  func(p, q, nodes int) Dims
}

func costPlaces(r Requirements) []costPlace {
	one := costPlace{calls: "oracle calls", dims: func(p, q, _ int) Dims { return Dims{P: p, Q: q, Nodes: 1} }}
	star := costPlace{elements: "elements a client sends up, and the server down", calls: "oracle calls a client",
		dims: func(p, q, n int) Dims { return Dims{P: p, Q: q, Nodes: n, Links: 2 * (n - 1), Server: true} }}
	network := costPlace{elements: "elements a node broadcasts", calls: "oracle calls a node",
		dims: func(p, q, n int) Dims { return Dims{P: p, Q: q, Nodes: n, Links: n * (n - 1)} }}
	switch {
	case r.OneNode && r.Server == ServerAllowed:
		star.name, star.calls = "on a star with a server", one.calls
		return []costPlace{one, star}
	case r.OneNode:
		return []costPlace{one}
	case r.Server == ServerRequired:
		return []costPlace{star}
	}
	return []costPlace{network}
}

// costSpan are iterations of equal cost: one of them, and what they are called.
type costSpan struct {
	k    int
	name string
}

// costSpans returns the spans of a method: all iterations, or those of a period, or the first of costs that
// grow; and the start.
func costSpans(m Declared, d Dims) (spans []costSpan) {
	iterations, period := 2, 0
	v, varies := m.(Varying)
	if varies {
		period = v.CostPeriod()
		iterations = cmp.Or(period, 5000)
	}
	first := int64(0)
	for _, t := range CostTerms(m, d, iterations) {
		last := first + t.Times - 1
		name := fmt.Sprintf("in iterations %d to %d", max(1, first), last)
		if max(1, first) == last {
			name = fmt.Sprintf("in iteration %d", last)
		}
		if period > 0 {
			name += fmt.Sprintf(" of each %d", period)
		}
		if last > 0 && len(spans) < 3 {
			spans = append(spans, costSpan{int(last), name})
		}
		first = last + 1
	}
	switch {
	case len(spans) == 1:
		spans[0].name = ""
	case !varies:
		spans = []costSpan{{2, ""}, {1, "in the first iteration"}}
	case period == 0:
		spans[len(spans)-1].name += " (later ones cost more)"
	}
	if start := CostAt(m, 0, d); start != (metrics.Cost{}) {
		spans = append(spans, costSpan{0, atStart})
	}
	return spans
}

// costFit finds the polynomials of one iteration at one place.
type costFit struct {
	place  costPlace
	k      int
	m      reflect.Value // a copy of the method, whose fields are set
	fields []reflect.Value
	// starts and leasts are where the variables begin: p, q, the number of nodes n and the fields.
	variables      []costVariable
	starts, leasts []int
	whole          bool // messages and elements are those of the whole network, as those of a node depend on n
	note           string
	parts          []polynomial
}

// The parts of a cost that have polynomials, before those of the oracle calls.
const (
	partRounds = iota
	partMessages
	partToEach
	partVectors
	partMatrices
	partScalars
	partWhole
	partCalls
)

// numDims is the number of variables before the fields.
const numDims = 3

func newCostFit(m Declared, counts []declare.Field, place costPlace, k int) *costFit {
	f := &costFit{place: place, k: k, m: reflect.New(reflect.TypeOf(m)).Elem(),
		starts: []int{1, 1, 4}, leasts: []int{1, 1, 4}}
	f.m.Set(reflect.ValueOf(m))
	f.variables = []costVariable{{"p", false}, {"q", false}, {"n", false}}
	for _, field := range m.Declare().Fields {
		if field.Name == "p" || field.Name == "q" {
			f.variables[0].name, f.variables[1].name = "dim x", "dim y"
		}
	}
	for _, c := range counts {
		least := int(c.Range.Min)
		start := least + 4
		if !c.Required && (c.Default == nil || c.Default == 0) {
			least = max(1, least)
			start = least // such a count may be limited by another one
		}
		f.variables = append(f.variables, costVariable{c.Name, true})
		f.starts, f.leasts = append(f.starts, start), append(f.leasts, least)
		f.fields = append(f.fields, FieldOf(f.m.Addr().Interface().(Method), c.Name))
	}
	if f.fit(); !f.fits() {
		f.whole = true
		f.fit()
	}
	return f
}

// values returns the parts of the cost at a point; nil where the method refuses it.
func (f *costFit) values(point []int) []float64 {
	for i, field := range f.fields {
		field.SetInt(int64(point[numDims+i]))
	}
	m := f.m.Interface().(Method)
	if c, ok := m.(Checked); ok && c.Check() != nil {
		return nil
	}
	d := f.place.dims(point[0], point[1], point[2])
	c := CostAt(m, f.k, d)
	nodes, links := float64(d.Nodes), float64(max(1, d.Links))
	whole, own, toEach := float64(c.Whole.Total())/links, float64(c.Messages-c.Rounds*int64(d.Links))/nodes, 0.
	switch {
	case f.whole:
		nodes, own, whole = 1, float64(c.Messages), 0
	case c.Rounds == 0 && c.Messages >= int64(d.Links):
		own, toEach = 0, float64(c.Messages)/links
	}
	all := []float64{partRounds: float64(c.Rounds), partMessages: own, partToEach: toEach,
		partVectors: float64(c.Broadcast.Vector) / nodes, partMatrices: float64(c.Broadcast.Matrix) / nodes,
		partScalars: float64(c.Broadcast.Scalar) / nodes, partWhole: whole}
	for call := range metrics.NumCalls {
		all = append(all, float64(c.Oracle.Of(call))/float64(d.DataNodes()))
	}
	return all
}

// fit finds the polynomials by exact differences; they have degree 2 at most in each variable.
func (f *costFit) fit() {
	n, size := len(f.variables), int(math.Pow(3, float64(len(f.variables))))
	grid := make([][]float64, size) // by exponents, then by part
	digits := func(at int) []int {
		d := make([]int, n)
		for i := range d {
			d[i], at = at%3, at/3
		}
		return d
	}
	for at := range grid {
		point := digits(at)
		for i := range point {
			point[i] += f.starts[i]
		}
		grid[at] = f.values(point)
	}
	for i, stride := 0, 1; i < n; i, stride = i+1, 3*stride {
		a := float64(f.starts[i])
		for at := range grid {
			if at/stride%3 != 0 {
				continue
			}
			v0, v1, v2 := grid[at], grid[at+stride], grid[at+2*stride]
			for part := range v0 {
				c2 := (v2[part] - 2*v1[part] + v0[part]) / 2
				c1 := v1[part] - v0[part] - c2*(2*a+1)
				v0[part], v1[part], v2[part] = v0[part]-c1*a-c2*a*a, c1, c2
			}
		}
	}
	f.parts = make([]polynomial, len(grid[0]))
	for at := range grid {
		for part, c := range grid[at] {
			if c = math.Round(2*c) / 2; c != 0 {
				f.parts[part] = append(f.parts[part], monomial{digits(at), c})
			}
		}
	}
}

// fits checks the polynomials at other points: the least value of each variable, and larger ones. The number
// of nodes must not matter, unless the counts are those of the whole network.
func (f *costFit) fits() bool {
	for try := range len(f.variables) + 12 {
		point := slices.Clone(f.starts)
		for i := range point {
			if try == i {
				point[i] = f.leasts[i]
			} else if try >= len(point) {
				point[i] += (try*try + 3*i*try + 5*i) % 9
			}
		}
		for part, want := range f.values(point) {
			p := f.parts[part]
			if math.Abs(p.at(point)-want) > 1e-6 || !f.whole && p.has(2) {
				return false
			}
		}
	}
	return true
}

// lines returns the cost in words.
func (f *costFit) lines() (lines []string) {
	atMost := ""
	if CostAt(f.m.Interface().(Method), f.k, f.place.dims(2, 2, 4)).Bound {
		atMost = "at most "
	}
	add := func(name string, parts []string, separator string) {
		if len(parts) > 0 {
			lines = append(lines, name+": "+atMost+strings.Join(parts, separator)+f.note)
		}
	}
	text := func(part int, unit string) []string {
		if len(f.parts[part]) == 0 {
			return nil
		}
		text, _ := f.parts[part].text(f.variables)
		return []string{text + unit}
	}
	elements, messages := f.place.elements, "messages a node sends"
	if f.whole {
		elements, messages = "elements of all n nodes", "messages of all n nodes"
	}
	if len(f.parts[partRounds]) == 0 && f.k > 0 {
		lines = append(lines, "rounds: none")
	}
	add("rounds", text(partRounds, ""), "")
	add(messages, text(partMessages, ""), "")
	add("messages to each neighbour", text(partToEach, ""), "")
	add(elements, slices.Concat(text(partVectors, ", vectors"), text(partMatrices, ", matrices"),
		text(partScalars, ", scalars")), "; ")
	add("of these, never compressed", text(partWhole, ""), "")
	var calls []string
	for _, c := range []metrics.Call{metrics.CallGradG, metrics.CallGradF, metrics.CallHVP, metrics.CallJVP,
		metrics.CallHessian, metrics.CallJacobian, metrics.CallSolve, metrics.CallValue} {
		if p := f.parts[partCalls+int(c)]; len(p) > 0 {
			times, terms := p.text(f.variables)
			if terms > 1 {
				times = "(" + times + ")"
			}
			calls = append(calls, times+" "+c.String())
		}
	}
	add(f.place.calls, calls, ", ")
	return lines
}

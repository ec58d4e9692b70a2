package algorithms_test

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tallynet/algorithms"
	"tallynet/algorithms/declare"
	"tallynet/algorithms/methodtest"
	"tallynet/metrics"
)

// TestEveryMethod checks every method, with each of its aliases and options, against methodtest.
func TestEveryMethod(t *testing.T) {
	for _, c := range cases() {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			methodtest.Run(t, c)
		})
	}
}

// doubledCost is a method that declares twice its cost.
type doubledCost struct{ algorithms.Algorithm }

func (d doubledCost) Iterations() int { return algorithms.Iterations(d.Algorithm) }

func (d doubledCost) Cost(k int, dims algorithms.Dims) metrics.Cost {
	c := d.Algorithm.Cost(k, dims)
	return c.Plus(c)
}

// TestDoubledCostIsRefused: methodtest finds a doubled cost of every method.
func TestDoubledCostIsRefused(t *testing.T) {
	for _, c := range cases() {
		right, ok := c.New().(algorithms.Algorithm)
		if !ok || strings.Contains(c.Name, ",") && testing.Short() {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			c.New = func() algorithms.Method { return doubledCost{right} }
			if err := methodtest.CheckCost(c); err == nil {
				t.Error("the doubled cost is not found")
			}
		})
	}
}

// cases are all methods with their aliases and options, in few iterations.
func cases() []methodtest.Case {
	byPosition := methodtest.Deviations{NeighborOrder: "a node draws a neighbour by its position in the ascending list"}
	byNumber := methodtest.Deviations{Numbers: "of two nodes that want to exchange, the smaller number has its way"}
	deviations := map[string]methodtest.Deviations{"ad-psgd": byNumber, "randomized-gossip": byPosition}
	var all []methodtest.Case
	for _, m := range algorithms.Methods() {
		d := m.Declare()
		short := algorithms.With(few(m), d.Fields[0].Name, "4")
		if d.Name == "ad-psgd" {
			short = algorithms.With(short, "interval", "10ms") // so that answers come in time
		}
		for _, a := range append([]declare.Alias{{Name: d.Name}}, d.Aliases...) {
			named, set := short, []string{}
			for _, p := range a.Preset {
				named, set = algorithms.With(named, p.Param, p.Value), append(set, p.Param)
			}
			add := func(with string, m algorithms.Method) {
				all = append(all, methodtest.Case{Name: a.Name + with, New: func() algorithms.Method { return m },
					Deviations: deviations[d.Name]})
			}
			add("", named)
			add(", least", least(named))
			for _, f := range d.Fields[1:] {
				for _, value := range options(named, f) {
					if !slices.Contains(set, f.Name) {
						add(", "+f.Name+": "+value, algorithms.With(named, f.Name, value))
					}
				}
			}
		}
	}
	return all
}

// few gives a method its example, but counts of at most 3: a batch is then not all samples, and the steps suffice.
func few(m algorithms.Declared) algorithms.Declared {
	m = algorithms.Example(m)
	for _, f := range m.Declare().Fields {
		if v := algorithms.FieldOf(m, f.Name); v.Kind() == reflect.Int && v.Int() > 3 && f.Range.Contains(3) {
			m = algorithms.With(m, f.Name, "3")
		}
	}
	return m
}

// least gives the required counts of a method their smallest values.
func least(m algorithms.Declared) algorithms.Declared {
	for _, f := range m.Declare().Fields {
		if algorithms.FieldOf(m, f.Name).Kind() == reflect.Int && f.Required {
			m = algorithms.With(m, f.Name, strconv.Itoa(int(f.Range.Min)))
		}
	}
	return m
}

// options returns the non-default values of an optional field.
func options(m algorithms.Declared, f declare.Field) []string {
	switch v := algorithms.FieldOf(m, f.Name).Interface(); {
	case f.Required:
	case f.Default == true || f.Default == false:
		return []string{strconv.FormatBool(f.Default != true)}
	case f.Values != nil:
		return slices.DeleteFunc(slices.Clone(f.Values), func(v string) bool { return v == f.Default })
	case reflect.TypeOf(v) == reflect.TypeFor[int]() && f.Range.Contains(3):
		return []string{"3"}
	case reflect.TypeOf(v) == reflect.TypeFor[float64]():
		return []string{f.Example}
	}
	return nil
}

// TestDeclarations: a method's declaration fits its struct and its requirements.
func TestDeclarations(t *testing.T) {
	names := map[string]bool{}
	for _, m := range algorithms.Methods() {
		d := m.Declare()
		for _, a := range append([]declare.Alias{{Name: d.Name}}, d.Aliases...) {
			if names[a.Name] {
				t.Errorf("two methods are called %s", a.Name)
			}
			names[a.Name] = true
		}
		if d.Summary == "" || strings.HasSuffix(d.Summary, ".") || d.Updates == "" || d.Source == "" {
			t.Errorf("%s: summary %q, updates %q, source %q", d.Name, d.Summary, d.Updates, d.Source)
		}
		if n := algorithms.Iterations(algorithms.With(m, d.Fields[0].Name, "7")); n != 7 {
			t.Errorf("%s: %s is 7, and the method makes %d iterations", d.Name, d.Fields[0].Name, n)
		}
		fields := map[uintptr]string{}
		set := reflect.New(reflect.TypeOf(m))
		for _, f := range d.Fields {
			v := algorithms.FieldOf(set.Interface().(algorithms.Method), f.Name)
			if other := fields[v.UnsafeAddr()]; other != "" {
				t.Errorf("%s: %s and %s set one field", d.Name, f.Name, other)
			}
			fields[v.UnsafeAddr()] = f.Name
			kind := v.Kind()
			if f.About == "" || f.Required && f.Example == "" || (kind == reflect.String) != (len(f.Values) > 0) ||
				f.Default != nil && reflect.TypeOf(f.Default).Kind() != kind {
				t.Errorf("%s: %+v does not fit a %v", d.Name, f, v.Type())
			}
		}
		if algorithms.CostInWords(m) == "" {
			t.Errorf("%s: no cost", d.Name)
		}
	}
}

// TestCostTermsEqualThePlainSum: the closed form over iterations equals the sum of their costs.
func TestCostTermsEqualThePlainSum(t *testing.T) {
	d := algorithms.Dims{P: 3, Q: 4, Nodes: 5, Links: 10}
	for _, c := range cases() {
		m := c.New()
		plain := algorithms.CostAt(m, 0, d)
		for k := 0; k <= 1000; k++ {
			if k > 0 {
				plain = plain.Plus(m.Cost(k, d))
			}
			if k > 40 && k%331 != 0 && k != 1000 {
				continue
			}
			plain.Paper = nil
			if got := algorithms.CostTerms(m, d, k).Cost(); got != plain {
				t.Errorf("%s to iteration %d: %+v, want %+v", c.Name, k, got, plain)
				break
			}
		}
	}
}

// TestCostInWords: the text follows the polynomial, the choices, the iterations and the place.
func TestCostInWords(t *testing.T) {
	for _, c := range []struct {
		m    algorithms.Declared
		want string
	}{
		{algorithms.DAGM{}, `rounds: inner + neumann
elements a node broadcasts: p + (inner + neumann) q, vectors
oracle calls a node: inner grad_g, 2 grad_f, 1 jvp, 1 hessian, (neumann + 1) solve
local given: oracle calls a node: inner local grad_g, 2 grad_f, 1 jvp, 1 hessian, (neumann + 1) solve
period given: in iteration 1 of each 5: as above; in iterations 2 to 5 of each 5: rounds: none; oracle calls a node: ` +
			`inner grad_g, 2 grad_f, 1 jvp, 1 hessian, 1 solve
solve: cg: rounds: at most inner + neumann; elements a node broadcasts: at most p + (inner + neumann) q, vectors; ` +
			`oracle calls a node: at most inner grad_g, 2 grad_f, (neumann cg_iterations + neumann + cg_iterations) hvp, 1 jvp
(each of these choices alone)
the paper's own count of elements: (U+1) d1 + M d2 (Nazari et al., Supplement S1)`},
		{algorithms.AID{}, `rounds: none
oracle calls: inner grad_g, 2 grad_f, q hvp, 1 jvp
on a star with a server: rounds: inner + q + 2; elements a client sends up, and the server down: ` +
			`dim x + (inner + q + 1) dim y, vectors
solve: cg: oracle calls: at most inner grad_g, 2 grad_f, (q + 1) hvp, 1 jvp
solve: cg, warm: false: oracle calls: at most inner grad_g, 2 grad_f, q hvp, 1 jvp`},
		{algorithms.AllReduceGD{}, `rounds: 2
messages of all n nodes: 2 n - 2
elements of all n nodes: 2 p n - 2 p, vectors
oracle calls a node: 1 grad_f
at the start: rounds: 2; messages of all n nodes: 2 n - 2; elements of all n nodes: 2 p n - 2 p, vectors
collective: ring: rounds: 2 n - 2; messages of all n nodes: 2 n² - 2 n; ` +
			`at the start: rounds: 2 n - 2; messages of all n nodes: 2 n² - 2 n`},
		{cubic{}, "rounds: none\noracle calls a node: 8 grad_f (steps: 2)"},
	} {
		if got := algorithms.CostInWords(c.m); got != c.want {
			t.Errorf("%T:\n%s\nwant\n%s", c.m, got, c.want)
		}
	}
}

// cubic has a cost that is not a polynomial of degree 2.
type cubic struct {
	algorithms.DGD
	Steps int
}

func (cubic) Declare() declare.Method {
	return declare.Method{Name: "cubic", Fields: declare.Fields{declare.Outer(), declare.Count("steps", 0, "2", "steps")}}
}

func (c cubic) Cost(k int, d algorithms.Dims) (cost metrics.Cost) {
	algorithms.AddCalls(&cost, d, algorithms.Calls{GradF: c.Steps * c.Steps * c.Steps})
	return cost
}

// A declaration panics if it names a field that the method lacks, or a value that the field cannot have.
func TestWrongFieldsPanic(t *testing.T) {
	for name, value := range map[string]string{"outers": "3", "outer": "many"} {
		func() {
			defer func() {
				if r := recover(); r == nil || !strings.Contains(fmt.Sprint(r), "algorithms: ") {
					t.Errorf("%s: %s: %v", name, value, r)
				}
			}()
			algorithms.With(algorithms.DGD{}, name, value)
		}()
	}
}

package study

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tallynet/algorithms"
	"tallynet/algorithms/methodtest"
	"tallynet/scenarios/build"
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/scenariotest"
	"tallynet/scenarios/spec"
)

// deviations are the rules of methodtest that methods of the catalog break, by name.
func deviations() map[string]methodtest.Deviations {
	return map[string]methodtest.Deviations{
		"ad-psgd":           {NeighborOrder: "a node draws a neighbour by its position in the ascending list"},
		"randomized-gossip": {NeighborOrder: "a node draws a neighbour by its position in the ascending list"},
	}
}

// TestEveryMethod holds every method of the catalog, under each of its names and with
// each of its options, to what methodtest demands.
func TestEveryMethod(t *testing.T) {
	for _, c := range cases(t, scenariotest.Catalog()) {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			methodtest.Run(t, c)
		})
	}
}

// A method that is added to the catalog is held to it without more.
func TestEveryMethodThatIsAdded(t *testing.T) {
	cat := catalog.New()
	e := *cat.Algorithm("dgd")
	right := e.New
	e.Name = "added"
	e.New = func(a keys.Args) (algorithms.Method, error) {
		m, err := right(a)
		return doubled{m.(algorithms.Algorithm)}, err
	}
	cat.Algorithms = append(cat.Algorithms, e)
	all := cases(t, cat)
	err := methodtest.Check(all[len(all)-1])
	const want = "cost: added, outer: 4, alpha: 0.02 on one node, p = 3, q = 0: iteration 1: " +
		"grad_f calls: counted 1, predicted 2 by Cost"
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// cases are the methods of a catalog, with their options.
func cases(t *testing.T, cat *catalog.Catalog) []methodtest.Case {
	t.Helper()
	var all []methodtest.Case
	for _, e := range cat.Algorithms {
		for _, a := range append([]keys.Alias{{Name: e.Name}}, e.Aliases...) {
			for _, with := range variants(e, a.Preset) {
				all = append(all, methodtest.Case{
					Name: a.Name + with, New: methodOf(t, cat, a.Name, with), Deviations: deviations()[e.Name],
				})
			}
		}
	}
	return all
}

// methodOf returns what makes a method as a file with the keys does.
func methodOf(t *testing.T, cat *catalog.Catalog, name, with string) func() algorithms.Method {
	t.Helper()
	text := "version: 1\ntopology: {kind: ring, nodes: 4}\nproblem: {kind: quadratic, p: 2, q: 2}\n" +
		"algorithms: [{name: " + name + with + "}]\n"
	s, err := spec.Parse("a.yaml", []byte(text), cat, nil)
	if err != nil {
		t.Fatal(err)
	}
	return func() algorithms.Method {
		m, err := build.Method(s, s.Algorithms[0], s.Algorithms[0].Args)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
}

// variants are the keys of a method with what is required, then with the least that is
// allowed, then with each option in turn.
func variants(e catalog.AlgorithmEntry, preset []keys.Preset) []string {
	values := map[string]string{} // what the alias sets needs no key
	for _, p := range preset {
		values[p.Param] = p.Value
	}
	all := []string{keysOf(e, values, few, "", "")}
	if with := keysOf(e, values, fewest, "", ""); with != all[0] {
		all = append(all, with)
	}
	for _, p := range e.Params {
		if _, ok := values[p.Name]; ok || p.Required || p.Name == e.Iterations {
			continue
		}
		for _, value := range options(p) {
			if with := keysOf(e, values, few, p.Name, value); !slices.Contains(all, with) {
				all = append(all, with)
			}
		}
	}
	return all
}

// options are values of a parameter that is not required, other than its default.
func options(p keys.Param) []string {
	switch p.Kind {
	case keys.Bool:
		return []string{strconv.FormatBool(p.Default != true)}
	case keys.Enum:
		var all []string
		for _, v := range p.Enum {
			if v != p.Default {
				all = append(all, v)
			}
		}
		return all
	}
	if p.Only != "" || p.Example == "" {
		return nil
	}
	return []string{few(p)}
}

// few is the example of a parameter, but at most 3 where it is a number of something: so
// many samples are not all, and so many steps are enough.
func few(p keys.Param) string {
	if n, err := strconv.Atoi(p.Example); err == nil && p.Kind == keys.Int && n > 3 && p.Range.Contains(3) {
		return "3"
	}
	return p.Example
}

// fewest is the smallest number of something that a parameter can be.
func fewest(p keys.Param) string {
	if p.Kind == keys.Int && p.Range.Contains(p.Range.Min) {
		return strconv.Itoa(int(p.Range.Min))
	}
	return few(p)
}

// keysOf are the keys of a method with what is required, by the given rule, and with one
// option.
func keysOf(e catalog.AlgorithmEntry, preset map[string]string, rule func(keys.Param) string, option,
	value string) string {
	values, written := maps.Clone(preset), map[string]bool{}
	var b strings.Builder
	for _, p := range e.Params {
		write := ""
		switch _, set := preset[p.Name]; {
		case set:
			continue
		case p.Name == option:
			write = value
		case p.Name == e.Iterations:
			write = "4"
		case p.Required:
			write = rule(p)
		case p.Default != nil:
			values[p.Name] = fmt.Sprint(p.Default)
			if n, ok := p.Default.(int); ok && n > 3 {
				write = few(p)
			}
		}
		if write == "" || !used(p, values) || p.With != "" && !written[p.With] {
			continue
		}
		values[p.Name] = write
		written[p.Name] = true
		fmt.Fprintf(&b, ", %s: %s", p.Name, write)
	}
	return b.String()
}

// used reports whether a parameter is, given the earlier ones: "mode: a or b".
func used(p keys.Param, values map[string]string) bool {
	key, want, only := strings.Cut(p.Only, ": ")
	return !only || slices.Contains(strings.Split(want, " or "), values[key])
}

// TestCostTermsEqualThePlainSum: the closed form over iterations is what adding them up gives.
func TestCostTermsEqualThePlainSum(t *testing.T) {
	t.Parallel()
	d := algorithms.Dims{P: 3, Q: 4, Nodes: 5, Links: 10}
	for _, c := range cases(t, scenariotest.Catalog()) {
		m := c.New()
		plain := m.Cost(0, d)
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

// TestWhoRestarts: the methods that the refusal of faults.state: lose names are those that take it.
func TestWhoRestarts(t *testing.T) {
	_, err := build.Build(scenariotest.Parse(t,
		"version: 1\ntopology: {kind: ring, nodes: 5}\nproblem: {kind: quadratic, p: 2, q: 3}\n"+
			"algorithms: [{name: dagm, outer: 60, inner: 1, neumann: 1, alpha: 0.02, beta: 0.05}]\n"+
			"faults: {state: lose, hosts: [{node: 1, down: 1s, up: 2s}]}\n"), 1, &scenariotest.Data)
	if err == nil {
		t.Fatal("DAGM takes faults.state: lose")
	}
	_, text, _ := strings.Cut(err.Error(), "or take ")
	text, _, _ = strings.Cut(text, "\n")
	named := strings.FieldsFunc(strings.ReplaceAll(text, " or ", ", "), func(r rune) bool { return r == ',' || r == ' ' })
	var takes []string
	for _, e := range catalog.Algorithms() {
		if methodOf(t, scenariotest.Catalog(), e.Name, variants(e, nil)[0])().Needs().Restarts {
			takes = append(takes, e.Name)
		}
	}
	slices.Sort(named)
	slices.Sort(takes)
	if !slices.Equal(named, takes) {
		t.Errorf("the refusal names %v, and %v take it", named, takes)
	}
}

package scenarios

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tallynet/algorithms"
	"tallynet/algorithms/methodtest"
)

// deviations are the rules of methodtest that methods of the catalog break, by name.
var deviations = map[string]methodtest.Deviations{
	"randomized-gossip": {NeighborOrder: "a node draws a neighbour by its position in the ascending list"},
}

// TestEveryMethod holds every method of the catalog, under each of its names and with
// each of its options, to what methodtest demands.
func TestEveryMethod(t *testing.T) {
	for _, e := range Algorithms() {
		names := []Alias{{Name: e.Name}}
		for _, a := range append(names, e.Aliases...) {
			for _, keys := range variants(e, a.Preset) {
				t.Run(a.Name+keys, func(t *testing.T) {
					t.Parallel()
					methodtest.Run(t, methodtest.Case{
						Name:       a.Name + " with" + keys,
						New:        methodOf(t, a.Name, keys),
						Deviations: deviations[e.Name],
					})
				})
			}
		}
	}
}

// methodOf returns what makes a method as a file with the keys does.
func methodOf(t *testing.T, name, keys string) func() algorithms.Method {
	t.Helper()
	s := mustParse(t, "version: 1\ntopology: {kind: ring, nodes: 4}\nproblem: {kind: quadratic, p: 2, q: 2}\n"+
		"algorithms: [{name: "+name+keys+"}]\n")
	return func() algorithms.Method {
		m, err := s.method(s.Algorithms[0], s.Algorithms[0].Args)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
}

// variants are the keys of a method with what is required, then with the least that is
// allowed, then with each option in turn.
func variants(e AlgorithmEntry, preset []Preset) []string {
	values := map[string]string{} // what the alias sets needs no key
	for _, p := range preset {
		values[p.Param] = p.Value
	}
	all := []string{keysOf(e, values, few, "", "")}
	if keys := keysOf(e, values, fewest, "", ""); keys != all[0] {
		all = append(all, keys)
	}
	for _, p := range e.Params {
		if _, ok := values[p.Name]; ok || p.Required || p.Name == e.Iterations {
			continue
		}
		for _, value := range options(p) {
			if keys := keysOf(e, values, few, p.Name, value); !slices.Contains(all, keys) {
				all = append(all, keys)
			}
		}
	}
	return all
}

// options are values of a parameter that is not required, other than its default.
func options(p Param) []string {
	switch p.Kind {
	case Bool:
		return []string{strconv.FormatBool(p.Default != true)}
	case Enum:
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
func few(p Param) string {
	if n, err := strconv.Atoi(p.Example); err == nil && p.Kind == Int && n > 3 && p.Range.Contains(3) {
		return "3"
	}
	return p.Example
}

// fewest is the smallest number of something that a parameter can be.
func fewest(p Param) string {
	if p.Kind == Int && p.Range.Contains(p.Range.Min) {
		return strconv.Itoa(int(p.Range.Min))
	}
	return few(p)
}

// keysOf are the keys of a method with what is required, by the given rule, and with one
// option.
func keysOf(e AlgorithmEntry, preset map[string]string, rule func(Param) string, option, value string) string {
	values := maps.Clone(preset)
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
		if write == "" || !used(p, values) {
			continue
		}
		values[p.Name] = write
		fmt.Fprintf(&b, ", %s: %s", p.Name, write)
	}
	return b.String()
}

// used reports whether a parameter is, given the earlier ones: "mode: a or b".
func used(p Param, values map[string]string) bool {
	key, want, only := strings.Cut(p.Only, ": ")
	return !only || slices.Contains(strings.Split(want, " or "), values[key])
}

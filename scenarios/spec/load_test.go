package spec

import (
	"encoding/json"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"tallynet/scenarios/catalog"
	"tallynet/scenarios/keys"
)

// builtin is the catalog of the tests.
// builtin returns the catalog of this program, made once for all tests. Those that change one make their own.
var builtin = sync.OnceValue(catalog.New)

func mustParse(t *testing.T, src string, overrides ...string) *Scenario {
	t.Helper()
	s, err := Parse("test.yaml", []byte(src), builtin(), overrides)
	if err != nil {
		t.Fatalf("%v\nin:\n%s", err, src)
	}
	return s
}

// diff compares what two scenarios say, not where they say it.
func diff(a, b any) string {
	return cmp.Diff(a, b, cmpopts.IgnoreUnexported(Scenario{}), cmpopts.IgnoreFields(Scenario{}, "Catalog"),
		cmpopts.IgnoreFields(AlgorithmSpec{}, "Index"), cmp.Comparer(func(a, b keys.Args) bool {
			return text(a) == text(b)
		}))
}

func TestTemplate(t *testing.T) {
	src := Template(builtin())
	s, err := Parse("template.yaml", src, builtin(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if s.Problem.Kind != "quadratic" || s.Topology.Kind != "ring" || s.Topology.Nodes != 8 ||
		s.Algorithms[0].Name != "dagm" {
		t.Errorf("the template is about something else: %+v", s)
	}
	js, err := json.Marshal(s.Resolved())
	if err != nil {
		t.Fatal(err)
	}
	ya, err := s.YAML()
	if err != nil {
		t.Fatal(err)
	}
	t.Log(string(js))
	t.Log(string(ya))
	for _, text := range [][]byte{js, ya} {
		again, err := Parse("again.yaml", text, builtin(), nil)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if d := diff(s, again); d != "" {
			t.Error(d)
		}
	}
}

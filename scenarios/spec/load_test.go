package spec

import (
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"tallynet/scenarios/catalog"
	"tallynet/scenarios/keys"
)

// builtin returns the program's catalog, which the tests share.
var builtin = sync.OnceValue(catalog.New)

func mustParse(t *testing.T, src string, overrides ...string) *Scenario {
	t.Helper()
	s, err := Parse("test.yaml", []byte(src), builtin(), overrides)
	if err != nil {
		t.Fatalf("%v\nin:\n%s", err, src)
	}
	return s
}

// diff compares two scenarios except for positions.
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
}

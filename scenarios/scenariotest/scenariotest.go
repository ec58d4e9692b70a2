package scenariotest

import (
	"sync"
	"testing"

	"tallynet/scenarios/catalog"
	"tallynet/scenarios/problems/data"
	"tallynet/scenarios/spec"
)

// Data keeps data sets for all tests of a process: to unpack one takes longer than most runs.
var Data data.Loader

// Catalog returns the catalog of this program, made once. A test that changes one makes its own.
var Catalog = sync.OnceValue(catalog.New)

// Parse reads a scenario from its text, with overrides.
func Parse(t *testing.T, src string, overrides ...string) *spec.Scenario {
	t.Helper()
	s, err := spec.Parse("test.yaml", []byte(src), Catalog(), overrides)
	if err != nil {
		t.Fatalf("%v\nin:\n%s", err, src)
	}
	return s
}

// Shortest returns a method with 4 iterations and the example of each required parameter.
func Shortest(e catalog.AlgorithmEntry) string {
	text := "{name: " + e.Name + ", " + e.Iterations + ": 4"
	for _, p := range e.Params {
		if p.Required {
			text += ", " + p.Name + ": " + p.Example
		}
	}
	return text + "}"
}

// Small is a scenario of two methods and four seeds.
const Small = `version: 1
seeds: 4
topology: {kind: ring, nodes: 8}
network:
  latency: 1ms
problem: {kind: quadratic, p: 3, q: 5}
algorithms:
  - {name: dagm, inner: 2, neumann: 3, alpha: 0.01, beta: 0.1}
  - {name: dgbo, label: DGBO (b=5), terms: 5, alpha: 0.01, beta: 0.5, gamma: 0.1, lipschitz: 10}
`

// Study is a scenario of three methods, without claims.
const Study = `
version: 1
topology: {kind: ring, nodes: 6}
network: {latency: 1ms, bandwidth: 1Mbit/s}
compute: {calls: {grad_g: 100us, hessian: 1ms}}
problem: {kind: quadratic, p: 3, q: 4}
algorithms:
  - {name: dagm, outer: 20, inner: 3, neumann: 2, alpha: 0.02, beta: 0.05}
  - {name: dgbo, outer: 20, terms: 2, alpha: 0.02, gamma: 0.05, beta: 0.5, lipschitz: 10}
  - {name: dgtbo, outer: 20, inner: 3, jhip: 3, eta_x: 0.02, eta_y: 0.02, gamma: 0.02}
`

package build_test

import (
	"testing"

	"tallynet/scenarios/build"
	"tallynet/scenarios/scenariotest"
)

// An instance states its memory before its problem is posed: the problem's numbers and, for a method that forms
// matrices, a Hessian and a Jacobian for each node. The points of a grid state it, too.
func TestMemoryIsStatedAhead(t *testing.T) {
	const src = `{version: 1, topology: {kind: ring, nodes: 4}, problem: {kind: quadratic, p: 30, q: 20},
		algorithms: [{name: dgbo, outer: 1, terms: 1, alpha: 0.1, gamma: 0.1, beta: 0.5, lipschitz: 10}],
		sweep: {problem.q: [20, 40]}}`
	s := scenariotest.Parse(t, src)
	var said []int64
	s.OnAllocate = func(bytes int64) { said = append(said, bytes) }
	points, err := s.Points()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range points {
		if _, err := build.Build(p.Scenario, 1, &scenariotest.Data); err != nil {
			t.Fatal(err)
		}
	}
	if len(said) != 2 || said[0] < 8*4*(20*20+30*20) || said[1] < said[0]+8*4*(40*40-20*20+30*20) {
		t.Errorf("said to take %v bytes", said)
	}
}

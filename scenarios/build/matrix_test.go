package build_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"tallynet/algorithms"
	"tallynet/metrics"
	"tallynet/metrics/report/result"
	"tallynet/scenarios/build"
	"tallynet/scenarios/execute"
	"tallynet/scenarios/problems"
	"tallynet/scenarios/scenariotest"
)

// A method that would form 157,000 x 2,010 numbers fails before it allocates 2.5 GB
// for each node. Its cost is still known. A method with products only runs.
func TestMatricesTooLarge(t *testing.T) {
	s := scenariotest.Parse(t, `version: 1
topology: {kind: ring, nodes: 3}
problem: {kind: hyper-representation, samples: 3}
algorithms:
  - {name: dgbo, outer: 1, terms: 2, alpha: 0.1, gamma: 0.1, beta: 0.5, lipschitz: 10}
  - {name: dagm, outer: 1, inner: 1, neumann: 1, alpha: 0.1, beta: 0.1, solve: cg}
record: {metrics: [consensus_error]}
`)
	in, err := build.Build(s, 1, &scenariotest.Data)
	if err != nil {
		t.Fatal(err)
	}
	run := execute.Run(context.Background(), in, s.Algorithms[0], s.Algorithms[0].Args, nil)
	const want = "the method forms the Jacobian, 157000 x 2010, and problem hyper-representation forms no matrix " +
		"above 33554432 elements"
	if run.Status != result.Failed || !strings.Contains(run.Reason, want) {
		t.Errorf("%s: %s", run.Status, run.Reason)
	}
	if c := in.Methods[0].Cost(1, in.Dims()); c.Wire.Matrix < 157000*2010 {
		t.Errorf("the predicted matrix elements are %d", c.Wire.Matrix)
	}
	if run := execute.Run(context.Background(), in, s.Algorithms[1], s.Algorithms[1].Args,
		nil); run.Status != result.Completed {
		t.Errorf("%s: %s", run.Status, run.Reason)
	}
}

// limited is a problem that only forms matrices up to some number of elements.
type limited struct {
	problems.Problem
	most int
}

func (l limited) LargestMatrix() int { return l.most }

// TestLargestMatrix: with p = 7, q = 3 a Jacobian has 21 elements; with p = 2, q = 5 a Hessian has 25. Both are
// within their limits. Products need no matrix.
func TestLargestMatrix(t *testing.T) {
	for _, c := range []struct {
		p, q, method int
		most         int
		want         string
	}{
		{7, 3, 0, 21, ""}, {7, 3, 0, 20, "Jacobian, 7 x 3,"}, {2, 5, 0, 25, ""}, {2, 5, 0, 24, "Hessian, 5 x 5,"},
		{7, 3, 1, 8, ""},
	} {
		s := scenariotest.Parse(t, fmt.Sprintf(`version: 1
topology: {kind: ring, nodes: 3}
problem: {kind: quadratic, p: %d, q: %d, condition: 10}
algorithms:
  - {name: dgbo, outer: 1, terms: 2, alpha: 0.1, gamma: 0.1, beta: 0.5, lipschitz: 10}
  - {name: dagm, outer: 1, inner: 1, neumann: 1, alpha: 0.1, beta: 0.1, solve: cg}
`, c.p, c.q))
		in, err := build.Build(s, 1, &scenariotest.Data)
		if err != nil {
			t.Fatal(err)
		}
		in.Problem = limited{in.Problem, c.most}
		err = in.CanForm(in.Methods[c.method])
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d x %d with at most %d elements: %v, want %q", c.p, c.q, c.most, err, c.want)
		}
	}
}

// calling is a method that makes the given calls in its first iteration only.
type calling struct {
	algorithms.Method
	oracle metrics.OracleCounts
}

func (c calling) Cost(k int, _ algorithms.Dims) (all metrics.Cost) {
	if k == 1 {
		all.Oracle = c.oracle
	}
	return all
}

// TestMatricesOfOneIteration: a matrix that is formed once counts; one that is never formed does not.
func TestMatricesOfOneIteration(t *testing.T) {
	s := scenariotest.Parse(t, scenariotest.Study)
	in, err := build.Build(s, 1, &scenariotest.Data)
	if err != nil {
		t.Fatal(err)
	}
	in.Problem = limited{in.Problem, 1}
	for want, calls := range map[string]metrics.OracleCounts{
		"":                              {GradG: 5, HVP: 3},
		"the method forms the Hessian":  {Hessian: 1},
		"the method forms the Jacobian": {Jacobian: 1},
	} {
		err := in.CanForm(calling{oracle: calls})
		if (err == nil) != (want == "") || err != nil && !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", calls, err, want)
		}
	}
}

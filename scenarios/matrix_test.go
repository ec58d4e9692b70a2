package scenarios

import (
	"context"
	"strings"
	"testing"

	"tallynet/metrics/result"
)

// A method that would form 157,000 x 2,010 numbers fails before it takes 2.5 GB for
// each node, and its cost is known all the same; one with products only runs.
func TestMatricesTooLarge(t *testing.T) {
	s := mustParse(t, `version: 1
topology: {kind: ring, nodes: 3}
problem: {kind: hyper-representation, samples: 3}
algorithms:
  - {name: dgbo, outer: 1, terms: 2, alpha: 0.1, gamma: 0.1, beta: 0.5, lipschitz: 10}
  - {name: dagm, outer: 1, inner: 1, neumann: 1, alpha: 0.1, beta: 0.1, solve: cg}
record: {metrics: [test_accuracy]}
`)
	in, err := s.Build(1, &dataSets)
	if err != nil {
		t.Fatal(err)
	}
	run := in.Run(context.Background(), s.Algorithms[0], s.Algorithms[0].Args, nil)
	const want = "the method forms the Jacobian, 157000 x 2010, and problem hyper-representation forms no matrix " +
		"above 33554432 elements"
	if run.Status != result.Failed || !strings.Contains(run.Reason, want) {
		t.Errorf("%s: %s", run.Status, run.Reason)
	}
	if c := in.Methods[0].Cost(1, in.dims()); c.Wire.Matrix < 157000*2010 {
		t.Errorf("the predicted matrix elements are %d", c.Wire.Matrix)
	}
	if run := in.Run(context.Background(), s.Algorithms[1], s.Algorithms[1].Args, nil); run.Status != result.Completed {
		t.Errorf("%s: %s", run.Status, run.Reason)
	}
}

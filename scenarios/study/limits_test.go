package study

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"tallynet/scenarios/build"
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/predict"
	"tallynet/scenarios/problems/budget"
	"tallynet/scenarios/scenariotest"
	"tallynet/scenarios/spec"
)

// TestSizes compares the stated size of each kind of problem with the problem itself.
func TestSizes(t *testing.T) {
	t.Parallel()
	tried := map[string]bool{}
	for _, problem := range []string{
		"{kind: quadratic, p: 3, q: 5}", "{kind: consensus, dim: 7}", "{kind: least-squares, dim: 4, bias: true}",
		"{kind: logistic, data: mushroom, samples: 10}", "{kind: logistic, dim: 6}",
		"{kind: logistic, data: mnist, classes: [4, 9], pool: 7, samples: 5}",
		"{kind: hyper-ridge, dim: 6, bias: true}", "{kind: hyper-logistic, dim: 6}",
		"{kind: hyper-softmax, dim: 6}", "{kind: hyper-softmax, dim: 6, classes: 5, shared_across_classes: true}",
		"{kind: hyper-softmax, data: mnist, pool: 7, samples: 5, classes: [1, 2, 3]}",
		"{kind: hyper-svm, samples: 10}", "{kind: hyper-l2, data: synthetic, dim: 6}",
		"{kind: hyper-cleaning, data: synthetic, dim: 6, samples: {train: 9, val: 8}}",
		"{kind: hyper-cleaning, pool: 7, samples: 5, bias: true}",
		"{kind: hyper-text, features: 200, classes: 3, samples: 5, test: 5}",
		"{kind: hyper-representation, pool: 7, samples: 5, hidden: 6}",
		"{kind: hyper-representation-linear, dim: 5, hidden: 6, samples: 5}",
		"{kind: fair-loss, data: synthetic, dim: 6, samples: 5}",
		"{kind: fair-loss, data: synthetic, dim: 6, samples: 5, hidden: 7}",
		"{kind: fair-loss, pool: 7, samples: 5, hidden: 20}",
		"{kind: conditioned, dim: " +
			"7}", "{kind: toy-coreset}", "{kind: toy-minimax}", "{kind: toy-degenerate}", "{kind: toy-floor}",
	} {
		algorithm := "{name: dagm, outer: 1, inner: 1, neumann: 1, alpha: 0.1, beta: 0.1}"
		for _, single := range []string{"consensus", "least-squares", "logistic"} {
			if strings.HasPrefix(problem, "{kind: "+single) {
				algorithm = "{name: dgd, outer: 1, alpha: 0.1}"
			}
		}
		s, err := spec.Parse("x.yaml", fmt.Appendf(nil, "version: 1\ntopology: {kind: ring, nodes: 3}\nproblem: %s\n"+
			"algorithms: [%s]\n", problem, algorithm), scenariotest.Catalog(), nil)
		if err != nil {
			t.Errorf("%s: %v", problem, err)
			continue
		}
		in, err := build.Build(s, 1, &scenariotest.Data)
		if err != nil {
			t.Errorf("%s: %v", problem, err)
			continue
		}
		tried[s.Problem.Kind] = true
		env := catalog.ProblemEnv{Nodes: 3, Seed: 1, Data: &scenariotest.Data, Budget: budget.Limit{Bytes: 10}}
		var over *budget.Error
		if _, err := s.Catalog.Problem(s.Problem.Kind).New(s.Problem.Args, env); !errors.As(err, &over) {
			t.Errorf("%s: with a budget of 10 bytes: %v", problem, err)
		}
		size, known := build.Size(s, s.Problem.Args, 3, in.Methods)
		if p, q := in.Problem.Dims(); !known || size.P != p || size.Q != q {
			t.Errorf("%s: p = %d, q = %d; its size says %d, %d (known: %v)", problem, p, q, size.P, size.Q, known)
		}
		if size.Bytes <= 0 || size.Bytes > 1<<28 {
			t.Errorf("%s: %d bytes", problem, size.Bytes)
		}
	}
	for _, e := range scenariotest.Catalog().Problems {
		if e.Size == nil {
			t.Errorf("problem %s does not state its size", e.Name)
		}
		if !tried[e.Name] {
			t.Errorf("problem %s is not among those whose size is tried", e.Name)
		}
	}
}

// TestTooLarge: a problem that exceeds the memory is refused before anything is made.
// Its cost is still predicted, at once.
func TestTooLarge(t *testing.T) {
	for problem, want := range map[string]string{
		"{kind: quadratic, p: 2, q: 100000}":                                            "q: 7",
		"{kind: quadratic, p: 100, q: 20000}":                                           "q: 7",
		"{kind: hyper-logistic, dim: 1000000, samples: {train: 10000000, val: 50}}":     "dim: ",
		"{kind: hyper-representation, data: synthetic, hidden: 100000, samples: 10000}": "hidden: ",
		"{kind: hyper-text, features: 10000000, classes: 10000}":                        "features: ",
		"{kind: hyper-softmax, dim: 100000}":                                            "dim: ",
	} {
		s, err := spec.Parse("x.yaml", fmt.Appendf(nil, "version: 1\ntopology: {kind: ring, nodes: 4}\nproblem: %s\n"+
			"algorithms: [{name: dagm, outer: 5, inner: 2, neumann: 3, alpha: 0.02, beta: 0.05}]\n", problem),
			scenariotest.Catalog(), nil)
		if err != nil {
			t.Errorf("%s: %v", problem, err)
			continue
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err = New(s, &scenariotest.Data)
		if err == nil || !strings.Contains(err.Error(), "of memory; the limit is 8.59 GB") ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", problem, err, want)
		}
		if _, _, err := predict.Forecasts(s, &scenariotest.Data); err != nil {
			t.Errorf("%s: %v", problem, err)
		}
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 10e6 {
			t.Errorf("%s: %d bytes were allocated to refuse and predict it", problem, took)
		}
	}
}

// TestTooManyRuns: a study with too many runs is refused before its points are made.
func TestTooManyRuns(t *testing.T) {
	var values []string
	for i := range 100 {
		values = append(values, fmt.Sprint(i+1))
	}
	list := strings.Join(values, ", ")
	s, err := spec.Parse("x.yaml", fmt.Appendf(nil, strings.Replace(scenariotest.Small, "seeds: 4", "seeds: 10000",
		1)+"sweep: {problem.p: [%s], problem.q: [%s]}\n", list, list),
		scenariotest.Catalog(), nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = New(s, &scenariotest.Data)
	if err == nil || !strings.Contains(err.Error(), "10000 grid points x 10000 seeds x 2 algorithms are 200000000 runs; "+
		"the limit is 1000000") || !strings.Contains(err.Error(), "at most 50 seeds fit") {
		t.Error(err)
	}
	s.Limits.Runs = 1e9
	if _, err := s.Points(); err != nil {
		t.Errorf("with a higher limit: %v", err)
	}
}

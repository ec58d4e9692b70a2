package build_test

import (
	"fmt"
	"strings"
	"testing"

	"tallynet/scenarios/build"
	"tallynet/scenarios/scenariotest"
	"tallynet/scenarios/spec"
)

// TestParameters: problems are built at the ends of the ranges of their parameters. The reader refuses values
// beyond them, and so do constructors where values depend on each other. So constructors check no ranges.
func TestParameters(t *testing.T) {
	const (
		few       = "samples: 4, test: 4"
		mushrooms = "data: mushroom, samples: 4, partition: "
		digits    = "data: mnist, samples: 4, pool: 14, "
	)
	for _, c := range []struct {
		problem string // with @ for the value
		fits    []string
		not     []string
		want    string // in the error
	}{
		{"quadratic, q: 2, p: @", []string{"1"}, []string{"0", "-1"}, "problem.p"},
		{"quadratic, p: 2, q: @", []string{"1"}, []string{"0", "-1"}, "problem.q"},
		{"quadratic, p: 2, q: 2, condition: @", []string{"1", "1e6"}, []string{"0.99", "-1", ".inf", ".nan"}, "condition"},
		{"quadratic, p: 2, q: 2, heterogeneity: @", []string{"0", "1"}, []string{"-0.01", "1.01", ".nan"}, "heterogeneity"},
		{"quadratic, p: 2, q: 2, outer_heterogeneity: @", []string{"0", "1"}, []string{"-0.01", "1.01", ".nan"}, "outer"},
		{"quadratic, p: 2, q: 2, x0: @", []string{"0", "-1e9"}, []string{".inf", ".nan"}, "x0"},
		{"quadratic, p: 2, q: 2, y0: @", []string{"0", "-1e9"}, []string{"-.inf", ".nan"}, "y0"},

		{"conditioned, dim: @", []string{"1"}, []string{"0"}, "dim"},
		{"conditioned, condition: @", []string{"1", "9"}, []string{"0.99", ".inf"}, "condition"},
		{"conditioned, heterogeneity: @", []string{"0", "0.99"}, []string{"-0.01", "1", ".nan"}, "heterogeneity"},
		{"conditioned, curvature: @", []string{"0", "1"}, []string{"-0.01", ".inf"}, "curvature"},
		{"conditioned, shape: convex, curvature: @", nil, []string{"1"}, "curvature"},
		{"conditioned, shape: convex, power: @", []string{"2.01", "6"}, []string{"2", ".inf"}, "power"},
		{"conditioned, shape: @", []string{"convex", "nonconvex", "strongly-convex"}, []string{"round"}, "shape"},
		{"conditioned, distance: @", []string{"0.1"}, []string{"0"}, "distance"},
		{"consensus, dim: @", []string{"1"}, []string{"0"}, "dim"},

		{"toy-floor, condition: @", []string{"1", "3"}, []string{"0.99", ".inf", ".nan"}, "condition"},
		{"toy-floor, weight: @", []string{"1"}, []string{"0"}, "weight"},
		{"toy-coreset, variant: @", []string{"paper", "code"}, []string{"other"}, "variant"},
		{"toy-minimax, variant: @", nil, []string{"paper"}, "variant"},
		{"toy-coreset, scale: @", []string{"0.1"}, []string{"0", ".inf"}, "scale"},
		{"toy-minimax, scale: @", nil, []string{"2"}, "scale"},
		{"toy-minimax, x0: @", []string{"-3"}, []string{".nan"}, "x0"},
		{"toy-coreset, x0: @", []string{"1", "[1, 2, 3, 4]"}, []string{"[1, 2]", "[1, 2, 3, 4, 5]"}, "x0 has"},
		{"toy-degenerate, y0: @", []string{"1", "[1, 2]"}, []string{"[1, 2, 3]"},
			"problem.y0: y0 has 3 numbers; want 2, or one"},

		{"logistic, test: 4, samples: @", []string{"1"}, []string{"0"}, "samples"},
		{"logistic, l2: @, " + few, []string{"0"}, []string{"-1", ".inf"}, "l2"},
		{"least-squares, data: @", []string{"synthetic"}, []string{"mnist", "mushroom"}, "data"},
		{"hyper-logistic, test: 4, samples: @", []string{"1", "{train: 1, val: 1}"},
			[]string{"{train: 0, val: 1}", "{train: 1, val: -2}"}, "samples"},
		{"hyper-logistic, x0: @, " + few, []string{"1"}, []string{".nan"}, "x0"},
		{"hyper-logistic, y0: @, " + few, []string{"1"}, []string{"-.inf"}, "y0"},
		{"hyper-logistic, y0_spread: @, " + few, []string{"0", "1"}, []string{"-1"}, "y0_spread"},
		{"hyper-logistic, dim: @, " + few, []string{"1"}, []string{"0"}, "dim"},
		{"hyper-logistic, noise: @, " + few, []string{"0"}, []string{"-1", ".nan"}, "noise"},
		{"hyper-logistic, heterogeneity: @, " + few, []string{"0"}, []string{"-1", ".inf"}, "heterogeneity"},
		{"hyper-logistic, samples: 4, test: @", []string{"1"}, []string{"-1", "0"}, "test"},
		{"hyper-logistic, label_noise: @, " + few, []string{"0", "1"}, []string{"-0.01", "1.01", ".nan"}, "label_noise"},
		{"hyper-ridge, samples: 4, label_noise: @", nil, []string{"0.1"}, "label_noise"},
		{"hyper-logistic, shared_across_classes: @, " + few, nil, []string{"true"}, "shared_across_classes"},
		{"hyper-logistic, classes: @, " + few, nil, []string{"3"}, "classes"},
		{"hyper-softmax, classes: @, " + few, []string{"2"}, []string{"1"}, "classes"},
		{"hyper-logistic, hidden: @, " + few, nil, []string{"5"}, "hidden"},
		{"hyper-svm, data: synthetic, smoothing: @, " + few, []string{"0", "1"}, []string{"-1"}, "smoothing"},
		{"hyper-ridge, samples: 4, smoothing: @", nil, []string{"1"}, "smoothing"},
		{"hyper-cleaning, data: synthetic, ridge: @, " + few, []string{"1e-9"}, []string{"0", "-1", ".inf"}, "ridge"},
		{"hyper-cleaning, data: synthetic, corruption: @, " + few, []string{"0", "1"}, []string{"-0.01", "1.5", ".nan"},
			"corruption"},
		{"fair-loss, data: synthetic, ridge: @, " + few, []string{"0.1"}, []string{"-1"}, "ridge"},
		{"fair-loss, data: synthetic, hidden: @, " + few, []string{"0", "2"}, []string{"-1"}, "hidden"},
		{"hyper-representation, data: synthetic, hidden: @, " + few, []string{"1"}, []string{"0"}, "hidden"},
		{"hyper-representation, data: synthetic, ridge: @, " + few, []string{"1"}, []string{"0"}, "ridge"},
		{"hyper-representation, data: synthetic, init: @, " + few, []string{"1"}, []string{"0", "-1"}, "init"},
		{"hyper-representation-linear, samples: 4, data: @", nil, []string{"mnist"}, "data"},
		{"hyper-representation-linear, samples: 4, dim: @", []string{"1"}, []string{"0"}, "dim"},
		{"hyper-representation-linear, samples: 4, noise: @", []string{"0"}, []string{"-1"}, "noise"},

		{"hyper-logistic, " + digits + "classes: @", []string{"[4, 9]"},
			[]string{"[4]", "[]", "[4, 10]", "[4, 4]", "[1, 4, 9]"}, "classes"},
		{"hyper-softmax, " + digits + "classes: @", []string{"[4, 9, 0]"}, []string{"[4]"}, "classes"},
		{"hyper-softmax, data: mnist, samples: 4, pool: @", []string{"1", "14"}, []string{"3", "-2", "28"}, "pool"},
		{"hyper-softmax, " + digits + "imbalance: @", []string{"1", "0.5"}, []string{"0", "1.5", ".nan"}, "imbalance"},
		{"hyper-softmax, " + digits + "partition: @", []string{"iid"}, []string{"x"}, "partition"},
		{"hyper-logistic, " + mushrooms + "dirichlet, concentration: @", []string{"1e-200", "1e200"},
			[]string{"0", "1e-300", "1e300", ".nan"}, "concentration"},
		{"hyper-logistic, " + mushrooms + "iid, concentration: @", nil, []string{"2"}, "concentration"},
		{"hyper-logistic, " + mushrooms + "by-label, shards: @", []string{"1"}, []string{"0", "-1"}, "shards"},
		{"hyper-logistic, " + mushrooms + "iid, shards: @", nil, []string{"2"}, "shards"},
		{"hyper-logistic, " + mushrooms + "own-class, own_share: @", []string{"0", "1"}, []string{"-0.1", "1.5", ".nan"},
			"own_share"},
		{"hyper-logistic, " + mushrooms + "iid, own_share: @", nil, []string{"0.5"}, "own_share"},
		{"hyper-logistic, data: {file: testdata/two.csv, split: {train: @, val: 1, test: 1}}", []string{"1", "1e-300"},
			[]string{"0", "-1", ".inf", ".nan"}, "split"},
		{"hyper-logistic, data: {file: testdata/two.csv, split: {val: @}}", []string{"1"}, []string{"-1", ".inf", ".nan"},
			"val"},
		{"hyper-logistic, data: {file: testdata/two.csv, split: {test: @}}", []string{"0"}, []string{"-1", ".inf", ".nan"},
			"test"},
		{"hyper-logistic, data: {file: testdata/two.csv}, partition: sizes, sizes: @", []string{"3", "[3, 4]"},
			[]string{"0", "[3, -4]"}, "sizes"},

		{"hyper-logistic, data: {file: testdata/two.csv, classes: @}", []string{"[no, yes]"}, []string{"[a, b]"},
			`problem.data.classes: two.csv has no class "a"`},
		{"hyper-logistic, data: {file: testdata/two.csv, first_index: @}", []string{"0", "1"}, []string{"-1", "2"},
			"first_index"},
		{"hyper-text, samples: 2, classes: 2, features: @", []string{"102", "103"}, []string{"101", "0"}, "features"},
		{"hyper-text, samples: 2, features: 200, classes: @", []string{"2", "100"}, []string{"101"}, "features is 200"},
		{"hyper-text, samples: 2, features: 200, classes: @", nil, []string{"1", "0"}, "classes"},
		{"hyper-text, samples: 2, features: 200, test: @", []string{"1"}, []string{"0"}, "test"},
		{"hyper-text, samples: @, features: 200", []string{"1"}, []string{"{train: 1, val: 0}"}, "samples"},
		{"hyper-text, samples: 2, features: 200, length: @", []string{"1", "20"}, []string{"0.99", ".inf", ".nan"},
			"length"},
		{"hyper-text, samples: 2, features: 200, topic: @", []string{"0", "1"}, []string{"-0.01", "1.01", ".nan"}, "topic"},
	} {
		built := func(value string) error {
			method := "{name: dagm, outer: 1, inner: 1, neumann: 1, alpha: 0.1, beta: 0.1}"
			switch kind, _, _ := strings.Cut(c.problem, ","); kind {
			case "consensus", "logistic", "least-squares":
				method = "{name: dgd, outer: 1, alpha: 0.1}"
			}
			s, err := spec.Parse("x.yaml", fmt.Appendf(nil, "version: 1\ntopology: {kind: complete, nodes: 2}\n"+
				"problem: {kind: %s}\nalgorithms: [%s]\n", strings.Replace(c.problem, "@", value, 1), method),
				scenariotest.Catalog(), nil)
			if err == nil {
				_, err = build.Build(s, 1, &scenariotest.Data)
			}
			return err
		}
		for _, v := range c.fits {
			if err := built(v); err != nil {
				t.Errorf("%s, @ = %s: %v", c.problem, v, err)
			}
		}
		for _, v := range c.not {
			if err := built(v); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s, @ = %s: error %v, want one about %s", c.problem, v, err, c.want)
			}
		}
	}
}

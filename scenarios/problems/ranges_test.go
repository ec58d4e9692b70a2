package problems

import (
	"math"
	"testing"
)

// TestEndsOfRanges checks parameters at the ends of their ranges and beyond.
func TestEndsOfRanges(t *testing.T) {
	built := func(_ any, err error) error { return err }
	n, syn := Samples{Train: 4, Val: 4}, &Synthetic{Dim: 2}
	quadratic := func(change func(c *QuadraticConfig)) error {
		c := QuadraticConfig{Nodes: 1, P: 1, Q: 1}
		change(&c)
		return built(GenerateQuadratic(c))
	}
	conditioned := func(change func(c *ConditionedConfig)) error {
		c := ConditionedConfig{Nodes: 1, Dim: 2, Condition: 2, Shape: "strongly-convex", Power: 4, Distance: 1}
		change(&c)
		return built(NewConditioned(c))
	}
	text := func(change func(w *Words)) error {
		w := Words{Features: 200, Classes: 2, Length: 10, Topic: 0.2, Test: 1}
		change(&w)
		return built(NewText(TextConfig{Nodes: 1, Samples: n, Words: &w}))
	}
	for name, c := range map[string]struct {
		of   func(v float64) error
		fits []float64
		not  []float64
	}{
		"condition": {func(v float64) error { return quadratic(func(c *QuadraticConfig) { c.Condition = v }) },
			[]float64{1, 1e6}, []float64{0.99, -1, math.Inf(1), math.NaN()}},
		"heterogeneity": {func(v float64) error { return quadratic(func(c *QuadraticConfig) { c.Heterogeneity = v }) },
			[]float64{0, 1}, []float64{-0.01, 1.01, math.NaN()}},
		"shared outer": {func(v float64) error { return quadratic(func(c *QuadraticConfig) { c.SharedOuter = v }) },
			[]float64{0, 1}, []float64{-0.01, 1.01, math.NaN()}},
		"x0": {func(v float64) error { return quadratic(func(c *QuadraticConfig) { c.X0 = v }) },
			[]float64{0, -1e9}, []float64{math.Inf(1), math.NaN()}},
		"y0": {func(v float64) error { return quadratic(func(c *QuadraticConfig) { c.Y0 = v }) },
			[]float64{0, -1e9}, []float64{math.Inf(-1), math.NaN()}},
		"label noise": {func(v float64) error {
			return built(NewTask(TaskConfig{Kind: "hyper-logistic", Nodes: 1, Samples: n, Synthetic: syn, LabelNoise: v}))
		}, []float64{0, 1}, []float64{-0.01, 1.01, math.NaN()}},
		"numbers of x0": {func(v float64) error {
			return built(NewToy(ToyConfig{Kind: "coreset", Variant: "code", Scale: 1, Nodes: 1, X0: make([]float64, int(v))}))
		}, []float64{0, 1, 4}, []float64{2, 3, 5}},
		"conditioned": {func(v float64) error { return conditioned(func(c *ConditionedConfig) { c.Condition = v }) },
			[]float64{1, 9}, []float64{0.99, math.Inf(1)}},
		"conditioned, heterogeneity": {func(v float64) error {
			return conditioned(func(c *ConditionedConfig) { c.Heterogeneity = v })
		}, []float64{0, 0.99}, []float64{-0.01, 1, math.NaN()}},
		"conditioned, curvature": {func(v float64) error {
			return conditioned(func(c *ConditionedConfig) { c.Curvature = v })
		}, []float64{0, 1}, []float64{-0.01, math.Inf(1)}},
		"conditioned, power": {func(v float64) error {
			return conditioned(func(c *ConditionedConfig) { c.Shape, c.Power = "convex", v })
		}, []float64{2.01, 6}, []float64{2, math.Inf(1)}},
		"floor": {func(v float64) error { return built(NewFloor(FloorConfig{Nodes: 1, Condition: v, Weight: 1})) },
			[]float64{1, 3}, []float64{0.99, math.Inf(1), math.NaN()}},
		"corruption": {func(v float64) error {
			return built(NewTask(TaskConfig{Kind: "hyper-cleaning", Nodes: 1, Samples: n, Synthetic: syn, Ridge: 1,
				LabelNoise: v}))
		}, []float64{0, 1}, []float64{-0.01, 1.01, math.NaN()}},
		"ridge": {func(v float64) error {
			return built(NewTask(TaskConfig{Kind: "hyper-cleaning", Nodes: 1, Samples: n, Synthetic: syn, Ridge: v}))
		}, []float64{1e-9}, []float64{0, -1, math.Inf(1)}},
		"features": {func(v float64) error { return text(func(w *Words) { w.Features = int(v) }) }, // a hundred common
			[]float64{102, 103}, []float64{101, 0}}, // words, and one for each of two classes
		"classes": {func(v float64) error { return text(func(w *Words) { w.Classes = int(v) }) }, []float64{2, 100},
			[]float64{101, 1, 0}},
		"test": {func(v float64) error { return text(func(w *Words) { w.Test = int(v) }) }, []float64{1}, []float64{0}},
		"length": {func(v float64) error { return text(func(w *Words) { w.Length = v }) }, []float64{1, 20},
			[]float64{0.99, math.Inf(1), math.NaN()}},
		"topic": {func(v float64) error { return text(func(w *Words) { w.Topic = v }) }, []float64{0, 1},
			[]float64{-0.01, 1.01, math.NaN()}},
	} {
		for _, v := range c.fits {
			if err := c.of(v); err != nil {
				t.Errorf("%s %g: %v", name, v, err)
			}
		}
		for _, v := range c.not {
			if err := c.of(v); err == nil {
				t.Errorf("%s %g is accepted", name, v)
			}
		}
	}
}

// TestSharesOfSplits: training needs a positive share, and all shares are finite and not negative.
func TestSharesOfSplits(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for s, want := range map[Split]bool{
		{Train: 1}: true, {1e-300, 0, 0}: true, {4, 1, 1}: true, {0, 1, 1}: false, {-1, 1, 1}: false, {1, -1, 1}: false,
		{1, 1, -1}: false, {inf, 1, 1}: false, {1, inf, 1}: false, {1, 1, inf}: false,
	} {
		if err := s.check(); (err == nil) != want {
			t.Errorf("%+v: %v", s, err)
		}
	}
	for _, s := range []Split{{nan, 1, 1}, {1, nan, 1}, {1, 1, nan}} {
		if s.check() == nil {
			t.Errorf("%+v is accepted", s)
		}
	}
}

// TestDistancesOfConditioned: minimizers are 0.5 to 1.5 times the distance away, on both sides.
func TestDistancesOfConditioned(t *testing.T) {
	c, err := NewConditioned(ConditionedConfig{Nodes: 1, Dim: 40, Condition: 2, Shape: "convex", Power: 4, Distance: 6})
	if err != nil {
		t.Fatal(err)
	}
	positive := 0
	for _, x := range c.t {
		if a := math.Abs(x); a < 3 || a > 9 {
			t.Errorf("a distance of %g, want 3 to 9", x)
		}
		if x > 0 {
			positive++
		}
	}
	if positive < 5 || positive > 35 { // more than five standard deviations of 3.2 off
		t.Errorf("%d of 40 are positive", positive)
	}
}

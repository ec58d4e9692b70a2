package problems

import (
	"math"
	"testing"
)

// TestScalarShapes by hand: values and slopes of each shape, for the convex one on both sides of |s| = 1.
func TestScalarShapes(t *testing.T) {
	for _, c := range []struct {
		name            string
		s, value, slope float64
	}{
		{"strongly-convex", 3, 4.5, 3}, {"strongly-convex", -3, 4.5, -3},
		{"nonconvex", 1, 0.5, 0.5}, {"nonconvex", -2, 0.8, -4. / 25}, {"nonconvex", 0, 0, 0},
		{"convex", 0.5, 1. / 64, 1. / 8}, {"convex", -0.5, 1. / 64, -1. / 8}, {"convex", 1, 0.25, 1},
		{"convex", 3, 0.25 + 2 + 6, 1 + 3*2}, {"convex", -3, 0.25 + 2 + 6, -7},
	} {
		shape := newScalarShape(c.name, 4)
		if v, d := shape.value(c.s), shape.slope(c.s); !(math.Abs(v-c.value) <= 1e-15) || !(math.Abs(d-c.slope) <= 1e-15) {
			t.Errorf("%s at %g: %g with slope %g, want %g and %g", c.name, c.s, v, d, c.value, c.slope)
		}
	}
}

// TestSymmetrize: elements across the diagonal that differ by rounding are averaged; larger differences are errors.
func TestSymmetrize(t *testing.T) {
	for _, c := range []struct {
		lo, up, want float64 // 0: an error
	}{{3, 3, 3}, {1 + 1.5e-9, 1, 1 + 0.75e-9}, {1, 1 + 1.5e-9, 1 + 0.75e-9}, {1 + 2.5e-9, 1, 0},
		{-3, -3 - 1e-9, -3 - 0.5e-9}, {1, 1 + 2.5e-9, 0}} {
		m := newGeneral(2, 2)
		copy(m.Data, []float64{0, c.up, c.lo, -2})
		err := symmetrize("a", m)
		if (err != nil) != (c.want == 0) {
			t.Errorf("%+v: %v", c, err)
		}
		if err == nil && (m.Data[1] != m.Data[2] || !(math.Abs(m.Data[1]-c.want) <= 1e-15)) {
			t.Errorf("%+v: %v", c, m.Data)
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

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
		shape, err := newScalarShape(c.name, 4)
		if err != nil {
			t.Fatal(err)
		}
		if v, d := shape.value(c.s), shape.slope(c.s); !(math.Abs(v-c.value) <= 1e-15) || !(math.Abs(d-c.slope) <= 1e-15) {
			t.Errorf("%s at %g: %g with slope %g, want %g and %g", c.name, c.s, v, d, c.value, c.slope)
		}
	}
}

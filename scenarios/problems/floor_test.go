package problems_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"tallynet/scenarios/problems"
)

// Compares with the closed form in the doc comment, worked out by hand for κ = 4 and
// M = 3: x* = -3 (1, 16), y* = (x*_1 - 1, 4 (x*_2 - 1)).
func TestFloor(t *testing.T) {
	p, err := problems.NewFloor(problems.FloorConfig{Nodes: 2, Condition: 4, Weight: 3})
	if err != nil {
		t.Fatal(err)
	}
	x, y, err := p.Solution()
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{-3, -48, -4, -196} {
		if got := append(x[:2:2], y...)[i]; !(math.Abs(got-want) <= 1e-9*math.Abs(want)) {
			t.Errorf("number %d of (x*, y*) is %g, want %g", i, got, want)
		}
	}
	// At x = (1, 2), y = (3, 4): f = 1/2 (1 + 4/4) + 3 * 7, g = 1/2 (9 + 16/4) - (3 + 8) + 7.
	for i := range p.Nodes() {
		l := p.Local(i)
		if f, g := l.F([]float64{1, 2}, []float64{3, 4}), l.G([]float64{1, 2}, []float64{3, 4}); f != 22 || g != 2.5 {
			t.Errorf("node %d: f = %g, g = %g, want 22 and 2.5", i, f, g)
		}
	}
}

// The landmarks of the coreset are its points, its target and its optimum, once each.
func TestLandmarks(t *testing.T) {
	for variant, want := range map[string]string{
		"paper": "target (3, -2), a₂ = optimum (3, 1), a₁ (1, 3), a₃ (-2, 2), a₄ (-3, 2)",
		"code":  "target (3, -2), optimum (1.8, 0.4), a₁ (1, 3), a₂ (3, 1), a₃ (-2, 2), a₄ (-3, -2)",
	} {
		p := must(problems.NewToy(problems.ToyConfig{Kind: "coreset", Variant: variant, Scale: 1, Nodes: 1}))
		var got []string
		for _, l := range p.(problems.Landmarked).Landmarks() {
			got = append(got, fmt.Sprintf("%s (%g, %g)", l.Name, l.Y[0], l.Y[1]))
		}
		if g := strings.Join(got, ", "); g != want {
			t.Errorf("%s: %s\nwant %s", variant, g, want)
		}
	}
	one := must(problems.NewToy(problems.ToyConfig{Kind: "degenerate", Variant: "code", Nodes: 1}))
	if l := one.(problems.Landmarked).Landmarks(); len(l) != 1 || l[0].Y != [2]float64{1, 1} {
		t.Errorf("degenerate: %+v", l)
	}
}

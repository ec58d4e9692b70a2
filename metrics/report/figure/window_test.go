package figure

import (
	"math"
	"testing"
)

// Two of three paths stay within 3 of their start; the third leaves for 1e9 by way of
// (0, 5). The window is twice 3, so it shows that point but not the next one, at 8.
func TestWindowLeavesFarPathsOut(t *testing.T) {
	p := Plot{Series: []Series{
		{X: []float64{0, 3}, Y: []float64{0, -1}},
		{X: []float64{0, -3, math.NaN()}, Y: []float64{0, 0, 0}},
		{X: []float64{0, 0, 0, 0}, Y: []float64{0, 5, 8, 1e9}},
	}}
	if w := *WindowOf(p); w != (Window{MinX: -3, MaxX: 3, MinY: -1, MaxY: 5}) {
		t.Errorf("%+v", w)
	}
	p.Marks = []Mark{{X: 4, Y: -2}}
	if w := *WindowOf(p); w != (Window{MinX: -3, MaxX: 4, MinY: -2, MaxY: 5}) {
		t.Errorf("with a mark %+v", w)
	}
	// If most paths do not move, everything that moves is shown.
	still := Series{X: []float64{1, 1}, Y: []float64{1, 1}}
	p = Plot{Series: []Series{still, still, {X: []float64{1, 7}, Y: []float64{1, 2}}}}
	if w := *WindowOf(p); w != (Window{MinX: 1, MaxX: 7, MinY: 1, MaxY: 2}) {
		t.Errorf("%+v", w)
	}
}

package problems

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestStandardize: features of the training samples have mean 0 and mean square 1; the others are
// shifted and scaled alike. A constant becomes 0, and the feature that is always 1 stays.
func TestStandardize(t *testing.T) {
	d := &dealt{train: newSamples(40, 5), val: newSamples(3, 5), test: newSamples(1, 5)}
	r := rand.New(rand.NewPCG(1, 2))
	for _, s := range []samples{d.train, d.val, d.test} {
		for i := range s.len() {
			copy(s.row(i), []float64{5 + 3*r.NormFloat64(), r.Float64() / 100, 7, 1e-200 * r.Float64(), 1})
		}
	}
	first := [2]float64{d.train.row(0)[0], d.val.row(0)[0]}
	TaskConfig{Bias: true}.standardize(d)
	for j, want := range []float64{1, 1, 0, 0} { // the square of 1e-200 is 0
		mean, square := 0.0, 0.0
		for i := range 40 {
			v := d.train.row(i)[j]
			mean, square = mean+v/40, square+v*v/40
		}
		if !(math.Abs(mean) <= 1e-12) || !(math.Abs(square-want) <= 1e-12) {
			t.Errorf("feature %d: mean %g, mean square %g, want 0 and %g", j, mean, square, want)
		}
	}
	if got := d.train.row(7)[4]; got != 1 {
		t.Errorf("the constant feature is %g", got)
	}
	// The shared transformation is x -> (x - mean) / deviation.
	deviation := (first[1] - first[0]) / (d.val.row(0)[0] - d.train.row(0)[0])
	if deviation < 2 || deviation > 4 {
		t.Errorf("the deviation of 3 is estimated as %g", deviation)
	}
}

package algorithms_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tallynet/algorithms"
	"tallynet/node"
)

// A server's oracle has dimensions and a start. It draws nothing and has no derivatives.
func TestNoData(t *testing.T) {
	program(t, configOf(single()), func(p *node.Proc) {
		o := algorithms.Metered(p.Context, algorithms.NoData(2, 3), []float64{1, 2}, []float64{3, 4, 5})
		x, y := make([]float64, 2), make([]float64, 3)
		o.Start(x, y)
		if d1, d2 := o.Dims(); d1 != 2 || d2 != 3 || !slices.Equal(x, []float64{1, 2}) ||
			!slices.Equal(y, []float64{3, 4, 5}) {
			t.Errorf("dimensions %d, %d, start %v, %v", d1, d2, x, y)
		}
		o.On(o.Draw(5, "any"))
		for name, call := range map[string]func(){
			"F": func() { o.F(x, y) }, "G": func() { o.G(x, y) },
			"GradFx": func() { o.GradFx(x, x, y) }, "GradFy": func() { o.GradFy(y, x, y) },
			"GradGx": func() { o.GradGx(x, x, y) }, "GradGy": func() { o.GradGy(y, x, y) },
			"HessGyyMul": func() { o.HessGyyMul(y, x, y, y) }, "JacGxyMul": func() { o.JacGxyMul(x, x, y, y) },
			"HessGyy": func() { o.HessGyy(nil, x, y) }, "JacGxy": func() { o.JacGxy(nil, x, y) },
		} {
			if r := panicOf(call); !strings.Contains(r, "node holds no data") {
				t.Errorf("%s of a server: panic %q", name, r)
			}
		}
	})
}

func panicOf(f func()) (r string) {
	defer func() { r = fmt.Sprint(recover()) }()
	f()
	return ""
}

package algorithms_test

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"tallynet/algorithms"
)

// doubling is an inner problem with the Hessian I/2 and, if it is structured, a way to solve with it.
type doubling struct {
	algorithms.Local
	structured bool
}

func (doubling) Dims() (p, q int) { return 1, 3 }

func (doubling) HessGyy(dst *mat.SymDense, _, _ []float64) {
	for i := range 3 {
		dst.SetSym(i, i, 0.5)
	}
}

func (d doubling) FactorGyy(_, _ []float64, scale, shift float64) func(dst, b []float64) {
	if !d.structured {
		return nil
	}
	return func(dst, b []float64) {
		for i, v := range b {
			dst[i] = v / (0.5*scale + shift)
		}
	}
}

// TestFactorSolvesAnyVector: a right-hand side and a solution may be columns of matrices, and a solution may be
// empty. With 3 (I/2) + 5/2 I = 4 I, a quarter of (4, 8, 12) is (1, 2, 3).
func TestFactorSolvesAnyVector(t *testing.T) {
	want := []float64{1, 2, 3}
	column := func(v []float64) (*mat.Dense, *mat.VecDense) {
		m := mat.NewDense(3, 2, []float64{v[0], 7, v[1], 7, v[2], 7})
		return m, m.ColView(0).(*mat.VecDense)
	}
	for _, structured := range []bool{false, true} {
		f, err := algorithms.FactorOf(doubling{structured: structured}, 3, 2.5)
		if err != nil {
			t.Fatal(err)
		}
		_, strided := column([]float64{4, 8, 12})
		row := mat.NewDense(1, 3, []float64{4, 8, 12}).RowView(0)
		for name, b := range map[string]mat.Vector{
			"plain": mat.NewVecDense(3, []float64{4, 8, 12}), "column": strided, "row": row, "view": view{row},
		} {
			into, x := column([]float64{5, 5, 5})
			plain, empty := mat.NewVecDense(3, nil), &mat.VecDense{}
			for _, v := range []*mat.VecDense{plain, empty, x} {
				if err := f.SolveVecTo(v, b); err != nil || !slices.Equal(mat.Col(nil, 0, v), want) {
					t.Errorf("structured %t, a %s: %v, want %v; %v", structured, name, mat.Col(nil, 0, v), want, err)
				}
			}
			if got := mat.Col(nil, 0, into); !slices.Equal(got, want) || into.At(1, 1) != 7 {
				t.Errorf("structured %t, a %s: the column is %v, want %v", structured, name, got, want)
			}
		}
	}
}

// view is a vector that is no mat.VecDense.
type view struct{ mat.Vector }

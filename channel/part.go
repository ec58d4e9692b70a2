package channel

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"tallynet/metrics"
)

// Part is a named array in a message. Data is row-major, Rows*Cols long. As an
// argument of a send it is read before the call returns and never kept; in a
// received message it is shared with all other receivers and must not be changed.
type Part struct {
	Name string
	Kind metrics.Kind
	Rows int
	Cols int
	Data []float64
}

// Scalar returns a part of one number, held in v (1): a slice, so that sending a
// number in a loop allocates nothing.
func Scalar(name string, v []float64) Part {
	if len(v) != 1 {
		panic(fmt.Sprintf("channel: scalar %q has %d numbers", name, len(v)))
	}
	return Part{name, metrics.Scalar, 1, 1, v}
}

// Vec returns a vector part v (d). A flattened parameter is a vector.
func Vec(name string, v []float64) Part {
	return Part{name, metrics.Vector, len(v), 1, v}
}

// Mat returns a matrix part m (r x c), which stays a matrix when r or c is 1. A
// view into a larger matrix has no contiguous data and panics.
func Mat(name string, m *mat.Dense) Part {
	r := m.RawMatrix()
	if r.Stride != r.Cols && r.Rows > 1 {
		panic(fmt.Sprintf("channel: matrix %q is a view with stride %d, %d columns", name, r.Stride, r.Cols))
	}
	return Part{name, metrics.Matrix, r.Rows, r.Cols, r.Data[:r.Rows*r.Cols]}
}

// Dense returns the part's data as a matrix that shares it.
func (p Part) Dense() *mat.Dense { return mat.NewDense(p.Rows, p.Cols, p.Data) }

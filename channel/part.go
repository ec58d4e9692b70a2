package channel

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"tallynet/metrics"
)

// Part is a named array in a message. Data is row-major and has Rows*Cols elements. A send reads its arguments
// before it returns and does not keep them. The parts of a received message are shared with all other receivers
// and must not be modified.
type Part struct {
	Name string
	Kind metrics.Kind
	Rows int
	Cols int
	Data []float64
}

// Scalar returns a part of one number, v (1). It takes a slice, so that sending in a loop allocates nothing.
func Scalar(name string, v []float64) Part {
	if len(v) != 1 {
		panic(fmt.Sprintf("channel: scalar %q: want 1 number, got %d", name, len(v)))
	}
	return Part{name, metrics.Scalar, 1, 1, v}
}

// Vec returns a vector part v (d). A flattened parameter is a vector.
func Vec(name string, v []float64) Part {
	return Part{name, metrics.Vector, len(v), 1, v}
}

// Mat returns a matrix part m (r x c), which is a matrix even if r or c is 1. It panics if m is a view into a
// larger matrix, whose data is not contiguous.
func Mat(name string, m *mat.Dense) Part {
	r := m.RawMatrix()
	if r.Stride != r.Cols && r.Rows > 1 {
		panic(fmt.Sprintf("channel: matrix %q is a view with stride %d and %d columns", name, r.Stride, r.Cols))
	}
	return Part{name, metrics.Matrix, r.Rows, r.Cols, r.Data[:r.Rows*r.Cols]}
}

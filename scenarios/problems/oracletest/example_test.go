package oracletest_test

import (
	"fmt"
	"strings"

	"tallynet/scenarios/problems"
	"tallynet/scenarios/problems/oracletest"
)

// halved is off by a factor 2 in one derivative.
type halved struct{ problems.Local }

func (h halved) GradGy(dst, x, y []float64) {
	h.Local.GradGy(dst, x, y)
	for b := range dst {
		dst[b] /= 2
	}
}

func ExampleCheck() {
	right := problems.InstanceV().Local(0)
	fmt.Println("right:", oracletest.Check(right, oracletest.Options{}))

	err := oracletest.Check(halved{right}, oracletest.Options{})
	first, _, _ := strings.Cut(err.Error(), "[")
	fmt.Println("wrong:", first)
	// Output:
	// right: <nil>
	// wrong: oracletest: point 0, all samples: GradGy
}

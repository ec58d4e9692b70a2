package problems

// InstanceV returns a fixed quadratic problem without symmetry, with 4 nodes,
// p = 2, q = 3 and a known solution: a golden test for algorithms. For node
// k = 1 ... 4, with s = (-1)^k,
//
//	H = [2+k 1 0; 1 3 1/2; 0 1/2 1+k]  P = [1 0 k/2; s/2 1 0]  q = (k, -1, 1/2)
//	A = [4+k 1; 1 5]  B = [0 1/2 0; 1/2 0 s/2]  C = (k/2) I  a = (-k, 1)  c = (1, -k, 2)
//
// x* = (0.479105725509, -0.318264769392) shared, (0.479802198787, -0.331313689156) personal.
func InstanceV() *Quadratic {
	spec := QuadraticSpec{Name: "instance V"}
	s := 1.0
	for i := 1; i <= 4; i++ {
		k := float64(i)
		s = -s
		spec.Nodes = append(spec.Nodes, QuadraticNode{
			H:        [][]float64{{2 + k, 1, 0}, {1, 3, .5}, {0, .5, 1 + k}},
			P:        [][]float64{{1, 0, k / 2}, {.5 * s, 1, 0}},
			A:        [][]float64{{4 + k, 1}, {1, 5}},
			B:        [][]float64{{0, .5, 0}, {.5, 0, .5 * s}},
			C:        [][]float64{{k / 2, 0, 0}, {0, k / 2, 0}, {0, 0, k / 2}},
			LinearG:  []float64{k, -1, .5},
			LinearFx: []float64{-k, 1},
			LinearFy: []float64{1, -k, 2},
		})
	}
	return mustQuadratic(spec)
}

// InstanceS returns a fixed scalar problem with 4 nodes, for node i = 1 ... 4
//
//	g_i = (i/2) y² - x y,  f_i = 1/2 (y-i)² + 1/2 x²  (without the constant i²/2)
//
// y*(x) = 0.4 x and x* = 1/1.16 shared; y_i* = x/i and x* = 576/781 personal.
func InstanceS() *Quadratic {
	spec := QuadraticSpec{Name: "instance S"}
	for i := 1; i <= 4; i++ {
		k := float64(i)
		spec.Nodes = append(spec.Nodes, QuadraticNode{
			H: [][]float64{{k}}, P: [][]float64{{-1}},
			A: [][]float64{{1}}, C: [][]float64{{1}}, LinearFy: []float64{-k},
		})
	}
	return mustQuadratic(spec)
}

func mustQuadratic(spec QuadraticSpec) *Quadratic {
	qp, err := NewQuadratic(spec)
	if err != nil {
		panic("problems: " + err.Error())
	}
	return qp
}

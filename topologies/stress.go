package topologies

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

const (
	pivots       = 50  // searches on which a large graph's layout is based
	stressNodes  = 600 // the most nodes for which all pairs are used
	stressSweeps = 150
)

// distanceLayout places the nodes so that distances in the plane are close to distances in hops. It begins with
// pivot multidimensional scaling (Brandes and Pich, Graph Drawing 2006). Up to the given number of nodes it
// refines the result by stress majorization (Gansner, Koren and North, Graph Drawing 2004).
func (g *Graph) distanceLayout(refined int) []Position {
	n := g.Nodes()
	if n <= 3 {
		return circle(n)
	}
	p := pivotLayout(g.hops(spread(n, pivots)))
	if n <= refined {
		p = majorize(p, g.hops(spread(n, n)))
	}
	return p
}

// spread returns up to k nodes, evenly spaced among n.
func spread(n, k int) []int {
	k = min(n, k)
	nodes := make([]int, k)
	for i := range nodes {
		nodes[i] = i * n / k
	}
	return nodes
}

// hops returns the distances from some nodes (rows) to all nodes (columns). Nodes that cannot reach each other
// are a little farther apart than any that can.
func (g *Graph) hops(from []int) *mat.Dense {
	d := mat.NewDense(len(from), g.Nodes(), nil)
	s := g.search()
	far := 0
	for r, i := range from {
		far = max(far, s.from(i).eccentricity())
		for j, hops := range s.dist {
			d.Set(r, j, float64(hops))
		}
	}
	d.Apply(func(_, _ int, hops float64) float64 {
		if hops < 0 {
			return float64(far + 1)
		}
		return hops
	}, d)
	return d
}

// pivotLayout returns the two main axes of the doubly centred squared distances d
// (pivots x nodes).
func pivotLayout(d *mat.Dense) []Position {
	k, n := d.Dims()
	c := mat.NewDense(k, n, nil)
	c.Apply(func(_, _ int, v float64) float64 { return -v * v / 2 }, d)
	for r := range k {
		center(c.RawRowView(r))
	}
	for j := range n {
		var sum float64
		for r := range k {
			sum += c.At(r, j)
		}
		for r := range k {
			c.Set(r, j, c.At(r, j)-sum/float64(k))
		}
	}
	var gram mat.SymDense
	gram.SymOuterK(1, c)
	var eig mat.EigenSym
	if !eig.Factorize(&gram, true) {
		panic("topologies: the dense eigensolver failed on a symmetric matrix")
	}
	var axes, projected mat.Dense
	eig.VectorsTo(&axes)
	projected.Mul(c.T(), axes.Slice(0, k, k-2, k))
	// A singular value s of c stands for s sqrt(n/k) of the full matrix, whose square
	// root is the axis's length in hops.
	var scale [2]float64
	for axis := range scale {
		if square := eig.Values(nil)[k-2+axis]; square > 0 {
			scale[axis] = math.Pow(float64(n)/float64(k)/square, 0.25)
		}
	}
	p := make([]Position, n)
	for i := range p {
		// Nodes that are equally far from every pivot would coincide: a spiral separates them.
		nudge := onRay(0.3*math.Sqrt(float64(i+1)/float64(n)), 0.381966*float64(i))
		p[i] = Position{scale[1]*projected.At(i, 1) + nudge.X, scale[0]*projected.At(i, 0) + nudge.Y}
	}
	return p
}

// majorize moves every node, sweep by sweep, to the mean of the positions that the others prefer: at distance
// d_ij from each, weighted by 1/d_ij². Every move lowers the stress sum_ij (|p_i - p_j| - d_ij)² / d_ij².
func majorize(p []Position, d *mat.Dense) []Position {
	for range stressSweeps {
		for i := range p {
			row := d.RawRowView(i)
			var x, y, total float64
			for j, q := range p {
				if j == i {
					continue
				}
				w := 1 / (row[j] * row[j])
				dx, dy := p[i].X-q.X, p[i].Y-q.Y
				stretch := row[j] / max(1e-9, math.Hypot(dx, dy))
				x += w * (q.X + stretch*dx)
				y += w * (q.Y + stretch*dy)
				total += w
			}
			p[i] = Position{x / total, y / total}
		}
	}
	return p
}

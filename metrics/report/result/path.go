package result

import "tallynet/metrics/list"

// Trajectory is the path of a run of one node in a plane: of y if it has two elements, of x if that has two, or of
// both if they have one each.
type Trajectory struct {
	X, Y           []float64
	XLabel, YLabel string
	OfY            bool // the plane is that of y
}

// PathOf returns the path of a run that kept its iterates. It has no labels if no plane fits.
func PathOf(r *Run) Trajectory {
	kept := iterates(r)
	if len(kept) == 0 || len(kept[0].X) != 1 || len(kept[0].Y) != 1 {
		return Trajectory{}
	}
	var path Trajectory
	var of func(x, y []float64) (horizontal, vertical float64)
	switch p, q := len(kept[0].X[0]), len(kept[0].Y[0]); {
	case p == 1 && q == 1:
		path.XLabel, path.YLabel = "x", "y"
		of = func(x, y []float64) (float64, float64) { return x[0], y[0] }
	case q == 2:
		path.XLabel, path.YLabel, path.OfY = "y₁", "y₂", true
		of = func(_, y []float64) (float64, float64) { return y[0], y[1] }
	case p == 2:
		path.XLabel, path.YLabel = "x₁", "x₂"
		of = func(x, _ []float64) (float64, float64) { return x[0], x[1] }
	default:
		return Trajectory{}
	}
	for _, at := range kept {
		h, v := of(at.X[0], at.Y[0])
		path.X, path.Y = append(path.X, h), append(path.Y, v)
	}
	return path
}

// iterates returns the iterates that a run kept, in its samples or, if it was read from result.json, in Trajectory.
func iterates(r *Run) []Iterate {
	if len(r.Trajectory) > 0 {
		return r.Trajectory
	}
	return list.Map(r.Samples, func(s Sample) Iterate { return Iterate{X: s.X, Y: s.Y} })
}

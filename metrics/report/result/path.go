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
	for _, at := range kept {
		x, y := at.X[0], at.Y[0]
		switch {
		case len(x) == 1 && len(y) == 1:
			path.XLabel, path.YLabel = "x", "y"
			path.add(x[0], y[0])
		case len(y) == 2:
			path.XLabel, path.YLabel, path.OfY = "y₁", "y₂", true
			path.add(y[0], y[1])
		case len(x) == 2:
			path.XLabel, path.YLabel = "x₁", "x₂"
			path.add(x[0], x[1])
		default:
			return Trajectory{}
		}
	}
	return path
}

func (t *Trajectory) add(x, y float64) { t.X, t.Y = append(t.X, x), append(t.Y, y) }

// iterates returns the iterates that a run kept, in its samples or, if it was read from result.json, in Trajectory.
func iterates(r *Run) []Iterate {
	if len(r.Trajectory) > 0 {
		return r.Trajectory
	}
	return list.Map(r.Samples, func(s Sample) Iterate { return Iterate{X: s.X, Y: s.Y} })
}

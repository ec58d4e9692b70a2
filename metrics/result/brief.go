package result

// A run of a large study is kept in two parts: what a table of all runs needs stays in
// memory, and its samples, iterates and ledgers stay where the run is stored.

// Brief returns the run without its samples, iterates and ledgers; Full gets them back
// from load again each time, so that memory does not grow with them.
func (r *Run) Brief(load func() (*Run, error)) Run {
	b := *r
	b.X, b.Y, b.Trajectory, b.Samples, b.Links, b.Nodes, b.Phases = nil, nil, nil, nil, nil, nil, nil
	b.PlatformLinks, b.Crossings = nil, nil
	b.Load = load
	return b
}

// Full returns the run with all its parts: itself, or what Load returns. It
// is not to be changed.
func (r *Run) Full() (*Run, error) {
	if r.Load == nil {
		return r, nil
	}
	return r.Load()
}

package metrics

import (
	"slices"

	"tallynet/sim"
)

// NodeReport is a node's report of iteration k: its iterates, and what it has spent so far. X, Y and Tallies
// are valid during the call only.
type NodeReport struct {
	Node      int
	Iteration int
	At        sim.Time
	X, Y      []float64
	Counters
}

// Snapshot is the state of a run at a recorded iteration k. It is complete once every node has reported k. It
// holds what each node had done by its report, and nothing that a node already ahead did later.
type Snapshot struct {
	Iteration int
	At        sim.Time // of the last report
	X, Y      [][]float64
	Counters  // of all nodes, see Counters.Add

	reports int
}

// Recorder collects the reports of all nodes into snapshots. Snapshots complete in order, and few are open at a
// time, since algorithms bound how far nodes drift apart.
type Recorder struct {
	nodes int
	every int
	last  int
	each  func(*Snapshot) bool
	open  []*Snapshot // by iteration, ascending
	done  *Snapshot   // the last one that each was called with
	free  []*Snapshot
	gone  []*NodeReport // the last reports of nodes that are gone
}

// NewRecorder returns a Recorder of the iterations that are multiples of every, and of the last one. It calls
// each with every complete snapshot; each may return false to end the run. A snapshot is valid until the next
// call has returned, so that the last one stays valid.
func NewRecorder(nodes, every, last int, each func(*Snapshot) bool) *Recorder {
	return &Recorder{nodes: nodes, every: max(1, every), last: last, each: each}
}

// Wants reports whether iteration k is recorded.
func (r *Recorder) Wants(k int) bool { return k%r.every == 0 || k == r.last }

// Report adds a node's report of a recorded iteration. It returns false if the run should end.
func (r *Recorder) Report(n *NodeReport) bool {
	r.add(n, n.Iteration)
	return r.complete()
}

// Gone says that a node reports nothing any more. Its last report completes all later snapshots. It returns
// false if the run should end.
func (r *Recorder) Gone(n *NodeReport) bool {
	kept := *n
	kept.X, kept.Y = slices.Clone(n.X), slices.Clone(n.Y)
	kept.Tallies = slices.Clone(n.Tallies)
	r.gone = append(r.gone, &kept)
	for _, s := range r.open {
		if s.Iteration > n.Iteration {
			r.add(&kept, s.Iteration)
		}
	}
	return r.complete()
}

// add adds a node's report to the snapshot of iteration k.
func (r *Recorder) add(n *NodeReport, k int) {
	s := r.find(k)
	s.X[n.Node] = append(s.X[n.Node][:0], n.X...)
	s.Y[n.Node] = append(s.Y[n.Node][:0], n.Y...)
	s.At = max(s.At, n.At)
	s.Counters.Add(&n.Counters)
	s.reports++
}

// complete hands on the complete snapshots.
func (r *Recorder) complete() bool {
	for len(r.open) > 0 && r.open[0].reports == r.nodes {
		s := r.open[0]
		r.open = append(r.open[:0], r.open[1:]...)
		more := r.each(s)
		if r.done != nil {
			r.free = append(r.free, r.done)
		}
		r.done = s
		if !more {
			return false
		}
	}
	return true
}

// find returns the open snapshot of iteration k, which may be new.
func (r *Recorder) find(k int) *Snapshot {
	i := len(r.open)
	for i > 0 && r.open[i-1].Iteration > k {
		i--
	}
	if i > 0 && r.open[i-1].Iteration == k {
		return r.open[i-1]
	}
	var s *Snapshot
	if n := len(r.free); n > 0 {
		s = r.free[n-1]
		r.free = r.free[:n-1]
		s.At, s.reports = 0, 0
		s.Counters = Counters{Tallies: s.Tallies[:0]}
	} else {
		s = &Snapshot{X: make([][]float64, r.nodes), Y: make([][]float64, r.nodes)}
	}
	s.Iteration = k
	r.open = slices.Insert(r.open, i, s)
	for _, n := range r.gone {
		if k > n.Iteration {
			r.add(n, k)
		}
	}
	return s
}

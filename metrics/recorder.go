package metrics

import "tallynet/sim"

// NodeReport is what a node's Report(k) says: its iterates, and everything that it
// has cost up to now.
type NodeReport struct {
	Node      int
	Iteration int
	At        sim.Time
	X, Y      []float64 // valid during the call only
	Tallies   []Tally   // by class, cumulative; valid during the call only
	Rounds    int64
	Oracle    OracleCounts
	Time      NodeTime
	Path      Path
}

// Snapshot is the state of a run at a recorded iteration k: it exists when every
// node has reported k, and holds what the nodes did up to their own reports. A node
// that is already ahead contributes nothing of what came later.
type Snapshot struct {
	Iteration int
	At        sim.Time // of the last report
	X, Y      [][]float64
	Tallies   []Tally
	Rounds    int64 // the most of any node
	Oracle    OracleCounts
	Compute   sim.Time // sum over nodes
	Wait      sim.Time // sum over nodes
	Path      Path     // of the node that reported last, the first such to report

	reports int
}

// Recorder gathers the reports of all nodes into snapshots. Snapshots complete in
// order; between the first and the last report of one only a few are open, since
// nodes drift apart no further than their algorithm lets them.
type Recorder struct {
	nodes int
	every int
	last  int
	each  func(*Snapshot) bool
	open  []*Snapshot // by iteration, ascending
	free  []*Snapshot
}

// NewRecorder records each iteration that is a multiple of every, and the last.
// It hands complete snapshots to each, which may return false to end the run; a
// snapshot is valid during that call only.
func NewRecorder(nodes, every, last int, each func(*Snapshot) bool) *Recorder {
	return &Recorder{nodes: nodes, every: max(1, every), last: last, each: each}
}

// Wants tells whether iteration k is recorded.
func (r *Recorder) Wants(k int) bool { return k%r.every == 0 || k == r.last }

// Report adds one node's report of a recorded iteration. It reports false if the
// run should end.
func (r *Recorder) Report(n *NodeReport) bool {
	s := r.find(n.Iteration)
	s.X[n.Node] = append(s.X[n.Node][:0], n.X...)
	s.Y[n.Node] = append(s.Y[n.Node][:0], n.Y...)
	for len(s.Tallies) < len(n.Tallies) {
		s.Tallies = append(s.Tallies, Tally{})
	}
	for c, t := range n.Tallies {
		s.Tallies[c].Broadcasts += t.Broadcasts
		s.Tallies[c].Messages += t.Messages
	}
	s.Rounds = max(s.Rounds, n.Rounds)
	s.Oracle = s.Oracle.Plus(n.Oracle)
	s.Compute += n.Time.Compute
	s.Wait += n.Time.Wait
	if s.reports == 0 || n.At > s.At {
		s.At, s.Path = n.At, n.Path
	}
	s.reports++
	for len(r.open) > 0 && r.open[0].reports == r.nodes {
		s := r.open[0]
		r.open = append(r.open[:0], r.open[1:]...)
		more := r.each(s)
		r.free = append(r.free, s)
		if !more {
			return false
		}
	}
	return true
}

// find returns the open snapshot of iteration k, or opens it.
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
		*s = Snapshot{X: s.X, Y: s.Y, Tallies: s.Tallies[:0]}
	} else {
		s = &Snapshot{X: make([][]float64, r.nodes), Y: make([][]float64, r.nodes)}
	}
	s.Iteration = k
	r.open = append(r.open, nil)
	copy(r.open[i+1:], r.open[i:])
	r.open[i] = s
	return s
}

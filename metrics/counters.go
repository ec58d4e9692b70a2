package metrics

import "tallynet/sim"

// Counters is what a node has spent since the run began. Every report of a node has all of it, and Add merges
// those of several nodes. A new counter is a field here, a line in Add and, in package node, the place that
// measures it.
type Counters struct {
	Compute sim.Time // Compute + Wait is the node's clock. Sending takes no time of the node,
	Wait    sim.Time // since the links are busy while the node computes or waits
	Waits   Waits    // Wait by cause
	Path    Path     // adds up to the node's clock, too
	Rounds  int64    // bundled exchanges
	Tallies []Tally  // messages sent, by ledger class
	Oracle  OracleCounts
	// With tariffs: the cost of the messages sent and, in a report, the additional
	// cost of computing.
	Links, Computing Bill
	Faults
	Stale
}

// Stale counts how old the values of neighbours were when a node mixed them.
type Stale struct {
	Mixed      int64    // number of values
	Age        sim.Time // total time since they were sent
	Counted    int64    // number of values whose iteration is known
	Iterations int64    // total iterations by which the node was ahead of these
}

// Mean returns the mean age of a value in seconds and in iterations; 0 if nothing was mixed.
func (s *Stale) Mean() (seconds, iterations float64) {
	if s.Mixed > 0 {
		seconds = s.Age.Seconds() / float64(s.Mixed)
	}
	if s.Counted > 0 {
		iterations = float64(s.Iterations) / float64(s.Counted)
	}
	return seconds, iterations
}

func (s *Stale) add(o *Stale) {
	s.Mixed = sum(s.Mixed, o.Mixed)
	s.Age = sim.Time(sum(int64(s.Age), int64(o.Age)))
	s.Counted = sum(s.Counted, o.Counted)
	s.Iterations = sum(s.Iterations, o.Iterations)
}

// Faults counts a node's messages that were lost or retransmitted.
type Faults struct {
	Retransmitted int64 // bytes, headers included
	LostMessages  int64 // messages that never arrive
	LostBytes     int64
}

func (f *Faults) add(o *Faults) {
	f.Retransmitted = sum(f.Retransmitted, o.Retransmitted)
	f.LostMessages = sum(f.LostMessages, o.LostMessages)
	f.LostBytes = sum(f.LostBytes, o.LostBytes)
}

// Add merges the counters of another node into c. It takes the maximum of the rounds, the longest critical path
// (the first of several equally long ones) and the sum of everything else.
func (c *Counters) Add(o *Counters) {
	c.Compute = sim.Time(sum(int64(c.Compute), int64(o.Compute)))
	c.Wait = sim.Time(sum(int64(c.Wait), int64(o.Wait)))
	c.Waits.add(&o.Waits)
	if o.Path.Total() > c.Path.Total() {
		c.Path = o.Path
	}
	c.Rounds = max(c.Rounds, o.Rounds)
	for len(c.Tallies) < len(o.Tallies) {
		c.Tallies = append(c.Tallies, Tally{})
	}
	for class, t := range o.Tallies {
		c.Tallies[class] = c.Tallies[class].plus(t)
	}
	c.Oracle = c.Oracle.Plus(o.Oracle)
	c.Links, c.Computing = c.Links.Plus(o.Links), c.Computing.Plus(o.Computing)
	c.Faults.add(&o.Faults)
	c.Stale.add(&o.Stale)
}

// Path splits the time of an event by how the chain of causes that led to it, the critical path, spent that
// time. A node's own work extends its path. When a node has waited for a message, its path is the sender's path
// plus the way of the message.
type Path struct {
	Compute  sim.Time // oracle calls and local algebra
	Transfer sim.Time // serializing, queueing behind other messages, jitter
	Latency  sim.Time // the links' latency
	Idle     sim.Time // waiting for a timer
}

// Total returns the sum, which equals the time of the event.
func (p Path) Total() sim.Time { return p.Compute + p.Transfer + p.Latency + p.Idle }

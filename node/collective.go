package node

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"

	"tallynet/channel"
)

// Collectives are exchanges that all nodes make together, along a ring or a tree in the graph. Each step counts
// as a round.

// plan is the ring and the tree of a network's collectives.
type plan struct {
	ring     []int // nodes, in order; nil if the graph is not a ring
	parent   []int // in the tree, -1 for its root, node 0
	children [][]int
}

// collective returns the plan of the network, and makes it when it is first needed.
func (n *Network) collective() *plan {
	if n.planned != nil {
		return n.planned
	}
	k := len(n.nodes)
	p := &plan{ring: n.ringOrder(), parent: slices.Repeat([]int{-1}, k), children: make([][]int, k)}
	seen := make([]bool, k)
	seen[0] = true
	for todo := []int{0}; len(todo) > 0; todo = todo[1:] { // breadth first, the lowest numbers first
		i := todo[0]
		for _, j := range n.nodes[i].neighbors {
			if !seen[j] {
				seen[j] = true
				p.parent[j] = i
				p.children[i] = append(p.children[i], j)
				todo = append(todo, j)
			}
		}
	}
	n.planned = p
	return p
}

// ringOrder follows the ring from node 0 to its lowest neighbour and on. It returns nil if the graph is not a
// ring. Two nodes are a ring.
func (n *Network) ringOrder() []int {
	k := len(n.nodes)
	order := []int{0}
	for before, at := -1, 0; ; {
		nb := n.nodes[at].neighbors
		if len(nb) != min(2, k-1) {
			return nil
		}
		next := nb[0]
		if next == before {
			next = nb[len(nb)-1]
		}
		if next == 0 {
			break
		}
		order = append(order, next)
		before, at = at, next
	}
	if len(order) < k {
		return nil
	}
	return order
}

// chunk returns chunk i of k equal chunks of v.
func chunk(v []float64, i, k int) []float64 { return v[i*len(v)/k : (i+1)*len(v)/k] }

// aroundRing passes chunks of v around the ring in n - 1 steps; put combines a chunk with the one received. It begins
// with the chunk of the node's own index, or so many ahead.
func (p *Proc) aroundRing(phase string, v []float64, ahead int, put func(dst, s []float64)) {
	p.sync()
	n := p.Nodes()
	plan := p.net.collective()
	if plan.ring == nil {
		p.Fail(fmt.Errorf("the collective goes around a ring, and the graph is none: write topology: {kind: ring, "+
			"nodes: %d}, or take the tree", n))
		return
	}
	at := slices.Index(plan.ring, p.id)
	next, before := plan.ring[(at+1)%n], plan.ring[(at+n-1)%n]
	for step := range n - 1 {
		p.Send(next, phase, channel.Vec(phase, chunk(v, (at-step+ahead+2*n)%n, n)))
		m := p.Receive(phase, before)
		put(chunk(v, (at-step-1+ahead+2*n)%n, n), m.Vec(0))
		p.stepped(len(m.Vec(0)))
	}
}

// stepped counts a step of a collective that received the given number of elements.
func (p *Proc) stepped(numbers int) {
	p.spent.Rounds++
	p.chargeRound()
	p.Work(float64(numbers))
}

// AllReduceRing sets v (d) to its sum over all nodes, around a ring: n - 1 steps add up chunks of d/n elements, so
// that the node at index i of the ring has the sum of chunk i + 1, and n - 1 steps pass the sums around. If all links
// have one latency and bandwidth and computing takes no time, it takes 2 (n - 1) (latency + (d/n) bytes / bandwidth).
//
// Source: Patarasuk, Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", Journal of
// Parallel and Distributed Computing 2009.
func (p *Proc) AllReduceRing(phase string, v []float64) {
	if p.Nodes() > 1 {
		p.aroundRing(phase, v, 0, floats.Add)
		p.aroundRing(phase, v, 1, func(dst, s []float64) { copy(dst, s) })
	}
}

// AllReduceTree sets v (d) to its sum over all nodes, along a breadth-first tree with root 0: sums go up and
// the total comes down, each as one message of d elements per edge. It counts two rounds. If all links have one
// latency and bandwidth and computing takes no time, it takes twice the depth of the tree times one message.
func (p *Proc) AllReduceTree(phase string, v []float64) {
	if p.Nodes() == 1 {
		return
	}
	p.sync()
	plan := p.net.collective()
	for _, j := range plan.children[p.id] {
		m := p.Receive(phase, j)
		floats.Add(v, m.Vec(0))
		p.Work(float64(len(v)))
	}
	p.stepped(0)
	if up := plan.parent[p.id]; up >= 0 {
		p.Send(up, phase, channel.Vec(phase, v))
		copy(v, p.Receive(phase, up).Vec(0))
	}
	p.stepped(0)
	for _, j := range plan.children[p.id] {
		p.Send(j, phase, channel.Vec(phase, v))
	}
}

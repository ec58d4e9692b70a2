package page

import (
	"fmt"
	"math"

	"tallynet/metrics/report/quantity"
	"tallynet/metrics/report/result"
)

// addDetail keeps the ledger of a group's first run that ended well, or of its first run if none did.
func (b *Builder) addDetail(g *group, r *result.Run) {
	good := r.Status.Ended()
	if len(r.Nodes) == 0 || g.detail != nil && (g.good || !good) {
		return
	}
	const words = 20 // of its title and keys, in numbers
	more, physical, crossed := b.moreOf(r), busiest(r, mostPhysical), 0
	size := words + 2*len(r.Links) + 3*len(r.Nodes) + 8*len(r.Phases) + len(physical)*words +
		perWiredLink*len(r.PlatformLinks)
	for _, c := range more {
		if len(c) > 0 && !c.constant() {
			size += len(c)
		}
	}
	if b.details-g.size+size > maxDetails {
		if g.detail == nil && len(g.runs) == 1 {
			b.left++
		}
		return
	}
	b.details += size - g.size
	for _, l := range r.PlatformLinks {
		if l.Messages > 0 {
			crossed++
		}
	}
	d := runDetail{Title: titleOf(r), Graph: -1, Count: len(r.Nodes), More: more, Physical: physical, Crossed: crossed,
		Wired: b.wired(r)}
	if len(r.Links) > 0 {
		b.addTraffic(&d, r)
	}
	for i := range r.Nodes {
		n := &r.Nodes[i]
		d.Nodes.Computing = append(d.Nodes.Computing, n.Compute.Seconds())
		d.Nodes.Sending = append(d.Nodes.Sending, n.Send.Seconds())
		d.Nodes.Waiting = append(d.Nodes.Waiting, n.Wait.Seconds())
	}
	for _, p := range r.Phases {
		shape := fmt.Sprintf("%d × %d", p.Rows, p.Cols)
		if p.Rows == 0 && p.Cols == 0 && p.Wire > 0 {
			shape = "several"
		}
		d.Phases = append(d.Phases, phaseRow{
			p.Phase, p.Part, p.Kind.String(), shape, p.Messages, p.Broadcast, p.Wire, p.Bytes,
		})
	}
	g.detail, g.good, g.size = &d, good, size
}

func titleOf(r *result.Run) string {
	title := fmt.Sprintf("Seed %d: %s after %s iterations and %s of simulated time",
		r.Seed, r.Status, quantity.Count(int64(r.Iterations)), quantity.Seconds(r.Totals.Time.Seconds()))
	if r.Reason != "" {
		title += ": " + r.Reason
	}
	return title + "."
}

// addTraffic derives the graph from the links of a run, with the traffic of each edge.
func (b *Builder) addTraffic(d *runDetail, r *result.Run) {
	var g drawnGraph
	nodes := len(r.Nodes)
	edges := map[[2]int]int{}
	for i := range r.Links {
		l := &r.Links[i]
		bytes := float64(l.Overhead + l.Retransmitted)
		for _, n := range l.Payload {
			bytes += float64(n)
		}
		ends := [2]int{min(l.From, l.To), max(l.From, l.To)}
		e, known := edges[ends]
		if !known {
			e = len(g.Edges)
			edges[ends] = e
			g.Edges = append(g.Edges, ends)
			for _, load := range []*linkLoad{&d.There, &d.Back} {
				load.Bytes, load.Busy = append(load.Bytes, math.NaN()), append(load.Busy, math.NaN())
			}
			nodes = max(nodes, ends[1]+1)
		}
		load := &d.There
		if l.From > l.To {
			load = &d.Back
		}
		load.Bytes[e], load.Busy[e] = bytes, l.Busy.Seconds()
	}
	var at []Position
	if b.options.Positions != nil {
		at = b.options.Positions(r)
	}
	if len(at) < nodes {
		at = circle(nodes)
	}
	for _, p := range at[:nodes] {
		g.X, g.Y = append(g.X, p.X), append(g.Y, p.Y)
	}
	d.Graph = b.graphs.add(g)
}

// circle puts n nodes on a circle, clockwise from the top.
func circle(n int) []Position {
	p := make([]Position, n)
	for i := range p {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		p[i] = Position{sin, -cos}
	}
	return p
}

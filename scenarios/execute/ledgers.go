package execute

import (
	"tallynet/metrics/report/result"
	"tallynet/node"
)

// linkRows returns what each directed link carried in the whole run.
func linkRows(n *node.Network) []result.LinkRow {
	l, f := n.Ledger(), n.Fabric()
	links := make([]result.LinkRow, f.Links())
	for i := range links {
		row := &links[i]
		row.From, row.To, row.Carried = int(f.Link(i).From), int(f.Link(i).To), l.OnLink(i)
		row.Busy = f.Busy(i, n.Clock())
	}
	return links
}

// nodeRows returns what each node did in the whole run.
func nodeRows(n *node.Network) []result.NodeRow {
	l, f := n.Ledger(), n.Fabric()
	nodes := make([]result.NodeRow, n.Nodes())
	for i := range nodes {
		o := n.Outcome(i)
		t := l.Traffic(o.Tallies)
		nodes[i] = result.NodeRow{Node: i, Compute: o.Compute, Wait: o.Wait, Rounds: o.Rounds,
			Messages: t.Messages, Payload: t.PayloadBytes(), Send: f.Sending(i, n.Clock()), Overhead: t.Overhead,
			Oracle: o.Oracle, Waits: o.Waits}
	}
	return nodes
}

// phaseRows returns the totals of each part of each phase's messages.
func phaseRows(n *node.Network) []result.PhaseRow {
	l := n.Ledger()
	sums := n.Total().Tallies
	var phases []result.PhaseRow
	for c, cl := range l.Classes() {
		for i, p := range cl.Parts {
			whole := l.PartSum(c, i, &sums[c])
			phases = addPhase(phases, result.PhaseRow{Phase: cl.Phase, Part: p.Name, Kind: p.Kind, Rows: p.Rows, Cols: p.Cols,
				Messages: sums[c].Messages, Broadcast: whole.Broadcast, Wire: whole.Wire, Bytes: whole.Bytes})
		}
	}
	return phases
}

// addPhase appends a row, or adds it to the row of the same part if messages of two classes hold that part.
func addPhase(rows []result.PhaseRow, p result.PhaseRow) []result.PhaseRow {
	for i := range rows {
		r := &rows[i]
		if r.Phase == p.Phase && r.Part == p.Part && r.Kind == p.Kind && r.Rows == p.Rows && r.Cols == p.Cols {
			r.Messages += p.Messages
			r.Broadcast += p.Broadcast
			r.Wire += p.Wire
			r.Bytes += p.Bytes
			return rows
		}
	}
	return append(rows, p)
}

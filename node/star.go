package node

import (
	"fmt"

	"gonum.org/v1/gonum/floats"

	"tallynet/channel"
)

// Role is a node's role in its network. A method for a star with a server has one program for the server and
// another for the clients.
type Role uint8

// The roles of nodes.
const (
	Peer   Role = iota // holds data, like all other nodes
	Server             // is the centre of a star and holds no data
	Client             // holds data; its only neighbour is the server
)

var roleNames = [...]string{"peer", "server", "client"}

func (r Role) String() string { return roleNames[r] }

// Drawn begins an outer iteration of a method for a server and clients, and reports whether the node takes part in it.
// Without client sampling every node does, and state is not read. With it, the server sends the state, which is all
// that a client needs to know, to the clients that are drawn for the iteration, whose Dst become the server's Src.
// The others have nothing to do but to report. A download is never compressed, and is no round of its own.
func (p *Proc) Drawn(state ...Mixed) bool {
	if !p.net.cfg.Drawn {
		return true
	}
	p.sync()
	p.releaseHeld()
	p.iteration++
	p.nextRound()
	for i := range p.occurred { // clients that were not drawn have counted less
		p.occurred[i].exchanges = 0
	}
	p.pack(state)
	ph := p.net.phase("download")
	if p.role == Server {
		p.sendMode.whole = true
		p.net.send(p.Context, ph, p.iteration, true, p.round.out, p.parts)
		p.sendMode.whole = false
		return true
	}
	if len(p.round.In) == 0 {
		return false
	}
	p.collect(ph, p.iteration, 0)
	got := p.hold()
	p.checkParts(got)
	for i, o := range state {
		copy(o.Dst, got[0].Parts[i].Data)
	}
	p.releaseHeld()
	return true
}

// Share returns to a server the share of the clients that are drawn for the iteration. It returns 1 without client
// sampling, and to clients.
func (p *Proc) Share() float64 {
	if !p.net.cfg.Drawn || p.role != Server {
		return 1
	}
	return float64(len(p.round.In)) / float64(len(p.neighbors))
}

// Closing says that the next Average or AverageSent is the last of the outer iteration. If clients are drawn, the
// server does not answer it, since those that are drawn next download its state; a client's Dst becomes what it sent.
func (p *Proc) Closing() {
	if p.net.cfg.Drawn {
		p.sync()
		p.record(step{kind: closingStep})
		p.closing = true
	}
}

// Average sets every Dst to the mean of the clients' Src, on a star with a server: each client sends its
// objects to the server, which averages them and sends the means back. All nodes call it with objects of the
// same shapes; the server's Src is not read. It is one round, and charges the server 2 FLOPs per received
// element.
//
// Unless Silence is Wait, the mean is over the clients whose messages came in time, and a client without an
// answer keeps its Src. With Last, the last messages of clients and server replace missing ones.
func (p *Proc) Average(phase string, m ...Mixed) { p.average(phase, m, nil) }

// AverageSent is Average for methods that keep a memory of their own. If the network compresses, clients
// compress without memory, and a client's Own becomes what the server decodes from its Src. The server's Own is
// not used. Silence must be Wait.
func (p *Proc) AverageSent(phase string, m ...Sent) {
	p.sendMode.plain = true
	p.average(phase, p.withoutOwn(m), m)
	p.sendMode.plain = false
}

// average is Average and, unless sent is nil, AverageSent.
func (p *Proc) average(phase string, m []Mixed, sent []Sent) {
	switch p.role {
	case Client:
		p.pack(m)
		got := p.exchange(phase, p.parts, clientPatience*p.net.cfg.Silence.After, sent != nil)
		p.checkParts(got)
		answer := p.parts // without one, the client keeps its values, or those that it sent
		if sent != nil {
			answer = p.own.Parts
		}
		for i, o := range sent {
			copy(o.Own, answer[i].Data)
		}
		if len(got) > 0 {
			answer = got[0].Parts
		}
		for i, o := range m {
			copy(o.Dst, answer[i].Data)
		}
	case Server:
		p.serve(phase, m)
	default:
		panic(fmt.Sprintf("node: node %d averages: want a server or a client, got a %v", p.id, p.role))
	}
	p.releaseHeld()
}

// serve is the server's part of an average.
func (p *Proc) serve(phase string, m []Mixed) {
	p.sync()
	p.releaseHeld()
	p.parts = p.parts[:0]
	p.nextRound()
	ph, n := p.beginRound(phase)
	p.collect(ph, n, p.net.cfg.Silence.After)
	p.chargeRound()
	for _, o := range m {
		p.parts = append(p.parts, o.part(o.Dst))
	}
	if p.net.cfg.Silence.Kind == Last {
		p.fill(p.net.class(ph, p.parts, p.net.cfg.Compress != nil))
	}
	got := p.hold()
	p.checkParts(got)
	p.mean(m, got)
	p.net.send(p.Context, ph, n, true, p.receivers(), p.parts)
}

// mean sets every Dst to the mean of the received values, added in the order of the senders.
func (p *Proc) mean(m []Mixed, got []*channel.Message) {
	if len(got) == 0 {
		return // no message came: Dst stays unchanged
	}
	share := 1 / float64(len(got))
	size := 0
	for i, o := range m {
		clear(o.Dst)
		for _, msg := range got {
			floats.AddScaled(o.Dst, share, msg.Parts[i].Data)
		}
		size += len(o.Dst)
	}
	p.Work(float64(2 * int64(size) * int64(len(got))))
}

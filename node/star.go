package node

import (
	"fmt"

	"gonum.org/v1/gonum/floats"

	"tallynet/channel"
)

// Role is what a node is in its network. A method for a star with a server has one program for
// the server and another for the clients.
type Role uint8

// The roles of nodes.
const (
	Peer   Role = iota // holds data, and is like all others
	Server             // holds no data, and is the centre of a star
	Client             // holds data, and its only neighbour is the server
)

var roleNames = [...]string{"peer", "server", "client"}

func (r Role) String() string { return roleNames[r] }

// Average sets every Dst to the mean of the clients' Src, on a star with a server: each client
// sends its objects up, the server averages them and sends the means down. All nodes call it,
// with objects of the same shapes; the Src of the server is not read. It is one round, and
// charges the server 2 FLOPs per received number. Where silence is not waited for, the mean is over
// those clients that were heard, and a client that does not hear the server keeps its Src. With Last, what a
// client or the server last sent stands for it.
func (p *Proc) Average(phase string, m ...Mixed) {
	switch p.role {
	case Client:
		p.parts = p.parts[:0]
		for _, o := range m {
			p.parts = append(p.parts, o.part(o.Src))
		}
		got := p.exchange(phase, p.parts, clientPatience*p.net.cfg.Silence.After, false)
		if len(got) == 0 { // the server is silent: the client goes on with what it has
			for _, o := range m {
				copy(o.Dst, o.Src)
			}
			break
		}
		p.checkParts(got[0], p.parts)
		for i, o := range m {
			copy(o.Dst, got[0].Parts[i].Data)
		}
	case Server:
		p.serve(phase, m)
	default:
		panic(fmt.Sprintf("node: node %d averages: want a server or a client, got a %v", p.id, p.role))
	}
	p.releaseHeld()
}

// AverageSent is Average for methods that keep a memory of their own: clients compress without memory where
// the network compresses, and the Own of a client becomes what the server gets of its Src. The server's Own
// is not used. Silence must be waited for.
func (p *Proc) AverageSent(phase string, m ...Sent) {
	switch p.role {
	case Client:
		p.sentParts(m)
		got := p.exchangePlain(phase, 0)
		p.checkParts(got[0], p.parts)
		for i, o := range m {
			copy(o.Own, p.own.Parts[i].Data)
			copy(o.Dst, got[0].Parts[i].Data)
		}
	case Server:
		means := p.keeps().means[:0]
		for _, o := range m {
			means = append(means, o.Mixed)
		}
		p.kept.means = means
		p.squeezed.plain = true
		p.serve(phase, means)
		p.squeezed.plain = false
	default:
		panic(fmt.Sprintf("node: node %d averages: want a server or a client, got a %v", p.id, p.role))
	}
	p.releaseHeld()
}

// serve is the server's side of an average.
func (p *Proc) serve(phase string, m []Mixed) {
	p.sync()
	p.releaseHeld()
	p.parts = p.parts[:0]
	ph, n := p.beginRound(phase)
	p.nextTurn()
	p.collect(ph, n, p.net.cfg.Silence.After)
	p.compute(p.machine().Round)
	for _, o := range m {
		p.parts = append(p.parts, o.part(o.Dst))
	}
	if p.net.cfg.Silence.Kind == Last {
		p.fill(p.net.class(ph, p.parts, p.net.cfg.Compress != nil))
	}
	got := p.hold()
	for _, msg := range got {
		p.checkParts(msg, p.parts)
	}
	p.mean(m, got)
	p.net.send(p.Context, ph, n, true, 0, len(p.neighbors), nil, p.parts)
}

// mean sets every Dst to the mean of what was received, added in the order of the senders.
func (p *Proc) mean(m []Mixed, got []*channel.Message) {
	if len(got) == 0 {
		return // nobody was heard: what it has stands
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

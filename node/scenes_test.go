package node

import (
	"slices"

	"tallynet/channel"
	"tallynet/sim"
)

// scene is a small network with its programs.
type scene struct {
	name    string
	about   string // the head of the transcript: its subject, and its times by hand
	cfg     Config
	program func(p speaker)
	handler func(id int) script // instead of program
	samples int                 // the run ends with this sample; 0: no recorder
	until   sim.Time
}

func scenes() []scene {
	return slices.Concat(exchangeScenes(), linkScenes(), handlerScenes(), endScenes())
}

func exchangeScenes() []scene {
	return []scene{{
		name: "ring",
		about: `
			A ring of 4 whose links take 1, 2, 3 or 4 ms, by sender. A node waits for nobody but its neighbours.
			Round 0: nodes 0 and 2 hear from 1 (2 ms) and 3 (4 ms), by 4 ms; nodes 1 and 3 from 0 (1 ms) and 2 (3
			ms), by 3 ms.
			Round 1: nodes 0 and 2 hear from 3 at 3 + 4 = 7 ms, nodes 1 and 3 from 2 at 4 + 3 = 7 ms.`,
		cfg: Config{Peers: ringPeers(4), Link: delays(ms, 2*ms, 3*ms, 4*ms)},
		program: func(p speaker) {
			for range 2 {
				p.Exchange("x", 1)
			}
		},
	}, {
		name: "star",
		about: `
			A server averages 1000 numbers of 3 clients: 8000 bytes take 64 us at 1 Gbit/s, and 1 ms of latency. They
			arrive at 1.064 ms. 3 x 1000 additions of 2 FLOPs take 6 us at 1 GFLOP/s. The mean is back at 1.07 +
			1.064 = 2.134 ms.`,
		cfg: Config{
			Peers: star(4), Roles: []Role{Server, Client, Client, Client}, Link: lan, Machines: []Machine{gflops},
		},
		program: func(p speaker) { p.Average("mean", 1000) },
	}, {
		name: "straggler",
		about: `
			Both nodes work for 1 ms and exchange over 1 ms of latency; node 1 takes 3 times as long to work.
			Round 0: node 1 is ready at 3 ms, when the message of 0 has been there since 2 ms. Its own arrives at 4
			ms.
			Round 1: node 0 sends at 5 ms. That arrives at 6 ms, when node 1 is ready: it never waits. Node 0 waits
			until 7 ms.`,
		cfg: Config{
			Peers: chain(2), Link: delays(ms, ms),
			Machines: []Machine{gflops, {FlopsPerSecond: 1e9, Straggler: Straggler{Kind: Constant, Factor: 3}}},
		},
		program: func(p speaker) {
			for range 2 {
				p.Work(1e6)
				p.Exchange("x", 1)
			}
		},
	}, {
		name: "deadline",
		about: `
			The centre gives its neighbours 2 ms a round. The messages of node 1 take 1 ms, those of node 2 exactly 2
			ms, which is in time, and those of node 3 5 ms: they come in later rounds and are dropped. The last
			exchange has no deadline. Node 3 sends its part of it at 5 ms, so that the centre has it at 10 ms.`,
		cfg: Config{Peers: star(4), Link: delays(ms, ms, 2*ms, 5*ms)},
		program: func(p speaker) {
			for range 3 {
				p.ExchangeWithin(2*ms, "x", 1)
			}
			p.Exchange("x", 1)
		},
	}, {
		name: "receive",
		about: `
			Node 0 computes until 3 ms, while messages arrive from 2 at 1 ms and from 1 at 2 ms. At 3 ms it takes
			both, in order of arrival. Then it waits for node 3 until 9 ms, although the second message of 2, sent at
			5 ms, is there at 6 ms.`,
		cfg: Config{Peers: star(4), Link: delays(ms, 2*ms, ms, 9*ms), Machines: []Machine{gflops}},
		program: func(p speaker) {
			if p.ID() == 0 {
				p.Work(3e6)
				p.Receive("x")
				p.Receive("x")
				p.Receive("x", 3)
				p.Receive("x")
				return
			}
			p.Send(0, "x", vector(1))
			if p.ID() == 2 {
				p.Sleep(5 * ms)
				p.Send(0, "x", vector(1))
			}
		},
	}}
}

func linkScenes() []scene {
	return []scene{{
		name: "queue",
		about: `
			Three messages at once, and one 5 ms later, on a link of 1 Gbit/s and 1 ms. 8000 bytes take 64 us. They
			queue for the 64 us, not for the latency: 1.064, 1.128, 1.192 ms. The late one finds the link free: 6.064
			ms.`,
		cfg: Config{Peers: chain(2), Link: lan},
		program: func(p speaker) {
			if p.ID() == 1 {
				for range 4 {
					p.Receive("x")
				}
				return
			}
			for range 3 {
				p.Send(1, "x", vector(1000))
			}
			p.Sleep(5 * ms)
			p.Send(1, "x", vector(1000))
		},
	}, {
		name: "headers",
		about: `
			1000 numbers as float32 are 4000 bytes. With 40 bytes of message header they need 3 packets of 1500, of
			66 bytes each. 4000 + 40 + 3 x 66 = 4238 bytes, which take 33.904 us at 1 Gbit/s, after 1 ms of latency.`,
		cfg: Config{
			Peers: chain(2), Link: lan, Codec: channel.Float32,
			Overhead: channel.Overhead{PerMessage: 40, PerPacket: 66, MTU: 1500},
		},
		program: func(p speaker) { p.Exchange("x", 1000) },
	}, {
		name: "nic",
		about: `
			Everybody exchanges 8000 bytes on a star of 4, over interfaces of 1 Gbit/s and links of 1 ms: 64 us for
			each message. The first bits arrive at 1 ms. The centre's three messages share its uplink, and those of the
			leaves share its downlink: all are there at 1.192 ms.`,
		cfg: Config{
			Peers: star(4), Link: same(ms, channel.Unlimited),
			NICs: []channel.NIC{{UpBitsPerSecond: 1e9, DownBitsPerSecond: 1e9}},
		},
		program: func(p speaker) { p.Exchange("x", 1000) },
	}, {
		name: "racks",
		about: `
			Nodes 0 and 1 in one rack, 2 and 3 in another, with a link of 1 Gbit/s and 1 ms each and a half-duplex one
			of 1 Gbit/s between the racks. Around the ring 0-1-2-3 go 8000 bytes, 64 us alone. The four messages
			between the racks share its link for 256 us. The others share the nodes' links with them while they have a
			quarter: three quarters for 64,000 bits are 85.333 us. Nodes then go on at once with 4000 bytes.`,
		cfg: Config{Peers: peers(4, [2]int{0, 1}, [2]int{1, 2}, [2]int{2, 3}, [2]int{0, 3}),
			Link:     same(ms, channel.Unlimited),
			Platform: &twoRacks},
		program: func(p speaker) {
			p.Exchange("x", 1000)
			p.Exchange("x", 500)
		},
	}, {
		name: "shared_deadline",
		about: `
			Node 0 waits for 1.128 ms, which is just what two messages of 8000 bytes take that share its downlink. One
			that arrives at the moment of a deadline is in time.`,
		cfg: Config{
			Peers: star(3), Link: same(ms, channel.Unlimited), NICs: []channel.NIC{{UpBitsPerSecond: 1e9,
				DownBitsPerSecond: 1e9}},
		},
		program: func(p speaker) { p.ExchangeWithin(1128*us, "x", 1000) },
	}, {
		name:  "shared_until",
		about: `The run ends at 1.1 ms, when both messages of node 0 are on its uplink, from 1 to 1.128 ms.`,
		until: 1100 * us,
		cfg: Config{
			Peers: star(3), Link: same(ms, channel.Unlimited), NICs: []channel.NIC{{UpBitsPerSecond: 1e9,
				DownBitsPerSecond: 1e9}},
		},
		program: func(p speaker) { p.Exchange("x", 1000) },
	}, {
		name: "jitter",
		about: `
			A message every 0.5 ms, with 1 ms of latency and 0 to 2 ms of jitter: sent at t, it arrives between t + 1
			and t + 3 ms. None overtakes another: one that is luckier than the one ahead of it arrives at the same
			moment.`,
		cfg: Config{
			Seed: 2, Peers: chain(2), Link: delays(ms, ms), Jitter: channel.Jitter{Kind: channel.Uniform, Mean: ms},
		},
		program: func(p speaker) {
			for range 6 {
				if p.ID() == 0 {
					p.Send(1, "x", vector(1))
					p.Sleep(ms / 2)
				} else {
					p.Receive("x")
				}
			}
		},
	}}
}

func handlerScenes() []scene {
	busy := func(c *Context) { c.Work(10e6) }
	return []scene{{
		name: "ties",
		about: `
			At 1 ms two messages reach the middle of a path, and its timers 2 and 1, set in this order, run out.
			Messages come first, by sender, then timers, in the order in which they were set.`,
		cfg: Config{Peers: chain(3), Link: delays(ms, ms, ms)},
		handler: func(id int) script {
			if id == 1 {
				return script{start: func(c *Context) { c.After(ms, 2); c.After(ms, 1); c.After(0, 0) }}
			}
			return script{start: func(c *Context) { c.Broadcast("x", one(1)) }}
		},
	}, {
		name: "busy",
		about: `
			Messages reach node 0 from 3, 2, 1 and 4 at 1, 2, 3 and 70 ms, and a timer runs out at 2 ms. Each takes
			10 ms to handle. What comes while it is busy waits, in event order: at 2 ms the message is before the
			timer. So it handles 3 at 1 ms, 2 at 11 ms, the timer at 21 ms and 1 at 31 ms, and is free from 41 to 70
			ms.`,
		cfg: Config{Peers: star(5), Link: delays(0, 3*ms, 2*ms, ms, 70*ms), Machines: []Machine{gflops}},
		handler: func(id int) script {
			if id > 0 {
				return script{start: func(c *Context) { c.Send(0, "x", one(1)) }}
			}
			return script{
				start:   func(c *Context) { c.After(2*ms, 7) },
				receive: func(c *Context, _ *channel.Message) { busy(c) },
				wake:    func(c *Context, _ int) { busy(c) },
			}
		},
	}, {
		name: "free",
		about: `
			Node 2 is busy from 1 to 11 ms. A message from 1 has been there since 5 ms, when at 11 ms one arrives
			from 0. The one that has waited goes first, although the other comes from a lower node.`,
		cfg: Config{
			Peers: peers(3, [2]int{0, 2}, [2]int{1, 2}), Link: delays(11*ms, 5*ms, 0), Machines: []Machine{gflops},
		},
		handler: func(id int) script {
			if id < 2 {
				return script{start: func(c *Context) { c.Broadcast("x", one(1)) }}
			}
			return script{
				start:   func(c *Context) { c.After(ms, 0) },
				receive: func(c *Context, _ *channel.Message) { busy(c) },
				wake:    func(c *Context, _ int) { busy(c) },
			}
		},
	}}
}

func endScenes() []scene {
	rounds := func(p speaker) {
		for k := 0; ; k++ {
			p.Report(k)
			p.Exchange("x", 1)
		}
	}
	return []scene{{
		name: "stall",
		about: `
			After one exchange of 1 ms, node 1 waits for a message that nobody sends, node 2 is done, and node 0
			waits for both. Nothing can happen any more: the error says who waits for whom, and since when.`,
		cfg: Config{Peers: star(3), Link: delays(ms, ms, ms)},
		program: func(p speaker) {
			p.Exchange("x", 1)
			switch p.ID() {
			case 0:
				p.Exchange("x", 1)
			case 1:
				p.Receive("y", 0)
			}
		},
	}, {
		name: "enough",
		about: `
			The recorder wants no more than sample 2. On a path of 3, the messages of node 2 take 5 ms, the others 1
			ms.
			Round 0: nodes 0 and 2 have it at 1 ms and go on; node 1 at 5 ms, when it hears from 2, and sample 1 is
			complete.
			Round 1: node 2 sent its part at 1 ms, which arrives at 6 ms, and so does node 1's: sample 2 is complete
			at 6 ms. Node 2 reports last, and the run ends before it sends again.`,
		cfg:     Config{Peers: chain(3), Link: delays(ms, ms, 5*ms)},
		program: rounds,
		samples: 2,
	}, {
		name:    "until",
		about:   `The run is over at 2.5 ms, with the messages of round 2 in flight: they would arrive at 3 ms.`,
		cfg:     Config{Peers: chain(2), Link: delays(ms, ms)},
		program: rounds,
		until:   2*ms + ms/2,
	}}
}

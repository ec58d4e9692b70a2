package channel

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tallynet/sim"
	"tallynet/sim/golden"
)

// flow is a message on a link.
type flow struct {
	link           int
	ready          sim.Time
	bytes          int64
	message        int32    // shared by the receivers of one broadcast
	first, arrives sim.Time // earliest start of its bits, and its end
}

// transfer returns a flow as a fabric sees it.
func (x *flow) transfer(number int) Transfer {
	ref := x.message
	if ref == 0 {
		ref = int32(1000 + number)
	}
	return Transfer{Link: int32(x.link), Bytes: x.bytes, Seq: uint64(number), Ref: ref}
}

// play sends flows, each link's in order of time, and runs them to their ends. It inspects
// each instant when it is settled.
func play(f Fabric, flows []flow, look ...func(t sim.Time)) []flow {
	type start struct {
		at sim.Time
		x  Transfer
	}
	var due []start
	for i := range flows {
		x := &flows[i]
		at, known := f.Send(x.ready, x.transfer(i))
		if x.first = at; known {
			x.arrives = at
		} else {
			due = append(due, start{at, x.transfer(i)})
		}
	}
	slices.SortStableFunc(due, func(a, b start) int { return cmp.Compare(a.at, b.at) })
	next := sim.Never
	for len(due) > 0 || next != sim.Never {
		t := next
		if len(due) > 0 {
			t = min(t, due[0].at)
		}
		for _, x := range f.Finish(t, nil) {
			flows[x.Seq].arrives = t
		}
		for ; len(due) > 0 && due[0].at == t; due = due[1:] {
			if f.Start(t, due[0].x) {
				flows[due[0].x.Seq].arrives = t
			}
		}
		next = f.Settle(t)
		for _, l := range look {
			l(t)
		}
	}
	return flows
}

// shared reports whether f is a Shared fabric.
func shared(f Fabric) bool {
	_, ok := f.(*Shared)
	return ok
}

// transcript lists what happened to flows, by time.
func transcript(f Fabric, about string, flows []flow) string {
	type line struct {
		at   sim.Time
		text string
	}
	var lines []line
	for i, x := range flows {
		l := f.Link(x.link)
		say := func(at sim.Time, what string) {
			lines = append(lines, line{at, fmt.Sprintf("message %d, %d to %d, %s", i, l.From, l.To, what)})
		}
		say(x.ready, fmt.Sprintf("is ready: %d bytes", x.bytes))
		if shared(f) {
			say(x.first, "may flow")
		}
		say(x.arrives, "has arrived")
	}
	slices.SortStableFunc(lines, func(a, b line) int { return cmp.Compare(a.at, b.at) })
	var b strings.Builder
	for about := range strings.Lines(strings.TrimSpace(about)) {
		fmt.Fprintf(&b, "# %s\n", strings.TrimSpace(about))
	}
	for _, l := range lines {
		fmt.Fprintf(&b, "%12v  %s\n", l.at, l.text)
	}
	return b.String()
}

// over returns connections over physical links, without latency; connection i is from node 2i to
// node 2i + 1.
func over(links []PhysicalLink, routes [][]int) FabricConfig {
	c := FabricConfig{Nodes: 2 * len(routes)}
	for i := range routes {
		c.Links = append(c.Links, Link{int32(2 * i), int32(2*i + 1), 0, Unlimited})
	}
	c.Platform = &Platform{Links: links, Route: func(from, _ int) ([]int, error) { return routes[from/2], nil }}
	return c
}

// TestTranscripts compares what links do to messages with golden files. 8000 bytes take 64 us
// at 1 Gbit/s; the times in a scene's description are calculated by hand.
func TestTranscripts(t *testing.T) {
	const inf = Unlimited
	for _, c := range []struct {
		name, about string
		config      FabricConfig
		flows       []flow
	}{{
		name: "queue",
		about: `
			Two messages at once on a link of 1 Gbit/s and 1 ms, and a third at 100 us, when the link is taken until
			128 us: 1.064, 1.128 and 1.192 ms. They queue for their 64 us each, not for the latency. The opposite
			direction is a link of its own, and at 5 ms everything is idle again. Half a message takes half as long.`,
		config: FabricConfig{Nodes: 2, Links: []Link{{0, 1, ms, 1e9}, {1, 0, ms, 1e9}}},
		flows: []flow{
			{link: 0, bytes: 8000}, {link: 0, bytes: 8000}, {link: 1, bytes: 8000},
			{link: 0, ready: 100 * us, bytes: 8000},
			{link: 0, ready: 5 * ms, bytes: 8000}, {link: 0, ready: 10 * ms, bytes: 4000},
		},
	}, {
		name: "pipeline",
		about: `
			Latency pipelines: a message each 64 us on a link of 1 Gbit/s and 10 ms keeps the link busy, and each takes
			10.064 ms.`,
		config: FabricConfig{Nodes: 2, Links: []Link{{0, 1, 10 * ms, 1e9}}},
		flows:  []flow{{bytes: 8000}, {ready: 64 * us, bytes: 8000}, {ready: 128 * us, bytes: 8000}},
	}, {
		name: "uplink",
		about: `
			An uplink of 1 Gbit/s feeds two fast links of 1 ms. It is shared, and both take the 128 us that 16,000 bytes
			need.`,
		config: FabricConfig{Nodes: 3, Links: []Link{{0, 1, ms, inf}, {0, 2, ms, inf}}, NICs: []NIC{{1e9, inf}}},
		flows:  []flow{{link: 0, bytes: 8000}, {link: 1, bytes: 8000}},
	}, {
		name:   "downlink",
		about:  `Two fast links of 1 ms feed one downlink of 1 Gbit/s: 128 us for both.`,
		config: FabricConfig{Nodes: 3, Links: []Link{{1, 0, ms, inf}, {2, 0, ms, inf}}, NICs: []NIC{{inf, 1e9}}},
		flows:  []flow{{link: 0, bytes: 8000}, {link: 1, bytes: 8000}},
	}, {
		name: "slow_and_fast",
		about: `
			A link of 100 Mbit/s, 640 us for its message, and a fast one feed a downlink of 1 Gbit/s. The fast one gets
			the 900 Mbit/s that the slow one leaves: 64,000 / 900e6 s are 71.111 us.`,
		config: FabricConfig{Nodes: 3, Links: []Link{{1, 0, ms, 1e8}, {2, 0, ms, inf}}, NICs: []NIC{{inf, 1e9}}},
		flows:  []flow{{link: 0, bytes: 8000}, {link: 1, bytes: 8000}},
	}, {
		name: "late",
		about: `
			8 MB over a line of 500 Mbit/s without latency, and 8 MB over an unlimited line of 64 ms, both sent at 0 to
			a host with a downlink of 1 Gbit/s. By 64 ms half of the first is through. Then both have 500 Mbit/s, until
			the first ends at 128 ms. Half of the second is left, and takes 32 ms alone: 160 ms.`,
		config: FabricConfig{
			Nodes: 3, Links: []Link{{1, 0, 0, 5e8}, {2, 0, 64 * ms, inf}}, NICs: []NIC{{inf, 1e9}},
		},
		flows: []flow{{link: 0, bytes: 8e6}, {link: 1, bytes: 8e6}},
	}, {
		name: "interfaces",
		about: `
			Node 0 has an uplink of 1 Gbit/s and a downlink of 2 Gbit/s, and node 1 is fast: 64 us one way, 32 us the
			other.`,
		config: FabricConfig{
			Nodes: 2, Links: []Link{{0, 1, ms, inf}, {1, 0, ms, inf}}, NICs: []NIC{{1e9, 2e9}, {inf, inf}},
		},
		flows: []flow{{link: 0, bytes: 8000}, {link: 1, bytes: 8000}},
	}, {
		name: "order",
		about: `
			A message of 80,000 bytes, 6.4 ms on a link of 100 Mbit/s, and a short one of 8 bytes behind it, 640 ns on
			the same link, which never overtakes it: 7.4 ms and 7.40064 ms.`,
		config: FabricConfig{Nodes: 2, Links: []Link{{0, 1, ms, 1e8}}, NICs: []NIC{{1e9, 1e9}}},
		flows:  []flow{{bytes: 80_000}, {bytes: 8}},
	}, {
		name: "no_drift",
		about: `
			Messages of 13 bytes at 128 Mbit/s take 812.5 ns each. They end at the half-up multiples of that: none loses
			the half nanosecond of the one before it.`,
		config: FabricConfig{Nodes: 2, Links: []Link{{0, 1, 0, inf}}, NICs: []NIC{{128e6, inf}}},
		flows:  []flow{{bytes: 13}, {bytes: 13}, {bytes: 13}, {bytes: 13}, {bytes: 13}},
	}, {
		name: "parking_lot",
		about: `
			Links 0 and 1 of 1 Gbit/s in a row. One connection crosses both, and one each of them alone, 8000 bytes
			each: half a link for each, so that all end at 128 us. The one that comes at 64 us on link 0 makes three of
			them there: 32,000 bits are left of the first two, at 1/3 Gbit/s. The lone one on link 1 has the rest of
			it, 2/3 Gbit/s, and ends at 112 us. The two on link 0 end at 160 us, and the last has 32,000 bits left: 192 us.`,
		config: over([]PhysicalLink{{"0", 1e9, false}, {"1", 1e9, false}}, [][]int{{0, 1}, {0}, {1}, {0}}),
		flows: []flow{
			{link: 0, bytes: 8000}, {link: 1, bytes: 8000}, {link: 2, bytes: 8000}, {link: 3, ready: 64 * us, bytes: 8000},
		},
	}, {
		name: "half_duplex",
		about: `
			One link of 1 Gbit/s for both directions: two messages of 8000 bytes against each other take 128 us, not 64.`,
		config: over([]PhysicalLink{{"cable", 1e9, false}}, [][]int{{0}, {0}}),
		flows:  []flow{{link: 0, bytes: 8000}, {link: 1, bytes: 8000}},
	}, {
		name: "medium",
		about: `
			Node 0 has three neighbours on a broadcast medium of 10 Mbit/s, and node 1 has node 0. A message of node 0 to
			all of them is one transmission: 6.4 ms, and 12.8 ms while node 1 also sends 8000 bytes. A second message,
			to one of them, follows the first: 6.4 ms more.`,
		config: FabricConfig{
			Nodes: 4, Links: []Link{{0, 1, 0, inf}, {0, 2, 0, inf}, {0, 3, 0, inf}, {1, 0, 0, inf}},
			Platform: &Platform{
				Links: []PhysicalLink{{"air", 1e7, true}},
				Route: func(int, int) ([]int, error) { return []int{0}, nil },
			},
		},
		flows: []flow{
			{link: 0, message: 1, bytes: 8000}, {link: 1, message: 1, bytes: 8000}, {link: 2, message: 1, bytes: 8000},
			{link: 3, bytes: 8000}, {link: 1, bytes: 8000},
		},
	}, {
		name: "window",
		about: `
			A window of 125,000 bytes, a million bits, a round trip of 20 ms: 50 Mbit/s, whatever the link has. 125,000
			bytes take 10 ms of latency and 20 ms.`,
		config: FabricConfig{
			Nodes: 2, Links: []Link{{0, 1, 10 * ms, inf}, {1, 0, 10 * ms, inf}},
			Platform: &Platform{
				Links: []PhysicalLink{{"wire", 1e9, false}}, Window: 125_000,
				Route: func(int, int) ([]int, error) { return []int{0}, nil },
			},
		},
		flows: []flow{{link: 0, bytes: 125_000}},
	}, {
		name: "jitter",
		about: `
			Uniform jitter of 0 to 1 ms beside the latency of 1 ms, with a message each 100 us: sent at t, one would be
			there between t + 1.064 and t + 2.064 ms. None is there earlier than 64 us after the one ahead of it.`,
		config: FabricConfig{
			Nodes: 2, Links: []Link{{0, 1, ms, 1e9}}, Seed: 7, Jitter: Jitter{Kind: Uniform, Mean: ms / 2},
		},
		flows: []flow{
			{bytes: 8000}, {ready: 100 * us, bytes: 8000}, {ready: 200 * us, bytes: 8000},
			{ready: 300 * us, bytes: 8000},
		},
	}} {
		f := fabric(t, c.config)
		golden.Check(t, filepath.Join("testdata", c.name+".txt"), transcript(f, c.about, play(f, c.flows)))
	}
}

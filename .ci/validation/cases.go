package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"

	"tallynet/channel"
	"tallynet/sim"
)

const (
	us = sim.Microsecond
	ms = sim.Millisecond
)

// setup is a network and what its nodes do: rounds times, each computes, sends a message on each
// of its edges, and waits for one on each edge that leads to it.
type setup struct {
	name, about string
	nodes       int
	rounds      int
	window      int64 // bytes; 0: none
	links       []line
	edges       []edge
	compute     []sim.Time // by node; nil: none
	byHand      sim.Time   // when the last node ends; 0: no formula
	lines       bool       // each edge is a link of its own, which the engine plays without a platform
	devices     string     // of ns-3, see ns3/twin.cpp; empty: simple ones
	power       *power     // nil: energy is not compared
	packets     bool       // in ns-3 a packet model differs by no more than storing and forwarding explains
}

// power is what machines and links draw.
type power struct {
	idle, busy, joulesPerByte float64
	steady                    bool // the rates of the connections over a link never change
}

type line struct {
	bits    int64
	latency sim.Time
}

// edge is a connection with its message of each round.
type edge struct {
	from, to int
	bytes    int64
	route    []int
}

// write writes the setup for twin.cpp, with even shares (1) or with those of SimGrid (0).
func (s *setup) write(w io.Writer, number, even int) {
	fmt.Fprintf(w, "case %d %d %d %d %d\n", number, s.nodes, s.rounds, s.window, even)
	if p := s.power; p != nil {
		fmt.Fprintf(w, "power %g %g %g\n", p.idle, p.busy, p.joulesPerByte)
	}
	if s.devices != "" {
		fmt.Fprintf(w, "devices %s\n", s.devices)
	}
	for _, l := range s.links {
		fmt.Fprintf(w, "link %d %d\n", l.bits, l.latency)
	}
	for i, d := range s.compute {
		fmt.Fprintf(w, "compute %d %d\n", i, d)
	}
	for _, e := range s.edges {
		fmt.Fprintf(w, "edge %d %d %d", e.from, e.to, e.bytes)
		for _, l := range e.route {
			fmt.Fprintf(w, " %d", l)
		}
		fmt.Fprintln(w)
	}
}

// over adds edges over routes, both ways if asked, with messages of the given size.
func (s *setup) over(route func(from, to int) []int, bytes int64, pairs ...[2]int) {
	for _, p := range pairs {
		s.edges = append(s.edges, edge{p[0], p[1], bytes, route(p[0], p[1])})
	}
}

// both returns pairs and their reverses.
func both(pairs [][2]int) [][2]int {
	all := slices.Clone(pairs)
	for _, p := range pairs {
		all = append(all, [2]int{p[1], p[0]})
	}
	return all
}

func ring(n int) (pairs [][2]int) {
	for i := range n {
		pairs = append(pairs, [2]int{i, (i + 1) % n})
	}
	return pairs
}

func all(n int) (pairs [][2]int) {
	for i := range n {
		for j := range i {
			pairs = append(pairs, [2]int{j, i})
		}
	}
	return pairs
}

// crossbar is a switch: links 2i and 2i + 1 lead from and to node i.
func (s *setup) crossbar(bits int64, latency sim.Time) func(from, to int) []int {
	for range 2 * s.nodes {
		s.links = append(s.links, line{bits, latency})
	}
	return func(from, to int) []int { return []int{2 * from, 2*to + 1} }
}

// racks puts nodes on hosts in racks of a size; a rack's uplink and downlink follow those of the hosts.
func (s *setup) racks(size int, nic, up int64, host func(node int) int) func(from, to int) []int {
	s.crossbar(nic, 5*us)
	for range 2 * s.nodes / size {
		s.links = append(s.links, line{up, 20 * us})
	}
	return func(from, to int) []int {
		a, b := host(from), host(to)
		if a/size == b/size {
			return []int{2 * a, 2*b + 1}
		}
		return []int{2 * a, 2*s.nodes + 2*(a/size), 2*s.nodes + 2*(b/size) + 1, 2*b + 1}
	}
}

// fatTree is the fat tree of switches with k ports, for k^3/4 nodes; the path follows from the receiver.
func (s *setup) fatTree(k int, bits int64) func(from, to int) []int {
	half := k / 2
	number := map[[4]int]int{}
	link := func(stage, a, b, up int) int {
		key := [4]int{stage, a, b, up}
		if _, ok := number[key]; !ok {
			number[key] = len(s.links)
			s.links = append(s.links, line{bits, us})
		}
		return number[key]
	}
	return func(from, to int) []int {
		a, b := from/half, to/half // edge switches
		middle, core := to%half, b%half
		route := []int{link(0, from, 0, 1)}
		if a != b {
			route = append(route, link(1, a, middle, 1))
			if a/half != b/half {
				route = append(route, link(2, a/half*half+middle, core, 1), link(2, b/half*half+middle, core, 0))
			}
			route = append(route, link(1, b, middle, 0))
		}
		return append(route, link(0, to, 0, 0))
	}
}

// setups returns all cases.
func setups() []setup {
	r := rand.New(rand.NewPCG(1, 2))
	var list []setup
	add := func(s setup, fill func(s *setup)) {
		fill(&s)
		list = append(list, s)
	}
	add(setup{name: "point to point", nodes: 2, rounds: 3, byHand: 3 * (80*ms + 5*ms), packets: true,
		about: "1 MB each way over 100 Mbit/s, 5 ms"}, func(s *setup) {
		s.links = []line{{1e8, 5 * ms}, {1e8, 5 * ms}}
		s.edges = []edge{{0, 1, 1e6, []int{0}}, {1, 0, 1e6, []int{1}}}
	})
	add(setup{name: "ring, unequal links", nodes: 8, rounds: 10, packets: true,
		about: "each direction a line of its own, 10 to 90 Mbit/s, 0.1 to 0.8 ms"}, func(s *setup) {
		for i, p := range both(ring(8)) {
			s.links = append(s.links, line{int64(1+i*5%9) * 1e7, sim.Time(1+i*3%8) * 100 * us})
			s.edges = append(s.edges, edge{p[0], p[1], 10_000, []int{i}})
		}
	})
	add(setup{name: "gather", nodes: 17, rounds: 1, packets: true, power: &power{40, 90, 12e-9, true},
		byHand: 16*8*ms + 100*us,
		about:  "16 nodes send 100 kB to one over a switch, 100 Mbit/s"}, func(s *setup) {
		route := s.crossbar(1e8, 50*us)
		for i := 1; i < 17; i++ {
			s.over(route, 100_000, [2]int{i, 0})
		}
	})
	add(setup{name: "scatter", nodes: 17, rounds: 1, packets: true, byHand: 16*8*ms + 100*us,
		about: "one sends 100 kB to each of 16"}, func(s *setup) {
		route := s.crossbar(1e8, 50*us)
		for i := 1; i < 17; i++ {
			s.over(route, 100_000, [2]int{0, i})
		}
	})
	add(setup{name: "complete, 64 nodes", nodes: 64, rounds: 1, byHand: 504 * ms,
		about: "100 kB to everybody over a switch, 100 Mbit/s"}, func(s *setup) {
		s.over(s.crossbar(1e8, 0), 100_000, both(all(64))...)
	})
	add(setup{name: "late to the bottleneck", nodes: 3, rounds: 1, packets: true, byHand: 160 * ms,
		about: "8 MB over 500 Mbit/s without latency and 8 MB after 64 ms, to a downlink of 1 Gbit/s"}, func(s *setup) {
		s.links = []line{{5e8, 0}, {1e12, 64 * ms}, {1e9, 0}}
		s.edges = []edge{{0, 2, 8e6, []int{0, 2}}, {1, 2, 8e6, []int{1, 2}}}
	})
	add(setup{name: "two flows, one bottleneck", nodes: 4, rounds: 5, packets: true,
		about: "round trips of 2 and 30 ms, 1 and 3 MB"}, func(s *setup) {
		s.links = []line{{1e9, ms}, {1e9, 15 * ms}, {2e8, 0}, {1e9, 0}, {1e9, 0}, {1e9, 0}, {1e9, 0}}
		s.edges = []edge{{0, 2, 1e6, []int{0, 2, 3}}, {1, 3, 3e6, []int{1, 2, 4}}, {2, 0, 8, []int{5}}, {3, 1, 8, []int{6}}}
	})
	add(setup{name: "parking lot", nodes: 10, rounds: 4, about: "a long connection over 4 links, and one over each"},
		func(s *setup) {
			for i := range 4 {
				s.links = append(s.links, line{int64(2+i) * 1e8, sim.Time(i) * 70 * us})
				s.edges = append(s.edges, edge{2 + 2*i, 3 + 2*i, int64(4-i) * 400_000, []int{i}})
			}
			s.edges = append(s.edges, edge{0, 1, 1e6, []int{0, 1, 2, 3}})
			for i := range 5 { // each waits for an answer
				s.links = append(s.links, line{1e9, 30 * us})
				s.edges = append(s.edges, edge{2*i + 1, 2 * i, 800, []int{4 + i}})
			}
		})
	add(setup{name: "dumbbell", nodes: 8, rounds: 6, about: "4 pairs, both ways, sizes of 1 to 4 MB, through 1 Gbit/s"},
		func(s *setup) {
			route := s.crossbar(1e9, 10*us)
			s.links = append(s.links, line{1e9, ms}, line{1e9, ms})
			for i := range 4 {
				there, back := route(i, 4+i), route(4+i, i)
				s.edges = append(s.edges, edge{i, 4 + i, int64(1+i) * 1e6, []int{there[0], 16, there[1]}},
					edge{4 + i, i, int64(4-i) * 1e6, []int{back[0], 17, back[1]}})
			}
		})
	for name, host := range map[string]func(int) int{
		"ring along racks": func(i int) int { return i }, "ring across racks": func(i int) int { return i%2*8 + i/2 },
	} {
		add(setup{name: name, nodes: 16, rounds: 10, power: &power{100, 100, 5e-9, name == "ring across racks"},
			about: "2 racks of 8, 10 Gbit/s, uplinks 4:1, 1 MB"}, func(s *setup) {
			s.over(s.racks(8, 1e10, 2e10, host), 1e6, both(ring(16))...)
		})
	}
	slices.SortFunc(list[len(list)-2:], func(a, b setup) int { return len(a.name) - len(b.name) })
	add(setup{name: "fat tree, 16 hosts", nodes: 16, rounds: 3, about: "all to all, 100 kB, k = 4, 10 Gbit/s"},
		func(s *setup) {
			s.over(s.fatTree(4, 1e10), 100_000, both(all(16))...)
		})
	add(setup{name: "regions", nodes: 15, rounds: 5, window: 64_000,
		about: "5 regions of 3 nodes, 10 to 90 ms apart, 1 Gbit/s a node, windows of 64 kB"}, func(s *setup) {
		s.crossbar(1e9, 0)
		number := map[[2]int]int{}
		route := func(from, to int) []int {
			key := [2]int{from / 3, to / 3}
			back := [2]int{key[1], key[0]}
			if _, ok := number[key]; !ok {
				latency := sim.Time(1+(key[0]+1)*(key[1]+1)*7%9) * 10 * ms
				if key[0] == key[1] {
					latency = 250 * us
				}
				number[key], number[back] = len(s.links), len(s.links)+1
				s.links = append(s.links, line{1e10, latency}, line{1e10, latency})
			}
			return []int{2 * from, number[key], 2*to + 1}
		}
		s.over(route, 400_000, both(all(15))...)
	})
	add(setup{name: "mixed sizes, uneven computing", nodes: 24, rounds: 8, power: &power{60, 210, 20e-9, false},
		about: "a random graph over a switch with 1 Gbit/s, 8 B to 2 MB, 0 to 5 ms"}, func(s *setup) {
		route := s.crossbar(1e9, 20*us)
		for range 24 {
			s.compute = append(s.compute, sim.Time(r.IntN(5000))*us)
		}
		pairs := ring(24)
		for _, p := range all(24) {
			if r.IntN(8) == 0 && !slices.Contains(pairs, p) && !slices.Contains(pairs, [2]int{p[1], p[0]}) {
				pairs = append(pairs, p)
			}
		}
		for _, p := range both(pairs) {
			s.over(route, int64(1+r.IntN(250_000))*8, p)
		}
	})
	add(setup{name: "half duplex", nodes: 6, rounds: 5, packets: true, byHand: 5 * (2*8*ms + 10*us),
		about: "a ring of cables of 100 Mbit/s, 100 kB"},
		func(s *setup) {
			for i, p := range ring(6) {
				s.links = append(s.links, line{1e8, 10 * us})
				s.over(func(int, int) []int { return []int{i} }, 100_000, both([][2]int{p})...)
			}
		})
	add(setup{name: "queue on a connection", nodes: 3, rounds: 3, packets: true,
		about: "3 messages of 1 MB at once, against 3 with 10 ms between them"}, func(s *setup) {
		s.over(s.crossbar(1e9, 10*us), 1e6, [2]int{0, 2}, [2]int{1, 2})
		s.compute = []sim.Time{0, 10 * ms, 0}
	})
	return list
}

// platform returns the links and routes as the engine takes them.
func (s *setup) platform() *channel.Platform {
	p := &channel.Platform{Window: s.window}
	for _, l := range s.links {
		p.Links = append(p.Links, channel.PhysicalLink{BitsPerSecond: l.bits})
	}
	routes := s.routes()
	p.Route = func(from, to int) ([]int, error) { return routes[[2]int{from, to}], nil }
	return p
}

func (s *setup) routes() map[[2]int][]int {
	routes := map[[2]int][]int{}
	for _, e := range s.edges {
		routes[[2]int{e.from, e.to}] = e.route
	}
	return routes
}

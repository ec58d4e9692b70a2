package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"

	"tallynet/sim"
)

// races returns the cases whose speed is compared, long, or with few nodes and rounds.
func races(long bool) []setup {
	pick := func(full, few int) int {
		if long {
			return full
		}
		return few
	}
	list := []setup{
		gossip("a ring", 16, 16, pick(10_000, 20), 1000),
		gossip("a random graph", 100, 500, pick(300, 3), 1000),
		gossip("a random graph", pick(1000, 200), pick(5000, 400), pick(20, 2), 1000),
		gossip("a random graph", pick(100, 20), pick(500, 40), pick(5, 2), 100_000),
	}
	k := pick(8, 4)
	tree := setup{nodes: k * k * k / 4, rounds: 1}
	tree.name = fmt.Sprintf("all to all over a fat tree of %d hosts, 100 kB", tree.nodes)
	tree.over(tree.fatTree(k, 1e10), 100_000, both(all(tree.nodes))...)
	one := setup{nodes: pick(1000, 100), rounds: pick(2, 1)}
	one.name = fmt.Sprintf("gossip of %d nodes over a switch, 1 kB", one.nodes)
	one.over(one.crossbar(1e8, 10*us), 1000, both(random(one.nodes, pick(5000, 500)))...)
	return append(list, tree, one)
}

// gossip has nodes send to all neighbours in a graph, over a line each way for each edge, of 10 to 90 Mbit/s and
// 0.5 to 5 ms.
func gossip(graph string, nodes, edges, rounds int, bytes int64) setup {
	s := setup{name: fmt.Sprintf("gossip of %d nodes on %s of %d edges, %d kB", nodes, graph, edges, bytes/1000),
		nodes: nodes, rounds: rounds, lines: true}
	for i, p := range random(nodes, edges) {
		l := line{int64(1+i*5%9) * 1e7, sim.Time(1+i*3%10) * 500 * us}
		for _, e := range both([][2]int{p}) {
			s.over(func(int, int) []int { return []int{len(s.links)} }, bytes, e)
			s.links = append(s.links, l)
		}
	}
	return s
}

// random returns a ring, and more edges that are drawn.
func random(nodes, edges int) [][2]int {
	r := rand.New(rand.NewPCG(1, 2))
	pairs, seen := ring(nodes), map[[2]int]bool{}
	for _, p := range both(pairs) {
		seen[p] = true
	}
	for len(pairs) < edges {
		p := [2]int{r.IntN(nodes), r.IntN(nodes)}
		if p[0] != p[1] && !seen[p] {
			seen[p], seen[[2]int{p[1], p[0]}] = true, true
			pairs = append(pairs, p)
		}
	}
	return pairs
}

// racer plays a case in the engine and prints what a twin prints.
func racer(name string) {
	list := races(true)
	i := slices.IndexFunc(list, func(s setup) bool { return s.name == name })
	o := play(&list[i])
	fmt.Printf("0 %f %f %f %f", o.build.real, o.build.cpu, o.run.real, o.run.cpu)
	for _, t := range o.ends {
		fmt.Printf(" %.0f", t)
	}
	fmt.Println()
}

// rival is a program that plays a case.
type rival struct {
	name    string
	play    func() outcome
	allowed float64 // by how much a node may end elsewhere than in the engine, in nanoseconds
	last    bool    // that is said of the last node alone
}

// rivals returns who plays a case beside the engine. Over lines of their own, all must agree to rounding. Over shared
// links SimGrid with its own shares may let single messages end elsewhere, and in ns-3 packets are stored and
// forwarded; the last node must end alike.
func (s *setup) rivals(twin, ns3 string) []rival {
	list := []rival{{"SimGrid", func() outcome { return played(twin, []setup{*s}, 0)[0] }, s.rounding(), !s.lines}}
	packets := func(name, devices string, allowed float64) rival {
		over := *s
		over.devices = devices
		return rival{name, func() outcome { return played(ns3, []setup{over}, 1)[0] }, allowed, !s.lines}
	}
	if s.lines {
		return append(list, packets("ns-3, devices", "point-to-point", s.rounding()),
			packets("ns-3, UDP", "udp", s.rounding()))
	}
	return append(list, packets("ns-3, devices", "simple", s.forwarding()))
}

// agrees returns by how much an outcome is later than the engine's, or an error if it is not of the same work.
func (r *rival) agrees(s *setup, theirs, ours *outcome) (late float64, err error) {
	late = theirs.last() - ours.last()
	by := math.Abs(late)
	if !r.last {
		by = theirs.apart(ours)
	}
	if !(by <= r.allowed) {
		return late, fmt.Errorf("%s: %s ends at %s, the engine at %s, nodes %g ns apart; want %g at most", s.name, r.name,
			seconds(theirs.last()), seconds(ours.last()), by, r.allowed)
	}
	return late, nil
}

// agree plays the cases once, those whose twins there are, and returns an error where they disagree.
func agree(twin, ns3 string, list []setup) error {
	for i := range list {
		s := &list[i]
		ours := play(s)
		fmt.Printf("%-60s %12s", s.name, seconds(ours.last()))
		for _, r := range s.rivals(twin, ns3) {
			if r.name == "SimGrid" && twin == "" || r.name != "SimGrid" && ns3 == "" {
				continue
			}
			theirs := r.play()
			late, err := r.agrees(s, &theirs, &ours)
			if err != nil {
				fmt.Println()
				return err
			}
			fmt.Printf("  %s %+.0f ns", r.name, late)
		}
		fmt.Println()
	}
	return nil
}

// speed plays the cases in turns, each time in a process of its own, and prints what they took.
func speed(twin, ns3 string, list []setup, repeat int, versions string) error {
	if twin == "" || ns3 == "" {
		return fmt.Errorf("-speed compares with SimGrid and ns-3: install both")
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	type line struct {
		rival
		build, run, real []float64 // milliseconds of CPU time, seconds of CPU time and of real time
		end, late        float64   // nanoseconds
	}
	table := make([][]line, len(list))
	for i := range list {
		s := &list[i]
		table[i] = append(table[i], line{rival: rival{name: "this simulator", play: func() outcome {
			return printed(exec.Command(self, "-play", s.name), []setup{*s})[0]
		}}})
		for _, r := range s.rivals(twin, ns3) {
			table[i] = append(table[i], line{rival: r})
		}
	}
	for turn := range repeat {
		for i := range list {
			var ours outcome
			for j := range table[i] {
				l := &table[i][j]
				o := l.play()
				if j == 0 {
					ours = o
				} else if l.late, err = l.agrees(&list[i], &o, &ours); err != nil {
					return err
				}
				l.end = o.last()
				l.build, l.run = append(l.build, 1e3*o.build.cpu), append(l.run, o.run.cpu)
				l.real = append(l.real, o.run.real)
				fmt.Fprintf(os.Stderr, "turn %d, %s, %s: %.3f s, %.3f s of CPU\n", turn+1, list[i].name, l.name, o.run.real,
					o.run.cpu)
			}
		}
	}
	fmt.Printf("%s; medians of %d runs in turns, in seconds, with the least and the greatest.\n\n", versions, repeat)
	fmt.Println("| case | program | building, ms | simulating, CPU time | simulating, real time | " +
		"this simulator's CPU time, of it | the last node ends |")
	fmt.Println("| --- | --- | --- | --- | --- | --- | --- |")
	for i := range list {
		s := &list[i]
		ours := &table[i][0]
		for j := range table[i] {
			l := &table[i][j]
			what, ratio, end := "", "", seconds(l.end)
			if j == 0 {
				what = fmt.Sprintf("**%s**: %s, %s", s.name, count(s.rounds, "round"), count(len(s.edges)*s.rounds, "message"))
			} else {
				ratio = fmt.Sprintf("%.2g", median(ours.run)/median(l.run))
				end = fmt.Sprintf("%+.3g µs", (math.Round(l.late)+0)/1e3) // + 0: no -0
			}
			fmt.Printf("| %s | %s | %s | %s | %s | %s | %s |\n", what, l.name, spread(l.build), spread(l.run), spread(l.real),
				ratio, end)
		}
	}
	return nil
}

func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprint(n, " ", what)
}

// spread writes the median of v, and the least and greatest if there are several.
func spread(v []float64) string {
	text := digits(median(v))
	if len(v) > 1 {
		text += fmt.Sprintf(" (%s to %s)", digits(slices.Min(v)), digits(slices.Max(v)))
	}
	return text
}

// digits writes x > 0 with three digits that count, and those before the point.
func digits(x float64) string {
	return strconv.FormatFloat(x, 'f', max(0, 2-int(math.Floor(math.Log10(x)))), 64)
}

func median(v []float64) float64 {
	v = slices.Sorted(slices.Values(v))
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}

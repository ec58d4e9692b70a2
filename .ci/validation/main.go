// Validation plays small networks in the engine and in SimGrid, and writes the differences to a
// page of the documentation.
//
//	go run ./.ci/validation              the engine alone, against what can be calculated by hand
//	go run ./.ci/validation -twin FILE   also against simgrid/twin.cpp, compiled to FILE, and writes the page
package main

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"tallynet/channel"
	"tallynet/node"
	"tallynet/sim"
)

func main() {
	log.SetFlags(0)
	twin := flag.String("twin", "", "the compiled simgrid/twin.cpp")
	quick := flag.Bool("quick", false, "leave out the cases that take long")
	page := flag.String("o", "docs/validation.md", "the page to write")
	flag.Parse()
	list := setups()
	if *quick {
		list = slices.DeleteFunc(list, func(s setup) bool { return s.timed })
	}
	var even, asIs []outcome
	if *twin != "" {
		asIs = simgrid(*twin, list, 0)
		even = simgrid(*twin, slices.DeleteFunc(slices.Clone(list), func(s setup) bool { return s.timed }), 1)
	}
	var rows []row
	wrong := false
	for i := range list {
		r := row{setup: &list[i], ours: play(&list[i])}
		if asIs != nil {
			r.asIs = &asIs[i]
		}
		if i < len(even) {
			r.even = &even[i]
		}
		fmt.Println(r.text())
		wrong = wrong || !r.right()
		rows = append(rows, r)
	}
	if asIs != nil {
		if err := os.WriteFile(*page, []byte(document(rows)), 0o666); err != nil {
			log.Fatal(err)
		}
	}
	if wrong {
		log.Fatal("the engine does not do what it should")
	}
}

// outcome is when each node ended, in nanoseconds, and how long it took to find out.
type outcome struct {
	ends []float64
	took time.Duration
}

func (o *outcome) last() float64 { return slices.Max(o.ends) }

// play runs a setup in the engine.
func play(s *setup) outcome {
	in, out := make([][]edge, s.nodes), make([][]edge, s.nodes)
	peers := make([]node.Peers, s.nodes)
	for _, e := range s.edges {
		out[e.from], in[e.to] = append(out[e.from], e), append(in[e.to], e)
		peers[e.from].Neighbors = append(peers[e.from].Neighbors, e.to)
		peers[e.to].Neighbors = append(peers[e.to].Neighbors, e.from)
	}
	for i := range peers {
		slices.Sort(peers[i].Neighbors)
		peers[i].Neighbors = slices.Compact(peers[i].Neighbors)
	}
	routes := s.routes()
	link := func(from, to int) (latency sim.Time, bits int64) {
		for _, l := range routes[[2]int{from, to}] {
			latency += s.links[l].latency
		}
		return latency, channel.Unlimited
	}
	sizes := s.sizes()
	data := make([]float64, len(sizes)+1)
	net, err := node.New(node.Config{Peers: peers, Link: link, Platform: s.platform(), Codec: sizes}, func(id int) node.Handler {
		return node.Program(func(p *node.Proc) {
			for range s.rounds {
				if s.compute != nil && s.compute[id] > 0 {
					p.Sleep(s.compute[id])
				}
				for _, e := range out[id] {
					p.Send(e.to, "x", channel.Vec("x", data[:slices.Index(sizes, e.bytes)]))
				}
				for _, e := range in[id] {
					p.Receive("x", e.from)
				}
			}
		})
	})
	if err != nil {
		log.Fatalf("%s: %v", s.name, err)
	}
	begin := time.Now()
	end, err := net.Run(context.Background(), node.Limits{})
	o := outcome{took: time.Since(begin)}
	if err == nil {
		err = net.CheckConservation()
	}
	if err != nil || end != node.Finished {
		log.Fatalf("%s: ended %d: %v", s.name, end, err)
	}
	for i := range s.nodes {
		o.ends = append(o.ends, float64(net.Outcome(i).Clock))
	}
	return o
}

// sizes is a wire format in which a vector of i numbers has the size i, so that nothing is copied.
type sizes []int64

func (sizes) Name() string              { return "sizes" }
func (s sizes) Size(n int) int64        { return s[n] }
func (sizes) Encode(dst, src []float64) { copy(dst, src) }

// sizes returns the sizes of all messages.
func (s *setup) sizes() sizes {
	var all sizes
	for _, e := range s.edges {
		if !slices.Contains(all, e.bytes) {
			all = append(all, e.bytes)
		}
	}
	return all
}

// simgrid runs all setups in the twin.
func simgrid(twin string, list []setup, even int) []outcome {
	var cases bytes.Buffer
	for i := range list {
		list[i].write(&cases, i, even)
	}
	c := exec.Command(twin)
	c.Stdin, c.Stderr = &cases, os.Stderr
	out, err := c.Output()
	if err != nil {
		log.Fatal(err)
	}
	all := make([]outcome, len(list))
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		number, err := strconv.Atoi(words[0])
		if err != nil || len(words) != list[number].nodes+2 {
			log.Fatalf("not a line of the twin: %s", lines.Text())
		}
		o := &all[number]
		for _, w := range words[1 : len(words)-1] {
			o.ends = append(o.ends, float(w))
		}
		o.took = time.Duration(float(words[len(words)-1]) * float64(time.Second))
	}
	return all
}

func float(text string) float64 {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		log.Fatal(err)
	}
	return x
}

// row is a setup with its outcomes: ours, SimGrid's with even shares (nil of those that take long),
// and SimGrid's with its own.
type row struct {
	*setup
	ours       outcome
	even, asIs *outcome
}

// difference returns by how much any node ended elsewhere in SimGrid with even shares, in nanoseconds.
func (r *row) difference() float64 {
	most := 0.0
	for i, t := range r.even.ends {
		most = max(most, math.Abs(t-r.ours.ends[i]))
	}
	return most
}

// right reports whether the engine agrees to 2 ns a round with SimGrid with even shares, and exactly with what was calculated by hand.
func (r *row) right() bool {
	if r.byHand > 0 && r.ours.last() != float64(r.byHand) {
		return false
	}
	return r.even == nil || r.difference() <= 2*float64(r.rounds)
}

func (r *row) text() string {
	text := fmt.Sprintf("%-30s %12s", r.name, seconds(r.ours.last()))
	if r.byHand > 0 {
		text += fmt.Sprintf("  by hand %s", seconds(float64(r.byHand)))
	}
	if r.even != nil {
		text += fmt.Sprintf("  SimGrid %s, %.2f ns apart", seconds(r.even.last()), r.difference())
	}
	text += fmt.Sprintf("  (%v", r.ours.took.Round(time.Millisecond))
	if r.asIs != nil {
		text += fmt.Sprintf(", SimGrid with its own shares %s in %v", seconds(r.asIs.last()), r.asIs.took.Round(time.Millisecond))
	}
	return text + ")"
}

func seconds(nanoseconds float64) string { return sim.Time(math.Round(nanoseconds)).String() }

// Validation plays small networks in the engine, in SimGrid and in ns-3, and writes the differences to
// a page of the documentation.
//
//	go -C .ci run ./validation              the engine alone, against what can be calculated by hand
//	go -C .ci run ./validation -twin FILE   also against simgrid/twin.cpp, compiled to FILE
//	go -C .ci run ./validation -ns3 FILE    also against ns3/twin.cpp, compiled to FILE
//	go -C .ci run ./validation -speed       how long each takes, see speed.go
//
// With both it writes the page.
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
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"tallynet/channel"
	"tallynet/metrics"
	"tallynet/node"
	"tallynet/sim"
)

func main() {
	log.SetFlags(0)
	twin := flag.String("twin", "", "the compiled simgrid/twin.cpp")
	ns3 := flag.String("ns3", "", "the compiled ns3/twin.cpp")
	only := flag.String("cases", "", "a regular expression: only cases whose names it finds; writes no page")
	page := flag.String("o", "docs/validation.md", "the page to write")
	fast := flag.Bool("speed", false, "compare how long simulating takes, and write no page")
	repeat := flag.Int("repeat", 5, "how often each case of -speed is played, in turns")
	versions := flag.String("versions", "", "what -speed says of the versions")
	racing := flag.String("play", "", "play this case of -speed in the engine, as a twin does")
	flag.Parse()
	named, err := regexp.Compile(*only)
	if err != nil {
		log.Fatalf("-cases: %v", err)
	}
	chosen := func(list []setup) []setup {
		return slices.DeleteFunc(list, func(s setup) bool { return !named.MatchString(s.name) })
	}
	if *racing != "" {
		racer(*racing)
		return
	}
	if *fast {
		if err := speed(*twin, *ns3, chosen(races(true)), max(1, *repeat), *versions); err != nil {
			log.Fatal(err)
		}
		return
	}
	list := chosen(setups())
	var even, asIs []outcome
	packets := map[string]outcome{}
	var both sync.WaitGroup
	both.Go(func() {
		if *twin != "" {
			asIs, even = played(*twin, list, 0), played(*twin, list, 1)
		}
	})
	both.Go(func() {
		if *ns3 != "" {
			packets = byPacket(*ns3, list)
		}
	})
	both.Wait()
	var rows []row
	wrong := false
	for i := range list {
		r := row{setup: &list[i], ours: play(&list[i])}
		if o, ok := packets[r.name]; ok {
			r.packets = &o
		}
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
	if asIs != nil && *ns3 != "" && *only == "" {
		if err := os.WriteFile(*page, []byte(document(rows)), 0o666); err != nil {
			log.Fatal(err)
		}
	}
	if err := agree(*twin, *ns3, chosen(races(false))); err != nil {
		log.Fatal(err)
	}
	if wrong {
		log.Fatal("the engine does not do what it should")
	}
}

// outcome is when each node ended, in nanoseconds, and how long it took to find out.
type outcome struct {
	ends       []float64
	build, run spent     // building the network, and simulating
	joules     []float64 // of the nodes, then of the links; nil: not asked for
}

// spent is seconds of real time, and of CPU time of the process.
type spent struct{ real, cpu float64 }

// stopwatch returns a function that returns what was spent since it was called last.
func stopwatch() func() spent {
	cpu := func() float64 {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			log.Fatal(err)
		}
		return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
	}
	began, had := time.Now(), cpu()
	return func() spent {
		now, has := time.Now(), cpu()
		s := spent{now.Sub(began).Seconds(), has - had}
		began, had = now, has
		return s
	}
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
	config := node.Config{Peers: peers, Link: link, Codec: sizes, Tariffs: s.tariffs(),
		Machines: []node.Machine{{FlopsPerSecond: 1e9}}}
	if s.lines {
		config.Link = func(from, to int) (latency sim.Time, bits int64) {
			l := s.links[routes[[2]int{from, to}][0]]
			return l.latency, l.bits
		}
	} else {
		config.Platform = s.platform()
	}
	lap := stopwatch()
	net, err := node.New(config, func(id int) node.Handler {
		return node.Program(func(p *node.Proc) {
			for range s.rounds {
				if s.compute != nil {
					p.Work(float64(s.compute[id]))
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
	o := outcome{build: lap()}
	end, err := net.Run(context.Background(), node.Limits{})
	if err == nil {
		err = net.CheckConservation()
	}
	o.run = lap()
	if err != nil || end != node.Finished {
		log.Fatalf("%s: ended %d: %v", s.name, end, err)
	}
	for i := range s.nodes {
		o.ends = append(o.ends, float64(net.Outcome(i).Clock))
	}
	if config.Tariffs != nil {
		o.joules = joules(net, config.Tariffs, sim.Time(o.last()))
	}
	return o
}

// tariffs returns what the engine is to charge; nil: nothing.
func (s *setup) tariffs() *metrics.Tariffs {
	if s.power == nil {
		return nil
	}
	return &metrics.Tariffs{
		Machines: slices.Repeat([]metrics.MachineTariff{{IdleMicrowatts: int64(1e6 * s.power.idle),
			BusyMicrowatts: int64(1e6 * s.power.busy)}}, s.nodes),
		Links: slices.Repeat([]metrics.LinkTariff{{FemtojoulesPerByte: int64(math.Round(1e15 * s.power.joulesPerByte))}},
			len(s.links)),
	}
}

// joules returns the energy of each node and link by the end.
func joules(net *node.Network, t *metrics.Tariffs, end sim.Time) []float64 {
	var all []float64
	for i, m := range t.Machines {
		all = append(all, m.Of(end, net.Outcome(i).Compute).Charge().Joules)
	}
	links, _ := net.Physical()
	for i, l := range links {
		all = append(all, t.Links[i].Of(l.Bytes).Charge().Joules)
	}
	return all
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

// byPacket runs in ns-3 what it can play: there are no windows.
func byPacket(twin string, list []setup) map[string]outcome {
	list = slices.DeleteFunc(slices.Clone(list), func(s setup) bool { return s.window > 0 })
	all := map[string]outcome{}
	for i, o := range played(twin, list, 1) {
		all[list[i].name] = o
	}
	return all
}

// played runs all setups in a twin.
func played(twin string, list []setup, even int) []outcome {
	var cases bytes.Buffer
	for i := range list {
		list[i].write(&cases, i, even)
	}
	c := exec.Command(twin)
	c.Stdin = &cases
	return printed(c, list)
}

// printed runs a twin, and returns what it prints of the setups.
func printed(twin *exec.Cmd, list []setup) []outcome {
	twin.Stderr = os.Stderr
	out, err := twin.Output()
	if err != nil {
		log.Fatalf("%v: %v", twin, err)
	}
	all := make([]outcome, len(list))
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		if words[0] == "energy" {
			number, err := strconv.Atoi(words[1])
			if err != nil || len(words) != list[number].nodes+len(list[number].links)+2 {
				log.Fatalf("not a line of the twin: %s", lines.Text())
			}
			for _, w := range words[2:] {
				all[number].joules = append(all[number].joules, float(w))
			}
			continue
		}
		number, err := strconv.Atoi(words[0])
		if err != nil || len(words) != list[number].nodes+5 {
			log.Fatalf("not a line of the twin: %s", lines.Text())
		}
		o := &all[number]
		for _, w := range words[5:] {
			o.ends = append(o.ends, float(w))
		}
		o.build, o.run = spent{float(words[1]), float(words[2])}, spent{float(words[3]), float(words[4])}
	}
	for i := range all {
		if len(all[i].ends) == 0 {
			log.Fatalf("%v said nothing of %s", twin, list[i].name)
		}
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

// row is a setup with its outcomes: ours, SimGrid's with even shares, and SimGrid's with its own.
type row struct {
	*setup
	ours       outcome
	even, asIs *outcome
	packets    *outcome // ns-3's; nil: not played
}

// late returns by how much the last node ends later in ns-3, in nanoseconds.
func (r *row) late() float64 { return r.packets.last() - r.ours.last() }

// packetBytes is the size of ns-3's packets.
const packetBytes = 1000

// forwarding bounds by how much storing and forwarding delays all rounds: a packet waits to be whole on
// each link but the last, behind one packet of every other connection that crosses it.
func (s *setup) forwarding() float64 {
	crossing := make([]int, len(s.links))
	for _, e := range s.edges {
		for _, l := range e.route {
			crossing[l]++
		}
	}
	most := 0.0
	for _, e := range s.edges {
		delay := 0.0
		for _, l := range e.route {
			delay += float64(crossing[l]) * 8e9 * packetBytes / float64(s.links[l].bits)
		}
		most = max(most, delay)
	}
	return most * float64(s.rounds)
}

// energyApart returns the largest relative difference of the energy of a machine, and of a link.
func (r *row) energyApart() (machine, link float64) {
	for i, x := range r.ours.joules {
		y := r.even.joules[i]
		if x == y {
			continue
		}
		if by := math.Abs(x-y) / max(x, y); i < r.nodes {
			machine = max(machine, by)
		} else {
			link = max(link, by)
		}
	}
	return machine, link
}

// energyRight reports whether energies agree. Links are compared where all their connections have one rate
// throughout: SimGrid's plug-in takes the rate at the end of a stretch for all of it.
func (r *row) energyRight() bool {
	machine, link := r.energyApart()
	return len(r.even.joules) == len(r.ours.joules) && machine <= 1e-6 && (!r.power.steady || link <= 1e-6)
}

// difference returns by how much any node ended elsewhere in SimGrid with even shares, in nanoseconds.
func (r *row) difference() float64 { return r.even.apart(&r.ours) }

// apart returns the largest difference of when a node ended, in nanoseconds.
func (o *outcome) apart(from *outcome) float64 {
	most := 0.0
	for i, t := range o.ends {
		most = max(most, math.Abs(t-from.ends[i]))
	}
	return most
}

// rounding is the difference of times in nanoseconds that is put down to rounding.
func (s *setup) rounding() float64 { return 2 * float64(s.rounds) }

// right reports whether the engine agrees to 2 ns a round with SimGrid with even shares, and
// exactly with what was calculated by hand.
func (r *row) right() bool {
	if r.byHand > 0 && r.ours.last() != float64(r.byHand) {
		return false
	}
	if r.packets != nil && r.setup.packets && math.Abs(r.late()) > r.forwarding() {
		return false
	}
	if r.even != nil && r.power != nil && !r.energyRight() {
		return false
	}
	return r.even == nil || r.difference() <= r.rounding()
}

func (r *row) text() string {
	text := fmt.Sprintf("%-30s %12s", r.name, seconds(r.ours.last()))
	if r.byHand > 0 {
		text += fmt.Sprintf("  by hand %s", seconds(float64(r.byHand)))
	}
	if r.even != nil {
		text += fmt.Sprintf("  SimGrid %s, %.2f ns apart", seconds(r.even.last()), r.difference())
	}
	if r.even != nil && r.power != nil {
		machine, link := r.energyApart()
		text += fmt.Sprintf("  energy of machines %.1e, of links %.1e apart", machine, link)
	}
	if r.packets != nil {
		text += fmt.Sprintf("  ns-3 %s, %+.3f ms", seconds(r.packets.last()), r.late()/1e6)
	}
	if r.asIs != nil {
		text += fmt.Sprintf("  (SimGrid with its own shares %s)", seconds(r.asIs.last()))
	}
	return text
}

func seconds(nanoseconds float64) string { return sim.Time(math.Round(nanoseconds)).String() }

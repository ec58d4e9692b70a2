package scenarios

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"

	"tallynet/channel"
	"tallynet/node"
	"tallynet/scenarios/keys"
	"tallynet/sim"
)

// What goes wrong: network.loss, and the sections faults and silence.

func lossKey() keys.Param {
	chance := func(name, example, about string, required bool) keys.Param {
		p := keys.Param{Name: name, Kind: keys.Float, Example: example, Range: keys.Between(0, 1), About: about,
			Required: required}
		if !required {
			p.Default = 0.0
		}
		return p
	}
	return keys.Param{Name: "loss", Kind: keys.Variant, Example: "{kind: independent, p: 0.01}",
		About: "messages that are lost where they would arrive; none by default",
		Variants: &keys.Variants{Key: "kind", What: "loss", Entries: []keys.Entry{
			{Name: "none", Summary: "nothing is lost, except on links and hosts that go down", Params: againKeys()},
			{Name: "independent", Summary: "each message by itself", Params: append([]keys.Param{
				chance("p", "0.01", "the probability that a message is lost", true)}, againKeys()...),
				Check: func(a keys.Args) *keys.ParamError {
					if a.Float("p") == 1 && againForEver(a) {
						return &keys.ParamError{Param: "p", Message: "at 1 every attempt is lost, and the sender would try for " +
							"ever: choose a smaller p, set attempts, or policy: drop"}
					}
					return nil
				}},
			{Name: "bursts", Summary: "each link is good or bad for a time (Gilbert, Elliott)", Params: append([]keys.Param{
				chance("enter", "0.01", "the probability that a good link is bad at its next message", true),
				chance("leave", "0.25", "the probability that a bad link is good at its next message", true),
				withDefault(chance("bad", "0.5", "the probability that a bad link loses a message", false), 1.0),
				chance("good", "0.001", "the probability that a good link loses one", false)}, againKeys()...),
				Check: func(a keys.Args) *keys.ParamError {
					switch {
					case a.Float("enter")+a.Float("leave") == 0:
						return &keys.ParamError{Param: "leave", Message: "enter and leave are both 0: no link would ever change"}
					case a.Float("bad") == 1 && (a.Float("leave") == 0 || a.Float("good") == 1) && againForEver(a):
						return &keys.ParamError{Param: "bad", Message: "at 1 every attempt on a bad link is lost, no link recovers " +
							"from that, and the sender would try for ever: choose a smaller bad, set attempts, or policy: drop"}
					}
					return nil
				}},
		}}}
}

// againForEver reports whether messages are sent again until they arrive.
func againForEver(a keys.Args) bool {
	return a.String("policy") == "retransmit" && a.Int("attempts") == 0
}

// What follows a loss where nothing is said.
const (
	defaultTimeout = 200 * sim.Millisecond
	defaultBackoff = 2.
)

// againKeys are the keys of what follows a loss, also one by an outage.
func againKeys() []keys.Param {
	return []keys.Param{
		{Name: "policy", Kind: keys.Enum, Default: "retransmit", Enum: []string{"retransmit", "drop"},
			About: "retransmit: the sender sends again until the message arrives, in order; each attempt takes its " +
				"time and " +
				"counts as retransmitted bytes; drop: a lost message never arrives"},
		{Name: "timeout", Kind: keys.Duration, Default: defaultTimeout, Only: "policy: retransmit", Example: "200ms",
			Range: keys.Above(0), About: "the time from when a lost attempt would have arrived to the next attempt",
			Source: "the least timeout of TCP in Linux"},
		{Name: "backoff", Kind: keys.Float, Default: defaultBackoff, Only: "policy: retransmit", Example: "2",
			Range: keys.Between(1, 100), About: "the factor by which each further timeout of a message is longer, up to 60 s",
			Source: "RFC 6298"},
		{Name: "attempts", Kind: keys.Int, Only: "policy: retransmit", Example: "5", Range: keys.Between(1, 1e6),
			About: "the number of attempts after which a message is lost for good; no limit by default"},
	}
}

func faultsKey() keys.Param {
	down := keys.Param{Name: "down", Kind: keys.Duration, Required: true, Example: "2s", Range: keys.AtLeast(0),
		About: "when it goes down"}
	up := keys.Param{Name: "up", Kind: keys.Duration, Example: "5s", Range: keys.Above(0),
		About: "when it comes up again; never by default"}
	random := func(name, what string) keys.Param {
		return keys.Param{
			Name:    name,
			Kind:    keys.Section,
			Example: "{up: 10min, down: 5s}",
			About:   what + " that fail at random",
			Params: []keys.Param{
				{Name: "up", Kind: keys.Duration, Required: true, Example: "10min", Range: keys.Above(0),
					About: "the mean time for which one is up, exponentially distributed"},
				{Name: "down", Kind: keys.Duration, Required: true, Example: "5s", Range: keys.Above(0),
					About: "the mean time for which one is down, exponentially distributed"},
			},
		}
	}
	end := func(name, example string) keys.Param {
		return keys.Param{
			Name:    name,
			Kind:    keys.Int,
			Example: example,
			Range:   keys.AtLeast(0),
			About:   "one end of a link between two nodes",
		}
	}
	return keys.Param{Name: "faults", Kind: keys.Section, Example: "{hosts: [{node: 3, down: 2s, up: 5s}]}",
		About: "links and hosts that go down: messages under way on them are lost, see network.loss.policy",
		Params: []keys.Param{
			{Name: "hosts", Kind: keys.Sections, About: "hosts that go down by schedule: meanwhile they neither compute " +
				"nor hear anything",
				Params: []keys.Param{nodeKey(), down, up}},
			{Name: "links", Kind: keys.Sections, About: "links that go down by schedule, in both directions",
				Params: []keys.Param{end("from", "0"), end("to", "1"), {Name: "name", Kind: keys.String, Example: "rack0*",
					About: "instead: the physical links of a platform with this name, in which * matches any text without a /; " +
						"what is on its way over one of them is lost"}, down, up}},
			{Name: "partitions", Kind: keys.Sections, About: "all links between some nodes and the others go down, by schedule",
				Params: []keys.Param{{Name: "nodes", Kind: keys.Ints, Required: true, Example: "[0, 1, 2]", Range: keys.AtLeast(0),
					About: "one side"}, down, up}},
			random("random_hosts", "hosts"), random("random_links", "links"),
			{Name: "trace", Kind: keys.Path, Example: "availability.csv",
				About: "measured availability: a CSV file of node, time, on or off; a time without a unit is " +
					"in seconds"},
			{Name: "state", Kind: keys.Enum, Default: "keep", Enum: []string{"keep", "lose"},
				About: "where a host continues when it comes up again: at the state that it had, or at the method's " +
					"starting point"},
		}}
}

func silenceKey() keys.Param {
	after := keys.Param{Name: "after", Kind: keys.Duration, Required: true, Example: "1s", Range: keys.Above(0),
		About: "how long an exchange waits, from its start; a client waits four times as long for its server"}
	return keys.Param{Name: "silence", Kind: keys.Variant, Example: "{kind: renormalize, after: 1s}",
		About: "what a synchronous method does about neighbours that it does not hear from; it waits by default",
		Variants: &keys.Variants{Key: "kind", What: "silence", Entries: []keys.Entry{
			{Name: "wait", Summary: "wait for ever: a run that stalls says who waits for whom"},
			{Name: "last", Summary: "use the last value received from the neighbour; renormalize if there is none",
				Params: []keys.Param{after}},
			{Name: "renormalize", Summary: "go on without the neighbour: its weight goes to the node itself",
				Params: []keys.Param{after}},
		}}}
}

// faults checks what must fit together.
func (r *reader) faults(a keys.Args, nodes int) {
	for _, list := range []string{"hosts", "links", "partitions"} {
		for _, x := range a.Sections(list) {
			if x.Has("up") && x.Duration("up") <= x.Duration("down") {
				r.Fail(x.PosOf("up"), x.Path("up"), "", "want a time after down, which is %v, got %v", x.Duration("down"),
					x.Duration("up"))
			}
			switch list {
			case "hosts":
				r.nodeList(x, "node", nodes)
			case "links":
				r.linkOrName(x)
				r.nodeList(x, "from", nodes)
				r.nodeList(x, "to", nodes)
			case "partitions":
				r.nodeList(x, "nodes", nodes)
				if k := len(x.Ints("nodes")); nodes > 0 && k >= nodes {
					r.Fail(
						x.PosOf("nodes"),
						x.Path("nodes"),
						"",
						"want some of the %d nodes, got %d: nobody would be on the other side",
						nodes,
						k,
					)
				}
			}
		}
	}
}

// linkOrName checks that a link is given by its two nodes, or physical links by their name.
func (r *reader) linkOrName(a keys.Args) {
	ends, name := a.Given("from") && a.Given("to"), a.Given("name")
	switch {
	case !ends && !name || name && (a.Given("from") || a.Given("to")):
		r.Fail(a.Pos(), a.Path(""), "write from: 0, to: 1 or, with a platform, name: rack0*",
			"want the two nodes of a link, or a name of physical links, and not both")
	case name:
		if _, err := path.Match(a.String("name"), ""); err != nil {
			r.Fail(a.PosOf("name"), a.Path("name"), "", "%q is not a pattern: %v", a.String("name"), err)
		}
	}
}

// span returns the outage of a section.
func span(a keys.Args) channel.Span {
	s := channel.Span{From: a.Duration("down"), Until: sim.Never}
	if a.Has("up") {
		s.Until = a.Duration("up")
	}
	return s
}

// goWrong sets what goes wrong in the engine.
func (in *Instance) goWrong(cfg *node.Config) error {
	s := in.Scenario
	if s.Faults.Read() {
		cfg.Faults.Retransmit = &channel.Retransmission{Timeout: defaultTimeout, Backoff: defaultBackoff}
	}
	if s.Network.Has("loss") {
		cfg.Faults.Loss, cfg.Faults.Retransmit = lossOf(s.Network.Section("loss"))
	}
	if s.Silence.Read() {
		kinds := map[string]node.SilenceKind{"wait": node.Wait, "last": node.Last, "renormalize": node.Renormalize}
		cfg.Silence = node.Silence{Kind: kinds[s.Silence.Kind()], After: keys.Optional[sim.Time](s.Silence, "after")}
	}
	if !s.Faults.Read() {
		return nil
	}
	cfg.Faults.Forget = s.Faults.String("state") == "lose"
	if err := in.hostsFail(&cfg.Faults); err != nil {
		return err
	}
	return in.linksFail(&cfg.Faults)
}

// goesWrong reports whether messages can be lost.
func (in *Instance) goesWrong() bool {
	f := &in.engine.Faults
	return f.Loss.Kind != channel.NoLoss || f.Host != nil || f.Link != nil
}

func lossOf(a keys.Args) (channel.Loss, *channel.Retransmission) {
	kinds := map[string]channel.LossKind{"independent": channel.Independent, "bursts": channel.Bursts}
	number := func(name string) float64 { return keys.Optional[float64](a, name) }
	loss := channel.Loss{Kind: kinds[a.Kind()], P: number("p"), Enter: number("enter"), Leave: number("leave"),
		Good: number("good"), Bad: number("bad")}
	if a.String("policy") == "drop" {
		return loss, nil
	}
	return loss, &channel.Retransmission{
		Timeout:  a.Duration("timeout"),
		Backoff:  a.Float("backoff"),
		Attempts: a.Int("attempts"),
	}
}

func (in *Instance) hostsFail(f *node.Faults) error {
	a, n := in.Scenario.Faults, in.Graph.Nodes()
	all := make([]channel.Downtime, n)
	for _, x := range a.Sections("hosts") {
		for _, i := range x.Ints("node") {
			all[i].Spans = append(all[i].Spans, span(x))
		}
	}
	if a.Has("trace") {
		spans, err := readAvailability(keys.InFolder(in.Scenario.dir(), a.String("trace")), n)
		if err != nil {
			return in.Scenario.errorf("faults.trace", "%w", err)
		}
		for i := range all {
			all[i].Spans = append(all[i].Spans, spans[i]...)
		}
	}
	for i := range all {
		if a.Given("random_hosts") {
			all[i].MeanUp = a.Section("random_hosts").Duration("up")
			all[i].MeanDown = a.Section("random_hosts").Duration("down")
		}
		if !all[i].None() {
			f.Host = func(i int) channel.Downtime { return all[i] }
		}
	}
	return nil
}

func (in *Instance) linksFail(f *node.Faults) error {
	a := in.Scenario.Faults
	var random channel.Downtime
	if a.Given("random_links") {
		random.MeanUp = a.Section("random_links").Duration("up")
		random.MeanDown = a.Section("random_links").Duration("down")
	}
	spans := map[[2]int][]channel.Span{}
	var cuts []physicalCut
	for _, x := range a.Sections("links") {
		if x.Given("name") {
			cut, err := in.cutOf(x)
			if err != nil {
				return err
			}
			cuts = append(cuts, cut)
			continue
		}
		from, to := x.Int("from"), x.Int("to")
		if err := in.joined(x); err != nil {
			return err
		}
		e := [2]int{min(from, to), max(from, to)}
		spans[e] = append(spans[e], span(x))
	}
	partitions := a.Sections("partitions")
	if len(spans)+len(cuts)+len(partitions) == 0 && random.None() {
		return nil
	}
	crossed := in.crossed()
	f.Link = func(from, to int) channel.Downtime {
		d := random
		d.Spans = slices.Clone(spans[[2]int{min(from, to), max(from, to)}])
		for _, x := range partitions {
			if slices.Contains(x.Ints("nodes"), from) != slices.Contains(x.Ints("nodes"), to) {
				d.Spans = append(d.Spans, span(x))
			}
		}
		for _, c := range cuts {
			if slices.ContainsFunc(crossed(from, to), func(link int) bool { return c.links[link] }) {
				d.Spans = append(d.Spans, c.span)
			}
		}
		return d
	}
	return nil
}

// physicalCut is an outage of physical links, by their numbers: of all connections that cross one of them.
type physicalCut struct {
	links map[int]bool
	span  channel.Span
}

// cutOf returns the outage of the physical links that a section names.
func (in *Instance) cutOf(x keys.Args) (physicalCut, error) {
	c := physicalCut{links: map[int]bool{}, span: span(x)}
	names := physicalNames(&in.engine, in.Graph.Nodes())
	if names == nil {
		return c, in.Scenario.errorf(x.Path("name"), "there is no platform, so links have no names: write from: 0, to: 1")
	}
	for i, name := range names {
		if named(x.String("name"), name) {
			c.links[i] = true
		}
	}
	if len(c.links) == 0 {
		return c, in.Scenario.errorf(x.Path("name"), "no link is called %q; the first of %d is %q", x.String("name"),
			len(names), append(names, "")[0])
	}
	return c, nil
}

// crossed returns what gives the physical links that messages from one node to another cross; none where each edge
// is a line of its own.
func (in *Instance) crossed() func(from, to int) []int {
	p := in.engine.Platform
	if p == nil {
		return func(from, to int) []int { return []int{2 * from, 2*to + 1} } // the interfaces
	}
	return func(from, to int) []int {
		over, err := p.Route(from, to)
		if err != nil {
			panic("scenarios: " + err.Error()) // routes of edges were found when the platform was built
		}
		return over
	}
}

// readAvailability reads lines of node, time, on or off, of each node in the order of time. A node is
// on until its first line says otherwise, or off if that line says on; after its last line it stays as it is.
func readAvailability(path string, nodes int) ([][]channel.Span, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	spans, err := availability(file, nodes)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return spans, nil
}

func availability(from io.Reader, nodes int) ([][]channel.Span, error) {
	r := csv.NewReader(from)
	r.FieldsPerRecord, r.TrimLeadingSpace, r.Comment = 3, true, '#'
	turns := make([][]turn, nodes)
	for first := true; ; first = false {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("want lines of node, time, on or off: %w", err)
		}
		if first && strings.EqualFold(row[0], "node") {
			continue
		}
		line, _ := r.FieldPos(0)
		i, err := strconv.Atoi(row[0])
		if err != nil || i < 0 || i >= nodes {
			return nil, fmt.Errorf("line %d: want a node from 0 to %d, got %q", line, nodes-1, row[0])
		}
		t, ok := traceTime(row[1])
		if k := len(turns[i]); !ok || k > 0 && t <= turns[i][k-1].at {
			return nil, fmt.Errorf(
				"line %d: want a time after the one of the same node above, as 12.5 or 12.5s, got %q",
				line,
				row[1],
			)
		}
		on := row[2] == "on" || row[2] == "1"
		if !on && row[2] != "off" && row[2] != "0" {
			return nil, fmt.Errorf("line %d: want on or off, got %q", line, row[2])
		}
		turns[i] = append(turns[i], turn{t, on})
	}
	all := make([][]channel.Span, nodes)
	for i := range all {
		all[i] = offTimes(turns[i])
	}
	return all, nil
}

// turn is a line of a trace.
type turn struct {
	at sim.Time
	on bool
}

// offTimes returns when a node is off.
func offTimes(turns []turn) []channel.Span {
	var all []channel.Span
	off := len(turns) > 0 && turns[0].on && turns[0].at > 0
	since := sim.Time(0)
	for _, t := range turns {
		if off && t.on {
			all = append(all, channel.Span{From: since, Until: t.at})
		}
		if off == t.on {
			off, since = !t.on, t.at
		}
	}
	if off {
		all = append(all, channel.Span{From: since, Until: sim.Never})
	}
	return all
}

// traceTime reads a time with a unit, or in seconds.
func traceTime(text string) (sim.Time, bool) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		var ok bool
		if v, ok = keys.Quantity(text); !ok || strings.ContainsAny(text, "/B") {
			return 0, false // no time, but a rate or a size
		}
	}
	if !(v >= 0 && v < sim.Horizon.Seconds()) {
		return 0, false
	}
	return sim.Seconds(v), true
}

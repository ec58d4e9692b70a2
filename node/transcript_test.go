package node

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tallynet/channel"
	"tallynet/metrics"
	"tallynet/sim"
	"tallynet/sim/golden"
)

// transcript lists the events of a run in virtual time. It sees the engine's sends,
// arrivals and timers at the queue. Nodes report their actions through speaker and loud.
type transcript struct {
	net   *Network
	lines []line
	sent  map[[2]uint64]bool // by sender and its counter: sends with a line
}

type line struct {
	at   sim.Time
	text string
}

func (r *transcript) say(at sim.Time, node int, format string, args ...any) {
	r.sends()
	r.lines = append(r.lines, line{at, fmt.Sprintf("node %d  ", node) + fmt.Sprintf(format, args...)})
}

func label(m *channel.Message) string { return fmt.Sprintf("%s[%d]", m.Phase, m.Occurrence) }

// pending returns the messages in flight and some more, in the order in which they were sent.
func (r *transcript) pending(more ...sim.Event) []sim.Event {
	flight := slices.AppendSeq(more, r.net.queue.Pending())
	flight = slices.DeleteFunc(flight, func(e sim.Event) bool { return kindOf(&e) >= timerEnds })
	for x := range r.net.fabric.UnderWay() {
		l := r.net.fabric.Link(int(x.Link))
		flight = append(flight, sim.Event{To: l.To, From: l.From, Seq: x.Seq, Ref: x.Ref})
	}
	slices.SortFunc(flight, func(a, b sim.Event) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.Seq, b.Seq))
	})
	return flight
}

// sends adds a line for each message sent since the last call. A message that is taken
// from the queue is no longer pending, but may be among them.
func (r *transcript) sends(taken ...sim.Event) {
	key := func(e sim.Event) [2]uint64 { return [2]uint64{uint64(e.From), e.Seq} }
	fresh := slices.DeleteFunc(r.pending(taken...), func(e sim.Event) bool { return r.sent[key(e)] })
	for i, e := range fresh {
		r.sent[key(e)] = true
		m := r.net.pool.At(e.Ref)
		if i > 0 && fresh[i-1].Ref == e.Ref {
			last := &r.lines[len(r.lines)-1]
			last.text += fmt.Sprintf(" %d", e.To)
			continue
		}
		r.lines = append(r.lines, line{m.SentAt, fmt.Sprintf("node %d  sends %s, %d bytes, to %d",
			e.From, label(m), r.net.ledger.Class(m.Class).WireBytes(), e.To)})
	}
}

// dispatch records an event and its effects.
func (r *transcript) dispatch(e *sim.Event) bool {
	r.sends(*e)
	switch to := int(e.To); {
	case kindOf(e) >= finishes:
	case kindOf(e) == timerEnds:
		r.say(e.At, to, "a timer runs out")
	case kindOf(e) == begins:
		r.say(e.At, to, "the first bit of %s arrives from %d", label(r.net.pool.At(e.Ref)), e.From)
	default:
		r.say(e.At, to, "%s arrives from %d", label(r.net.pool.At(e.Ref)), e.From)
	}
	more := r.net.dispatch(e)
	r.sends()
	return more
}

// did reports a node's actions since its counters had the given values: it may have
// waited, then received, then computed.
func (r *transcript) did(c *Context, before spent, format string, args ...any) {
	waited, computed := c.spent.Wait-before.Wait, c.spent.Compute-before.Compute
	at := c.now - computed
	if waited > 0 {
		format += fmt.Sprintf(", after waiting for %v", waited)
	}
	r.say(at, c.id, format, args...)
	if computed > 0 {
		r.say(at, c.id, "computes for %v", computed)
	}
}

// speaker is a Proc that logs what it does.
type speaker struct {
	*Proc
	script *transcript
}

func (p speaker) Work(flops float64) {
	at := p.Now()
	p.Proc.Work(flops)
	p.script.say(at, p.ID(), "computes for %v", p.Now()-at)
}

func (p speaker) Exchange(phase string, size int) {
	before := p.spent
	got := p.Proc.Exchange(phase, vector(size))
	p.script.did(p.Context, before, "has %s", from(got))
}

func (p speaker) ExchangeWithin(d sim.Time, phase string, size int) {
	before := p.spent
	got := p.Proc.ExchangeWithin(d, phase, vector(size))
	p.script.did(p.Context, before, "goes on with %s", from(got))
}

func (p speaker) Average(phase string, size int) {
	before := p.spent
	p.Proc.Average(phase, MixVec("x", make([]float64, size), make([]float64, size)))
	p.script.did(p.Context, before, "has averaged")
}

func (p speaker) Receive(phase string, senders ...int) {
	before := p.spent
	m := p.Proc.Receive(phase, senders...)
	p.script.did(p.Context, before, "receives %s", from([]*channel.Message{m}))
}

func (p speaker) Sleep(d sim.Time) {
	p.Proc.Sleep(d)
	p.script.say(p.Now(), p.ID(), "has slept for %v", d)
}

func (p speaker) Report(k int) {
	p.script.say(p.Now(), p.ID(), "reports %d", k)
	p.Proc.Report(k, nil, nil)
}

func vector(size int) channel.Part { return channel.Vec("x", make([]float64, size)) }

// from names messages and their senders.
func from(got []*channel.Message) string {
	if len(got) == 0 {
		return "nothing"
	}
	text := label(got[0]) + " from"
	for _, m := range got {
		text += fmt.Sprintf(" %d", m.From)
	}
	return text
}

// loud is a Handler that logs what it does.
type loud struct {
	script
	out *transcript
}

func (h *loud) Start(c *Context) {
	h.out.say(c.now, c.id, "starts")
	h.script.Start(c)
}

func (h *loud) Receive(c *Context, m *channel.Message) {
	before, what := c.spent, from([]*channel.Message{m})
	h.script.Receive(c, m)
	h.out.did(c, before, "handles %s", what)
}

func (h *loud) Wake(c *Context, tag int) {
	before := c.spent
	h.script.Wake(c, tag)
	h.out.did(c, before, "wakes for timer %d", tag)
}

// text runs a scene and returns its transcript: lines by time, and within one time in the
// engine's order.
func (s *scene) text(t *testing.T) string {
	r := &transcript{sent: map[[2]uint64]bool{}}
	cfg := s.cfg
	cfg.Verify = true
	if s.samples > 0 {
		cfg.Recorder = metrics.NewRecorder(len(cfg.Peers), 1, s.samples, func(p *metrics.Snapshot) bool {
			r.lines = append(r.lines, line{p.At, fmt.Sprintf("sample %d is complete", p.Iteration)})
			return p.Iteration < s.samples
		})
	}
	net, err := New(cfg, func(id int) Handler {
		if s.handler != nil {
			return &loud{s.handler(id), r}
		}
		return Program(func(p *Proc) { s.program(speaker{p, r}) })
	})
	if err != nil {
		t.Fatal(err)
	}
	r.net = net
	end, err := net.run(background, Limits{Until: s.until}, r.dispatch)
	r.sends()
	checkRun(t, net)

	var b strings.Builder
	for about := range strings.Lines(strings.TrimSpace(s.about)) {
		fmt.Fprintf(&b, "# %s\n", strings.TrimSpace(about))
	}
	slices.SortStableFunc(r.lines, func(a, b line) int { return cmp.Compare(a.at, b.at) })
	for _, l := range r.lines {
		fmt.Fprintf(&b, "%12v  %s\n", l.at, l.text)
	}
	ending := [...]string{Finished: "finished", Ended: "ended", OutOfTime: "out of time", Stalled: "stalled"}[end]
	fmt.Fprintf(&b, "%12s  %s, digest %s\n", "end", ending, net.Digest())
	if err != nil {
		fmt.Fprintf(&b, "%12s  %v\n", "", err)
	}
	for _, e := range r.pending() {
		fmt.Fprintf(&b, "%12s  %s from %d to %d is in flight\n", "", label(net.pool.At(e.Ref)), e.From, e.To)
	}
	return b.String()
}

// TestTranscripts compares small networks, event by event, with golden files. The times
// in a scene's description are calculated by hand.
func TestTranscripts(t *testing.T) {
	for _, s := range scenes() {
		t.Run(s.name, func(t *testing.T) { golden.Check(t, filepath.Join("testdata", s.name+".txt"), s.text(t)) })
	}
}

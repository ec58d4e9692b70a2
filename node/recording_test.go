package node

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tallynet/channel"
	"tallynet/metrics"
	"tallynet/sim"
)

// recorded runs a program on three nodes in a line, with a recording if r is not nil. It returns when all nodes have
// reported each iteration.
func recorded(t *testing.T, cfg Config, r *Recording, program func(p *Proc)) (times []sim.Time) {
	t.Helper()
	cfg.Peers, cfg.Recording = chain(3), r
	cfg.Recorder = metrics.NewRecorder(3, 1, 99, func(s *metrics.Snapshot) bool {
		times = append(times, s.At)
		return true
	})
	n, err := New(cfg, func(int) Handler { return Program(program) })
	if err != nil {
		t.Fatal(err)
	}
	if _, err := n.Run(context.Background(), Limits{}); err != nil {
		t.Fatal(err)
	}
	return times
}

// TestRecordedStepsTakeTheirTime plays all that programs do on links and machines other than those of the recording.
func TestRecordedStepsTakeTheirTime(t *testing.T) {
	program := func(p *Proc) {
		p.Report(0, nil, nil)
		for k := 1; k <= 3; k++ {
			if p.ID() == 1 {
				p.Sleep(sim.Time(k) * ms)
				p.Broadcast("news", one(1))
				p.Receive("answer", 0)
				p.Receive("answer", 2)
			} else {
				p.Charge(metrics.CallHVP, k, 0, 5e5)
				p.Receive("news")
				p.Send(1, "answer", channel.Vec("v", make([]float64, 100*(1+p.ID()))))
			}
			p.Work(1e6)
			p.Exchange("x", one(2))
			p.Report(k, nil, nil)
		}
	}
	var r Recording
	here := recorded(t, Config{Link: delays(0, 0, 0)}, &r, program)
	var again Recording
	recorded(t, Config{Link: delays(0, 0, 0), Helpers: sim.NewHelpers(sim.NewCores(3)), Worth: 1}, &again, program)
	if !reflect.DeepEqual(again, r) {
		t.Errorf("with other cores %+v, want %+v", again, r)
	}
	there := Config{Link: delays(5*ms, 300, ms), Machines: []Machine{{FlopsPerSecond: 3e8, Round: 7}},
		Overhead: channel.Overhead{PerMessage: 40}, Seed: 2, Jitter: channel.Jitter{Kind: channel.Exponential, Mean: ms}}
	want := recorded(t, there, nil, program)
	there.Peers = chain(3)
	got, err := r.Times(context.Background(), there, 1, 3)
	if err != nil || !slices.Equal(got, want) || slices.Equal(got, here) {
		t.Errorf("%v, %v, want %v, unlike %v", got, err, want, here)
	}
	if got, err := r.Times(context.Background(), there, 2, 3); err != nil || len(got) != 3 || got[1] != want[2] {
		t.Errorf("iterations 0, 2 and 3: %v, %v", got, err)
	}
}

// TestRecordingRefuses checks what has no recording, or none that is long enough.
func TestRecordingRefuses(t *testing.T) {
	times := func(r *Recording, cfg Config, last int) string {
		cfg.Peers, cfg.Link = chain(3), delays(5*ms, ms, ms)
		_, err := r.Times(context.Background(), cfg, 1, last)
		if err == nil {
			return ""
		}
		return err.Error()
	}
	for why, program := range map[string]func(p *Proc){
		"reads its clock":           func(p *Proc) { p.Now() },
		"exchanges with a deadline": func(p *Proc) { p.ExchangeWithin(ms, "x", one(1)) },
		"the first message of several nodes": func(p *Proc) {
			if p.Broadcast("x", one(1)); p.ID() == 1 {
				p.Receive("x")
			}
		},
	} {
		var r Recording
		recorded(t, Config{Link: delays(0, 0, 0)}, &r, program)
		if got := times(&r, Config{}, 0); !strings.Contains(got, why) {
			t.Errorf("%q, want %q", got, why)
		}
	}
	exchanges := func(p *Proc) {
		p.Report(0, nil, nil)
		p.Exchange("x", one(1))
		p.Report(1, nil, nil)
	}
	var r Recording
	recorded(t, Config{Link: delays(0, 0, 0)}, &r, exchanges)
	drop := Config{Faults: Faults{Loss: channel.Loss{Kind: channel.Independent, P: 1}}}
	for name, c := range map[string]struct{ got, want string }{
		"the whole":   {times(&r, Config{}, 1), ""},
		"too short":   {times(&r, Config{}, 2), "ends before its last iteration"},
		"with a drop": {times(&r, drop, 1), "lost for good"},
	} {
		if !strings.Contains(c.got, c.want) || (c.got == "") != (c.want == "") {
			t.Errorf("%s: %q, want %q", name, c.got, c.want)
		}
	}
	// Node 2 is done at 1 ms. What it would do then, if its recording went on, could change what comes until 5 ms.
	r.nodes[2] = r.nodes[2][:len(r.nodes[2])-1]
	if got := times(&r, Config{}, 1); !strings.Contains(got, "ends before") {
		t.Errorf("cut short: %q", got)
	}
	recorded(t, Config{Link: delays(0, 0, 0)}, &r, func(p *Proc) {
		p.net.cfg.Recording.kept = max(p.net.cfg.Recording.kept, mostSteps-100)
		exchanges(p)
	})
	if got := times(&r, Config{}, 1); !strings.Contains(got, "it is too long") {
		t.Errorf("of bounded memory: %q", got)
	}
	cfg := Config{Peers: chain(1), Recording: &r}
	if _, err := New(cfg, func(int) Handler { return &script{} }); err != nil || !strings.Contains(r.why, "reacts to") {
		t.Errorf("a handler: %q, %v", r.why, err)
	}
}

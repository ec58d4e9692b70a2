package node

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tallynet/channel"
	"tallynet/metrics"
	"tallynet/sim"
)

// aheadScene is a program and its network.
type aheadScene struct {
	name    string
	change  func(*Config)
	limits  Limits
	until   int // the recorder ends the run after this iteration; 0: never
	program func(p *Proc, x []float64)
}

// play runs the scene with the given number of cores and returns all results as text.
func (s *aheadScene) play(t *testing.T, cores int) string {
	t.Helper()
	const n, dim = 9, 30
	cfg := Config{
		Seed: 5, Verify: true, Peers: ringPeers(n), Machines: []Machine{gflops}, AtOnce: 1000,
		Link:    func(from, to int) (sim.Time, int64) { return sim.Time(1+(3*from+to)%4) * ms, 1e8 },
		Helpers: sim.NewHelpers(sim.NewCores(cores)), Worth: 1e-9,
	}
	if s.change != nil {
		s.change(&cfg)
	}
	var samples []string
	cfg.Recorder = metrics.NewRecorder(n, 2, 100, func(s0 *metrics.Snapshot) bool {
		samples = append(samples, fmt.Sprintf("%+v", *s0))
		return s.until == 0 || s0.Iteration < s.until
	})
	net, err := New(cfg, func(int) Handler {
		return Program(func(p *Proc) {
			x := make([]float64, dim)
			for i := range x {
				x[i] = math.Sin(float64(i * (1 + p.ID())))
			}
			s.program(p, x)
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	func() {
		defer func() {
			if r := recover(); r != nil {
				text = fmt.Sprintf("panic: %v\n", r)
			}
		}()
		end, err := net.Run(context.Background(), s.limits)
		text = fmt.Sprintf("%v %v, conserved: %v\n", end, err, net.CheckConservation())
	}()
	text += net.Digest() + " " + net.EventsDigest() + " " + net.IteratesDigest() + "\n"
	for i := range n {
		text += fmt.Sprintf("%+v\n", net.Outcome(i))
	}
	return text + strings.Join(samples, "\n")
}

// cycle charges, mixes, works and reports in each iteration.
func cycle(p *Proc, x []float64, mix func(k int)) {
	p.Report(0, x, nil)
	for k := 1; k <= 12; k++ {
		p.Charge(metrics.CallGradF, 2, 7, float64(1e4*(1+(p.ID()+k)%5)))
		mix(k)
		for i := range x {
			x[i] = math.Cos(x[i]) + 0.1*float64(i%3)
		}
		p.Work(3e4)
		p.Report(k, x, nil)
	}
}

func mixing(p *Proc, x []float64) { cycle(p, x, func(int) { p.Mix(x, "x", x) }) }

// TestAheadIsTheSame checks that a run with helpers equals the run without them, bit for bit.
func TestAheadIsTheSame(t *testing.T) {
	lognormal := Straggler{Kind: LogNormal, Sigma: 1, Window: 3 * ms}
	for _, s := range []aheadScene{
		{name: "mixing", program: mixing},
		{name: "equal links", program: mixing, change: func(c *Config) { c.Link = lan }},
		{name: "jitter and stragglers", program: mixing, change: func(c *Config) {
			c.Jitter = channel.Jitter{Kind: channel.Exponential, Mean: ms}
			c.Machines = []Machine{{FlopsPerSecond: 1e9, Round: ms, Straggler: lognormal}}
		}},
		{name: "calls with durations", program: mixing, change: func(c *Config) {
			m := Machine{FlopsPerSecond: 1e9}
			m.Calls[metrics.CallGradF] = ms
			c.Machines = []Machine{m}
		}},
		{name: "rounded", program: mixing, change: func(c *Config) { c.Codec = channel.Float32 }},
		{name: "compressed", program: mixing, change: func(c *Config) {
			c.Compress = &channel.Compression{Compressor: channel.TopK{Share: 0.2}, Width: 64,
				Memory: channel.Difference, Step: 0.3}
		}},
		{name: "platform", program: mixing, change: func(c *Config) {
			c.NICs = slices.Repeat([]channel.NIC{{UpBitsPerSecond: 1e7, DownBitsPerSecond: 2e7}}, 9)
		}},
		{name: "a link is down, and messages come again", program: mixing, change: func(c *Config) {
			c.Faults = Faults{Link: onLink(2, 3, channel.Span{From: 5 * ms, Until: 12 * ms}),
				Loss:       channel.Loss{Kind: channel.Independent, P: 0.2},
				Retransmit: &channel.Retransmission{Timeout: 3 * ms, Backoff: 2}}
		}},
		{name: "a host is down", program: mixing, change: func(c *Config) {
			c.Faults = Faults{Host: onHost(4, channel.Span{From: 7 * ms, Until: 15 * ms}),
				Retransmit: &channel.Retransmission{Timeout: 3 * ms, Backoff: 2}}
		}},
		{name: "the others go on", program: mixing, change: func(c *Config) {
			c.Silence = Silence{Renormalize, 2 * ms}
		}},
		{name: "ends by time", program: mixing, limits: Limits{Until: 31 * ms}},
		{name: "ends by the recorder", program: mixing, until: 6},
		{name: "two objects", program: func(p *Proc, x []float64) {
			y := slices.Clone(x)
			cycle(p, x, func(k int) {
				if k%3 == 0 {
					p.MixAll("xy", MixVec("x", x, x), MixVec("y", y, y))
				} else {
					p.Mix(y, "y", y)
				}
			})
		}},
		{name: "all other calls", program: func(p *Proc, x []float64) {
			r := p.Rand("a purpose")
			cycle(p, x, func(k int) {
				x[0] += r.Float64() + float64(p.Now()%7)
				for _, m := range p.Exchange("e", channel.Vec("x", x)) {
					x[1] += m.Vec(0)[0]
				}
				p.MixedStale(p.Now(), k)
				if p.Restarted() {
					t.Error("restarted")
				}
				x[2] += float64(len(p.ExchangeWithin(2*ms, "w", channel.Vec("x", x))))
				p.Broadcast("b", channel.Vec("x", x[:1]))
				for _, j := range p.Neighbors() {
					x[3] += p.Receive("b", j).Vec(0)[0]
				}
				p.Sleep(sim.Time(p.ID()) * us)
				p.PushPull("pp", []Mixed{MixVec("x", x, x)}, []Mixed{MixVec("x", x, x)})
				p.Send(p.Neighbors()[k%2], "s", channel.Vec("x", x[:1]))
				p.AllReduceTree("tree", x[:2])
			})
		}},
		{name: "around the ring", program: func(p *Proc, x []float64) {
			cycle(p, x, func(int) {
				p.Mix(x, "x", x)
				p.AllReduceRing("ring", x)
				for i := range x {
					x[i] /= 9
				}
			})
		}},
		{name: "star", program: func(p *Proc, x []float64) {
			cycle(p, x, func(int) { p.Average("a", MixVec("x", x, x)) })
		}, change: func(c *Config) {
			c.Peers, c.Roles = star(9), slices.Repeat([]Role{Client}, 9)
			c.Roles[0] = Server
		}},
		{name: "diverges", program: func(p *Proc, x []float64) {
			cycle(p, x, func(k int) {
				p.Mix(x, "x", x)
				if k == 5 && p.ID() == 3 {
					x[4] = math.NaN()
				}
			})
		}},
		{name: "fails", program: func(p *Proc, x []float64) {
			cycle(p, x, func(k int) {
				p.Mix(x, "x", x)
				if k == 7 && p.ID() == 6 {
					p.Fail(errors.New("on purpose"))
				}
			})
		}},
		{name: "panics", program: func(p *Proc, x []float64) {
			cycle(p, x, func(k int) {
				p.Mix(x, "x", x)
				if k == 4 && p.ID() == 2 {
					panic("on purpose")
				}
			})
		}},
		{name: "works for ever", program: func(p *Proc, x []float64) {
			cycle(p, x, func(k int) {
				p.Mix(x, "x", x)
				if k == 4 && p.ID() == 2 {
					p.Work(1e60)
				}
			})
		}},
		{name: "reports out of turn", program: func(p *Proc, x []float64) {
			cycle(p, x, func(k int) {
				p.Mix(x, "x", x)
				if k == 4 && p.ID() == 2 {
					p.Report(9, x, nil)
				}
			})
		}},
		{name: "returns early", program: func(p *Proc, x []float64) {
			p.Report(0, x, nil)
			p.Mix(x, "x", x)
			p.Work(1e6)
		}, change: func(c *Config) { c.Reports = &Reports{Last: 3, P: 30} }},
		{name: "stalls", program: func(p *Proc, x []float64) {
			cycle(p, x, func(k int) {
				if k < 5 || p.ID() != 4 {
					p.Mix(x, "x", x)
				}
			})
			p.Exchange("more", channel.Vec("x", x))
		}},
	} {
		want := s.play(t, 1)
		for _, cores := range []int{2, 4, 8} {
			if got := s.play(t, cores); got != want {
				t.Errorf("%s: with %d cores:\n%s\nwith one:\n%s", s.name, cores, got, want)
			}
		}
	}
}

// TestAheadIsAhead checks that programs do run ahead of the loop, so that TestAheadIsTheSame is not
// vacuous.
func TestAheadIsAhead(t *testing.T) {
	ahead := 0
	cfg := ringConfig(9)
	cfg.Helpers, cfg.Worth = sim.NewHelpers(sim.NewCores(4)), 1e-9
	run(t, cfg, func(int) Handler {
		return Program(func(p *Proc) {
			x := make([]float64, 5)
			for range 20 {
				p.Mix(x, "x", x)
				if p.Context.lookahead != nil {
					defer func() { ahead++ }() // runs at the end, which the loop reaches one by one
				}
				p.Work(1e3)
			}
			p.Now()
		})
	})
	if ahead < 9*15 {
		t.Errorf("of %d segments %d were computed ahead", 9*20, ahead)
	}
}

// TestAheadSyncs checks that each exported call of a program reads only constants, records an effect, or syncs
// first.
func TestAheadSyncs(t *testing.T) {
	constant := []string{"ID", "Nodes", "Neighbors", "Weights", "SelfWeight", "Role", "Rand", "Seed"}
	bodies := map[string]*ast.FuncDecl{}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv == nil {
				continue
			}
			if star, ok := f.Recv.List[0].Type.(*ast.StarExpr); ok {
				if name := fmt.Sprint(star.X); name == "Context" || name == "Proc" {
					bodies[f.Name.Name] = f
				}
			}
		}
	}
	var safe func(name string, seen map[string]bool) bool
	safe = func(name string, seen map[string]bool) bool {
		seen[name] = true
		found := false
		ast.Inspect(bodies[name].Body, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				called := s.Sel.Name
				found = found || called == "sync" || called == "lookahead" ||
					bodies[called] != nil && !seen[called] && safe(called, seen)
			}
			return true
		})
		return found
	}
	checked := 0
	for name := range bodies {
		if !ast.IsExported(name) || slices.Contains(constant, name) {
			continue
		}
		if checked++; !safe(name, map[string]bool{}) {
			t.Errorf("%s neither records its effect nor syncs first", name)
		}
	}
	if checked < 15 {
		t.Errorf("only %d calls found", checked)
	}
}

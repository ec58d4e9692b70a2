package algorithms_test

import (
	"context"
	"os"
	"runtime/debug"
	"slices"
	"testing"

	"tallynet/algorithms"
	"tallynet/metrics"
	"tallynet/node"
	"tallynet/scenarios/problems"
	"tallynet/sim"
	"tallynet/topologies"
)

// split is a problem that is split over nodes, as methods see it.
type split struct {
	p, q  int
	local func(i int) algorithms.Local
	start func(i int) (x0, y0 []float64)
}

func splitOf(p problems.Problem) split {
	d1, d2 := p.Dims()
	return split{d1, d2, func(i int) algorithms.Local { return p.Local(i) }, p.Start}
}

// world is the network on which a method runs.
type world struct {
	w         *topologies.Mixing
	on        split
	server    bool                                      // node 0 is a server; node i holds share i - 1 of the problem
	every     int                                       // iterations between snapshots; 0: keep each
	stopAfter int                                       // the recorder ends the run after this iteration; 0: never
	configure func(*node.Config)                        // nil: links and machines take no time
	wrap      func(algorithms.Oracle) algorithms.Oracle // wraps the oracles of nodes with data; nil: none
	unwound   *int                                      // counts the programs whose deferred calls ran
}

// snapshot is a metrics.Snapshot that stays valid, with its traffic.
type snapshot struct {
	metrics.Snapshot
	traffic metrics.Traffic
}

type outcome struct {
	ending node.Ending
	err    error
	net    *node.Network
	at     []snapshot
}

func (o outcome) last() snapshot { return o.at[len(o.at)-1] }

func peersOf(w *topologies.Mixing) []node.Peers {
	peers := make([]node.Peers, w.Nodes())
	for i := range peers {
		peers[i] = node.Peers{Neighbors: w.Graph().Neighbors(i), Weights: w.Weights(i), SelfWeight: w.Self(i)}
	}
	return peers
}

// configOf returns a network on w in which everything is verified and nothing takes time.
func configOf(w *topologies.Mixing) node.Config {
	return node.Config{
		Seed: 7, Peers: peersOf(w), Verify: true,
		Link:     func(int, int) (sim.Time, int64) { return 0, 1e12 },
		Machines: []node.Machine{{}},
	}
}

// config is configOf with the world's roles.
func (w world) config() node.Config {
	cfg := configOf(w.w)
	if w.server {
		cfg.Roles = slices.Repeat([]node.Role{node.Client}, w.w.Nodes())
		cfg.Roles[0] = node.Server
	}
	return cfg
}

// run runs a method to its end, completed or not, and checks conservation.
func run(t testing.TB, w world, m algorithms.Method) outcome {
	t.Helper()
	out := outcome{at: make([]snapshot, 0, min(algorithms.Iterations(m)/max(w.every, 1)+2, 1<<16))}
	cfg := w.config()
	if w.configure != nil {
		w.configure(&cfg)
	}
	cfg.Reports = &node.Reports{Last: algorithms.Iterations(m), P: w.on.p, Q: w.on.q}
	cfg.Recorder = metrics.NewRecorder(w.w.Nodes(), w.every, algorithms.Iterations(m), func(s *metrics.Snapshot) bool {
		k := snapshot{*s, out.net.Ledger().Traffic(s.Tallies)}
		k.X, k.Y, k.Tallies = clone(s.X), clone(s.Y), slices.Clone(s.Tallies)
		out.at = append(out.at, k)
		return w.stopAfter == 0 || s.Iteration < w.stopAfter
	})
	out.net = network(t, cfg, func(i int) node.Handler { return handler(w, m, i) })
	out.ending, out.err = out.net.Run(context.Background(), node.Limits{})
	if err := out.net.CheckConservation(); err != nil {
		t.Fatal(err)
	}
	return out
}

// finish is run for a method that must complete.
func finish(t testing.TB, w world, m algorithms.Method) outcome {
	t.Helper()
	out := run(t, w, m)
	if out.err != nil || out.ending != node.Finished {
		t.Fatalf("%T ended %d: %v", m, out.ending, out.err)
	}
	return out
}

func network(t testing.TB, cfg node.Config, newHandler func(int) node.Handler) *node.Network {
	t.Helper()
	net, err := node.New(cfg, newHandler)
	if err != nil {
		t.Fatal(err)
	}
	return net
}

func handler(w world, m algorithms.Method, i int) node.Handler {
	oracle := func(c *node.Context) algorithms.Oracle {
		share := i
		if w.server {
			share = max(0, i-1)
		}
		x0, y0 := w.on.start(share)
		if w.server && i == 0 {
			return algorithms.Metered(c, algorithms.NoData(w.on.p, w.on.q), x0, y0)
		}
		o := algorithms.Metered(c, w.on.local(share), x0, y0)
		if w.wrap != nil {
			return w.wrap(o)
		}
		return o
	}
	if a, ok := m.(algorithms.Asynchronous); ok {
		return node.Deferred(func(c *node.Context) node.Handler { return a.Handler(oracle(c)) })
	}
	return node.Program(func(p *node.Proc) {
		if w.unwound != nil {
			defer func() { *w.unwound++ }()
		}
		m.(algorithms.Algorithm).Run(p, oracle(p.Context))
	})
}

// program runs one function on every node of a network and returns the network.
func program(t testing.TB, cfg node.Config, f func(p *node.Proc)) *node.Network {
	t.Helper()
	net := network(t, cfg, func(int) node.Handler { return node.Program(f) })
	if end, err := net.Run(context.Background(), node.Limits{}); err != nil || end != node.Finished {
		t.Fatalf("ended %d: %v", end, err)
	}
	return net
}

func clone(v [][]float64) [][]float64 {
	c := make([][]float64, len(v))
	for i := range v {
		c[i] = slices.Clone(v[i])
	}
	return c
}

// must returns a graph or problem that cannot fail here.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func ring(n int) *topologies.Mixing {
	return topologies.Metropolis(must(topologies.Make(topologies.Ring(n))))
}
func star(n int) *topologies.Mixing {
	return topologies.Metropolis(must(topologies.Make(topologies.Star(n, 0))))
}
func path(n int) *topologies.Mixing {
	return topologies.Metropolis(must(topologies.Make(topologies.Path(n))))
}
func single() *topologies.Mixing {
	return topologies.Metropolis(must(topologies.Make(topologies.Complete(1))))
}

func ringA(n int, a float64) *topologies.Mixing {
	return must(topologies.RingA(must(topologies.Make(topologies.Ring(n))), a))
}

// mean is W = 11'/n.
func mean(n int) *topologies.Mixing {
	return topologies.Metropolis(must(topologies.Make(topologies.Complete(n))))
}

// TestMain lets garbage grow: collecting it after hundreds of short runs took a fifteenth of the CPU time.
func TestMain(m *testing.M) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(300)
	}
	os.Exit(m.Run())
}

package page

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"tallynet/metrics"
	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/result"
	"tallynet/metrics/report/table"
	"tallynet/metrics/report/views"
	"tallynet/sim"
)

// hostile has difficult labels: text that ends its element in HTML, in a script, in an
// attribute, in a string; markup of ECharts' texts; right-to-left; and far too long.
var hostile = []string{
	`</script><script>document.title="owned"</script>`,
	`<img src=x onerror="document.title='owned'">`,
	`"quoted" 'twice' & {b|rich} {{.Title}}`,
	"عربي \u202e \u2028 日本語 𝔘 \x1b[31m",
	"a very long name that nobody would give to a method, and somebody will, for the parameters are all in it: " +
		"alpha=0.000125, beta=0.25, neumann=15, inner=25",
}

// grid describes a made-up study.
type grid struct {
	labels   []string
	keys     []string
	values   [][]string
	seeds    int
	samples  int
	nodes    int
	extra    int                                        // metrics of noise
	platform int                                        // physical links
	fail     func(label, point, seed int) result.Status // "" means that the run ends well
	change   func(*result.Run)                          // modifies a run; may be nil
	room     *samplesRoom                               // nil: each run has its own samples
}

// samplesRoom holds the samples of a run until the next run is made.
type samplesRoom struct {
	samples []result.Sample
	values  []float64
}

// points returns the settings of all grid points.
func (g grid) points() []result.Settings {
	all := []result.Settings{nil}
	for k, key := range g.keys {
		var next []result.Settings
		for _, p := range all {
			for _, v := range g.values[k] {
				raw, _ := json.Marshal(v)
				next = append(next, append(slices.Clip(p), result.Setting{Key: key, Value: raw}))
			}
		}
		all = next
	}
	return all
}

// each makes the runs of the study one by one, in the order of a study. Their rates
// of convergence differ, with some noise.
func (g grid) each(f func(*result.Run)) {
	for p, point := range g.points() {
		for seed := range g.seeds {
			for l, label := range g.labels {
				status := result.Completed
				if g.fail != nil {
					if s := g.fail(l, p, seed); s != "" {
						status = s
					}
				}
				f(g.run(l, label, p, point, seed, status))
			}
		}
	}
}

func (g grid) run(l int, label string, p int, point result.Settings, seed int, status result.Status) *result.Run {
	random := rand.New(rand.NewPCG(uint64(seed), uint64(100*p+l)))
	r := &result.Run{Algorithm: "fake", Label: label, Seed: uint64(seed + 1), Point: point, Status: status,
		Metrics: []string{"grad_norm2", "objective", "test_accuracy"}}
	for i, name := range []string{"alpha", "inner"} {
		s, _ := result.NewSetting(name, float64(l+1)/float64(i+1))
		r.Parameters = append(r.Parameters, s)
	}
	for i := range g.extra {
		r.Metrics = append(r.Metrics, fmt.Sprintf("noise_%d", i))
	}
	n := g.samples
	if status != result.Completed {
		n = n / 2
		r.Reason = "a number became non-finite"
	}
	rate := 0.02*float64(l+1) + 0.01*random.Float64() + 0.004*float64(p)
	room := g.room
	if room == nil {
		room = new(samplesRoom)
	}
	r.Samples = slices.Grow(room.samples[:0], n)
	all := slices.Grow(room.values[:0], n*len(r.Metrics))[:n*len(r.Metrics)]
	room.samples, room.values = r.Samples, all
	for k := range n {
		decay := math.Exp(-rate * float64(k))
		if status == result.Diverged {
			decay = math.Exp(0.05 * float64(k))
		}
		s := result.Sample{Moment: metrics.Moment{Iteration: k}, Values: all[:len(r.Metrics):len(r.Metrics)]}
		all = all[len(s.Values):]
		values := append(s.Values[:0], 0.1*decay*(1+0.2*random.Float64()), 0.2+0.3*decay, 0.95-0.9*math.Min(1, decay))
		for range g.extra {
			values = append(values, random.ExpFloat64()*1e-5)
		}
		t := &s.Totals
		t.Rounds, t.Messages = int64((l+1)*k), int64(40*k)
		t.Payload[metrics.Vector] = int64(40 * 800 * k)
		t.Payload[metrics.Matrix] = int64(l * 40 * 16000 * k)
		t.Time = sim.Time(float64(k)*1e6*(1+random.Float64()/10)) + sim.Time(k*p*200_000)
		t.Oracle.Add(metrics.CallGradG, int64(k*10*(l+1)), int64(k))
		r.Samples = append(r.Samples, s)
	}
	r.Finish()
	for i := range g.nodes {
		if g.nodes == 1 {
			r.Nodes = []result.NodeRow{{Compute: 1e9}}
			break
		}
		for _, j := range []int{(i + 1) % g.nodes, (i + g.nodes - 1) % g.nodes, (i + 3) % g.nodes, (i +
			g.nodes - 3) % g.nodes} {
			r.Links = append(r.Links, result.LinkRow{From: i, To: j, Busy: 1e6, Carried: metrics.Carried{Messages: 10,
				Payload: metrics.KindBytes{0, int64(1000 * (i + 1)), int64(l * 5000)}}})
		}
		r.Nodes = append(r.Nodes, result.NodeRow{Node: i, Compute: sim.Time(3e8 + 2e7*i), Wait: sim.Time(5e8 - 2e7*i),
			Send: 2e8})
	}
	if g.platform > 0 {
		r.Physical = &result.PhysicalTotals{}
		for i := range g.platform {
			name := fmt.Sprintf("rack%d.up", i)
			r.PlatformLinks = append(r.PlatformLinks, result.PlatformLinkRow{Link: name, BitsPerSecond: 1e9,
				Messages: int64(10 * (i + 1)), Bytes: int64(5000 * (i + 1)), Busy: sim.Time(1e6 * (i + 1)),
				Utilisation: float64(i+1) / 100})
			r.Crossings = append(r.Crossings, result.CrossingRow{From: i, To: i + 1, Link: name, Bytes: 100})
		}
	}
	if g.change != nil {
		g.change(r)
	}
	if p == 0 && seed == 0 && g.nodes > 0 {
		r.Timeline, r.Happenings = timelineOf(g.nodes, 4)
	}
	r.Phases = []result.PhaseRow{
		{Phase: "inner", Part: "y", Kind: metrics.Vector, Rows: 50, Cols: 1, Messages: 100, Broadcast: 5000, Wire: 20000,
			Bytes: 160000},
		{Phase: "outer", Part: "x", Kind: metrics.Vector, Rows: 20, Cols: 1, Messages: 100, Broadcast: 2000, Wire: 8000,
			Bytes: 64000},
		{Phase: "hessian", Part: "Z", Kind: metrics.Matrix, Rows: 50, Cols: 50, Messages: 10, Broadcast: 25000, Wire: 100000,
			Bytes: 800000},
		{Phase: "hessian", Part: "norm", Kind: metrics.Scalar, Rows: 1, Cols: 1, Messages: 10, Broadcast: 10, Wire: 40,
			Bytes: 320},
	}
	return r
}

// timelineOf returns the timeline of nodes on a ring. In each round a node computes for 1, 1.5 or 2 ms,
// sends to its neighbours, which takes 1.5 ms, and waits for both.
func timelineOf(nodes, rounds int) (*result.Timeline, []result.Happening) {
	const ms = sim.Time(1e6)
	var all []result.Happening
	type cause struct {
		before *cause
		legs   []result.Happening
	}
	clock, why := make([]sim.Time, nodes), make([]*cause, nodes)
	for range rounds {
		for i := range nodes {
			own := result.Happening{Kind: result.Computing, Node: i, Other: i, From: clock[i],
				To: clock[i] + ms + ms*sim.Time(i%3)/2}
			clock[i] = own.To
			all = append(all, own)
			own.Kind = result.CriticalComputing
			why[i] = &cause{why[i], []result.Happening{own}}
		}
		sent, whys := slices.Clone(clock), slices.Clone(why)
		for i := range nodes {
			for _, j := range []int{(i + 1) % nodes, (i + nodes - 1) % nodes} {
				m := result.Happening{Kind: result.Sending, Node: j, Other: i, Phase: "inner", From: sent[j],
					To: sent[j] + 3*ms/2, Latency: ms, Bytes: 400}
				all = append(all, m)
				if m.To > clock[i] {
					all = append(all, result.Happening{Kind: result.Waiting, Node: i, Other: j, Phase: "inner",
						From: clock[i], To: m.To})
					m.Kind, clock[i] = result.CriticalSending, m.To
					why[i] = &cause{whys[j], []result.Happening{m}}
				}
			}
		}
	}
	end := slices.Index(clock, slices.Max(clock))
	for c := why[end]; c != nil; c = c.before {
		all = append(all, c.legs...)
	}
	until := result.Seconds(clock[end])
	return &result.Timeline{Until: until, MessagesUntil: until, LeftOut: 12}, all
}

// folded returns the study as the page gets it, and its runs without their samples.
func (g grid) folded() (*Builder, *fold.Fold, []*result.Run) {
	b := NewBuilder(Options{})
	f := fold.New(fold.Options{More: []string{"test_accuracy"}, Number: milliseconds})
	var runs []*result.Run
	g.room = new(samplesRoom)
	g.each(func(r *result.Run) {
		b.Add(r)
		small := *r
		small.Samples, small.Links, small.Nodes, small.Phases = nil, nil, nil, nil
		if err := f.Add(&small); err != nil {
			panic(err)
		}
		runs = append(runs, &small)
	})
	return b, f, runs
}

// milliseconds reads the latencies of the fixture.
func milliseconds(s result.Setting) (x float64, ok bool) {
	_, err := fmt.Sscanf(s.Text(), "%gms", &x)
	return x / 1000, err == nil
}

// gradientTarget is a target that no run of the fixture states.
var gradientTarget = fold.NamedTarget{Name: "grad_norm2 <= 0.001",
	Target: result.Target{Conditions: []result.Condition{{Metric: "grad_norm2", Relation: "<=", Value: 1e-3}}}}

// built returns the page of the study, with something in each of its parts.
func (g grid) built() Page {
	b, f, runs := g.folded()
	s := f.Summary()
	answer := answered(f, s)
	s.Targets = append(s.Targets, gradientTarget)
	p := b.Page(s)
	p.Answer(answer, s)
	p.Headline, p.Charts.Open = "", nil
	p.Folded = views.StatisticsTables(s)
	p.Title, p.About = "fake-study", "Which of the methods needs the fewest bytes, and where does that change?"
	p.Facts = []string{"graph: ring of 12 nodes, 24 edges", "links: latency 1ms, bandwidth 1Gbit/s",
		"problem: generated quadratic"}
	p.Sentences = []string{
		g.labels[0] + " needs 0.31 times the bytes of the others, 95% interval 0.28 to 0.34, over 5 seeds.",
		"Runs that did not end well are in no mean.",
	}
	p.Claims = []result.Claim{
		{Text: "The first method sends no matrices", Source: "Nazari et al., Table 2: last row",
			Printed: json.RawMessage("0"), Check: "a == 0", Measured: result.Values{{Name: "a.totals.matrix_bytes", Value: 0}},
			Verdict: result.Holds},
		{Text: "Nobody is faster", Source: "Ji et al., Figure 3", Check: "a < b", Measured: result.Values{{Name: "time(a)",
			Value: 1.25}, {Name: "time(b)", Value: math.Inf(1)}}, Verdict: result.Fails},
		{Text: "It needs half the rounds", Source: "Chen et al., Figure 1", Check: "a < 0.5 * b", Verdict: result.Fails,
			Expected: result.Differs, Because: "the paper counts two exchanges as one"},
		{Text: "It sends nothing", Source: "Chen et al., Figure 2", Check: "a == 0", Verdict: result.Holds,
			Construction: true, Because: "there is one node"},
		{Text: "It gets there", Source: "ours", Check: "x", Verdict: result.Undecided, Reason: "run 3 was interrupted"},
	}
	p.Tables = []table.Table{g.table(runs)}
	p.Provenance = []fact{{"version", "v0.5.0 (abc1234)"}, {"Go", "go1.26 linux/amd64"}, {"seeds", "1 to 5"}}
	p.Command = "simulate run fake.yaml --out results/fake"
	p.Scenario = `{"version": 1, "name": "fake"}`
	return p
}

func (g grid) table(runs []*result.Run) table.Table {
	t := table.Table{Title: "Cost of the whole runs", Columns: []table.Column{{Name: "method"}, {Name: "point"},
		{Name: "seed", Unit: metrics.Count}, {Name: "status"},
		{Name: "bytes", Unit: metrics.Bytes}, {Name: "simulated time", Unit: metrics.Seconds}, {Name: "grad_norm2",
			Unit: metrics.Number}},
		Notes: []string{"A dash: the run ended before it got there."}}
	for _, r := range runs {
		row := []table.Cell{table.Text(r.Label), table.Text(r.Point.Text(" = ")), table.Integer(int64(r.Seed)),
			table.Text(string(r.Status)),
			table.Integer(r.Totals.PayloadBytes()), table.Number(r.Totals.Time.Seconds()), table.Missing()}
		if v, ok := r.Final.Values.Get("grad_norm2"); ok && r.Status == result.Completed {
			row[6] = table.Number(v)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// one returns a study with one point and one seed, in which one run diverges.
func one() grid {
	return grid{labels: []string{"DAGM", "DGBO (b = 10)", "MA-DBO", "DGTBO"}, seeds: 1, samples: 300, nodes: 12,
		fail: func(l, _, _ int) result.Status {
			if l == 3 {
				return result.Diverged
			}
			return ""
		}}
}

// study has two parameters and seeds. One method never ends well at one point, and one
// seed of another method diverges.
func newStudy() grid {
	return grid{labels: []string{"DAGM", "DGBO (b = 10)", "MA-DBO", "DGTBO"}, keys: []string{"topology.kind",
		"network.latency"},
		values: [][]string{{"ring", "torus", "complete"}, {"0.1ms", "1ms", "10ms"}}, seeds: 5, samples: 80, nodes: 12,
		fail: func(l, p, seed int) result.Status {
			switch {
			case l == 3 && p == 4:
				return result.Stalled
			case l == 1 && p == 0 && seed == 2:
				return result.Diverged
			}
			return ""
		}}
}

// odd returns pages that lack something.
func odd() []Page {
	alone := one()
	alone.nodes = 1
	axis := newStudy()
	axis.keys, axis.values, axis.fail = axis.keys[1:], axis.values[1:], nil
	single := newStudy()
	single.values = [][]string{{"ring"}, {"1ms"}}
	broken := newStudy()
	broken.samples, broken.nodes = 0, 0
	broken.fail = func(int, int, int) result.Status { return result.Failed }
	pages := []Page{alone.built(), axis.built(), single.built(), broken.built(), newStudy().built()}
	for i := range pages[4].Charts.Groups { // a list of points, some without a key
		if g := &pages[4].Charts.Groups[i]; g.Point[0] == 2 {
			g.Point[1] = -1
		}
	}
	return pages
}

// nasty has names that would break a page that does not escape them.
func nasty() grid {
	g := newStudy()
	g.labels = hostile
	g.keys = []string{hostile[0] + ".kind", hostile[4]}
	g.values = [][]string{hostile, hostile[:3]}
	g.seeds = 2
	return g
}

// large returns 500 runs with many metrics, most of them noise.
func large(seeds int) grid {
	g := newStudy()
	g.values = [][]string{{"ring", "torus", "complete", "star", "path"}, {"0.1ms", "1ms", "10ms", "50ms", "100ms"}}
	if seeds == 2 {
		g.labels = append(g.labels, "AID", "ITD", "DBO", "L-PDBO", "EXTRA", "DGD")
	}
	g.seeds, g.samples, g.nodes, g.extra = seeds, 1000, 20, 5
	return g
}

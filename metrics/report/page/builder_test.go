package page

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tallynet/metrics"
	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/result"
	"tallynet/sim"
)

func TestDetailShowsARunThatEndedWell(t *testing.T) {
	g := one()
	b := NewBuilder(Options{})
	for i, status := range []result.Status{result.Diverged, result.Reached, result.Completed} {
		b.Add(g.run(0, "DAGM", 0, nil, i, status))
	}
	if got, want := b.groups[0].detail.Title, "Seed 2: reached after 149 iterations and"; !strings.HasPrefix(got, want) {
		t.Errorf("the detail is %q, want %q...", got, want)
	}
	b = NewBuilder(Options{})
	b.Add(g.run(0, "DAGM", 0, nil, 0, result.Diverged))
	if got, want := b.groups[0].detail.Title, "a number became non-finite."; !strings.HasSuffix(got, want) {
		t.Errorf("the detail is %q, which does not say %q", got, want)
	}
}

func TestTraffic(t *testing.T) {
	r := &result.Run{Label: "a", Status: result.Completed, Nodes: make([]result.NodeRow, 3), Links: []result.LinkRow{
		{From: 0, To: 1, Busy: 2e9,
			Carried: metrics.Carried{Payload: metrics.KindBytes{1, 20, 300}, Overhead: 4000, Retransmitted: 50000}},
		{From: 2, To: 0, Carried: metrics.Carried{Payload: metrics.KindBytes{0, 7, 0}}},
		{From: 1, To: 0, Carried: metrics.Carried{Payload: metrics.KindBytes{0, 5, 0}}, Busy: 1e9},
	}}
	b := NewBuilder(Options{Positions: func(*result.Run) []Position { return []Position{{1, 2}, {3, 4}, {5, 6}} }})
	b.Add(r)
	d := b.groups[0].detail
	graph := drawnGraph{X: column{1, 3, 5}, Y: column{2, 4, 6}, Edges: [][2]int{{0, 1}, {0, 2}}}
	if diff := cmp.Diff([]drawnGraph{graph}, b.graphs.all); diff != "" {
		t.Errorf("graph (-want +got):\n%s", diff)
	}
	if got, want := fmt.Sprint(d.There, d.Back), "{[54321 NaN] [2 NaN]} {[5 7] [1 0]}"; got != want {
		t.Errorf("there and back: %s, want %s", got, want)
	}
	// Another run on the same graph shares its drawing.
	other := *r
	other.Label = "b"
	b.Add(&other)
	if len(b.graphs.all) != 1 || b.groups[1].detail.Graph != 0 {
		t.Errorf("%d graphs", len(b.graphs.all))
	}
}

func TestParametersThatVary(t *testing.T) {
	b := NewBuilder(Options{})
	for _, alpha := range []float64{0.1, 0.2} {
		r := &result.Run{Label: "a", Algorithm: "dagm", Status: result.Completed}
		for _, p := range []struct {
			key   string
			value any
		}{{"alpha", alpha}, {"solve", "cg"}} {
			s, err := result.NewSetting(p.key, p.value)
			if err != nil {
				t.Fatal(err)
			}
			r.Parameters = append(r.Parameters, s)
		}
		b.Add(r)
	}
	if diff := cmp.Diff([]methodWords{{"a", "dagm", "alpha varies, solve cg"}}, b.methods); diff != "" {
		t.Errorf("methods (-want +got):\n%s", diff)
	}
}

// TestTargetLines: several targets with the same value share one line.
func TestTargetLines(t *testing.T) {
	at := func(metric string, value float64) result.Condition {
		return result.Condition{Metric: metric, Relation: "<=", Value: value}
	}
	b, f, _ := newStudy().folded()
	s := f.Summary()
	s.Targets = []fold.NamedTarget{
		{Target: result.Target{Conditions: []result.Condition{at("grad_norm2", 1e-3)}}, Name: "a"},
		{Target: result.Target{Conditions: []result.Condition{at("grad_norm2", 1e-3), at("test_accuracy", 1e-3),
			at("grad_norm2", 1e-2), at("grad_norm2", math.Inf(1)), at("none", 1)}}, Name: "b"},
	}
	c := b.Page(s).Charts
	var got []string
	for _, line := range c.Targets {
		got = append(got, fmt.Sprint(c.Metrics[line.Metric].Name, " ", line.Value))
	}
	if diff := cmp.Diff([]string{"grad_norm2 0.001", "test_accuracy 0.001", "grad_norm2 0.01"}, got); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}

func TestMetricOfALaterRun(t *testing.T) {
	g := one()
	first, second := g.run(0, "DAGM", 0, nil, 0, result.Completed), g.run(1, "MA-DBO", 0, nil, 0, result.Completed)
	second.Metrics = slices.Clone(second.Metrics)
	second.Metrics[0] = "consensus_error"
	b := NewBuilder(Options{})
	b.Add(first)
	b.Add(second)
	c := b.Page(&fold.Summary{Labels: []string{"DAGM", "MA-DBO"}, Points: []fold.Point{{}},
		Groups: []fold.Group{{Label: 0}, {Label: 1}}}).Charts
	if len(c.Runs) != 2 || len(c.Runs[0].Curve.Values) != 4 || c.Runs[0].Curve.Values[3] != nil ||
		c.Runs[1].Curve.Values[0] != nil || c.Runs[1].Curve.Values[3] == nil {
		t.Errorf("the runs have columns %v", c.Runs)
	}
}

func TestEstimateNotesCensoredRuns(t *testing.T) {
	for _, c := range []struct {
		m    fold.Measured
		want string
	}{
		{fold.Measured{Statistic: fold.Mean, Reached: 5}, ""},
		{fold.Measured{Statistic: fold.Median, Reached: 3, Censored: 2}, "median, 2 of 5 did not get there"},
		{fold.Measured{Statistic: fold.None, Censored: 5}, "0 of 5"},
	} {
		if got := estimate(&c.m).Note; got != c.want {
			t.Errorf("%v: note %q, want %q", c.m, got, c.want)
		}
	}
	b, err := estimate(&fold.Measured{Statistic: fold.None, Censored: 5}).MarshalJSON()
	if want := `[null,0,0,0,"0 of 5"]`; err != nil || string(b) != want {
		t.Errorf("JSON %s, %v; want %s", b, err, want)
	}
}

// TestLargeStudy checks the promises for 500 runs, whose CSV file has a million rows:
// the page's size, and a note on what it leaves out.
func TestLargeStudy(t *testing.T) {
	for _, seeds := range []int{2, 5} {
		p := large(seeds).built()
		if n := len(p.Charts.Runs); n != 500 {
			t.Fatalf("%d runs", n)
		}
		var b bytes.Buffer
		if err := Write(&b, p); err != nil {
			t.Fatal(err)
		}
		points := len(p.Charts.Runs[0].Curve.Iterations)
		if b.Len() >= 10_000_000 {
			t.Errorf("%d seeds: the page has %d bytes", seeds, b.Len())
		}
		if points < 30 {
			t.Errorf("%d seeds: a curve has %d points only", seeds, points)
		}
		if len(p.Notes) == 0 || !strings.Contains(p.Notes[0], "iterations.csv has all") {
			t.Errorf("the page does not say that curves are thinned: %q", p.Notes)
		}
	}
}

func TestWriteIsDeterministic(t *testing.T) {
	write := func() []byte {
		var b bytes.Buffer
		if err := Write(&b, newStudy().built()); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	if !bytes.Equal(write(), write()) {
		t.Error("the same study gives two pages")
	}
}

func TestEmptyPage(t *testing.T) {
	var b bytes.Buffer
	if err := Write(&b, Page{Title: "nothing"}); err != nil {
		t.Fatal(err)
	}
	for _, section := range []string{"The answer", "Tables", "Convergence", "What a parameter does", "One run",
		"How it was made"} {
		if strings.Contains(b.String(), ">"+section) {
			t.Errorf("a page of nothing has the section %q", section)
		}
	}
}

// TestPageOfASummary checks that groups, values and words come from the statistics.
func TestPageOfASummary(t *testing.T) {
	p := newStudy().built()
	c := &p.Charts
	if c.Level != 0.95 || len(c.Groups) != 36 || len(c.Axes) != 2 || len(p.Folded) == 0 {
		t.Fatalf("level %v, %d groups, %d axes, %d tables folded", c.Level, len(c.Groups), len(c.Axes), len(p.Folded))
	}
	for i, g := range c.Groups {
		if g.Status == "" || len(g.Values) != len(c.Outcomes) {
			t.Errorf("group %d: status %q, %d values of %d outcomes", i, g.Status, len(g.Values), len(c.Outcomes))
		}
	}
	final := slices.IndexFunc(c.Outcomes, func(q measure) bool { return q.Name == "final grad_norm2" })
	var first, mean float64
	for _, r := range c.Runs {
		if r.Group == 0 {
			first++
			values := r.Curve.Values[0]
			mean += (values[len(values)-1] - mean) / first
		}
	}
	if got := c.Groups[0].Values[final]; !near(got.Value, mean) || !(got.Low < mean && mean < got.High) || got.Runs != 5 {
		t.Errorf("final grad_norm2 is %v, the mean of the runs %v", got, mean)
	}
	if q := c.Metrics[2]; q.Name != "test_accuracy" || !q.More {
		t.Errorf("of %v more is better", q)
	}
}

// TestPlatformTable: the page names the busiest physical links and their users.
func TestPlatformTable(t *testing.T) {
	r := result.Run{Label: "A", Status: result.Completed,
		Physical: &result.PhysicalTotals{Assumed: []string{"2 lines were merged"}},
		PlatformLinks: []result.PlatformLinkRow{{Link: "idle", BitsPerSecond: 1e6},
			{Link: "up", BitsPerSecond: 2e6, Messages: 3, Bytes: 400, Busy: sim.Second, Utilisation: 0.25},
			{Link: "wide", BitsPerSecond: math.Inf(1), Messages: 1, Bytes: 9, Busy: 1}},
		Crossings: []result.CrossingRow{{From: 1, To: 0, Link: "up", Bytes: 100}, {From: 2, To: -1, Link: "up", Bytes: 300},
			{From: 1, To: 0, Link: "wide", Bytes: 9}, {From: 1, To: 0, Link: "", Bytes: 100}}}
	b := NewBuilder(Options{})
	b.Add(&r)
	r.Seed = 2
	b.Add(&r) // the first run represents all
	table := b.platformTable([]fold.Point{{Settings: r.Point}})
	var out strings.Builder
	if err := table.WriteCSV(&out); err != nil {
		t.Fatal(err)
	}
	want := "method,point,link,Mbit/s,bytes (B),messages,busy (s),utilisation (%),connections\n" +
		"A,,up,2,400,3,1,25,\"2 → all: 75 %, 1 → 0: 25 %\"\n" +
		"A,,wide,unlimited,9,1,1e-09,0,1 → 0: 100 %\n"
	if out.String() != want || !slices.Contains(table.Notes, "Assumed of the platform: 2 lines were merged.") {
		t.Errorf("got %s%v, want %s", out.String(), table.Notes, want)
	}
}

// TestPageOfManyRuns: if the page has no room for all runs, the groups have the curves of their
// medians, and the outcomes that compare methods.
func TestPageOfManyRuns(t *testing.T) {
	const points, seeds, samples = 5000, 3, 64
	b, fold := NewBuilder(Options{}), fold.New(fold.Options{})
	random := rand.New(rand.NewPCG(1, 2))
	names := []string{"grad_norm2", "objective", "consensus_error", "test_accuracy"}
	all := make([]float64, samples*len(names))
	room := make([]result.Sample, 0, samples)
	for p := range points {
		set, err := result.NewSetting("problem.p", p)
		if err != nil {
			t.Fatal(err)
		}
		at := result.Settings{set}
		for seed := range seeds {
			r := result.Run{Algorithm: "dagm", Label: "DAGM", Seed: uint64(seed), Point: at, Status: result.Completed,
				Metrics: names}
			var m metrics.Moment
			r.Samples = room
			for k := range samples {
				m.Iteration = k
				m.Totals.Time += sim.Time(1 + random.IntN(1_000_000))
				m.Totals.Rounds += int64(random.IntN(5))
				values := all[k*len(names) : (k+1)*len(names)]
				for i := range values {
					values[i] = random.Float64()
				}
				r.Samples = append(r.Samples, result.Sample{Moment: m, Values: values})
			}
			r.Finish()
			b.Add(&r)
			r.Samples = nil
			if err := fold.Add(&r); err != nil {
				t.Fatal(err)
			}
		}
	}
	p := b.Page(fold.Summary())
	var page bytes.Buffer
	if err := Write(&page, p); err != nil {
		t.Fatal(err)
	}
	c := &p.Charts
	if page.Len() >= 10_000_000 || len(c.Groups) != points {
		t.Errorf("the page has %d bytes and %d groups", page.Len(), len(c.Groups))
	}
	if len(c.Runs) > 0 || len(c.Means) == 0 || !slices.Contains(p.Views(), "curves") {
		t.Errorf("%d curves of runs, %d medians; want medians alone", len(c.Runs), len(c.Means))
	}
	if len(c.Outcomes) == 0 || len(c.Outcomes) != len(c.Groups[0].Values) || len(c.Outcomes) > 12 {
		t.Errorf("%d outcomes, %d of a group", len(c.Outcomes), len(c.Groups[0].Values))
	}
	if !strings.Contains(strings.Join(p.Notes, " "), "seeds have no curves of their own") {
		t.Errorf("the page does not say what it leaves out: %q", p.Notes)
	}
	if len(c.Means) >= points || !strings.Contains(strings.Join(p.Notes, " "), "have no curve here") {
		t.Errorf("%d medians of %d groups; notes: %q", len(c.Means), points, p.Notes)
	}
}

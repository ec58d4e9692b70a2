package page

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"codeberg.org/go-fonts/dejavu/dejavusans"
	"codeberg.org/go-fonts/dejavu/dejavusansbold"
	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"

	"tallynet/metrics/report/answer"
	"tallynet/metrics/report/compare"
	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/page/browser"
	"tallynet/metrics/report/result"
)

// whole checks a page at all widths, light, dark and printed, with all charts visible. More checks can be
// passed.
func whole(t *testing.T, name, file string, more ...func(*visit)) {
	t.Helper()
	const high = 20000
	v := openFile(t, file, 390, high)
	check := func(name string) {
		v.settled()
		v.laid(name)
		v.curved(name)
	}
	for _, width := range []int64{390, 800, 1400} { // as if the user widened the window
		v.Resize(width, high)
		check(fmt.Sprintf("%s at %d pixels", name, width))
		if *browser.Screenshots != "" {
			v.Picture(fmt.Sprintf("%s-%d", name, width), width)
			v.Resize(width, high)
		}
	}
	const ink = `(e => e ? getComputedStyle(e).fill : getComputedStyle(document.body).backgroundColor)(
		document.querySelector(".chart svg text"))`
	light := read[string](v, "%s", ink)
	v.Show("", "dark")
	v.Await(ink+" !== %q", light)
	check(name + ", dark")
	v.Picture(name+"-dark", 1400)
	v.Resize(1400, high)
	for _, m := range more {
		m(v)
	}
	v.paper(name) // also from a dark window
}

// answered answers what varies in a study, for its whole runs.
func answered(f *fold.Fold, s *fold.Summary) *result.Answer {
	return answer.Of(answer.Study{Fold: f, Summary: s, Main: fold.TheEnd})
}

// answered returns the page of a study with its answer.
func (g grid) answered(title string) Page {
	b, f, _ := g.folded()
	s := f.Summary()
	p := b.Page(s)
	p.Title = title
	p.Answer(answered(f, s), s)
	return p
}

// many returns a study of 5,000 runs.
func many() grid {
	g := newStudy()
	g.labels, g.keys, g.fail = g.labels[:2], []string{"topology.nodes", "network.latency"}, nil
	g.values = [][]string{nil, nil}
	for i := range 25 {
		g.values[0] = append(g.values[0], fmt.Sprint(4+i))
	}
	for i := range 20 {
		g.values[1] = append(g.values[1], fmt.Sprintf("%dms", 1+i))
	}
	g.seeds, g.samples, g.nodes = 5, 24, 4
	return g
}

// listed is the page of a list of points in which the step depends on the graph.
func listed() Page {
	g := newStudy()
	g.labels, g.seeds, g.samples, g.fail = g.labels[:2], 3, 40, nil
	b, f := NewBuilder(Options{}), fold.New(fold.Options{More: []string{"test_accuracy"}})
	for i, kind := range []string{"ring", "complete"} {
		for k, n := range []int{8, 16, 32, 64} {
			var point result.Settings
			for _, s := range []struct {
				key   string
				value any
			}{{"topology.kind", kind}, {"topology.nodes", n}, {"algorithms.DAGM.alpha", 0.5 / float64(1+k+4*i)}} {
				set, err := result.NewSetting(s.key, s.value)
				if err != nil {
					panic(err)
				}
				point = append(point, set)
			}
			for seed := range g.seeds {
				for l, label := range g.labels {
					r := g.run(l, label, 4*i+k, point, seed, result.Completed)
					b.Add(r)
					if err := f.Add(r); err != nil {
						panic(err)
					}
				}
			}
		}
	}
	s := f.Summary()
	p := b.Page(s)
	p.Title = "listed"
	p.Answer(answered(f, s), s)
	return p
}

// compared returns the page of two results; B takes more time per iteration.
func compared(t *testing.T, labels []string) Page {
	t.Helper()
	var reports [2]result.Report
	for side := range reports {
		g := newStudy()
		g.labels, g.seeds, g.samples, g.nodes = labels, 3, 60, 8
		for seed := range g.seeds {
			for l, label := range labels {
				r := g.run(l, label, side, nil, seed, result.Completed)
				r.Hash = fmt.Sprintf("%d %d %d", side, seed, l)
				reports[side].Runs = append(reports[side].Runs, *r)
			}
		}
		reports[side].Scenario = json.RawMessage(fmt.Sprintf(`{"version": 1, "network": {"latency": "%dms"}}`, 1+9*side))
	}
	c, err := compare.New("results/plain", "results/"+labels[0], &reports[0], &reports[1])
	if err != nil {
		t.Fatal(err)
	}
	return Comparison(c, []string{"simulate", "compare", "results/plain", "results/" + labels[0]})
}

// simulated runs a scenario with the program and returns its page.
func simulated(t *testing.T, program, scenario string, set ...string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), scenario)
	args := []string{"run", "../../../scenarios/" + scenario + ".yaml", "--out", out, "--quiet"}
	for _, s := range set {
		args = append(args, "--set", s)
	}
	if text, err := exec.Command(program, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", scenario, err, text)
	}
	return filepath.Join(out, "report.html")
}

// changed makes go test run this test again when a source or scenario has changed. The test builds the program,
// and go test does not know that the result depends on its sources.
func changed(t *testing.T) {
	t.Helper()
	if err := filepath.WalkDir("../../..", func(path string, d fs.DirEntry, err error) error {
		if ext := filepath.Ext(path); err == nil && (ext == ".go" || ext == ".yaml") {
			_, err = os.Stat(path)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

// TestPagesInFonts checks pages in a browser that has one family of fonts only. Machines differ in theirs.
func TestPagesInFonts(t *testing.T) {
	browsing(t)
	families := map[string][][]byte{
		"DejaVu Sans":     {dejavusans.TTF, dejavusansbold.TTF},
		"Liberation Sans": {liberationsansregular.TTF, liberationsansbold.TTF},
		"Go":              {goregular.TTF, gobold.TTF},
	}
	const urw = "/usr/share/fonts/opentype/urw-base35" // no Go module has it; .ci/run installs it
	for _, name := range []string{"NimbusSans-Regular.otf", "NimbusSans-Bold.otf"} {
		if font, err := os.ReadFile(filepath.Join(urw, name)); err == nil {
			families["Nimbus Sans"] = append(families["Nimbus Sans"], font)
		}
	}
	alone := one()
	alone.labels, alone.nodes, alone.fail = alone.labels[:1], 1, nil
	pages := map[string]Page{"one method on one node": alone.answered("alone"), "odd names": nasty().built(),
		"physical links": wired(nil), "study": newStudy().built()}
	for family, fonts := range families {
		t.Run(family, func(t *testing.T) {
			folder := t.TempDir()
			for i, font := range fonts {
				if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%d.ttf", i)), font, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			file := filepath.Join(folder, "fonts.conf")
			if err := os.WriteFile(file, fmt.Appendf(nil, "<fontconfig><dir>%s</dir><cachedir>%[1]s</cachedir></fontconfig>",
				folder), 0o600); err != nil {
				t.Fatal(err)
			}
			restart := func() {
				if err := browser.Close(); err != nil {
					t.Errorf("closing the browser: %v", err)
				}
			}
			restart()
			t.Setenv("FONTCONFIG_FILE", file)
			t.Cleanup(restart)
			for name, p := range pages {
				t.Run(name, func(t *testing.T) { whole(t, name, written(t, p)) })
			}
		})
	}
}

// TestPagesWhole checks pages that the program writes for scenarios, and pages of large, failed and small
// studies, of odd names, and of content other than a study.
func TestPagesWhole(t *testing.T) {
	browsing(t)
	changed(t)
	program := filepath.Join(t.TempDir(), "simulate")
	if text, err := exec.Command("go", "build", "-o", program, "../../../cmd/simulate").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	// Easier targets, smaller graphs and shorter step searches draw as many lines.
	for _, c := range []struct {
		scenario string
		set      []string
	}{
		{"topology-size", []string{"seeds=1", "stop.target={grad_norm2: 0.3, consensus_error: 1.5}"}},
		{"topology-networks", []string{"seeds=2", "topology.nodes=16", "algorithms.DAGM.tune.grid.alpha=[0.07, 0.03]",
			"algorithms.MA-DBO.tune.grid.alpha=[0.07, 0.03]"}},
		{"what-limits", []string{"seeds=1"}}, {"all-decentralized", []string{"stop.grad_norm2=2.5e-4"}},
		{"quickstart", []string{"stop.target={grad_norm2: 2e-4, test_accuracy: 0.85}"}}, {"gossip", []string{"seeds=1"}},
	} {
		t.Run(c.scenario, func(t *testing.T) { whole(t, c.scenario, simulated(t, program, c.scenario, c.set...)) })
	}
	// The map of ten methods at 25 points names exactly the methods that are best somewhere.
	named := func(v *visit) {
		if got, all := option[[]string](v, "map", "o.legend[0].data"), option[[]string](v, "map",
			`o.series.filter(s => s.type === "scatter").map(s => s.name)`); len(got) < 2 || !slices.Equal(got, all) {
			v.Errorf("the legend of the map has %q, for %q", got, all)
		}
	}
	// Bands are complete on linear axes and below zero, too.
	below := newStudy().built()
	for _, m := range below.Charts.Means {
		for _, columns := range [][]column{m.Curve.Values, m.Low, m.High} {
			for k := range columns[1] {
				columns[1][k] -= 10
			}
		}
	}
	negative := func(v *visit) {
		v.set("curves", "y", "1")
		v.set("curves", "logy", false)
		v.settled()
		v.curved("an objective below zero")
	}
	// Each of 200 nodes has its bar, and its place and links in the graph.
	crowded := func(v *visit) {
		got := option[[]int](v, "graph", "o.series.map(s => s.data.length)")
		got = append(got, option[int](v, "nodes", "Math.min(...o.series.map(s => s.data.length))"))
		if !slices.Equal(got, []int{400, 200, 200}) {
			v.Errorf("%v links, nodes and bars, want 400, 200 and 200", got)
		}
	}
	ten, nodes, alone, bad, worst := large(2), one(), one(), newStudy(), newStudy()
	ten.samples, ten.nodes, ten.extra = 40, 8, 0
	nodes.labels, nodes.nodes, nodes.samples, nodes.fail = nodes.labels[:2], 200, 50, nil
	alone.labels, alone.nodes, alone.fail = alone.labels[:1], 1, nil
	bad.fail = func(l, p, seed int) result.Status {
		if seed == 4 || seed < 3 && (l+p)%7 == 0 { // one of five, or most
			return []result.Status{result.Diverged, result.Failed, result.Stalled}[(l*p+seed)%3]
		}
		return ""
	}
	worst.fail = func(l, p, seed int) result.Status { // three or four of five everywhere
		return []result.Status{"", result.Diverged, result.Failed, result.Stalled}[(l*p+seed)%4]
	}
	for name, c := range map[string]struct {
		page Page
		more func(*visit)
	}{"500 runs": {ten.answered("500 runs"), named}, "5,000 runs": {many().answered("5,000 runs"), nil},
		"200 nodes": {nodes.answered("200 nodes"), crowded}, "one method on one node": {alone.answered("alone"), nil},
		"diverging and failing": {bad.answered("bad"), nil}, "numbers of none": {worst.answered("worst"), nil},
		"odd names":  {nasty().answered(hostile[0]), nil},
		"below zero": {below, negative}, "list of points": {listed(), nil}, "physical links": {wired(nil), nil},
		"comparison":              {compared(t, newStudy().labels), nil},
		"comparison of odd names": {compared(t, hostile), nil}, "nothing": {Page{Title: "nothing"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			file := written(t, c.page)
			if info, err := os.Stat(file); err != nil || info.Size() > 10_000_000 {
				t.Fatalf("the page: %v bytes, %v", info.Size(), err)
			}
			var more []func(*visit)
			if c.more != nil {
				more = append(more, c.more)
			}
			whole(t, name, file, more...)
		})
	}
}

package page

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"

	"tallynet/metrics/report/answer"
	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/result"
)

// broken says what is wrong with curves and bands: a band has its lower and its upper end at every sample of its
// median, and a curve goes on to the last sample of its run, or of the longest of its seeds. Runs that did not end
// well end at a cross. It begins with the page's own reading of columns.
const broken = `(() => { %s
	const out = [], data = JSON.parse(document.getElementById("data").textContent), list = a => a || [];
	for (const id of ["curves", "parameter"]) {
		const e = document.getElementById(id), c = e && e.offsetWidth && echarts.getInstanceByDom(e);
		if (!c) continue;
		const m = c.getModel(), o = c.getOption(), r = m.getComponent("grid").coordinateSystem.getRect(), say = text => out.push(id + ": " + text);
		const inside = ([x, y]) => [x, Math.min(Math.max(y, r.y), r.y + r.height)];
		const drawn = new Map(); // the corners of all bands, by the place that they lie in
		const key = (x, y) => Math.round(x) + "," + Math.round(y);
		for (const p of e.querySelectorAll("svg path[fill-opacity='0.18']")) {
			const at = p.getCTM(), zero = e.querySelector("svg").getCTM();
			for (const [, x, y] of p.getAttribute("d").matchAll(/[ML]\s*([-\d.e]+)[\s,]([-\d.e]+)/g)) drawn.set(key(+x + at.e - zero.e, +y + at.f - zero.f), true);
		}
		const there = ([x, y]) => [-1, 0, 1].some(i => [-1, 0, 1].some(j => drawn.has(key(x + i, y + j))));
		const ends = new Set(), metric = id === "curves" && +document.getElementById("curves-controls").elements.y.value, near = v => v === null ? "" : v.toPrecision(5);
		if (id === "curves") for (const l of [...list(data.runs), ...list(data.means)]) {
			const ys = list(l.curve.values)[metric] == null ? [] : value(l.curve.values, l.curve, metric);
			if (ys.length) ends.add(l.curve.iterations.at(-1) + ":" + near(ys.at(-1)));
		}
		o.series.forEach((s, i) => {
			const [kind, n] = s.id.split(" ");
			if (kind === "curve" && s.data.length && !s.data.at(-1).label) {
				const [, y, k] = s.data.at(-1).value;
				if (!ends.has(k + ":" + near(y))) say(s.name + " ends at iteration " + k + " and " + y + ", which is no last sample");
			}
			if (kind !== "band") return;
			const d = m.getSeriesByIndex(i).getData();
			for (let k = 0; k < d.count(); k++) for (const p of d.getItemGraphicEl(k).shape.points) if (!there(inside(p))) say("the band of " + s.name + " lacks the corner " + p);
			if (id !== "curves") return;
			const line = o.series.findIndex(q => q.id === "curve " + n);
			let lacking = 0;
			for (const {value: [x,,, low, high]} of o.series[line].data) for (const v of [low, high])
				if (!there(inside(c.convertToPixel({seriesIndex: line}, [x, v > 0 || o.yAxis[0].type !== "log" ? v : o.yAxis[0].min])))) lacking++;
			if (lacking) say("the band of " + s.name + " lacks " + lacking + " ends, of " + 2 * o.series[line].data.length);
		});
	}
	return out;
})()`

// whole opens a page at all widths, light, dark and printed, with all of its charts in view, and checks what is drawn,
// and more.
func whole(t *testing.T, name, file string, more ...func(*visit)) {
	t.Helper()
	const high = 20000
	v := openFile(t, browser(t), file, 390, high)
	check := func(name string) {
		v.settled()
		v.laid(name)
		for _, s := range read[[]string](v, broken, source(t, "10-columns.js")) {
			t.Errorf("%s: %s", name, s)
		}
	}
	for _, width := range []int64{390, 800, 1400} {
		v.do(chromedp.EmulateViewport(width, high))
		check(fmt.Sprintf("%s at %d pixels", name, width))
		if *screenshots != "" {
			v.picture(filepath.Join(*screenshots, fmt.Sprintf("%s-%d.png", name, width)), width)
		}
	}
	v.do(chromedp.EmulateViewport(1400, high))
	ink := `getComputedStyle(document.querySelector(".chart svg text")).fill`
	light := read[string](v, "%s", ink)
	v.scheme("dark")
	v.await("charts have dark colours", ink+" !== %q", light)
	check(name + ", dark")
	for _, m := range more {
		m(v)
	}
	v.paper(name) // from dark windows, too
	v.quiet()
}

// answered is the page of a study with its answer, and how many runs it has.
func answered(t testing.TB, title string, g grid) (p Page, runs int) {
	t.Helper()
	b, f := NewBuilder(Options{}), fold.New(fold.Options{})
	g.each(func(r *result.Run) {
		b.Add(r)
		if err := f.Add(r); err != nil {
			t.Fatal(err)
		}
		runs++
	})
	s := f.Summary()
	p = b.Page(s)
	p.Title = title
	p.Answer(answer.Of(s, answer.Options{}), s)
	return p, runs
}

// many is a study of 5,000 runs.
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

// simulated writes the page of a scenario, which the program runs.
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

// changed has go test repeat this test when a source of the program or a scenario has changed: go test keeps the
// result of a test until a file that it looks at is another, and those of a program that it builds are not among them.
func changed(t *testing.T) {
	t.Helper()
	if err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if ext := filepath.Ext(path); err == nil && (ext == ".go" || ext == ".yaml") {
			_, err = os.Stat(path)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

// TestPagesWhole opens the pages of scenarios, as the program writes them, and of studies that are large, end badly,
// are small or have odd names.
func TestPagesWhole(t *testing.T) {
	browser(t)
	changed(t)
	program := filepath.Join(t.TempDir(), "simulate")
	if text, err := exec.Command("go", "build", "-o", program, "../../../cmd/simulate").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	// Targets that are reached sooner, smaller graphs, and steps that are not searched for so long: as many lines.
	for _, c := range []struct {
		scenario string
		set      []string
	}{
		{"topology-size", []string{"stop.target={grad_norm2: 0.3, consensus_error: 1}"}},
		{"topology-networks", []string{"seeds=2", "topology.nodes=16", "algorithms.DAGM.tune.grid.alpha=[0.07, 0.03]",
			"algorithms.MA-DBO.tune.grid.alpha=[0.07, 0.03]"}},
		{"what-limits", nil}, {"all-decentralized", []string{"stop.grad_norm2=2.5e-4"}},
		{"quickstart", []string{"stop.target={grad_norm2: 2e-4, test_accuracy: 0.85}"}}, {"gossip", nil},
	} {
		t.Run(c.scenario, func(t *testing.T) { whole(t, c.scenario, simulated(t, program, c.scenario, c.set...)) })
	}
	// The map of ten methods at 25 points names those that are best somewhere, and nothing else.
	named := func(v *visit) {
		if got, all := option[[]string](v, "heat", "o.legend[0].data"), option[[]string](v, "heat",
			`o.series.filter(s => s.type === "scatter").map(s => s.name)`); len(got) < 2 || !slices.Equal(got, all) {
			v.t.Errorf("the legend of the map has %q, for %q", got, all)
		}
	}
	ten, nodes, alone, bad, odd := large(2), one(), one(), newStudy(), nasty()
	ten.samples, ten.nodes, ten.extra = 40, 8, 0
	nodes.labels, nodes.nodes, nodes.samples, nodes.fail = nodes.labels[:2], 200, 50, nil
	alone.labels, alone.nodes, alone.fail = alone.labels[:1], 1, nil
	bad.fail = func(l, p, seed int) result.Status {
		return []result.Status{"", result.Diverged, result.Failed, result.Stalled}[(l*p+seed)%4]
	}
	for _, c := range []struct {
		name string
		grid grid
		runs int
		more []func(*visit)
	}{{"500 runs", ten, 500, []func(*visit){named}}, {"5,000 runs", many(), 5000, nil}, {"200 nodes", nodes, 2, nil},
		{"one method on one node", alone, 1, nil}, {"diverging and failing", bad, 180, nil}, {"odd names", odd, 150, nil}} {
		t.Run(c.name, func(t *testing.T) {
			p, runs := answered(t, c.name, c.grid)
			file := written(t, "page", p)
			if info, err := os.Stat(file); err != nil || info.Size() > 10_000_000 || runs != c.runs {
				t.Fatalf("the page of %d runs: %v bytes, %v", runs, info.Size(), err)
			}
			whole(t, c.name, file, c.more...)
		})
	}
}

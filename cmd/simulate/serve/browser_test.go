package serve

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tallynet/metrics/report/page/browser"
	"tallynet/scenarios/scenariotest"
	"tallynet/scenarios/spec"
	skip "tallynet/sim/slow"
)

// live is the live page in a browser.
type live struct{ *browser.Tab }

// see evaluates an expression in the page.
func see[T any](b *live, format string, args ...any) T {
	b.Helper()
	return browser.Read[T](b.Tab, format, args...)
}

// turn moves a control as its user does: its slider or, without one, its field.
func (b *live) turn(id, value string) {
	b.Helper()
	b.Set(fmt.Sprintf("document.getElementById(%q)", id), value)
}

// done waits until the study after a change has ended; the command shows the change.
func (b *live) done(set string) {
	b.Helper()
	b.Await(`document.getElementById("command").textContent.includes(%q) &&
		/ runs? done\.$/.test(document.getElementById("status").textContent)`, set)
}

// picture takes pictures of the page, if a folder for them is given.
func (b *live) picture(name string) {
	b.Helper()
	if *browser.Screenshots == "" {
		return
	}
	for _, width := range []int64{390, 1400} {
		b.Picture(fmt.Sprintf("%s-%d", name, width), width)
	}
	b.Resize(1400, 900)
}

func TestMain(m *testing.M) {
	code := m.Run()
	if err := browser.Close(); err != nil {
		fmt.Fprintln(os.Stderr, "closing the browser:", err)
	}
	os.Exit(code)
}

// TestShippedScenariosLive opens each shipped what-if scenario, with few iterations, lets it run to its end while
// the page follows as fast as it can, and turns each knob once. Nothing may fail in the page.
func TestShippedScenariosLive(t *testing.T) {
	skip.Skip(t, "pages are opened in Chromium")
	browser.Need(t)
	files, err := filepath.Glob("../../../scenarios/*.yaml")
	if err != nil || len(files) < 17 {
		t.Fatalf("%d scenarios: %v", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			s := servingFiles(t, map[string]string{"few.yaml": fewIterations(t, file)})
			s.server.patience, s.server.renew = time.Hour, time.Millisecond
			b := &live{browser.Open(t, s.server.Link(), 1400, 900)}
			ended := func(what string) string {
				b.Await(`/ runs? done\.$/.test(document.getElementById("status").textContent) ||
					!document.getElementById("trouble").hidden`)
				trouble := b.Text("trouble")
				if strings.Contains(trouble, "This page has an error") || strings.Contains(trouble, "does not answer") {
					t.Fatalf("%s: %s", what, trouble)
				}
				return trouble
			}
			after := func(what string, act func()) string {
				b.Run(`document.getElementById("trouble").hidden = true, document.getElementById("status").textContent = ""`)
				act()
				return ended(what)
			}
			if trouble := ended("as in the file"); trouble != "" {
				t.Fatal(trouble)
			}
			did := 0
			for _, knob := range [][2]string{{"slide-nodes", "1.204"}, {"slide-latency", "-2"}, {"slide-bandwidth", "8"},
				{"dial-straggler", "constant"}, {"slide-slowness", "0.5"}, {"slide-loss", "0.05"},
				{"dial-topology", "complete"}, {"slide-seeds", "0.3"}} {
				if see[bool](b, "document.getElementById(%q).disabled", knob[0]) {
					continue
				}
				if trouble := after(knob[0], func() { b.turn(knob[0], knob[1]) }); trouble == "" {
					did++
				} else if knob[0] != "dial-topology" { // some methods go around a ring, or need a server
					t.Errorf("%s: %s", knob[0], trouble)
				} else if trouble := after("reset", func() { b.Run(`document.getElementById("reset").click()`) }); trouble != "" {
					t.Error(trouble)
				}
			}
			if did < 3 {
				t.Errorf("%d knobs can be turned", did)
			}
			b.Quiet(s.URL + "/")
		})
	}
}

// easy is the end of a tuning whose target every trial reaches.
const easy = "by: iterations, to: {grad_norm2: 1}}"

// less shortens what takes long: large graphs, large matrices, and a tuning, whose target few iterations would miss.
var less = map[string][]string{
	"topology-size.yaml": {`points=[{topology.kind: ring, topology.nodes: 8},
		{topology.kind: complete, topology.nodes: 32}]`},
	"mnist-196.yaml": {"stop.iterations=2"},
	"quickstart-tuning.yaml": {"stop.iterations=2",
		`algorithms.DAGM.tune={grid: {alpha: [500, 1000], inner: [1], neumann: [1], beta: [1]}, ` + easy,
		`algorithms["DGBO (b = 1)"].tune={grid: {alpha: [500], gamma: [1], beta: [1]}, ` + easy,
		`algorithms["DGBO (b = 10)"].tune={grid: {alpha: [500], gamma: [1], beta: [1]}, ` + easy,
		`algorithms.DGTBO.tune={grid: {eta_x: [500], inner: [1], jhip: [1], eta_y: [1], gamma: [1]}, ` + easy},
}

// fewIterations is a shipped scenario in its small form, with few iterations.
func fewIterations(t *testing.T, file string) string {
	t.Helper()
	s, err := spec.LoadSmall(file, scenariotest.Catalog())
	for _, few := range [][]string{nil, append([]string{"stop.iterations=6"}, less[filepath.Base(file)]...)} {
		if err != nil {
			t.Fatal(err)
		}
		var text []byte
		if text, err = s.YAML(); err == nil {
			s, err = spec.Parse(file, text, scenariotest.Catalog(), few)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	text, err := s.YAML()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The live page in a browser shows the cost and the curves, follows its controls, cancels
// running studies, reports errors, and saves.
func TestLivePage(t *testing.T) {
	if !testing.Short() { // the race detector always looks at it
		skip.Skip(t, "pages are opened in Chromium")
	}
	browser.Need(t)

	// The first scenario is too long to start automatically if the server has no patience.
	hasty := serving(t)
	hasty.server.patience = time.Second
	b := &live{browser.Open(t, hasty.server.Link(), 1400, 900)}
	b.Await(`document.getElementById("status").textContent.includes("does not run by itself")`)
	b.Run(`document.getElementById("run").click()`)
	b.Await(`/iteration \d+ of/.test(document.getElementById("status").textContent)`)
	b.Run(`document.getElementById("stop").click()`)
	b.Quiet(hasty.URL + "/")

	// Its curves grow while it runs.
	s := serving(t)
	b = &live{browser.Open(t, s.server.Link(), 1400, 900)}
	b.Await(`document.querySelectorAll("#curves svg path").length > 5 &&
		/iteration \d+ of/.test(document.getElementById("status").textContent)`)
	const data = "(echarts.getInstanceByDom(document.getElementById('curves'))?.getOption().series[0]?.data || [])"
	b.Await("(window.first = " + data + ".at(-1)?.value[2]) > 0")
	b.Await(data + ".at(-1)?.value[2] > window.first") // the curve grows
	if got := b.Text("curves-note"); strings.Contains(got, "did not end well") {
		t.Errorf("of a run under way the page says %q", got)
	}
	b.picture("live-running")

	// Another scenario cancels it.
	b.turn("file", "small.yaml")
	b.done("small.yaml")
	if got := b.Text("title"); got != "small" {
		t.Errorf("the title is %q", got)
	}
	if got := b.Text("predicted"); !strings.Contains(got, "All iterations, the whole network") {
		t.Errorf("predicted: %q", got)
	}
	for _, id := range []string{"curves", "pareto", "graph", "ledger", "tables-title", "made-title"} {
		if !see[bool](b, "!!document.getElementById(%q)", id) {
			t.Errorf("the report has no %s", id)
		}
	}

	// The chosen axis stays.
	b.Set(`document.getElementById("curves-controls").elements.x`, "2")

	// A slider on a logarithmic scale, and a field.
	b.turn("slide-latency", "-2")
	b.done("--set network.latency=10ms")
	if got := see[string](b, `document.getElementById("dial-latency").value`); got != "10ms" {
		t.Errorf("the field of the latency has %q", got)
	}
	b.turn("dial-topology", "complete")
	b.done("--set 'topology={kind: complete, nodes: 6, weights: lazy-metropolis}' --set network.latency=10ms")
	b.Run(`document.getElementById("curves").scrollIntoView()`)
	b.Await(data + ".length > 10")
	b.Run(`scrollTo(0, 0)`)
	b.picture("live-done")

	checkGhosts(b)
	over := see[string](b, `document.getElementById("curves-controls").elements.x.selectedOptions[0].text`)
	if over != "time" {
		t.Errorf("the curves are over %s", over)
	}

	// The page shows the same as the command line.
	command := see[string](b, `document.querySelector("#main pre code:not(#ask-lines)").textContent`)
	if command != b.Text("command") {
		t.Errorf("the report was made by %s", command)
	}

	// A wrong value shows an error beside the old results; the next right value removes it.
	b.turn("dial-topology", "hypercube")
	b.Await(`document.getElementById("trouble").textContent.includes("power of two")`)
	b.picture("live-wrong")
	b.turn("slide-nodes", "0.9")
	b.done("nodes: 8")
	if see[bool](b, `!document.getElementById("trouble").hidden`) {
		t.Errorf("the page still says %q", b.Text("trouble"))
	}

	// It saves to a new file and does not overwrite it.
	for _, want := range []string{"small-2.yaml is written", "small-2.yaml already exists"} {
		b.Run(`document.getElementById("name").value = "small-2.yaml",
			document.querySelector("#save button").click()`)
		b.Await(`document.getElementById("saved").textContent.includes(%q)`, want)
		if _, err := os.Stat(filepath.Join(s.folder, "small-2.yaml")); err != nil {
			t.Error(err)
		}
	}

	// As in the file; a study of several points; and a study whose points set the network.
	b.Run(`document.getElementById("reset").click()`)
	b.Await(`!document.getElementById("command").textContent.includes("--set") &&
		/done\.$/.test(document.getElementById("status").textContent)`)
	b.turn("file", "listed.yaml")
	b.done("listed.yaml")
	if !see[bool](b, `document.getElementById("dial-topology").disabled &&
		document.getElementById("slide-nodes").disabled`) {
		t.Error("controls of what the points set can be moved")
	}
	b.picture("live-listed")
	b.Quiet(s.URL+"/", "409 (Conflict)") // the browser notes the refusal to save

	// An error of the page is shown as one, and so is a program that has ended.
	b.Run(`document.getElementById("about").remove()`)
	b.turn("slide-latency", "-1")
	b.Await(`document.getElementById("trouble").textContent.includes("This page has an error; load it again")`)
	s.Close()
	b.turn("slide-latency", "-2")
	b.Await(`document.getElementById("trouble").textContent.includes("does not answer: has it ended?")`)
}

// ghosts returns the curves of the previous run as texts: name, dashes and points.
const ghosts = `(echarts.getInstanceByDom(document.getElementById("curves"))?.getOption().series || [])
	.filter(s => s.id.startsWith("ghost"))`

// now returns the points of this run's curves.
const now = `echarts.getInstanceByDom(document.getElementById("curves")).getOption().series.filter(s => s.id.startsWith("curve"))
	.map(s => s.name + JSON.stringify(s.data.map(d => d.value.slice(0, 2))))`

// checkGhosts changes the number of seeds. The previous run's curves are dashed and unmoved behind the medians of the
// new run, unless they are switched off.
func checkGhosts(b *live) {
	b.Helper()
	before := see[[]string](b, now)
	b.turn("dial-seeds", "2")
	b.done("--set seeds=2")
	b.Run(`document.getElementById("curves").scrollIntoView()`)
	b.Await(ghosts + ".length === 2")
	got := see[[]string](b, ghosts+`.map(s => s.name + JSON.stringify(s.data))`)
	if !slices.Equal(got, before) {
		b.Errorf("the curves of the run before are %.300q, want %.300q", got, before)
	}
	if slices.Equal(see[[]string](b, now), before) {
		b.Error("medians of two seeds are those of one")
	}
	const looks = `(all => all.every(s => s.lineStyle.type.length === 2 && s.symbol === "none" && s.lineStyle.opacity < 1) &&
		new Set(all.map(s => s.color)).size === 2)`
	if !see[bool](b, looks+"("+ghosts+")") {
		b.Error("curves of the run before are not pale dashes in the colours of their methods")
	}
	if got := b.Text("curves-caption"); !strings.Contains(got, "quartiles of 2 seeds; pale dashes are the run before") {
		b.Errorf("the caption is %q", got)
	}
	// All are drawn: the axes cover both runs, and none is cut.
	if !see[bool](b, `(o => `+ghosts+`.every(s => s.data.every(([x, y]) =>
		x <= o.xAxis[0].max && y <= o.yAxis[0].max && y >= o.yAxis[0].min)))(
		echarts.getInstanceByDom(document.getElementById("curves")).getOption())`) {
		b.Error("curves of the run before leave the axes")
	}
	b.picture("live-ghosts")
	b.Run(`document.getElementById("ghost").click()`)
	b.Await(ghosts + ".length === 0")
	b.Run(`document.getElementById("ghost").click()`)
	b.Await(ghosts + ".length === 2")
}

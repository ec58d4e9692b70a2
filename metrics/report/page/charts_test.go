package page

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestConvergenceSwitches(t *testing.T) {
	p := newStudy().built()
	c := &p.Charts
	v := open(t, p, 1200, 900)
	v.show("curves")
	mean := func(group int) *meanCurve {
		return &c.Means[slices.IndexFunc(c.Means, func(m meanCurve) bool { return m.Group == group })]
	}

	// 36 groups are too many at once: the chart shows the first point, its means and the failed run.
	drawn := option[[]drawnCurve](v, "curves", curvesOf)
	names := []string{}
	for _, d := range drawn {
		names = append(names, d.Name)
	}
	if diff := cmp.Diff([]string{"DAGM", "DGBO (b = 10)", "DGBO (b = 10)", "MA-DBO", "DGTBO"}, names); diff != "" {
		t.Errorf("at first (-want +got):\n%s", diff)
	}
	if text := v.Text("curves"); !strings.Contains(text, "target 0.001") {
		t.Errorf("no line at the target: %q", text)
	}
	if got := option[string](v, "curves", "o.yAxis[0].type"); got != "log" {
		t.Errorf("values of several decades are on a %s axis", got)
	}
	for i, q := range c.Costs {
		v.set("curves", "x", strconv.Itoa(i))
		if got := option[string](v, "curves", "o.xAxis[0].name"); got != q.Name {
			t.Errorf("x axis %q, want %q", got, q.Name)
		}
		v.set("curves", "logx", false)
		for j, m := range c.Metrics {
			v.set("curves", "y", strconv.Itoa(j))
			want := map[string]string{"grad_norm2": "squared gradient norm"}[m.Name]
			if want == "" {
				want = strings.ReplaceAll(m.Name, "_", " ")
			}
			if got := option[string](v, "curves", "o.yAxis[0].name"); got != want {
				t.Errorf("y axis %q, want %q", got, want)
			}
			v.set("curves", "logx", false)
			v.set("curves", "logy", false)
			data := option[[]drawnCurve](v, "curves", curvesOf)[0].Data
			curve, start := &mean(0).Curve, 0
			if m.More { // the accuracy of an all-zero model is meaningless
				start = 1
			}
			if len(data) != len(curve.Iterations)-start {
				t.Fatalf("%s over %s: %d points, want %d", m.Name, q.Name, len(data), len(curve.Iterations)-start)
			}
			for n, point := range data {
				row := n + start
				if x, y := *point[0], *point[1]; !near(x, curve.Costs[i][row]) || !near(y, curve.Values[j][row]) {
					t.Fatalf("%s over %s, row %d: (%v, %v), want (%v, %v)", m.Name, q.Name, row, x, y, curve.Costs[i][row],
						curve.Values[j][row])
				}
			}
		}
	}

	v.set("curves", "x", "2")
	v.set("curves", "y", "0")
	for _, log := range []bool{true, false} {
		v.set("curves", "logx", log)
		v.set("curves", "logy", log)
		want := map[bool]string{true: "log log", false: "value value"}[log]
		if got := option[string](v, "curves", "o.xAxis[0].type + ' ' + o.yAxis[0].type"); got != want {
			t.Errorf("axes %q, want %q", got, want)
		}
		if least := option[float64](v, "curves",
			"Math.min(...o.series.filter(s => s.type === 'line').flatMap(s => s.data.map(p => (p.value || "+
				"p)[0])))"); (least > 0) != log {
			t.Errorf("log is %v, and the least x %v", log, least)
		}
	}

	v.set("curves", "seeds", "each")
	if got := option[int](v, "curves", "o.series.length"); got != 20 {
		t.Errorf("%d series of 4 methods and 5 seeds", got)
	}
	v.set("curves", "axis0", "")
	if got := v.Text("curves-note"); !strings.Contains(got,
		"Of 60 curves the first 48 are shown") {
		t.Errorf("the note is %q", got)
	}
	v.set("curves", "seeds", "mean")
	if got := option[int](v, "curves", "new Set(o.series.map(s => s.name)).size"); got != 12 {
		t.Errorf("%d names of 4 methods on 3 graphs", got)
	}
	v.set("curves", "axis0", "1")
	v.set("curves", "axis1", "1")
	// DGTBO stalled at that point with every seed: five runs and no mean.
	if got := option[int](v, "curves", `o.series.filter(s => s.name === "DGTBO").length`); got != 5 {
		t.Errorf("%d series of the stalled runs", got)
	}
	if got := option[int](v, "curves",
		`o.series.filter(s => s.name === "DGTBO" && s.data.at(-1).label.formatter === "stalled").length`); got != 5 {
		t.Errorf("%d of 5 stalled runs say so", got)
	}
	if got := v.Text("curves-note"); !strings.Contains(got,
		"5 runs did not end well") {
		t.Errorf("the note is %q", got)
	}
}

// near compares numbers that were written with six digits.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-5*math.Abs(b) }

func TestLegendAndTip(t *testing.T) {
	v := open(t, newStudy().built(), 1200, 900)
	v.show("curves")
	const chart = "echarts.getInstanceByDom(document.getElementById('curves'))"
	read[bool](v, chart+`.dispatchAction({type: "legendToggleSelect", name: "DAGM"}) === undefined`)
	if option[bool](v, "curves", `o.legend[0].selected.DAGM`) {
		t.Error("the legend does not switch a curve off")
	}
	tip := func() string {
		return read[string](v, `(() => { const c = %s, at = c.convertToPixel("grid", [30, 1e-3]);
			c.dispatchAction({type: "showTip", x: at[0], y: at[1]});
			return document.querySelector("#curves > div:last-child").textContent; })()`, chart)
	}
	if got := tip(); strings.Contains(got, "DAGM") ||
		!regexp.MustCompile(`MA-DBO: \S+ \(\S+ to \S+\)median of 5 seeds, \d+ iterations`).MatchString(got) {
		t.Errorf("the tip says %q", got)
	}
	read[bool](v, chart+`.dispatchAction({type: "legendToggleSelect", name: "DAGM"}) === undefined`)
	if got := tip(); !strings.Contains(got, "DAGM: ") {
		t.Errorf("the tip says %q", got)
	}
}

func TestParameterSwitches(t *testing.T) {
	p := newStudy().built()
	c := &p.Charts
	v := open(t, p, 1200, 900)
	v.show("parameter")
	at := func(method int, point ...int) *chartGroup {
		return &c.Groups[slices.IndexFunc(c.Groups, func(g chartGroup) bool {
			return g.Method == method && slices.Equal(g.Point,
				point)
		})]
	}
	for o, q := range c.Outcomes[:4] {
		v.set("parameter", "outcome", strconv.Itoa(o))
		v.set("parameter", "x", "1")
		v.set("parameter", "axis0", "2")
		v.set("parameter", "logy", false)
		if got, want := option[string](v, "parameter", "o.yAxis[0].name + ' over ' + o.xAxis[0].name"),
			q.Name+" over latency"; got != want {
			t.Errorf("axes %q, want %q", got, want)
		}
		got := option[[]float64](v, "parameter",
			`o.series.find(s => s.id === "line 1").data.flatMap(p => p.value.slice(0, 2))`)
		for i, latency := range []float64{1e-4, 1e-3, 1e-2} {
			if want := at(1, 2, i).Values[o].Value; got[2*i] != latency || !near(got[2*i+1], want) {
				t.Errorf("%s at %v: (%v, %v), want %v", q.Name, latency, got[2*i], got[2*i+1], want)
			}
		}
	}
	if got := option[string](v, "parameter", "o.xAxis[0].type"); got != "log" {
		t.Errorf("latencies from 0.1ms to 10ms lie on a %s axis", got)
	}
	v.set("parameter", "logx", false)
	v.set("parameter", "logy", true)
	if got := option[string](v, "parameter", "o.xAxis[0].type + ' ' + o.yAxis[0].type"); got != "value log" {
		t.Errorf("axes are %s", got)
	}
	v.set("parameter", "outcome", "1")
	v.set("parameter", "x", "0")
	v.set("parameter", "axis1", "1")
	if got := option[string](v, "parameter",
		"o.xAxis[0].type + ' ' + o.xAxis[0].data.join()"); got != "category ring,torus,complete" {
		t.Errorf("the axis of graphs is %s", got)
	}
	if got := v.Text("parameter-note"); !strings.Contains(got,
		"No value: DGTBO at torus (5 stalled)") {
		t.Errorf("the note is %q", got)
	}
}

func TestDetailSwitch(t *testing.T) {
	p := newStudy().built()
	c := &p.Charts
	v := open(t, p, 1200, 900)
	for _, id := range []string{"graph", "nodes", "phases"} {
		v.show(id)
	}
	for _, i := range []int{0, 1, len(c.Details) - 1} {
		v.set("detail", "detail", strconv.Itoa(i))
		d := &c.Details[i]
		if got := v.Text("detail-note"); got != d.Title {
			t.Errorf("note %q, want %q", got, d.Title)
		}
		got := option[[]float64](v, "graph", "o.series[0].data.map(d => d.value)")
		if len(got) != len(c.Graphs[d.Graph].Edges) {
			t.Fatalf("%d edges", len(got))
		}
		for e, bytes := range got {
			if want := d.There.Bytes[e] + d.Back.Bytes[e]; bytes != want {
				t.Errorf("edge %d carried %v, want %v", e, bytes, want)
			}
		}
		if got := option[[][]float64](v, "nodes", "o.series.map(s => s.data)"); !slices.EqualFunc(got[0], d.Nodes.Computing,
			near) ||
			!slices.EqualFunc(got[1], d.Nodes.Waiting, near) || !slices.EqualFunc(got[2], d.Nodes.Sending, near) {
			t.Errorf("times of the nodes: %v", got)
		}
		if got, want := read[string](v,
			"[...document.querySelectorAll('#ledger tbody tr:first-child td')].map(d => d.textContent).join('|')"),
			"inner|y|vector|50 × 1|100|5,000|20,000|160,000"; got != want {
			t.Errorf("ledger %q, want %q", got, want)
		}
	}
	if got := option[string](v, "phases",
		"o.series.map(s => s.name + ' ' + s.data.reduce((a, b) => a + b, 0)).join()"); got != "scalar 320,vector "+
		"224000,matrix 800000" {
		t.Errorf("bytes by kind: %s", got)
	}
	// The link below the phases opens the run.
	link := read[string](v, `(() => {
		[...document.getElementById("phases").nextElementSibling.querySelectorAll("a")].forEach(a => a.click());
		return location.hash; })()`)
	got := link + " " + v.follow("#detail?detail=1", `document.getElementById("detail-note").textContent`)
	if want := fmt.Sprintf("#detail?detail=%d %s", len(c.Details)-1, c.Details[1].Title); got != want {
		t.Errorf("the link and what another shows: %q, want %q", got, want)
	}
}

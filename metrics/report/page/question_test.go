package page

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tallynet/metrics/report/answer"
	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/result"
)

// asking returns the page of a study that states its question.
func (g grid) asking(q result.Question) (Page, *result.Answer) {
	b, f, _ := g.folded()
	s := f.Summary()
	p := b.Page(s)
	p.Title = "asked"
	a := answer.Of(answer.Study{Fold: f, Summary: s, Main: fold.TheEnd, Question: &q})
	p.Answer(a, s)
	return p, a
}

// A study with settings has the map first, then the chart that its answer names; one without has that chart first.
func TestFirstCharts(t *testing.T) {
	settings, _ := newStudy().asking(result.Question{Choose: []string{"algorithm", "topology.kind"},
		By:    []string{"time_s"},
		Along: []string{"network.latency"}})
	alone, _ := one().asking(result.Question{Choose: []string{"algorithm"}, By: []string{"payload_bytes", "time_s"}})
	for _, c := range []struct {
		page Page
		want []string
		open openView
	}{
		{settings, []string{"map", "parameter"}, openView{Outcome: outcomeAt(settings, "totals.time_s"), Second: -1, Axis: 1,
			Shape: 0, Cost: costAt(settings, "time_s"), Metric: -1, View: "parameter"}},
		{alone, []string{"pareto"}, openView{Outcome: outcomeAt(alone, "totals.payload_bytes"),
			Second: outcomeAt(alone, "totals.time_s"), Axis: -1, Shape: -1, Cost: costAt(alone, "payload_bytes"), Metric: -1,
			View: "pareto"}},
	} {
		if got := c.page.Views()[:len(c.want)]; !slices.Equal(got, c.want) {
			t.Errorf("the first charts are %q, want %q", got, c.want)
		}
		if diff := cmp.Diff(c.open, *c.page.Charts.Open); diff != "" {
			t.Errorf("the chart of the answer (-want +got):\n%s", diff)
		}
	}
}

func outcomeAt(p Page, id string) int {
	return slices.IndexFunc(p.Charts.Outcomes, func(m measure) bool { return m.ID == id })
}

func costAt(p Page, id string) int {
	return slices.IndexFunc(p.Charts.Costs, func(m measure) bool { return m.ID == id })
}

// Each cell of the map names the choices that the answer says are best there, and ties are hatched.
func TestMapNamesTheBest(t *testing.T) {
	p, a := newStudy().asking(result.Question{Choose: []string{"algorithm"}, By: []string{"time_s", "payload_bytes"},
		Along: []string{"network.latency", "topology.kind"}})
	v := open(t, p, 1200, 900)
	v.show("map")
	ties := 0
	for by, cost := range a.Question.By {
		v.set("ask", "by", strconv.Itoa(by))
		want := map[string]string{}
		for _, c := range a.Cells {
			if c.By != cost {
				continue
			}
			text := "none arrives"
			switch {
			case c.Best == 1:
				text = c.Choices[0].Name
			case c.Best == 2:
				text = c.Choices[0].Name + " = " + c.Choices[1].Name + " hatched"
			case c.Best > 2:
				text = fmt.Sprintf("%s = %d others hatched", c.Choices[0].Name, c.Best-1)
			}
			if c.Best > 1 {
				ties++
			}
			want[strings.Replace(c.At[0].Text(), "ms", " ms", 1)+", "+c.At[1].Text()] = text
		}
		got := option[map[string]string](v, "map", `Object.fromEntries(o.series[0].data.map(d => {
			const lines = d.label.formatter.split("\n"), tie = lines[1] && lines[1].startsWith("= ");
			return [o.xAxis[0].data[d.value[0]] + ", " + o.yAxis[0].data[d.value[1]],
				lines[0] + (tie ? " " + lines[1] : "") + (d.itemStyle.decal ? " hatched" : "")]; }))`)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("by %s (-want +got):\n%s", cost, diff)
		}
	}
	if ties == 0 {
		t.Error("no cell has a tie")
	}
	if got := v.Text("map"); !strings.Contains(got, "DGTBO") && !strings.Contains(got, "DAGM") {
		t.Errorf("the map shows %q", got)
	}
}

// Another question ranks the choices again, and shows what to write into the scenario.
func TestQuestionIsEdited(t *testing.T) {
	p, _ := newStudy().asking(result.Question{Choose: []string{"algorithm", "topology.kind"}, By: []string{"time_s"},
		Along: []string{"network.latency"}})
	c := &p.Charts
	v := open(t, p, 1200, 900)
	v.show("map")
	lines := func() string { return read[string](v, "document.getElementById('ask-lines').textContent") }
	old := func() bool { return read[bool](v, "document.getElementById('headline').classList.contains('old')") }
	want := "ask:\n  choose: [algorithm, topology.kind]\n  along: network.latency\n  by: time"
	if lines() != want || old() {
		t.Errorf("the question is %q, want %q", lines(), want)
	}
	by := slices.IndexFunc(c.Ask.By, func(b asking) bool { return b.Word == "bytes" })
	v.set("ask", "by", strconv.Itoa(by))
	v.set("ask", "along", "0")
	want = "ask:\n  choose: algorithm\n  along: [topology.kind, network.latency]\n  by: [bytes, time]"
	if lines() != want || !old() {
		t.Errorf("the question is %q, want %q", lines(), want)
	}
	// The best in bytes at each point, by the values of the groups.
	got := option[map[string]string](v, "map", `Object.fromEntries(o.series[0].data.map(d =>
		[o.xAxis[0].data[d.value[0]] + ", " + o.yAxis[0].data[d.value[1]], d.label.formatter.split("\n")[0]]))`)
	best := map[string]string{}
	for x, kind := range c.Axes[0].Values {
		for y, latency := range c.Axes[1].Values {
			least := math.Inf(1)
			for _, g := range c.Groups {
				if e := g.Values[outcomeAt(p, "totals.payload_bytes")]; g.Point[0] == x && g.Point[1] == y && e.Value < least {
					least, best[kind+", "+latency] = e.Value, c.Methods[g.Method]
				}
			}
		}
	}
	if diff := cmp.Diff(best, got); diff != "" {
		t.Errorf("the best in bytes (-want +got):\n%s", diff)
	}
	// The values of one method.
	v.set("map", "show", "1")
	for _, log := range []bool{false, true} {
		v.set("map", "log", log)
		for _, d := range option[[][]float64](v, "map", "o.series[0].data.map(d => d.value)") {
			x, y := int(d[0]), len(c.Axes[1].Values)-1-int(d[1])
			g := c.Groups[slices.IndexFunc(c.Groups, func(g chartGroup) bool {
				return g.Method == 1 && slices.Equal(g.Point, []int{x, y})
			})]
			if log {
				d[2] = math.Pow(10, d[2])
			}
			if want := g.Values[outcomeAt(p, "totals.payload_bytes")].Value; !near(d[2], want) {
				t.Errorf("at %d, %d: %v, want %v", x, y, d[2], want)
			}
		}
	}
	// The link has the question.
	v.set("map", "show", "")
	link := read[string](v, "location.hash")
	again := openFile(t, written(t, p), 1200, 900)
	state := again.follow(link, "document.getElementById('ask-lines').textContent")
	if state != want {
		t.Errorf("after %s the question is %q", link, state)
	}
}

// A crossover along a key is a line in the chart over that key, at its value, where its other settings are shown.
func TestCrossoversAreMarked(t *testing.T) {
	b, f, _ := newStudy().folded()
	s := f.Summary()
	p := b.Page(s)
	p.Title = "crossed"
	found := result.Crossover{By: "time_s", Along: "network.latency", Below: "DAGM", Above: "DGBO", Unit: "s",
		Method: "retimed", At: "topology.kind torus"}
	at := func(value float64) result.Crossover { found.Value = value; return found }
	p.Answer(answer.Of(answer.Study{Fold: f, Summary: s, Main: fold.TheEnd, Crossovers: []result.Crossover{at(0.00123),
		at(5)}, Question: &result.Question{Choose: []string{"algorithm"}, By: []string{"time_s"},
		Along: []string{"network.latency", "topology.kind"}}}), s)
	v := open(t, p, 1000, 900)
	v.show("parameter")
	v.set("parameter", "axis0", "1")
	const drawn = `[...document.querySelectorAll("#parameter svg text")].some(e =>
		e.textContent === "1.23\u00a0ms" || e.textContent === "1.23 ms")`
	const line = `(() => { const c = echarts.getInstanceByDom(document.getElementById("parameter"));
		return [c.convertToPixel({xAxisIndex: 0}, 0.00123),
			...c.getOption().series[0].markLine.data.map(d => c.convertToPixel({xAxisIndex: 0}, d.xAxis))]; })()`
	if at := read[[]float64](v, line); len(at) != 2 || math.Abs(at[0]-at[1]) > 0.5 || !read[bool](v, drawn) {
		t.Errorf("at pixel %v there are lines at %v: %q", at[0], at[1:], v.Text("parameter"))
	}
	v.set("parameter", "axis0", "0")
	if n := option[int](v, "parameter", "(o.series[0].markLine && o.series[0].markLine.data || []).length"); n != 0 {
		t.Errorf("%d lines where other settings are shown", n)
	}
}

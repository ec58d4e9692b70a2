package page

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"tallynet/metrics/report/result"
)

// drawn has, for each series of a timeline, the number of bars or lines and the sum of their widths as a share of
// the axis.
type drawn struct {
	Share, Number float64
}

const drawnOf = `(() => {
	const c = echarts.getInstanceByDom(document.getElementById("timeline")), width = c.getModel().getComponent("grid").coordinateSystem.getRect().width, out = {};
	for (const s of c.getModel().getSeries()) {
		const data = s.getData();
		let share = 0, number = 0;
		for (let i = 0; i < data.count(); i++) {
			const e = data.getItemGraphicEl(i);
			if (!e) continue;
			share += (e.shape.width ?? Math.abs(e.shape.x2 - e.shape.x1)) / width;
			number++;
		}
		out[s.id] = {share, number};
	}
	return out;
})()`

// TestTimelineAddsUp compares the drawn timeline with the data. The computing and waiting of each node add
// up to the window, and so does the critical path, whose legs are consecutive.
func TestTimelineAddsUp(t *testing.T) {
	g := one()
	g.nodes = 7
	_, all := timelineOf(7, 4)
	sum, number := map[result.HappeningKind]float64{}, map[result.HappeningKind]float64{}
	end := 0.0
	for _, h := range all {
		sum[h.Kind] += (h.To - h.From).Seconds()
		number[h.Kind]++
		end = max(end, h.To.Seconds())
	}
	for _, width := range []int64{1400, 390} {
		v := open(t, g.built(), width, 900)
		v.show("timeline")
		v.set("timeline", "part", "")
		got := read[map[string]drawn](v, drawnOf)
		for name, want := range map[string]drawn{
			"computing":     {sum[result.Computing] / end, number[result.Computing]},
			"waiting":       {sum[result.Waiting] / end, number[result.Waiting]},
			"messages":      {sum[result.Sending] / end, number[result.Sending]},
			"critical path": {1, number[result.CriticalComputing] + number[result.CriticalSending]},
		} {
			if d := got[name]; !(math.Abs(d.Share-want.Share) <= 0.005*want.Share) || d.Number != want.Number {
				t.Errorf("%d pixels, %s: %v, want %v", width, name, d, want)
			}
		}
		if sum[result.CriticalComputing]+sum[result.CriticalSending] < 0.999*end {
			t.Errorf("the path of the fixture takes less than its %v s", end)
		}
		// Each stretch shows its part of the whole.
		total := drawn{}
		for k := range 8 {
			v.set("timeline", "part", strconv.Itoa(k))
			part := read[map[string]drawn](v, drawnOf)
			total.Share += part["computing"].Share / 8
			if path := part["critical path"].Share; !(math.Abs(path-1) <= 0.01) {
				t.Errorf("stretch %d: the critical path takes %.3f of it", k, path)
			}
		}
		if want := sum[result.Computing] / end; !(math.Abs(total.Share-want) <= 0.01*want) {
			t.Errorf("the stretches have %v of computing, want %v", total.Share, want)
		}
	}
}

// Clicking a bar shows its node and the nodes that it exchanges messages with; clicking a message
// shows its link. Another click shows all again. The link to the view restores the choice.
func TestTimelineFilters(t *testing.T) {
	g := one()
	g.nodes = 9
	v := open(t, g.built(), 1000, 900)
	v.show("timeline")
	v.set("timeline", "part", "")
	rows := func() string {
		return option[string](v, "timeline", `o.yAxis[0].data.join()`)
	}
	if got := rows(); got != "0,1,2,3,4,5,6,7,8" {
		t.Errorf("at first there are rows for %s", got)
	}
	click := func(series, test string) {
		t.Helper()
		read[bool](v, `(() => { const c = echarts.getInstanceByDom(document.getElementById("timeline")), s = c.getModel().getSeries().find(s => s.id === %q), d = s.getData();
			for (let i = 0; i < d.count(); i++) { const e = d.getItemGraphicEl(i); if (e && (%s)(i)) {
				const r = e.getBoundingRect(), at = e.transformCoordToGlobal(r.x + r.width / 2, r.y + r.height / 2);
				for (const type of ["mousemove", "mousedown", "mouseup", "click"]) c.getZr().handler.dispatch(type, {zrX: at[0], zrY: at[1], preventDefault() {}, stopPropagation() {}});
				return true; } }
			return false; })()`, series, test)
	}
	click("computing", "i => i === 4 * 4") // each node has four rounds
	if got := rows(); got != "3,4,5" {
		t.Errorf("a click on a bar of node 4 leaves %s", got)
	}
	link := read[string](v, "location.hash")
	if !strings.HasPrefix(link, "#timeline?run=0&node=4&") {
		t.Errorf("the address is %q", link)
	}
	click("computing", "i => i === 1 * 4") // among nodes 3, 4 and 5
	if got := rows(); got != "0,1,2,3,4,5,6,7,8" {
		t.Errorf("a second click leaves %s", got)
	}
	v.set("timeline", "node", "path")
	if got := rows(); got != "0,1,2" { // 2 computes longest, 1 waits for 2, and 0, the first to end last, waits for 1
		t.Errorf("the critical path is on %s", got)
	}
	v.set("timeline", "node", "4")
	v.set("timeline", "peer", "5")
	if got := rows(); got != "4,5" {
		t.Errorf("the link between 4 and 5 shows %s", got)
	}
	if got := option[[]int](v, "timeline", `[o.series.find(s => s.id === "messages").data.length]`); got[0] != 8 {
		t.Errorf("%d messages between 4 and 5, want 4 rounds of 2", got[0])
	}
	v.set("timeline", "node", "")
	const node = `document.getElementById("timeline-controls").elements.node.value`
	if back := v.follow(link, node); back != "4" {
		t.Errorf("the link brings back node %q", back)
	}
	// Clicking a node in the graph shows the node in the timeline of the same run.
	v.show("graph")
	read[bool](v, `(() => { const c = echarts.getInstanceByDom(document.getElementById("graph")),
		e = c.getModel().getSeries()[1].getData().getItemGraphicEl(7).childAt(0), r = e.getBoundingRect(), at = e.transformCoordToGlobal(r.x + r.width / 2, r.y + r.height / 2);
		for (const type of ["mousemove", "mousedown", "mouseup", "click"]) c.getZr().handler.dispatch(type, {zrX: at[0], zrY: at[1], preventDefault() {}, stopPropagation() {}});
		return true; })()`)
	if got := rows(); got != "6,7,8" {
		t.Errorf("a click on node 7 of the graph leaves %s", got)
	}
	v.set("timeline", "node", "4")
	got := read[string](v, `(() => { const e = document.getElementById("timeline"); e.focus();
		e.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight", bubbles: true}));
		return e.querySelector(":scope > div:last-child").textContent; })()`)
	if !strings.Contains(got, "node 3, computing") {
		t.Errorf("a step to the right says %q", got)
	}
}

// Timelines of 300 nodes and of one node are readable.
func TestTimelineOfManyAndOne(t *testing.T) {
	for nodes, want := range map[int]string{1: "", 2: "", 300: "100 nodes have no row here"} {
		g := one()
		g.nodes, g.labels = nodes, g.labels[:1]
		v := open(t, g.built(), 800, 900)
		v.show("timeline")
		if got := read[map[string]drawn](v, drawnOf); got["computing"].Number < float64(min(nodes, 200)) ||
			!(math.Abs(got["critical path"].Share-1) <= 0.01) {
			t.Errorf("%d nodes: %v", nodes, got)
		}
		if got := v.Text("timeline-note"); !strings.Contains(got, want) {
			t.Errorf("%d nodes: the note says %q", nodes, got)
		}
	}
}

// TestTimelineIsCut limits the room. The timeline then ends at the first activity or message without room, the
// critical path ends there too, and the rest is counted.
func TestTimelineIsCut(t *testing.T) {
	line, all := timelineOf(6, 5)
	r := &result.Run{Nodes: make([]result.NodeRow, 6), Timeline: line, Happenings: all}
	number := func(all []result.Happening, critically bool) (n int64) {
		for _, h := range all {
			if critical(h.Kind) == critically {
				n++
			}
		}
		return n
	}
	if kept, whole := within(r, 1000); len(kept) != len(all) || whole != *line {
		t.Errorf("%d of %d happenings, %+v", len(kept), len(all), whole)
	}
	for _, most := range []int{30, 60, 90} {
		kept, part := within(r, most)
		if n := number(kept, false); n == 0 || n > int64(most) || n+part.LeftOut != number(all, false)+line.LeftOut {
			t.Errorf("of %d there are %d and %d are left out", number(all, false), n, part.LeftOut)
		}
		at := part.Until.Time() * 0
		for _, h := range kept {
			end := part.Until
			if h.Kind == result.Sending {
				end = part.MessagesUntil
			}
			if h.From >= end.Time() {
				t.Errorf("%d: %+v is after %v", most, h, end)
			}
			if critical(h.Kind) {
				if h.From != at {
					t.Errorf("%d: the path goes on at %v, want %v", most, h.From, at)
				}
				at = h.To
			}
		}
		if at != part.Until.Time() {
			t.Errorf("%d: the path ends at %v, the window at %v", most, at, part.Until)
		}
		var drawn runTimeline
		drawn.fill(r, most)
		if len(drawn.Did) != 6 || drawn.Until != int64(part.Until) || drawn.Left != part.LeftOut {
			t.Errorf("%d: %+v", most, drawn)
		}
	}
}

package serve

import (
	"slices"
	"strings"
)

// ghosts are the curves of the run before, one text each: its name, its dashes and its points.
const ghosts = `(echarts.getInstanceByDom(document.getElementById("curves"))?.getOption().series || [])
	.filter(s => s.id.startsWith("ghost"))`

// now are the points of the curves of this run.
const now = `echarts.getInstanceByDom(document.getElementById("curves")).getOption().series.filter(s => s.id.startsWith("curve"))
	.map(s => s.name + JSON.stringify(s.data.map(d => d.value.slice(0, 2))))`

// checkGhosts changes the number of seeds: behind the medians of the new run are the curves of the one before, dashed,
// where they were, unless they are switched off.
func checkGhosts(b *tab) {
	b.t.Helper()
	before := see[[]string](b, now)
	b.turn("dial-seeds", "2")
	b.done("--set seeds=2")
	see[bool](b, `document.getElementById("curves").scrollIntoView() === undefined`)
	b.until(ghosts + ".length === 2")
	got := see[[]string](b, ghosts+`.map(s => s.name + JSON.stringify(s.data))`)
	if !slices.Equal(got, before) {
		b.t.Errorf("the curves of the run before are %.300q, want %.300q", got, before)
	}
	if slices.Equal(see[[]string](b, now), before) {
		b.t.Error("medians of two seeds are those of one")
	}
	const looks = `(all => all.every(s => s.lineStyle.type.length === 2 && s.symbol === "none" && s.lineStyle.opacity < 1) &&
		new Set(all.map(s => s.color)).size === 2)`
	if !see[bool](b, looks+"("+ghosts+")") {
		b.t.Error("curves of the run before are not pale dashes in the colours of their methods")
	}
	if got := b.text("curves-caption"); !strings.Contains(got, "quartiles of 2 seeds; pale dashes are the run before") {
		b.t.Errorf("the caption is %q", got)
	}
	// All of them are drawn: with the axes of both, none is cut.
	if !see[bool](b, `(o => `+ghosts+`.every(s => s.data.every(([x, y]) =>
		x <= o.xAxis[0].max && y <= o.yAxis[0].max && y >= o.yAxis[0].min)))(
		echarts.getInstanceByDom(document.getElementById("curves")).getOption())`) {
		b.t.Error("curves of the run before leave the axes")
	}
	b.picture("live-ghosts")
	see[bool](b, `(document.getElementById("ghost").click(), true)`)
	b.until(ghosts + ".length === 0")
	see[bool](b, `(document.getElementById("ghost").click(), true)`)
	b.until(ghosts + ".length === 2")
}

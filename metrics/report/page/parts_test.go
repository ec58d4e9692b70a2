package page

import (
	"encoding/json"
	"html"
	"strings"
	"testing"
)

// missingParts lists parts that the charts use and the build of ECharts lacks: types of series, components with
// their kinds, features of the toolbox, patterns of bars. The built library silently ignores missing parts. See
// echarts/entry.js.
const missingParts = `(() => {
	const out = new Set(), plain = ["textStyle", "stateAnimation", "aria"]; // objects that are not components
	for (const e of document.querySelectorAll("[_echarts_instance_]")) {
		const c = echarts.getInstanceByDom(e), m = c.getModel(), o = m._optionManager._optionBackup.baseOption; // as given
		for (const [name, v] of Object.entries(o)) for (const [i, one] of (Array.isArray(v) ? v : [v]).entries()) {
			if (!one || typeof one !== "object" || plain.includes(name)) continue;
			const there = name === "series" ? m.getSeriesByIndex(i) : m.getComponent(name, i);
			if (!there || one.type && there.subType && there.subType !== one.type) out.add(name + (one.type ? " " + one.type : ""));
			for (const mark of ["markLine", "markPoint", "markArea"]) if (one[mark] && !m.getComponent(mark)) out.add(mark);
			if (name !== "toolbox" || !there || one.show === false) continue;
			const made = c.getViewOfComponentModel(there)._features;
			for (const [f, its] of Object.entries(one.feature)) if (its.show !== false && !made.hasKey(f)) out.add("toolbox " + f);
		}
		const bars = o.series.some(s => s.type === "bar" && s.data.some(d => d !== null));
		if (o.aria && o.aria.decal && o.aria.decal.show && bars && !e.querySelector("svg pattern")) out.add("aria decal");
	}
	return [...out].sort();
})()`

// Parts that the build of ECharts lacks are found.
func TestMissingPartsAreNoticed(t *testing.T) {
	v := open(t, one().built(), 800, 600)
	v.show("curves")
	v.loud = true // its charts lack something on purpose
	if got := read[[]string](v, missingParts); len(got) > 0 {
		t.Fatalf("the page's own charts lack %q", got)
	}
	for option, want := range map[string]string{
		`{series: [{type: "sankey", data: []}]}`:                                       "series sankey",
		`{series: [{type: "line", data: [1, 2], markPoint: {data: [{type: "max"}]}}]}`: "markPoint",
		`{series: [], timeline: {data: [1, 2]}}`:                                       "timeline",
		`{series: [], dataZoom: {type: "slider"}}`:                                     "is used but not imported",
		`{series: [], toolbox: {feature: {dataView: {}}}}`:                             "toolbox dataView",
		`{series: [], graphic: [{type: "rect"}]}`:                                      "graphic rect",
	} {
		thrown := read[string](v, `(() => {
			const e = document.body.appendChild(document.createElement("div"));
			e.style.height = "200px";
			try {
				echarts.init(e, null, {renderer: "svg"}).setOption({xAxis: {}, yAxis: {}, ...%s});
			} catch (error) { return String(error); }
			return "";
		})()`, option)
		if got := append(read[[]string](v, missingParts), thrown); !strings.Contains(strings.Join(got, "; "), want) {
			t.Errorf("%s: %q lack, want %q among them", option, got, want)
		}
		read[bool](v, `(() => {
			const e = document.body.lastElementChild;
			echarts.getInstanceByDom(e).dispose();
			e.remove();
			return true;
		})()`)
	}
}

// TestTextLikeTheMark: the page contains the library and the data once, for any texts.
func TestTextLikeTheMark(t *testing.T) {
	for _, mark := range []string{"<library>", "<data>"} {
		p := Page{Title: mark, About: mark, Headline: mark, Facts: []string{mark}, Notes: []string{mark}, Command: mark,
			Scenario: mark, Provenance: []fact{{mark, mark}}}
		p.Charts.Methods = []string{mark}
		var b strings.Builder
		if err := Write(&b, p); err != nil {
			t.Fatal(err)
		}
		charts, err := json.Marshal(p.Charts)
		if err != nil {
			t.Fatal(err)
		}
		if n, data := strings.Count(b.String(), library), strings.Count(b.String(), string(charts)); n != 1 || data != 1 {
			t.Errorf("the library is there %d times, the data %d times", n, data)
		}
		if n := strings.Count(b.String(), html.EscapeString(mark)); n < 8 || strings.Contains(b.String(), mark) {
			t.Errorf("of the texts %s, %d are there", mark, n)
		}
	}
}

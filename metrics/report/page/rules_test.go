package page

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tallynet/metrics/report/figure"
)

// source returns a file of the page's script.
func source(t testing.TB, name string) string {
	t.Helper()
	text, err := scripts.ReadFile("js/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// samples returns numbers as runs have them: any signs and magnitudes, zeros, gaps, and rounding.
func samples() [][]float64 {
	random := rand.New(rand.NewPCG(3, 5))
	all := [][]float64{{}, {0}, {0, 0}, {7, 7}, {1, 50}, {0, 1, 101}, {1, 100}, {-1e-12, 1e-3, 1}, {-1, 1e-3, 1},
		{-5, -5}, {math.NaN(), 2, math.Inf(1), 3},
		{1e-250, 1e250}, {-1e305, 1}, {3e-5}, {2, 2 * (1 + 1e-12)}, {-3, 8}, {0, 40}}
	for range 300 {
		spread, values := 6*random.Float64(), make([]float64, 1+random.IntN(20))
		for i := range values {
			values[i] = math.Pow(10, spread*random.NormFloat64())
			switch random.IntN(12) {
			case 0:
				values[i] = 0
			case 1:
				values[i] = math.NaN()
			case 2:
				if spread > 4 {
					values[i] = -values[i]
				} else {
					values[i] *= -1e-12
				}
			}
		}
		all = append(all, values)
	}
	return all
}

// scaling holds the results of the scale rules for some numbers.
type scaling struct {
	Spread, Far bool
	Range       [2]*float64 // of a linear axis; nil without numbers
	LogRange    [2]*float64
	Reach       [2]int // the number of tried values drawn beside them
}

// tried holds values of runs that did not end well.
var tried = []float64{-1e9, -10, -1, 0, 1e-9, 0.5, 1, 5, 20, 99, 1e3, 1e9, 1e300}

// The script and the figures have the same rules for scales.
func TestScalesEqualFigures(t *testing.T) {
	all := samples()
	given := make([][]*float64, len(all))
	want := make([]scaling, len(all))
	for i, values := range all {
		given[i] = []*float64{}
		ends := []float64{}
		for _, v := range values {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				given[i] = append(given[i], nil)
				continue
			}
			given[i] = append(given[i], &v)
			ends = append(ends, v)
		}
		w := &want[i]
		w.Spread, w.Far = figure.Logarithmic(values), figure.FarApart(ends)
		if low, high, ok := figure.Range(values, false); ok {
			w.Range = [2]*float64{&low, &high}
		}
		if low, high, ok := figure.Range(values, true); ok {
			w.LogRange = [2]*float64{&low, &high}
		}
		for k, log := range []bool{false, true} {
			within := figure.Reach(values, log)
			w.Reach[k] = len(slices.DeleteFunc(slices.Clone(tried), func(v float64) bool { return !within(v) }))
		}
	}
	text, err := json.Marshal(given)
	if err != nil {
		t.Fatal(err)
	}
	others, err := json.Marshal(tried)
	if err != nil {
		t.Fatal(err)
	}
	v := open(t, Page{Title: "rules"}, 600, 600)
	got := read[[]scaling](v, `(() => { %s
		return %s.map(vs => {
			const linear = scale(vs, false), log = scale(vs, true), there = vs.filter(v => v !== null);
			return {Spread: spread(vs), Far: farApart(there), Range: [linear.min ?? null, linear.max ?? null], LogRange: [log.min ?? null, log.max ?? null],
				Reach: [false, true].map(log => %s.filter(reach(vs, log)).length)};
		});
	})()`, source(t, "25-scale.js"), text, others)
	close := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b)) })
	logarithmic := 0
	for i := range want {
		if diff := cmp.Diff(want[i], got[i], close); diff != "" {
			t.Errorf("%v (-figures +page):\n%s", all[i], diff)
		}
		if want[i].Spread {
			logarithmic++
		}
	}
	if logarithmic < 50 || logarithmic > len(all)-50 {
		t.Errorf("%d of %d samples want a logarithmic axis, so that the rule is hardly tried", logarithmic, len(all))
	}
}

// The script and the figures give lines the same looks, and the page has the figures' colours.
func TestLooksEqualFigures(t *testing.T) {
	palette, err := json.Marshal(figure.LinePalette())
	if err != nil {
		t.Fatal(err)
	}
	type look struct{ Color, Dash, Symbol string }
	v := open(t, Page{Title: "looks"}, 600, 600)
	p := figure.LinePalette()
	for _, c := range [][2]int{{1, 1}, {9, 1}, {1, 9}, {9, 9}, {2, 4}} {
		got := read[[]look](v, `(() => { const data = {palette: %s}, all = [];
			%s
			for (let m = 0; m < %d; m++) for (let p = 0; p < %d; p++) {
				const l = look(m, p, %d, %d);
				all.push({Color: l.color, Dash: JSON.stringify(l.dash), Symbol: (l.hollow ? "hollow " : "") + l.symbol + (l.turn ? " down" : "")});
			}
			return all; })()`, palette, source(t, "20-looks.js"), c[0], c[1], c[0], c[1])
		var want []look
		for m := range c[0] {
			for point := range c[1] {
				k := figure.LookOf(m, point, c[0], c[1])
				dash, err := json.Marshal(p.Dashes[k.Dashes%len(p.Dashes)])
				if err != nil {
					t.Fatal(err)
				}
				want = append(want, look{p.Colors[k.Color%len(p.Colors)], string(dash), p.Markers[k.Marker%len(p.Markers)]})
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%d methods, %d points (-figures +page):\n%s", c[0], c[1], diff)
		}
	}
	for _, block := range regexp.MustCompile(`(?s):root(?:\[data-theme="dark"\])? \{.*?\}`).FindAllString(style, -1) {
		if n := len(regexp.MustCompile(`--line-\d+:`).FindAllString(block, -1)); n != len(p.Colors) {
			t.Errorf("the style has %d colours, want %d", n, len(p.Colors))
		}
	}
}

// The program supplies all names: the script has no words for metrics or keys.
func TestNamesEqualFigures(t *testing.T) {
	p := newStudy().built()
	var titles, keys []string
	for _, m := range p.Charts.Metrics {
		titles = append(titles, m.Title)
	}
	for _, a := range p.Charts.Axes {
		keys = append(keys, a.Name)
	}
	if want := []string{"squared gradient norm", "objective", "test accuracy"}; !slices.Equal(titles, want) {
		t.Errorf("metrics are called %q, want %q", titles, want)
	}
	if want := []string{"kind", "latency"}; !slices.Equal(keys, want) {
		t.Errorf("keys are called %q, want %q", keys, want)
	}
	v := open(t, p, 1000, 900)
	v.show("curves")
	if got := option[string](v, "curves", "o.yAxis[0].name"); got != titles[0] {
		t.Errorf("the axis is called %q, want %q", got, titles[0])
	}
	v.set("curves", "y", "2")
	const start = "Math.min(...o.series.filter(s => s.type === 'line').map(s => s.data[0].value[2]))"
	if got := option[float64](v, "curves", start); got != 1 {
		t.Errorf("accuracies begin at iteration %v, want 1: that of the start says nothing", got)
	}
}

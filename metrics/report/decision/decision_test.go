package decision

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tallynet/metrics/jsonio"
	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/result"
	"tallynet/sim/golden"
)

// studied is a summary with a latency, a speed and a graph. Point names are not swept.
func studied() *fold.Summary {
	return &fold.Summary{Labels: []string{"DAGM", "DGBO"}, Keys: []fold.Key{
		{Name: "network.latency", Title: "latency", Values: []string{"10ms", "1ms"}, Labels: []string{"10 ms", "1 ms"},
			Numbers: []float64{0.01, 0.001}},
		{Name: "compute.speed", Title: "speed", Values: []string{"1GFLOP/s", "10GFLOP/s"},
			Labels: []string{"1 GFLOP/s", "10 GFLOP/s"}, Numbers: []float64{1e9, 1e10}},
		{Name: "topology.kind", Title: "graph", Values: []string{"ring", "torus"}, Labels: []string{"ring", "torus"}},
	}}
}

// choice returns a choice that costs as much as the best one times a ratio.
func choice(name string, ratio float64) result.Choice {
	r := jsonio.Real(ratio)
	c := result.Choice{Name: name, Method: name, Runs: 5, Arrived: 5, Cost: result.Interval{Value: r, N: 5},
		Ratio: result.Interval{Value: r, Low: r - 0.1, High: r + 0.1, N: 5}}
	if math.IsInf(ratio, 1) {
		c.Arrived, c.Cost.Value = 1, jsonio.Real(math.NaN())
		c.Ratio.Value = jsonio.Real(math.NaN())
	}
	return c
}

// at returns a setting of the summary's keys, in the form key=value.
func at(settings ...string) (all result.Settings) {
	for _, s := range settings {
		key, value, _ := strings.Cut(s, "=")
		set, err := result.NewSetting(key, value)
		if err != nil {
			panic(err)
		}
		all = append(all, set)
	}
	return all
}

// decided is an answer by time over latencies and speeds: a win, a close win, a tie, and a cell in which nobody
// arrives.
func decided() *result.Answer {
	a := &result.Answer{Question: result.Question{By: []string{"time_s"}}, Sentences: []string{"DAGM is fastest."}}
	for i, c := range [][]result.Choice{{choice("DAGM", 1), choice("DGBO", 1.5)},
		{choice("DGBO", 1), choice("DAGM", 1.06)},
		{choice("DAGM", 1), choice("DGBO", 1.01)}, {choice("DAGM", math.Inf(1)), choice("DGBO", math.Inf(1))}} {
		latency, speed := []string{"10ms", "1ms"}[i/2], []string{"1GFLOP/s", "10GFLOP/s"}[i%2]
		a.Cells = append(a.Cells, result.Cell{By: "time_s", At: at("network.latency="+latency, "compute.speed="+speed),
			Name: "latency " + latency + ", speed " + speed, Choices: c, Best: []int{1, 1, 2, 0}[i]})
	}
	return a
}

func TestFigure(t *testing.T) {
	m := Of(decided(), studied())
	for file, write := range map[string]func(*bytes.Buffer) error{
		"testdata/decision.svg": func(b *bytes.Buffer) error { return m.Figure().WriteSVG(b) },
		"testdata/decision.csv": func(b *bytes.Buffer) error { return m.WriteCSV(b, at("network.latency_s=0.01")) },
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		golden.Check(t, file, b.String())
	}
	if none := Of(&result.Answer{Question: result.Question{By: []string{"time_s"}}, Sentences: []string{"x"},
		Cells: decided().Cells[:1]}, studied()); none != nil {
		t.Errorf("one setting has the map %+v", none)
	}
}

// Numbers are in order, from the left and upward; rows of several keys name all of them; with one key, rows are costs.
func TestAxes(t *testing.T) {
	kinds := []string{"ring", "torus"}
	speeds := []string{"1GFLOP/s", "10GFLOP/s"}
	for _, c := range []struct {
		name  string
		by    []string
		at    []result.Settings
		level []float64
		x, y  Axis
	}{
		{name: "one key", by: []string{"time_s", "payload_bytes"}, at: []result.Settings{at("network.latency=10ms"),
			at("network.latency=1ms")}, x: Axis{"latency", []string{"name 1", "name 0"}},
			y: Axis{"", []string{"time", "bytes"}}},
		{name: "two keys", by: []string{"time_s"}, at: each(speeds, kinds), x: Axis{"speed", []string{"1 GFLOP/s",
			"10 GFLOP/s"}}, y: Axis{"graph", kinds}},
		{name: "numbers up", by: []string{"time_s"}, at: each(kinds, speeds), x: Axis{"graph", kinds},
			y: Axis{"speed", []string{"10 GFLOP/s", "1 GFLOP/s"}}},
		{name: "three keys", by: []string{"time_s"}, at: each([]string{"1ms", "10ms"}, speeds, kinds),
			x: Axis{"latency", []string{"1 ms", "10 ms"}}, y: Axis{"", []string{"speed 1 GFLOP/s, ring",
				"speed 1 GFLOP/s, torus", "speed 10 GFLOP/s, ring", "speed 10 GFLOP/s, torus"}}},
		{name: "keys that change together", by: []string{"time_s"}, at: []result.Settings{at("network.latency=1ms",
			"compute.speed=1GFLOP/s"), at("network.latency=10ms", "compute.speed=10GFLOP/s")},
			x: Axis{"latency", []string{"name 0", "name 1"}}, y: Axis{"", []string{""}}},
		{name: "a key that is unset", by: []string{"time_s"}, at: append(each(speeds, kinds), at("compute.speed=1GFLOP/s")),
			x: Axis{"speed", []string{"1 GFLOP/s", "10 GFLOP/s"}}, y: Axis{"graph", []string{"unset", "ring", "torus"}}},
		{name: "names alone", by: []string{"time_s"}, at: make([]result.Settings, 2),
			x: Axis{"", []string{"name 0", "name 1"}}, y: Axis{"", []string{""}}},
		{name: "levels", by: []string{"time_s"}, at: make([]result.Settings, 3), level: []float64{0.1, 0.01, 1e-5},
			x: Axis{"grad_norm2 <=", []string{"0.1", "0.01", "1e-05"}}, y: Axis{"", []string{""}}},
	} {
		a := &result.Answer{Question: result.Question{By: c.by}, Sentences: []string{"x"}}
		for _, by := range c.by {
			for i, settings := range c.at {
				cell := result.Cell{By: by, At: settings, Name: fmt.Sprintf("name %d", i), Best: 1,
					Choices: []result.Choice{choice("DAGM", 1), choice("DGBO", 2)}}
				if c.level != nil {
					cell.Level = &result.Target{Conditions: []result.Condition{{Metric: "grad_norm2", Relation: "<=",
						Value: c.level[i]}}}
				}
				a.Cells = append(a.Cells, cell)
			}
		}
		m := Of(a, studied())
		if m == nil {
			t.Errorf("%s: no map", c.name)
			continue
		}
		if diff := cmp.Diff([]Axis{c.x, c.y}, []Axis{m.X, m.Y}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		seen := map[[2]int]bool{}
		for _, cell := range m.Cells {
			seen[[2]int{cell.X, cell.Y}] = true
		}
		if len(seen) != len(a.Cells) {
			t.Errorf("%s: %d cells at %d places", c.name, len(a.Cells), len(seen))
		}
	}
}

// each returns all combinations of values of the summary's keys.
func each(values ...[]string) (all []result.Settings) {
	all = []result.Settings{nil}
	for _, of := range values {
		var next []result.Settings
		for _, settings := range all {
			for _, v := range of {
				for _, k := range studied().Keys {
					for _, known := range k.Values {
						if known == v {
							next = append(next, append(settings[:len(settings):len(settings)], at(k.Name+"="+v)...))
						}
					}
				}
			}
		}
		all = next
	}
	return all
}

package fold_test

import (
	"slices"
	"strings"
	"testing"

	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/result"
)

// People read titles and labels; values stay as they are in the file. Labels that rounding makes equal are exact.
func TestTitlesAndLabels(t *testing.T) {
	o := fold.Options{
		KeyTitle: func(key string, whole bool) string {
			if whole {
				return "the " + key
			}
			return map[string]string{"wire": "compression", "network.latency": "latency"}[key]
		},
		LabelOf: func(s result.Setting) string {
			if s.Text() == "2ms" {
				return "far"
			}
			return s.Words()
		},
	}
	var runs []result.Run
	for i, latency := range []string{"1ms", "2ms"} {
		for _, share := range []float64{0.1, 0.2} {
			runs = append(runs, ended("A", 1, at(t, "topology.kind", "ring", "topology.nodes", 8, "network.latency", latency,
				"wire", map[string]any{"compress": "top-k", "share": share}, "algorithms.A.alpha", 0.1+float64(i)*1e-9),
				result.Completed, 100, 1))
		}
	}
	s := of(t, o, runs...)
	var got []string
	for k := range s.Keys {
		got = append(got, strings.Join(s.Keys[k].Labels, " | "))
	}
	want := []string{"ring", "8", "1 ms | far", "top-k, share 0.1 | top-k, share 0.2", "0.1 | 0.100000001"}
	if !slices.Equal(got, want) {
		t.Errorf("labels %q, want %q", got, want)
	}
	if title := s.Keys[0].Title; title != "the topology.kind" { // several are "" otherwise
		t.Errorf("the first title is %q", title)
	}
	if k := s.Keys[2]; k.Values[0] != "1ms" || k.Values[1] != "2ms" {
		t.Errorf("values %q", k.Values)
	}
	if got, want := s.Points[3].Name, "latency = far, compression = top-k, share 0.2"; got != want {
		t.Errorf("the last point is %q, want %q", got, want)
	}
}

// A point that changes two keys is not named by one of them, unless the other is a parameter of a method.
func TestPointsOfTwoKeys(t *testing.T) {
	for want, points := range map[string][]result.Settings{
		"latency = 1 ms, up = 1 Gbit/s; latency = 2 ms, up = 1 Mbit/s; latency = 3 ms, up = 1 Gbit/s": {
			at(t, "network.latency", "1ms", "nic.up", "1Gbit/s"), at(t, "network.latency", "2ms", "nic.up", "1Mbit/s"),
			at(t, "network.latency", "3ms", "nic.up", "1Gbit/s")},
		"4 nodes, weight = 1; 8 nodes, weight = 2": {at(t, "nodes", 4, "weight", 1), at(t, "nodes", 8, "weight", 2)},
		"4 nodes; 8 nodes":                         {at(t, "nodes", 4, "fixed", 1), at(t, "nodes", 8, "fixed", 1)},
		"dim = 4; dim = 8": {at(t, "dim", 4, "algorithms.A.alpha", 1),
			at(t, "dim", 8, "algorithms.A.alpha", 2)},
		"a = 1; a = 2": {at(t, "a", 1, "b", 1, "c", 1, "d", 1), at(t, "a", 2, "b", 2, "c", 2, "d", 2)},
	} {
		s := listed(t, points, nil)
		var names []string
		for _, p := range s.Points {
			names = append(names, p.Name)
		}
		if got := strings.Join(names, "; "); got != want {
			t.Errorf("the points are %q, want %q", got, want)
		}
	}
}

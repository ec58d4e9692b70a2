package spec

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func parseAsking(t *testing.T, sets ...string) *Scenario {
	t.Helper()
	s, err := Parse("ask", []byte(asking), builtin(), sets)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestSeedsUntil checks what the section seeds with until reads as, and its round trip with more seeds.
func TestSeedsUntil(t *testing.T) {
	for set, want := range map[string]string{
		"seeds={until: 10%}":                            "5 10 100 seeds=[{run 5} {until 10%} {most 100}]",
		"seeds={until: 7.5%, most: 5}":                  "5 7.5 5 seeds=[{run 5} {until 7.5%} {most 5}]",
		"seeds={data: 3, run: 20, until: 1%, most: 50}": "20 1 50 seeds=[{data 3} {run 20} {until 1%} {most 50}]",
		"seeds={run: 1, until: 1%}":                     "1 1 100 seeds=[{run [1]} {until 1%} {most 100}]",
	} {
		s := parseAsking(t, set)
		m := s.resolvedSeeds()
		if got := fmt.Sprintf("%d %g %d %s=%v", len(s.Seeds), s.Until, s.Most, m.Key, m.Value); got != want {
			t.Errorf("%s is %s, want %s", set, got, want)
		}
		more, err := s.WithSeeds(5)
		if err != nil || !slices.Equal(more.Seeds, firstSeeds(5)) || more.Until != s.Until || more.Limits != s.Limits {
			t.Fatalf("%s: with 5 seeds: %+v, %v", set, more, err)
		}
		text, err := more.YAML()
		if err != nil {
			t.Fatal(err)
		}
		back, err := ParseResolved("result.json", text, builtin())
		if err != nil || !SameRuns(back, more) || back.Until != s.Until || back.Most != s.Most {
			t.Errorf("%s: a round trip gives %+v, %v", set, back, err)
		}
	}
	for set, want := range map[string]string{
		"seeds={until: 10}":                   "want a percentage, got \"10\"",
		"seeds={until: 0%}":                   "want a percentage",
		"seeds={until: [1]}":                  "want a percentage, got a list",
		"seeds={until: 10%, most: 4}":         "4 is out of range",
		"seeds={data: 1, most: 40}":           "most is used only where until is given",
		"seeds={until: 10%, run: [2, 3]}":     "run is the number of seeds to begin with, up to 100",
		"seeds={until: 10%, run: 9, most: 8}": "run is the number of seeds to begin with, up to 8",
		"seeds={until: 10%, first: 9}":        "seeds has no such key",
	} {
		if _, err := Parse("ask", []byte(asking), builtin(), []string{set}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", set, err, want)
		}
	}
	s := parseAsking(t, "seeds={until: 10%, most: 1000}")
	s.Limits.Runs = 1999
	if _, err := s.Points(); err == nil || !strings.Contains(err.Error(), "1000 seeds") {
		t.Errorf("2 points with up to 1000 seeds, of at most 1999 runs: %v", err)
	}
}

// TestRefined checks which value is added to a sweep, and where.
func TestRefined(t *testing.T) {
	for _, c := range []struct {
		axis  string
		x     float64
		want  string // the axis; "" if nothing is added
		wrong string
	}{
		{"network.latency: [10us, 1ms, 5ms]", 1e-4, "[10us 100us 1ms 5ms]", ""},
		{"network.latency: [5ms, 0.2s, 1ms]", 2e-3, "[5ms 0.2s 2.24ms 1ms]", ""},
		{"network.latency: [0, 1ms]", 5e-4, "", ""},
		{"network.latency: [1ms, 1.05ms]", 1.02e-3, "", ""},
		{"network.latency: [1ms, 2ms]", 1e-3, "", ""},
		{"network.latency: [1ms, 2ms]", 3e-3, "", ""},
		{"network.latency: [2ns, 3ns]", 2.5e-9, "", "2.45ns"},
		{"network.bandwidth: [unlimited, 1Gbit/s, 1Mbit/s]", 3e7, "[unlimited 1Gbit/s 31.6Mbit/s 1Mbit/s]", ""},
		{"topology.nodes: [4, 8]", 5, "[4 6 8]", ""},
		{"topology.nodes: [4, 5]", 4.5, "", ""},
		{"algorithms.dgd.alpha: [0.1, 0.2]", 0.15, "[0.1 0.141 0.2]", ""},
		{"topology.kind: [ring, complete]", 3, "", ""},
	} {
		key, values, _ := strings.Cut(c.axis, ": ")
		s := parseAsking(t, fmt.Sprintf("sweep={%q: %s}", key, values))
		finer, value, err := s.Refined(key, c.x)
		switch {
		case c.wrong != "":
			if err == nil || value != c.wrong {
				t.Errorf("%s at %g: %q, %v", c.axis, c.x, value, err)
			}
		case err != nil:
			t.Errorf("%s at %g: %v", c.axis, c.x, err)
		case c.want == "":
			if finer != s {
				t.Errorf("%s at %g adds %s", c.axis, c.x, value)
			}
		default:
			points, err := finer.Points()
			values := finer.Sweep[0].Values
			if got := fmt.Sprint(values); err != nil || got != c.want || len(points) != len(values) {
				t.Errorf("%s at %g is %s, %v; want %s", c.axis, c.x, got, err, c.want)
			}
		}
	}
	s := parseAsking(t)
	if finer, _, err := s.Refined("network.latency", 1e-3); finer != s || err != nil {
		t.Errorf("a key that is not swept: %v", err)
	}
}

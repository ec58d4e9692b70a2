package views

import (
	"strings"
	"testing"

	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/result"
)

// TestAnswerTable holds the table of each kind of question: choices, settings, one choice in settings, effects of one
// and of two keys, and runs that do not get there.
func TestAnswerTable(t *testing.T) {
	var grid, networks []result.Run
	for _, at := range []struct {
		latency string
		rounds  int // of A
	}{{"1ms", 10}, {"2ms", 20}, {"9ms", 90}} {
		grid = append(grid, priced(t, "A", 1, at.rounds, 100, ms, 0, "network.latency", at.latency),
			priced(t, "B", 1, 20, 300, ms, 0, "network.latency", at.latency))
		networks = append(networks, priced(t, "A", 1, at.rounds, 100, ms, 0, "network.latency", at.latency,
			"network.bandwidth", "1Gbit/s"))
	}
	for _, label := range []string{"A", "B"} {
		networks = append(networks, priced(t, label, 1, 30, 100, ms, ms, "network.latency", "1ms",
			"network.bandwidth", "1Mbit/s"))
	}
	networks = append(networks, priced(t, "B", 1, 20, 300, ms, 0, "network.latency", "1ms",
		"network.bandwidth", "1Gbit/s"))
	late := priced(t, "C", 1, 10, 100, ms, 0)
	late.Samples = late.Samples[:5]
	late.Status = result.Completed
	late.Finish()
	for name, c := range map[string]struct {
		runs []result.Run
		q    *result.Question
		want string
	}{
		"choices": {[]result.Run{priced(t, "A", 1, 10, 100, ms, 0), priced(t, "B", 1, 20, 20, ms, 9*ms), late}, nil, `
method   bytes    time  iterations  mostly          reached
───────────────────────────────────────────────────────────
B        400 B  200 ms          20  sending, 90 %   1/1
A       1.0 kB   10 ms          10  latency, 100 %  1/1
C            -       -           -  -               0/1
`},
		"settings": {grid, &result.Question{Choose: []string{"algorithm"}, By: []string{"time_s"},
			Along: []string{"network.latency"}}, `
latency  best    time   next   bytes  iterations
────────────────────────────────────────────────
1 ms     A      10 ms  2.00×  1.0 kB          10
2 ms     A = B  20 ms      -  2.0 kB          20
9 ms     B      20 ms  4.50×  6.0 kB          20
`},
		"one choice": {[]result.Run{grid[0], grid[2], grid[4]}, nil, `
latency   time   bytes  iterations  mostly
──────────────────────────────────────────────────
1 ms     10 ms  1.0 kB          10  latency, 100 %
2 ms     20 ms  2.0 kB          20  latency, 100 %
9 ms     90 ms  9.0 kB          90  latency, 100 %
`},
		"an effect": {grid, &result.Question{Effect: []string{"network.latency"}, Of: []string{"algorithm"},
			By: []string{"time_s"}}, `
method   time  latency 2 ms  latency 9 ms   bytes  iterations
─────────────────────────────────────────────────────────────
A       10 ms         2.00×         9.00×  1.0 kB          10
B       20 ms         1.00×         1.00×  6.0 kB          20
`},
		"two effects": {networks, &result.Question{Effect: []string{"network"}, Of: []string{"algorithm"},
			By: []string{"time_s"}}, `
method   time  latency 2 ms  latency 9 ms  bandwidth 1 Mbit/s   bytes
─────────────────────────────────────────────────────────────────────
A       10 ms         2.00×         9.00×               6.00×  1.0 kB
B       20 ms             -             -               3.00×  6.0 kB
`},
	} {
		s, err := New(c.runs, fold.Options{Targets: []result.Target{{Conditions: []result.Condition{
			condition("grad_norm2", "<=", 1)}}}})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Ask(c.q, nil); err != nil {
			t.Fatal(err)
		}
		if got := "\n" + strings.Join(fitted(s.AnswerTable(6)), "\n") + "\n"; got != c.want {
			t.Errorf("%s:%s", name, got)
		}
	}
}

package study

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"tallynet/metrics/report/result"
	"tallynet/scenarios/build"
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/execute"
	"tallynet/scenarios/predict"
	"tallynet/scenarios/scenariotest"
	"tallynet/scenarios/spec"
)

// TestForecastsOfCompressedRuns: for every method that a wire and a network allow, predict gives the bytes that a
// run counts, by kind, or a bound on them if the closed form is a bound.
func TestForecastsOfCompressedRuns(t *testing.T) {
	t.Parallel()
	compared := map[string]bool{}
	for _, world := range []string{
		"topology: {kind: star, nodes: 4}\nproblem: {kind: quadratic, p: 6, q: 9}\n",
		"topology: {kind: star, nodes: 4, center: server}\nproblem: {kind: quadratic, p: 9, q: 7}\n",
		"topology: {kind: ring, nodes: 4}\nproblem: {kind: least-squares, dim: 11, samples: 12}\n",
	} {
		for _, wire := range []string{
			"{compress: top-k, share: 0.3, memory: none, direction: up}",
			"{compress: qsgd, levels: 4, format: float32, memory: none, direction: up}",
			"{compress: low-rank, rank: 1, memory: feedback}", "int8",
		} {
			for _, e := range catalog.Algorithms() {
				text := "version: 1\n" + world + "wire: " + wire + "\nalgorithms: [" + scenariotest.Shortest(e) + "]\n"
				if s, err := spec.Parse("x.yaml", []byte(text), scenariotest.Catalog(), nil); err != nil {
					continue
				} else if _, err := build.Build(s, 1, &scenariotest.Data); err != nil {
					continue // the method refuses the network, the problem, or the wire
				}
				s := scenariotest.Parse(t, text)
				forecasts, about, err := predict.Forecasts(s, &scenariotest.Data)
				if err != nil {
					continue // the method states that it has no closed form
				}
				if !strings.Contains(about, "what nodes exchange is compressed") {
					t.Errorf("%s: %s", e.Name, about)
				}
				if !forecasts[0].GoesOn && compareBytes(t, s, forecasts[0], e.Name+", wire "+wire) {
					compared[e.Name] = true
				}
			}
		}
	}
	if len(compared) < 25 || !compared["c2dfb"] || !compared["ef-soba"] || !compared["allreduce-gd"] {
		t.Errorf("only %d methods were compared: %v", len(compared), compared)
	}
}

// compareBytes compares a forecast with a run, and reports whether the closed form is exact.
func compareBytes(t *testing.T, s *spec.Scenario, f result.Forecast, what string) bool {
	t.Helper()
	in, err := build.Build(s, 1, &scenariotest.Data)
	if err != nil {
		t.Fatal(err)
	}
	r := execute.Run(context.Background(), in, s.Algorithms[0], s.Algorithms[0].Args, nil)
	if r.Status != result.Completed {
		t.Errorf("%s: %s %s", what, r.Status, r.Reason)
		return false
	}
	var vectors, matrices int64
	for _, p := range r.Phases {
		switch p.Kind.String() {
		case "vector":
			vectors += p.Bytes
		case "matrix":
			matrices += p.Bytes
		}
	}
	got := fmt.Sprint(vectors, matrices, r.Totals.PayloadBytes())
	want := fmt.Sprint(f.VectorBytes, f.MatrixBytes, f.PayloadBytes)
	if f.Bound && f.PayloadBytes.Int64() < r.Totals.PayloadBytes() || !f.Bound && got != want {
		t.Errorf("%s: vectors, matrices and all have %s bytes, predicted %s", what, got, want)
	}
	return !f.Bound
}

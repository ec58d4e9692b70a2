package cli

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tallynet/cmd/simulate/present"
	"tallynet/metrics/escape"
	"tallynet/metrics/report/result"
	"tallynet/metrics/report/table"
	"tallynet/metrics/report/views"
	"tallynet/scenarios/problems/data"
	"tallynet/scenarios/spec"
	"tallynet/scenarios/study"
	"tallynet/sim/slow"
)

// printed returns what a command prints of a result.
func printed(t *testing.T, shown *views.StudyView, terminal bool, e extent) string {
	t.Helper()
	var b strings.Builder
	a := &app{io: streams{Out: &b, Err: io.Discard, Terminal: terminal}}
	if err := a.print(shown, filepath.Join("results", "x"), "text", e); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// checkTerminal runs a scenario. A terminal must show its headline, one table and the path of the page, in lines that
// fit; a pipe must get all tables, and so must a terminal with --details.
func checkTerminal(t *testing.T, s *spec.Scenario) {
	t.Helper()
	st, err := study.New(s, new(data.Loader))
	if err != nil {
		t.Fatal(err)
	}
	runs, err := st.Run(t.Context(), study.Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	report, err := st.Report(runs, result.Provenance{})
	if err != nil {
		t.Fatal(err)
	}
	report.Facts = present.Facts(st)
	shown, err := present.Show(st, report)
	if err != nil {
		t.Fatal(err)
	}
	short := printed(t, shown, true, extent{})
	lines := strings.Split(strings.TrimSuffix(short, "\n"), "\n")
	wrong := func(format string, args ...any) { t.Errorf(format+"\n%s", append(args, short)...) }
	if len(lines) > 25 {
		wrong("%d lines", len(lines))
	}
	for _, line := range lines {
		if table.Width(line) > 80 || line != strings.TrimRight(line, " ") {
			wrong("%q does not fit, or ends with spaces", line)
		}
	}
	joined := strings.Join(strings.Fields(short), " ")
	headline := []rune(strings.Join(strings.Fields(escape.Words(shown.Answer().Headline())), " "))
	if !strings.Contains(joined, string(headline[:min(len(headline), 180)])) { // a longer one is cut
		wrong("the headline is %q", string(headline))
	}
	if last := lines[len(lines)-1]; last != "Page: "+filepath.Join("results", "x", "report.html") {
		wrong("the last line is %q", last)
	}
	if n := strings.Count(short, "───\n"); n != 1 {
		wrong("%d tables", n)
	}
	if n := len(shown.AnswerTable(6).Columns); n > 6 {
		wrong("%d columns", n)
	}
	piped := printed(t, shown, false, extent{})
	if details := printed(t, shown, true, extent{details: true}); details != piped {
		wrong("--details differs from what a pipe gets:\n%s\n%s", details, piped)
	}
	titles := []string{"Cost ", "hat the simulated time is made of, to ", "\nParameters\n", report.Facts[0][:40]}
	for _, p := range report.Tables {
		titles = append(titles, p.Title)
	}
	for _, title := range titles {
		if !strings.Contains(piped, title) {
			wrong("a pipe does not get %q:\n%s", title, piped)
		}
	}
	wide := printed(t, shown, false, extent{wide: true})
	if all := shown.AnswerTable(1 << 20); strings.Contains(wide, "more: --details") || len(all.Rows) < len(lines)-25 ||
		!strings.Contains(wide, all.Columns[len(all.Columns)-1].Name) {
		wrong("--wide does not have all rows and columns:\n%s", wide)
	}
}

// TestTerminalOfShippedScenarios: a terminal shows each shipped scenario on one screen. Files without a small form run
// for some iterations.
func TestTerminalOfShippedScenarios(t *testing.T) {
	files, err := filesIn("../../../scenarios")
	if err != nil || len(files) < 50 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	// Of the tuning a grid of 18 trials remains.
	fewer := strings.NewReplacer("[500, 1000, 2000, 4000, 8000, 16000, 32000]", "[1000, 4000, 8000]", "[1, 3, 10]", "[1]",
		"gamma: [0.5, 1], beta: [0.1, 0.3, 1]", "gamma: [1], beta: [0.1]", "jhip: [1, 2, 5, 10]", "jhip: [2]")
	for _, file := range files {
		s, err := spec.LoadSmall(file, builtin())
		switch text := readText(t, file); {
		case err != nil:
		case s.Name == "quickstart-tuning":
			s, err = spec.Parse(file, []byte(fewer.Replace(text)), builtin(), nil)
		case !strings.Contains(text, "\nsmall:"):
			s, err = spec.Load(file, builtin(), []string{"stop.iterations=20"})
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Run(s.Name, func(t *testing.T) {
			if s.Name != "two-racks" && s.Name != "gossip" {
				slow.Skip(t, "a study is run")
			}
			checkTerminal(t, s)
		})
	}
}

// TestTerminalOfRandomStudies: a terminal shows random studies on one screen, however many methods, keys and values
// they have, however long their names are, and whether runs arrive or diverge.
func TestTerminalOfRandomStudies(t *testing.T) {
	n := 20
	if os.Getenv(slow.Variable) != "" {
		n = 300
	}
	for i := range n {
		text := randomStudy(rand.New(rand.NewPCG(31, uint64(i))))
		s, err := spec.Parse("x.yaml", []byte(text), builtin(), nil)
		if err != nil {
			t.Fatalf("study %d: %v\n%s", i, err, text)
		}
		if checkTerminal(t, s); t.Failed() {
			t.Fatalf("study %d:\n%s", i, text)
		}
	}
}

// randomStudy returns a scenario with random methods, names, swept keys or points, seeds and targets.
func randomStudy(rng *rand.Rand) string {
	pick := func(of ...string) string { return of[rng.IntN(len(of))] }
	// some returns at least one and at most n of the values, in order.
	some := func(n int, of ...string) []string {
		of = append([]string{}, of...)
		for len(of) > max(1, rng.IntN(n+1)) {
			k := rng.IntN(len(of))
			of = append(of[:k], of[k+1:]...)
		}
		return of
	}
	long := strings.Repeat("a long label ", 1+rng.IntN(20))
	var methods []string
	for i, m := range some(6, "dagm, outer: 20, inner: 2, neumann: 3, beta: 0.1, alpha: 0.02",
		"dagm, outer: 20, inner: 2, neumann: 3, beta: 0.1, alpha: 50",
		"dgbo, outer: 20, terms: 3, gamma: 0.05, beta: 0.5, lipschitz: 10, alpha: 0.05",
		"ma-dbo, outer: 20, inner: 1, higp: 1, alpha: 0.05, eta_y: 0.05, gamma: 0.05, theta: 0.5",
		"d-soba, outer: 20, alpha: 0.02, beta: 0.05, gamma: 0.05, theta: 1",
		"dbogt, outer: 20, inner: 3, jhip: 3, eta_x: 0.05, eta_y: 0.02, gamma: 0.02") {
		label := pick("", "", long, strings.Repeat("方法", 1+rng.IntN(15)), strings.Repeat("x", 1+rng.IntN(90)),
			"a = b, c %")
		if label = strings.TrimSpace(label); label == "" {
			label = "m"
		}
		methods = append(methods, fmt.Sprintf("  - {name: %s, label: %q}\n", m, fmt.Sprint(label, " ", i)))
	}
	text := "version: 1\nname: x\nabout: " + pick("Why?", long) + "\nproblem: {kind: quadratic, p: 3, q: 4}\n" +
		"topology: {kind: ring, nodes: 4}\nnetwork: {latency: 1ms, bandwidth: 1Mbit/s, jitter: {kind: exponential, " +
		"mean: 1ms}}\nalgorithms:\n" + strings.Join(methods, "") + "seeds: " + pick("1", "1", "2", "3") + "\n" +
		pick("", "stop: {grad_norm2: 0.1}\n", "stop: {target: {grad_norm2: 0.5}}\n", "stop: {grad_norm2: 1e-12}\n",
			"stop: {grad_norm2: 0.2, consensus_error: 0.1}\n")
	switch rng.IntN(4) {
	case 0:
	case 1:
		text += "points:\n"
		for i, kind := range some(5, "ring", "complete", "path", "star", "exponential") {
			name := fmt.Sprint(pick("p", long), i)
			text += fmt.Sprintf("  - {name: %q, topology.kind: %s, network.latency: %dms}\n", name, kind, 1+i*9)
		}
	default:
		text += "sweep:\n"
		var names []string
		for _, key := range some(3, "network.latency: 1ms 2ms 10ms 25ms 100ms 1s", "network.bandwidth: 1Mbit/s 1Gbit/s",
			"topology.nodes: 4 6 8 10", "topology.kind: ring complete path", "compute.speed: 1MFLOP/s 1GFLOP/s",
			"wire: float64 float32 {compress:_qsgd,_levels:_31,_memory:_none,_format:_float32}",
			"problem.heterogeneity: 0 0.5 1") {
			name, values, _ := strings.Cut(key, ": ")
			list := strings.ReplaceAll(strings.Join(some(6, strings.Fields(values)...), ", "), "_", " ")
			text, names = text+"  "+name+": ["+list+"]\n", append(names, name)
		}
		text += pick("", "ask: {effect: ["+strings.Join(names, ", ")+"], of: algorithm, by: "+pick("time", "bytes")+"}\n",
			"ask: {choose: algorithm, by: [bytes, gradients, iterations], along: [to, "+names[0]+"]}\n")
	}
	return text
}

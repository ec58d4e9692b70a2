package python_test

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"tallynet/metrics/report/result"
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/problems/data"
	"tallynet/scenarios/python"
	"tallynet/scenarios/spec"
	"tallynet/scenarios/study"
	"tallynet/sim/slow"
)

// withNumpy is the path of a Python that has numpy, or "".
var withNumpy = sync.OnceValue(func() string {
	for _, program := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(program, "-c", "import numpy").Run() == nil {
			return program
		}
	}
	return ""
})

// needPython skips a test without a Python that has numpy. CI installs it.
func needPython(t testing.TB) {
	t.Helper()
	if os.Getenv("TALLYNET_PYTHON") != "" {
		return
	}
	if program := withNumpy(); program != "" {
		t.Setenv("TALLYNET_PYTHON", program)
		return
	}
	if os.Getenv("CI") != "" {
		t.Fatal("CI has no python3 with numpy")
	}
	t.Skip("python3 with numpy is not installed")
}

func docs(name string) string {
	path, err := filepath.Abs(filepath.Join("../../docs/python", name))
	if err != nil {
		panic(err)
	}
	return path
}

// studyOf loads a scenario and builds its study.
func studyOf(t testing.TB, dir, text string, allow bool) (*study.Study, error) {
	t.Helper()
	s, err := spec.Parse(filepath.Join(dir, "s.yaml"), []byte("version: 1\n"+text), python.Add(catalog.New()), nil)
	if err != nil {
		return nil, err
	}
	s.Limits.Code = allow
	return study.New(s, new(data.Loader))
}

func run(t testing.TB, dir, text string) []result.Run {
	t.Helper()
	return runBy(t, 2, dir, text)
}

func runBy(t testing.TB, workers int, dir, text string) []result.Run {
	t.Helper()
	st, err := studyOf(t, dir, text, true)
	if err != nil {
		t.Fatal(err)
	}
	runs, err := st.Run(context.Background(), study.Options{Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	return runs
}

// TestMethodsEqualBuiltIn: a method in Python equals the built-in one: counts, rounds, oracle calls
// and simulated times exactly, iterates to 1e-12.
func TestMethodsEqualBuiltIn(t *testing.T) {
	needPython(t)
	const bilevel = "problem: {kind: quadratic, p: 3, q: 4}\n"
	for _, c := range []struct{ name, problem, alg, args string }{
		{"dagm", bilevel, "dagm", "inner: 3, neumann: 2, alpha: 0.02, beta: 0.05"},
		{"ma_dbo", bilevel, "ma-dbo", "inner: 3, higp: 2, alpha: 0.02, eta_y: 0.05, gamma: 0.05, theta: 0.3"},
		{"gradient_tracking", "problem: {kind: logistic, dim: 4, samples: 20, l2: 0.1}\n", "gradient-tracking",
			"alpha: 0.1"},
	} {
		for _, network := range []string{
			"network: {latency: 2ms, bandwidth: 10Mbit/s}\n",
			"platform: lan-1g\n",
		} {
			text := fmt.Sprintf("topology: {kind: ring, nodes: 5}\n%s%scompute: {speed: 1MFLOP/s}\nrecord: {iterates: all}\n"+
				"algorithms:\n  - {name: %s, outer: 6, %s}\n  - {name: python, file: %q, method: %s, outer: 6, args: {%s}}\n",
				c.problem, network, c.alg, c.args, docs("methods.py"), c.name, c.args)
			runs := run(t, t.TempDir(), text)
			a, b := &runs[0], &runs[1]
			if a.Status != result.Completed || b.Status != result.Completed {
				t.Fatalf("%s: %s %s, %s %s", c.name, a.Status, a.Reason, b.Status, b.Reason)
			}
			if a.Totals != b.Totals {
				t.Errorf("%s, %s totals %+v, want %+v", c.name, network, b.Totals, a.Totals)
			}
			if a.EventsHash != b.EventsHash {
				t.Errorf("%s, %s: other deliveries", c.name, network)
			}
			for k := range a.Samples {
				if d := distance(a.Samples[k].X, b.Samples[k].X) + distance(a.Samples[k].Y, b.Samples[k].Y); !(d <= 1e-12) {
					t.Errorf("%s, %s: iterates of iteration %d differ by %g", c.name, network, k, d)
				}
			}
			if b.Predicted != nil || !strings.Contains(strings.Join(b.Notes, " "), "no prediction") {
				t.Errorf("%s: predicted %+v, notes %q", c.name, b.Predicted, b.Notes)
			}
		}
	}
}

func distance(a, b result.Iterates) float64 {
	most := 0.0
	for i := range a {
		for k := range a[i] {
			most = math.Max(most, math.Abs(a[i][k]-b[i][k])/(1+math.Abs(a[i][k])))
		}
	}
	return most
}

// TestProblem: built-in methods and a Python method solve a problem in Python.
func TestProblem(t *testing.T) {
	needPython(t)
	text := fmt.Sprintf("topology: {kind: ring, nodes: 4}\nproblem: {kind: python, file: %q, class: Ridge, args: "+
		"{dim: 3}}\n"+
		"seeds: 2\nalgorithms:\n  - {name: dagm, outer: 10, inner: 5, neumann: 2, alpha: 0.1, beta: 0.1}\n"+
		"  - {name: python, file: %q, method: dagm, outer: 10, args: {inner: 5, neumann: 2, alpha: 0.1, beta: 0.1}}\n",
		docs("problems.py"), docs("methods.py"))
	runs := run(t, t.TempDir(), text)
	for i := 0; i < len(runs); i += 2 {
		a, b := &runs[i], &runs[i+1]
		if a.Status != result.Completed || a.Totals != b.Totals {
			t.Errorf("%s %s, %+v, %s %+v", a.Status, a.Reason, a.Totals, b.Reason, b.Totals)
		}
		first, last := a.Samples[0].Values[0], a.Samples[10].Values[0]
		if !(last < first) {
			t.Errorf("objective %g, at first %g", last, first)
		}
	}
	if runs[0].Hash == runs[2].Hash {
		t.Error("two seeds give the same data")
	}
}

// TestDocstring runs the example of the library's docstring, which nears the mean of the b_i.
func TestDocstring(t *testing.T) {
	needPython(t)
	dir, text := t.TempDir(), strings.ReplaceAll(string(python.Library), "\n    ", "\n")
	_, text, _ = strings.Cut(text, "# mine.py\n")
	code, text, _ := strings.Cut(text, "# mine.yaml")
	_, text, _ = strings.Cut(text, "version: 1\n")
	text, _, found := strings.Cut(text, "\n\n")
	if err := os.WriteFile(filepath.Join(dir, "mine.py"), []byte(code), 0o644); err != nil || !found {
		t.Fatal(err, found)
	}
	r := run(t, dir, text+"\n")[0]
	if d, _ := r.Final.Values.Get("grad_norm2"); r.Status != result.Completed || r.Iterations != 100 || d > 1e-6 {
		t.Errorf("%s %s: grad_norm2 %g", r.Status, r.Reason, d)
	}
}

// TestPythonNeedsPermission: without permission nothing runs, and the error says what would run.
func TestPythonNeedsPermission(t *testing.T) {
	needPython(t)
	dir := t.TempDir()
	code := "open('ran', 'w')\ndef m(node, o, outer):\n    yield\nclass P:\n    p, q = 1, 0\n"
	if err := os.WriteFile(filepath.Join(dir, "mine.py"), []byte(code), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	for _, text := range []string{
		"problem: {kind: consensus, dim: 2}\nalgorithms: [{name: python, file: mine.py, method: m, outer: 1}]\n",
		"problem: {kind: python, file: mine.py, class: P}\nalgorithms: [{name: dgd, outer: 1, alpha: 1}]\n",
	} {
		_, err := studyOf(t, dir, "topology: {kind: ring, nodes: 3}\n"+text, false)
		if err == nil || !strings.Contains(err.Error(), "mine.py; nothing was run") ||
			!strings.Contains(err.Error(), "--allow-code") {
			t.Error(err)
		}
	}
	if _, err := os.Stat("ran"); err == nil {
		t.Error("the code has run")
	}
}

// raisesEach is Python that collects exceptions of calls, so that one run, which starts a process, shows all.
const raisesEach = `
def each(*calls):
    texts = []
    for call in calls:
        try:
            call()
            texts.append("nothing was raised")
        except Exception as e:
            texts.append(str(e))
    raise RuntimeError("; ".join(texts))

def still(node):
    while True:
        node.sleep(1e-12)

def half():  # a character
    raise ValueError("a\udc80b")
`

// TestFailures: an exception in the user's code ends its run with the traceback, the node and
// the iteration, and no other run.
func TestFailures(t *testing.T) {
	needPython(t)
	timeout := map[string]string{"endless": "2s"}
	for _, c := range []struct{ name, body, want, first string }{
		{"exit", "if k == 2 and node.id == 1: exit(3)", "Traceback", "SystemExit: 3 (\nmine.py, line 5, in m)"},
		{"hard exit", "if k == 2 and node.id == 1: import os; print('a\\nbye'); os._exit(3)", "exit status 3",
			"it last printed: bye"},
		{"in numpy", "if k == 2 and node.id == 1: import numpy; numpy.linalg.inv(numpy.zeros((2, 2)))", "in inv",
			"LinAlgError: Singular matrix (\nmine.py, line 5, in m)"},
		{"lines", "if k == 2 and node.id == 1: raise ValueError('one\\ntwo')", "two", "ValueError: one (\nline 5, in m)"},
		{"one name", "if k == 2: m = yield node.mix('a', x=x)\n        if k == 2 and node.id == 1: x = m", "node 1",
			"write node.mix(\"a\", x), or x, = yield node.mix(\"a\", x=x)\nmine.py, line 7, in m"},
		{"one name, computing", "if k == 2: m = yield node.mix('a', y=x)\n        if k == 2 and node.id == 1: x = x - 2 * m",
			"node 1", "or y, = yield node.mix(\"a\", y=y)\nmine.py, line 6, in m"},
		{"no yield", "if k == 2 and node.id == 1: node.sleep(1)", "node 1",
			"node.sleep was called without yield; write yield node.sleep(...)\nmine.py, line 7, in m"},
		{"no phase", "if k == 2 and node.id == 1: x = yield node.mix(x)", "node 1",
			"mix: the first argument names the phase\nmine.py, line 5, in m"},
		{"endless", "if k == 2 and node.id == 1: import time; time.sleep(2.4); any(iter(int, 1))",
			"no answer within 2s", "mine.py\", line 5 in m"},
		{"wrong yield", "if k == 2 and node.id == 1: yield 5", "the method yields 5", ""},
		{"arguments", `if k == 2 and node.id == 1: each(lambda: node.report(2, x[:1]), lambda: node.report(2, x + 0j),
            lambda: node.sleep(-1), lambda: node.sleep(float('nan')), lambda: node.sleep(1e300),
            lambda: node.send(7, 'a', y=x), lambda: node.work(float('nan')), lambda: node.mix('a', x, x),
            lambda: o.grad_f_x(x[:1]), lambda: node.report(7, x), lambda: still(node), lambda: half())`,
			"RuntimeError: \nx has the shape (1,)\ntype complex128 has imaginary parts\n" +
				"sleep(-1.0): want seconds from 0 to 1e+09\nsleep(nan): want seconds\nsleep(1e+300): want seconds\n" +
				"node 7 is not a neighbour of node 1, whose neighbours are [0, 2]\n" +
				"work(nan): want a finite number of FLOPs\ngive several objects by name\n" +
				"grad_f_x: argument 1 has 1 elements; want 2\nreport(7) after iteration 1 of 4; want report(2)\n" +
				"sleep(1e-12): 10000 sleeps of no time in a row: time stands still; a\\udc80b", "RuntimeError: report(2): x has"},
		{"complex iterate", "if k == 2 and node.id == 1: x = x * 1j",
			"an array of type complex128 has imaginary parts; want real numbers", "mine.py, line 6, in m"},
		{"no array of floats, print, input", `if k == 2 and node.id == 1: x = x.astype('>f4')[::-1]
        print('hello', k)
        try: input()
        except EOFError: pass`, "", ""},
	} {
		if testing.Short() && c.name != "hard exit" && c.name != "endless" {
			continue // under the race detector one failure suffices
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel() // each waits
			dir := t.TempDir()
			code := "def m(node, o, outer):\n    x, _ = o.start()\n    node.report(0, x)\n    for k in range(1, outer + " +
				"1):\n        " + c.body +
				"\n        x = yield node.mix('outer', x)\n        node.report(k, x)\n" + raisesEach
			if err := os.WriteFile(filepath.Join(dir, "mine.py"), []byte(code), 0o644); err != nil {
				t.Fatal(err)
			}
			runs := run(t, dir, "topology: {kind: ring, nodes: 3}\nproblem: {kind: consensus, dim: 2}\nalgorithms:\n"+
				"  - {name: python, file: mine.py, method: m, outer: 4, timeout: "+cmp.Or(timeout[c.name],
				"60s")+"}\n  - {name: dgd, outer: 4, alpha: 0.1}\n")
			if runs[1].Status != result.Completed {
				t.Errorf("the other run: %s %s", runs[1].Status, runs[1].Reason)
			}
			if c.want == "" {
				if runs[0].Status != result.Completed {
					t.Errorf("%s %s", runs[0].Status, runs[0].Reason)
				}
				return
			}
			if runs[0].Status != result.Failed {
				t.Errorf("%s", runs[0].Status)
			}
			for _, want := range append(strings.Split(c.want, "\n"), "node 1", "iteration 2", "method m in") {
				if !strings.Contains(runs[0].Reason, want) {
					t.Errorf("%s, want %q", runs[0].Reason, want)
				}
			}
			first, _, _ := strings.Cut(runs[0].Reason, "\n") // which is all that tables have
			for _, want := range strings.Split(c.first, "\n") {
				if !strings.Contains(first, want) {
					t.Errorf("the first line is %q, want %q", first, want)
				}
			}
		})
	}
}

// TestSingleMessagesOnChangingGraphs: a message that belongs to no round fails where the graph changes from round to
// round, and client sampling is refused.
func TestSingleMessagesOnChangingGraphs(t *testing.T) {
	needPython(t)
	dir := t.TempDir()
	write(t, dir, "mine.py", "def m(node, o, outer):\n    x, _ = o.start()\n    node.report(0, x)\n"+
		"    for j in node.neighbors: node.send(j, 'x', x=x)\n    node.report(1, x)\n    yield node.sleep(1)\n")
	const text = "problem: {kind: consensus, dim: 2}\nalgorithms: [{name: python, file: mine.py, method: m, outer: 1}]\n"
	r := run(t, dir, text+"topology: {kind: ring, nodes: 3}\ndynamics: matching\n")[0]
	if r.Status != result.Failed || !strings.Contains(r.Reason, "mix or exchange, or leave dynamics out") {
		t.Errorf("%s %s", r.Status, r.Reason)
	}
	_, err := studyOf(t, dir, text+"topology: {kind: star, nodes: 3, center: server}\n"+
		"dynamics: {kind: client-sampling, share: 0.5}\n", true)
	if err == nil || !strings.Contains(err.Error(), "a client that is drawn") {
		t.Error(err)
	}
}

// TestProblemFailures: failures of a problem's class do the same, before a run if they can show there.
func TestProblemFailures(t *testing.T) {
	if !testing.Short() { // the race detector always looks at it
		slow.Skip(t, "Python starts many times; it does so for methods, in TestFailures, each time")
	}
	needPython(t)
	for _, c := range []struct{ name, body, want, failed string }{
		{"derivative", "return x + self.b[node]", "grad_f_x of node 0 is wrong: along a random direction it has", ""},
		{"shape", "return (x - self.b[node])[:1]", "grad_f_x returned an array of shape (1,); want (2,)", ""},
		{"exception", "return x - self.c", "AttributeError", ""},
		{"later exception", "self.n += 1\n        return x - self.b[node] if self.n < 9 else 1 / 0", "",
			"ZeroDivisionError: division by zero"},
		{"later NaN", "self.n += 1\n        return x - self.b[node] if self.n < 9 else x * np.nan", "",
			"element 0 of the result is NaN"},
		{"later wait", "self.n += 1\n        import time\n        while self.n >= 9: time.sleep(0.1)\n        " +
			"return x - self.b[node]", "", "no answer within 2s"},
		{"right, and prints", "print('hello', node)\n        return x - self.b[node]", "", ""},
		{"later death", "self.n += 1\n        if self.n == 9: import os; os._exit(4)\n        return x - self.b[node]", "",
			"exit status 4"},
	} {
		if testing.Short() && c.name != "later wait" && c.name != "later death" {
			continue
		}
		dir := t.TempDir()
		code := "import numpy as np\nclass P:\n    p, q, n = 2, 0, 0\n    def __init__(self, nodes, seed):\n        " +
			"self.b = np.arange(2 * nodes)" +
			".reshape(nodes, 2)\n    def f(self, node, x, y):\n        return 0.5 * np.sum((x - self.b[node]) ** 2)\n    " +
			"def g(self, node, x, y):\n" +
			"        return 0\n    def grad_f_x(self, node, x, y):\n        " + c.body + "\n"
		if err := os.WriteFile(filepath.Join(dir, "mine.py"), []byte(code), 0o644); err != nil {
			t.Fatal(err)
		}
		timeout := "60s"
		if c.name == "later wait" {
			timeout = "2s"
		}
		text := "topology: {kind: ring, nodes: 3}\n" +
			"problem: {kind: python, file: mine.py, class: P, timeout: " + timeout + "}\n" +
			"algorithms: [{name: dgd, outer: 4, alpha: 0.1}]\n"
		st, err := studyOf(t, dir, text, true)
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "s.yaml:3:") {
				t.Errorf("%s: %v, want %q", c.name, err, c.want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		runs, err := st.Run(context.Background(), study.Options{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case c.failed == "" && runs[0].Status != result.Completed:
			t.Errorf("%s: %s %s", c.name, runs[0].Status, runs[0].Reason)
		case c.failed != "" && (runs[0].Status != result.Failed || !strings.Contains(runs[0].Reason, c.failed) ||
			!strings.Contains(runs[0].Reason, "node ") || !strings.Contains(runs[0].Reason, "iteration")):
			t.Errorf("%s: %s %s, want %q", c.name, runs[0].Status, runs[0].Reason, c.failed)
		}
	}
}

// TestLoad: results are read as lists if pandas is not installed. Values with units are numbers, and targets
// have costs.
func TestLoad(t *testing.T) {
	needPython(t)
	st, err := studyOf(t, t.TempDir(), "topology: {kind: ring, nodes: 3}\nproblem: {kind: consensus, dim: 2}\nseeds: 2\n"+
		"sweep: {topology.nodes: [3, 4], network.latency: [2ms]}\nstop: {consensus_error: 0.01}\n"+
		"algorithms: [{name: dgd, outer: 4, alpha: 0.1}]\n", false)
	if err != nil {
		t.Fatal(err)
	}
	runs, err := st.Run(context.Background(), study.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	report, err := st.Report(runs, result.Provenance{})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := result.WriteFiles(dir, report.Files(), nil); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "tallynet.py"), python.Library, 0o644); err != nil {
		t.Fatal(err)
	}
	const script = `import sys
sys.modules["pandas"] = None
import tallynet
r = tallynet.load(".")
print(len(r.runs), len(r.summary), len(r.curves), len(r.nodes), r.summary[0]["runs"], r.runs[3]["topology.nodes"], r.runs[0]["totals.payload_bytes"],
      max(c["payload_bytes"] for c in r.curves if c["run"] == 0))
print([c["network.latency_s"] for c in (r.runs[0], r.summary[1], r.curves[2], r.nodes[0])],
      *(r.runs[k].get(f"to[0].{name}") for k in (0, 3) for name in ("target", "reached", "iterations", "time_s")),
      *(s["to[0].reached"] for s in r.summary), "to[0].time_s" in r.summary[1])`
	c := exec.Command(cmp.Or(os.Getenv("TALLYNET_PYTHON"), "python3"), "-c", script)
	c.Dir = dir
	out, err := c.CombinedOutput()
	want := fmt.Sprintf("4 2 13 14 2 4 %d %[1]d\n[0.002, 0.002, 0.002, 0.002] "+
		"consensus_error <= 0.01 True 1 0.002000129 consensus_error <= 0.01 False None None 1.0 0.5 False\n",
		runs[0].Totals.PayloadBytes())
	if err != nil || string(out) != want {
		t.Errorf("%v: %s, want %s", err, out, want)
	}
}

// BenchmarkCall measures the overhead of one oracle call from Python and back. The oracle
// itself, of two numbers, takes some nanoseconds.
func BenchmarkCall(b *testing.B) { benchmark(b, "o.grad_f_x(x)") }

// BenchmarkWork measures that of a call without an answer.
func BenchmarkWork(b *testing.B) { benchmark(b, "node.work(1)") }

// BenchmarkMix measures that of a wait, with a node's share of the simulation.
func BenchmarkMix(b *testing.B) { benchmark(b, "x = yield node.mix('outer', x)") }

// benchmark runs a method that makes a call b.N times, timed in Python. Starting it and importing numpy
// count in ns/op, but not in the overhead.
func benchmark(b *testing.B, call string) {
	needPython(b)
	dir := b.TempDir()
	write(b, dir, "mine.py", `
import time

def m(node, o, outer, calls):
    x, _ = o.start()
    node.report(0, x)
    began = time.perf_counter()
    for k in range(calls):
        `+call+`
    took = time.perf_counter() - began
    with open(__file__ + ".took", "w") as f:
        f.write(repr(took * 1e9 / calls))
    x = yield node.mix("outer", x)
    node.report(1, x)
`)
	text := fmt.Sprintf("topology: {kind: complete, nodes: 1}\nproblem: {kind: consensus, dim: 2}\nalgorithms:\n"+
		"  - {name: python, file: mine.py, method: m, outer: 1, args: {calls: %d}}\n", b.N)
	st, err := studyOf(b, dir, text, true)
	if err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	if runs, err := st.Run(context.Background(), study.Options{Workers: 1}); err != nil ||
		runs[0].Status != result.Completed {
		b.Fatal(err, runs[0].Reason)
	}
	took, err := os.ReadFile(filepath.Join(dir, "mine.py.took"))
	if err != nil {
		b.Fatal(err)
	}
	overhead, err := strconv.ParseFloat(string(took), 64)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(overhead, "overhead-ns/op")
}

func write(t testing.TB, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

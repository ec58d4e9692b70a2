package python

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// windows returns how long each frame is polled, given which answers are short.
func windows(l *looks, answers string) string {
	var out strings.Builder
	for _, a := range answers {
		w := l.window()
		if w > 0 {
			l.waited(a == 's')
		}
		out.WriteString(map[time.Duration]string{0: ".", usualWindow: "u", trialWindow: "t"}[w])
	}
	return out.String()
}

func TestLooks(t *testing.T) {
	for _, c := range []struct{ name, answers, want string }{
		{"all are short: a trial, and then it is looked for all",
			strings.Repeat("s", 20), "tttttt" + strings.Repeat("u", 14)},
		{"the first ones wake the other side", "llsss" + strings.Repeat("s", 5), "tttttt" + "uuuu"},
		{"the end of a trial counts", "sssssl" + strings.Repeat("s", 30), "tttttt" + strings.Repeat(".", 26) + "tttt"},
		{"some misses end it until the next trial", "ssssss" + "ll" + strings.Repeat("s", 10), "tttttt" + "uu" +
			strings.Repeat(".", 8) + "tt"},
		{"a miss among many does not", "ssssss" + strings.Repeat("lssss", 4), "tttttt" + strings.Repeat("u", 20)},
	} {
		if got := windows(new(looks), c.answers); got != c.want {
			t.Errorf("%s: %s gives %s; want %s", c.name, c.answers, got, c.want)
		}
	}
	got := windows(new(looks), strings.Repeat("l", 100*lastPeriod))
	looked := strings.Count(got, "t")
	if want := 7*trialFrames + 100*trialFrames; looked > want || strings.Contains(got, "u") {
		t.Errorf("where each takes long it is looked for %d of %d; want at most %d, and no other", looked, len(got), want)
	}
}

// TestLooksOfBothSides compares the rules of the two sides.
func TestLooksOfBothSides(t *testing.T) {
	program := os.Getenv("TALLYNET_PYTHON")
	if program == "" {
		program = "python3"
	}
	if err := exec.Command(program, "--version").Run(); err != nil {
		t.Skip("no Python")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "tallynet.py"), Library, 0o644); err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	answers := make([]byte, 20000)
	for i := range answers {
		answers[i] = 's'
		if often := []int{2, 10, 1000, 1 << 30}[i/100%4]; rng.IntN(often) == 0 {
			answers[i] = 'l'
		}
	}
	cmd := exec.Command(program, "-c", `
import sys, tallynet
l = tallynet._Looks(0)
for a in sys.stdin.read():
    w = l.window()
    if w:
        l.waited(a == "s")
    sys.stdout.write({0: ".", l.WINDOW: "u", l.TRIAL_WINDOW: "t"}[w])
`)
	cmd.Dir, cmd.Stdin, cmd.Stderr = dir, strings.NewReader(string(answers)), os.Stderr
	got, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	want := windows(new(looks), string(answers))
	if string(got) != want || !strings.Contains(want, "u") || !strings.Contains(want, ".") {
		t.Errorf("Python looks at %.100s..., Go at %.100s...", got, want)
	}
}

// BenchmarkProblem times a call of a function in Python, and its overhead: the time apart from
// the function itself, which Python measures in a bare loop.
func BenchmarkProblem(b *testing.B) {
	if os.Getenv("TALLYNET_PYTHON") == "" {
		b.Skip("TALLYNET_PYTHON names no Python with numpy")
	}
	dir := b.TempDir()
	code := `
import time
import numpy as np

class Linear:
    def __init__(self, nodes, seed):
        self.p = self.q = 10
        self.a = np.ones((10, 10))
        x = np.ones(10)
        began = time.perf_counter()
        for _ in range(20000):
            self.grad_f_x(0, x, x)
        self.took = (time.perf_counter() - began) / 20000 * 1e9

    def f(self, node, x, y):
        return 0.5 * x @ self.a @ x

    g = f

    def grad_f_x(self, node, x, y):
        return self.a @ x

    def grad_f_y(self, node, x, y):
        return np.zeros(10)

    grad_g_x, grad_g_y = grad_f_x, grad_f_y

    def flops(self, name):
        return self.took
`
	if err := os.WriteFile(filepath.Join(dir, "mine.py"), []byte(code), 0o644); err != nil {
		b.Fatal(err)
	}
	p, err := newProblem(problemConfig{Mode: "problem", File: filepath.Join(dir, "mine.py"), Name: "Linear", Nodes: 1,
		Args: map[string]any{}}, time.Minute)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = p.Close() }()
	l, x, dst := p.Local(0), make([]float64, 10), make([]float64, 10)
	b.ResetTimer()
	for range b.N {
		l.GradFx(dst, x, x)
	}
	b.StopTimer()
	own := p.info.Flops[callGradFx] // ns
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)-own, "overhead-ns/op")
}

package views

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"tallynet/metrics"
	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/result"
	"tallynet/sim/slow"
)

// falling returns a curve of n values that falls at the given rate.
func falling(n int, rate float64) []float64 {
	y := make([]float64, n)
	for k := range y {
		y[k] = math.Exp(-rate * float64(k))
	}
	return y
}

// printed lists studies whose figures the test opens, by name.
func printed(t *testing.T) map[string]*StudyView {
	t.Helper()
	all := map[string]*StudyView{}
	add := func(name string, runs ...result.Run) *StudyView {
		s, err := New(runs, fold.Options{Targets: []result.Target{{Conditions: []result.Condition{
			condition("grad_norm2", "<=", 1e-2)}}}, More: []string{"test_accuracy"}})
		if err != nil {
			t.Fatal(err)
		}
		s.Name = name
		all[name] = s
		return s
	}
	run := func(label string, seed uint64, rate float64) result.Run {
		gradient := falling(40, rate*(1+0.1*float64(seed)))
		accuracy := make([]float64, len(gradient))
		for k, g := range gradient {
			accuracy[k] = 1 - g
		}
		return runWith(label, seed, result.Completed, gradient, accuracy)
	}
	at := func(r result.Run, nodes int) result.Run {
		set, err := result.NewSetting("topology.nodes", nodes)
		if err != nil {
			t.Fatal(err)
		}
		r.Point = result.Settings{set}
		return r
	}

	alone := moving("gradient_descent", [][]float64{{0, 0}, {1, 2}, {2, 3}}, [][]float64{{1}, {2}, {3}})
	for k := range alone.Samples { // a single node sends nothing
		alone.Samples[k].Totals.Payload = metrics.KindBytes{}
		alone.Samples[k].Values[0] = 1 / float64(1+k)
	}
	alone.Finish()
	add("one node", alone).Paths = true

	add("bands", run("DAGM", 1, 0.1), run("DAGM", 2, 0.1), run("DAGM", 3, 0.1), run("MA-DBO", 1, 0.3),
		run("MA-DBO", 2, 0.3))

	var facets, many []result.Run
	for p := range 3 {
		for m := range 4 {
			facets = append(facets, at(run(string(rune('A'+m)), 1, 0.1*float64(1+m+p)), 8<<p))
		}
	}
	add("facets", facets...)
	for m := range 21 {
		many = append(many, run(fmt.Sprintf("method %d", m), 1, 0.05*float64(1+m)))
	}
	add("many", many...)

	diverged := run("diverges", 1, -0.8)
	diverged.Status, diverged.Reason = result.Diverged, "a number became non-finite"
	diverged.Samples[39].Values[0] = math.Inf(1)
	add("diverging", run("converges", 1, 0.2), diverged)
	add("all diverge", diverged)

	add(`names: 50 % & $x$ \relax {#1} "日本" язык`,
		run("DAGM_α=1e-3, ‖∇Φ‖² ≤ ½ ^2 ~", 1, 0.1), run("日本語 العربية עברית", 1, 0.2),
		run(strings.Repeat("long ", 60), 1, 0.3), run("]", 1, 0.4), run("\x1b[31m\u202e\x00", 1, 0.5))

	costly := run("costly", 1, 0.2)
	for k := range costly.Samples { // on a logarithmic axis of bytes
		costly.Samples[k].Totals.Payload[metrics.Matrix] = int64(1e6 * k)
	}
	costly.Finish()
	narrow := add("logarithmic axes, in a column", run("cheap", 1, 0.1), costly)
	narrow.FigureWidth, narrow.FontSize = 246, 7
	return all
}

// Every figure works in a paper: its TikZ compiles with the stated preamble, its PDF can be
// included, and both have one size.
func TestFiguresOpenInPapers(t *testing.T) {
	slow.Skip(t, "LaTeX sets the figures of many studies")
	program, err := exec.LookPath("pdflatex")
	if err != nil || exec.Command("kpsewhich", "tikz.sty").Run() != nil {
		t.Skip("pdflatex and TikZ are not installed; on Debian: apt-get install texlive-pictures")
	}
	folder := t.TempDir()
	doc := bytes.NewBufferString("\\documentclass{article}\n\\usepackage{tikz}\n\\begin{document}\n")
	figures := 0
	for name, s := range printed(t) {
		files, _, err := s.Files()
		if err != nil {
			t.Fatal(err)
		}
		number := map[string]string{} // number of each figure of this study
		for _, file := range files {
			ending := filepath.Ext(file.Name)
			load := map[string]string{".tikz": "\\input", ".pdf": "\\includegraphics"}[ending]
			if load == "" {
				continue
			}
			figure := strings.TrimSuffix(file.Name, ending)
			if number[figure] == "" {
				number[figure] = strconv.Itoa(figures)
				figures++
			}
			short := "figure" + number[figure] + ending
			var b bytes.Buffer
			if err := file.Write(&b); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(folder, short), b.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(doc, "\\sbox0{%s{%s}}\\typeout{%s: \\the\\wd0, \\the\\dimexpr\\ht0+\\dp0\\relax.}\n"+
				"\\noindent\\makebox[\\linewidth]{\\usebox0}\\clearpage\n", load, short, short)
		}
		if len(number) == 0 {
			t.Errorf("%s has no figures", name)
		}
	}
	doc.WriteString("\\end{document}\n")
	if err := os.WriteFile(filepath.Join(folder, "t.tex"), doc.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	command := exec.Command(program, "-interaction=nonstopmode", "-halt-on-error", "t.tex")
	command.Dir = folder
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out[max(0, len(out)-3000):])
	}
	sizes := map[string][2]float64{}
	said := regexp.MustCompile(`(figure\d+\.\w+): ([0-9.]+)pt, ([0-9.]+)pt`)
	for _, m := range said.FindAllStringSubmatch(string(out), -1) {
		width, _ := strconv.ParseFloat(m[2], 64)
		height, _ := strconv.ParseFloat(m[3], 64)
		sizes[m[1]] = [2]float64{width, height}
	}
	for i := range figures {
		tikz, pdf := sizes[fmt.Sprintf("figure%d.tikz", i)], sizes[fmt.Sprintf("figure%d.pdf", i)]
		if !(tikz[0] > 100 && tikz[1] > 100) || !(math.Abs(tikz[0]-pdf[0]) <= 0.1) || !(math.Abs(tikz[1]-pdf[1]) <= 0.1) {
			t.Errorf("figure %d measures %v pt as TikZ, %v as PDF", i, tikz, pdf)
		}
	}
}

package figure

import (
	"bytes"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tallynet/metrics/report/quantity"
	"tallynet/sim/slow"
)

// spoken is a figure with names that LaTeX would take for commands, or has no letters for.
func spoken() Figure {
	names := []string{`50 % & #1 $x$ ~a^2 \ {b} <i> | "quoted"`, "DAGM_α=1e-3, ‖∇Φ‖² ≤ ½", "日本語のラベル", "язык, עברית, عربي",
		strings.Repeat("a very long name, ", 20), "]", "[1pt]", "-- ,;", "\x1b[31m \u202e \x00 \\input{x}"}
	f := Figure{Title: strings.Join(names, "; "), Notes: names}
	for _, logarithmic := range []bool{false, true} {
		p := Plot{Title: names[0], XLabel: names[1], YLabel: names[2], XUnit: &quantity.InBytes, LogX: logarithmic,
			LogY: logarithmic, Levels: []float64{2e-4}}
		for i, name := range names {
			s := decay(name, 40, 0.1*float64(i+1), 1e-8, 3e5)
			for _, y := range s.Y {
				s.Low, s.High = append(s.Low, y/3), append(s.High, 2*y)
			}
			p.Series = append(p.Series, s)
		}
		f.Panels = append(f.Panels, p)
	}
	return f
}

// TeX does not read lengths with exponents.
func TestTikZHasNoExponents(t *testing.T) {
	exponent := regexp.MustCompile(`\de[-+]?\d+pt`)
	all := pictures()
	all["names"] = spoken()
	for name, f := range all {
		var b bytes.Buffer
		if err := f.WriteTikZ(&b); err != nil {
			t.Fatal(err)
		}
		if at := exponent.FindIndex(b.Bytes()); at != nil {
			t.Errorf("%s: %s", name, b.Bytes()[max(0, at[0]-80):at[1]])
		}
	}
}

// Every figure compiles as TikZ with the promised preamble, which is tikz alone, in the size of the figure.
// It does so in an article of one column and, at that width, of two.
func TestTikZCompiles(t *testing.T) {
	slow.Skip(t, "LaTeX sets all figures; TestTextIsText and TestTikZHasNoExponents read their code")
	program, err := exec.LookPath("pdflatex")
	if err != nil || exec.Command("kpsewhich", "tikz.sty").Run() != nil {
		t.Skip("pdflatex and TikZ are not installed; on Debian: apt-get install texlive-pictures")
	}
	all := pictures()
	all["names"] = spoken()
	columns := map[string]Figure{}
	for _, name := range []string{"convergence", "many", "names"} {
		f := all[name]
		f.Width, f.FontSize = 246, 7
		columns[name] = f
	}
	for class, figures := range map[string]map[string]Figure{"{article}": all, "[twocolumn]{article}": columns} {
		var doc bytes.Buffer
		doc.WriteString("\\documentclass" + class + "\n\\usepackage{tikz}\n\\begin{document}\n")
		sizes := map[string]*layout{}
		for _, name := range slices.Sorted(maps.Keys(figures)) {
			f := figures[name]
			doc.WriteString("\\sbox0{%\n")
			if err := f.WriteTikZ(&doc); err != nil {
				t.Fatal(err)
			}
			doc.WriteString("}\\typeout{figure " + name + ": \\the\\wd0, \\the\\dimexpr\\ht0+\\dp0\\relax.}\n" +
				"\\noindent\\makebox[\\linewidth]{\\usebox0}\\clearpage\n")
			if sizes[name], err = f.layout(); err != nil {
				t.Fatal(err)
			}
		}
		doc.WriteString("\\end{document}\n")
		out := compiled(t, program, doc.Bytes())
		said := regexp.MustCompile(`figure (\w+): ([0-9.]+)pt, ([0-9.]+)pt`).FindAllStringSubmatch(out, -1)
		if len(said) != len(sizes) {
			t.Errorf("%s: %d figures, want %d", class, len(said), len(sizes))
		}
		for _, m := range said {
			l := sizes[m[1]]
			for k, want := range []float64{float64(l.width * l.scale), float64(l.height * l.scale)} {
				const points = 72.27 / 72 // points of TeX per point of PostScript
				got, err := strconv.ParseFloat(m[2+k], 64)
				if err != nil || !(math.Abs(got/points-want) <= 0.5) {
					t.Errorf("%s: figure %s measures %v, want %v", class, m[1], got/points, want)
				}
			}
		}
		if strings.Contains(out, "Missing character") || strings.Contains(out, "undefined") {
			t.Errorf("%s: %s", class, out)
		}
	}
}

// compiled returns LaTeX's log of a document that compiles.
func compiled(t *testing.T, program string, doc []byte) string {
	t.Helper()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "t.tex"), doc, 0o600); err != nil {
		t.Fatal(err)
	}
	command := exec.Command(program, "-interaction=nonstopmode", "-halt-on-error", "t.tex")
	command.Dir = folder
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%.2000s", err, out[max(0, len(out)-2000):])
	}
	return string(out)
}

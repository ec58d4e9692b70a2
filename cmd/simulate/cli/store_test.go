package cli

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tallynet/sim/slow"
)

// sameFiles fails the test unless two folders contain the same result, byte for byte.
func sameFiles(t *testing.T, want, got map[string]string) {
	t.Helper()
	for name := range got {
		if strings.HasSuffix(name, ".tmp") {
			delete(got, name) // left by a program that was just killed
		}
	}
	for name, text := range want {
		if got[name] != text {
			t.Errorf("%s differs", name)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d files, want %d", len(got), len(want))
	}
}

// uninterrupted is the result of the 180 runs without interruption.
func uninterrupted(t *testing.T) map[string]string {
	t.Helper()
	if out, err := program("run", "whatif.yaml", "--quiet").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	want := contents(t, "results/whatif")
	if err := os.RemoveAll("results"); err != nil {
		t.Fatal(err)
	}
	return want
}

// TestKilledStudyGoesOn kills a study of 180 runs up to twenty times, each time after more runs have been
// stored. The final result has the same bytes as without interruption.
func TestKilledStudyGoesOn(t *testing.T) {
	slow.Skip(t, "a study is killed again and again")
	enter(t)
	want := uninterrupted(t)
	random := rand.New(rand.NewPCG(1, 2))
	stored := func() int {
		t.Helper()
		files, err := filepath.Glob("results/whatif/runs/[^.]*.run.gz")
		if err != nil {
			t.Fatal(err)
		}
		return len(files)
	}
	for kill := range 20 {
		before := stored()
		c := program("run", "whatif.yaml", "--quiet")
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_ = c.Wait()
		}()
		enough := before + 1 + random.IntN(8)
		for waiting := true; waiting && stored() < enough; {
			select {
			case <-ended:
				waiting = false
			case <-time.After(time.Millisecond):
			}
		}
		_ = c.Process.Kill() // it may have ended
		<-ended
		if n := stored(); n < min(enough, 180) {
			t.Fatalf("%d runs are stored after kill %d, want %d at least", n, kill+1, enough)
		}
	}
	if out, err := program("run", "whatif.yaml", "--quiet").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	sameFiles(t, want, contents(t, "results/whatif"))
}

// TestTwoProcessesShareAFolder runs one study in two processes at once.
func TestTwoProcessesShareAFolder(t *testing.T) {
	slow.Skip(t, "a study runs three times")
	enter(t)
	want := uninterrupted(t)
	var errs [2]bytes.Buffer
	both := [2]interface{ Wait() error }{}
	for i := range both {
		c := program("run", "whatif.yaml", "--quiet")
		c.Stderr = &errs[i]
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		both[i] = c
	}
	for i, c := range both {
		if err := c.Wait(); err != nil {
			t.Errorf("%v: %s", err, errs[i].String())
		}
	}
	sameFiles(t, want, contents(t, "results/whatif"))
}

func TestFinishedRunsAreNotRepeated(t *testing.T) {
	enter(t)
	said := func(args ...string) string {
		t.Helper()
		_, errs, code := simulate(append([]string{"run", "two.yaml"}, args...)...)
		if code != codeDone {
			t.Fatalf("code %d: %s", code, errs)
		}
		return errs
	}
	if got := said(); strings.Contains(got, "stored") {
		t.Errorf("the first time: %s", got)
	}
	first := contents(t, "results/two")
	const again = "2 of 2 runs were already stored in results/two/runs"
	if got := said(); !strings.Contains(got, again) {
		t.Errorf("the second time: %s", got)
	}
	sameFiles(t, first, contents(t, "results/two"))
	// Another label or description does not make another run.
	if got := said("--set", "algorithms[0].label=other", "--set", "about=another question"); !strings.Contains(got,
		again) {
		t.Errorf("another label: %s", got)
	}
	if text := contents(t, "results/two")["iterations.csv"]; !strings.Contains(text, ",other,") {
		t.Error("a stored run has the label that it was stored with")
	}
	for _, set := range []string{"network.latency=2ms", "algorithms[0].alpha=0.02", "algorithms[1].alpha=0.02",
		"record.every=2", "seed=7", "problem.q=6", "wire=float32"} {
		got := said("--set", set)
		if strings.Contains(got, again) {
			t.Errorf("--set %s changes no run: %s", set, got)
		}
	}
	if got := said("--set", "algorithms[0].alpha=0.03"); !strings.Contains(got, "1 of 2 runs were already stored") {
		t.Errorf("the other method's run is repeated: %s", got)
	}
	if got := said("--fresh"); strings.Contains(got, "stored") {
		t.Errorf("--fresh: %s", got)
	}
}

// TestDamagedRunIsRunAgain repeats runs whose files the disk has damaged.
func TestDamagedRunIsRunAgain(t *testing.T) {
	enter(t)
	mustSimulate(t, "run", "two.yaml")
	want := contents(t, "results/two")
	files, err := filepath.Glob("results/two/runs/*.run.gz")
	if err != nil || len(files) != 2 {
		t.Fatalf("%v, %v", files, err)
	}
	content := readText(t, files[0])
	for _, damaged := range []string{"", content[:len(content)/2], content[:len(content)-9] + content[len(content)-8:]} {
		writeFile(t, files[0], damaged)
		_, errs, code := simulate("run", "two.yaml")
		if code != codeDone || !strings.Contains(errs, "1 of 2 runs were already stored") {
			t.Errorf("%d of %d bytes: code %d: %s", len(damaged), len(content), code, errs)
		}
		sameFiles(t, want, contents(t, "results/two"))
	}
}

// TestFileOfARun repeats a run when a file that it reads has changed.
func TestFileOfARun(t *testing.T) {
	enter(t)
	problem := func(a string) { writeFile(t, "q.json", `{"nodes": [{"H": [[1]], "P": [[1]], "a": [`+a+`]}]}`) }
	scenario := "version: 1\ntopology: {kind: complete, nodes: 1}\nproblem: {kind: quadratic, file: q.json}\n" +
		"algorithms: [{name: itd, outer: 3, inner: 1, alpha: 0.5, beta: 0.5}]\n"
	writeFile(t, "file.yaml", scenario)
	problem("1")
	mustSimulate(t, "run", "file.yaml")
	first := contents(t, "results/file")["iterations.csv"]
	problem("2")
	mustSimulate(t, "run", "file.yaml")
	if contents(t, "results/file")["iterations.csv"] == first {
		t.Error("the run with the other file was taken from the store")
	}
}

// TestForeignFilesStay checks that foreign files survive: files that look like our temporary files, and links that
// replace our files.
func TestForeignFilesStay(t *testing.T) {
	enter(t)
	mustSimulate(t, "run", "two.yaml")
	yesterday := time.Now().Add(-24 * time.Hour)
	own := []string{"results/two/.draft.tmp", "results/two/runs/.x.run.gz.1.0.tmp", "results/two/runs/notes"}
	for _, name := range own {
		writeFile(t, name, "mine")
		if err := os.Chtimes(name, yesterday, yesterday); err != nil {
			t.Fatal(err)
		}
	}
	mustSimulate(t, "run", "two.yaml")
	for _, name := range own {
		if text := readText(t, name); text != "mine" {
			t.Errorf("%s is %q", name, text)
		}
	}
	writeFile(t, "letter", "mine")
	if err := os.Remove("results/two/table.md"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../../letter", "results/two/table.md"); err != nil {
		t.Fatal(err)
	}
	_, errs, code := simulate("run", "two.yaml")
	if text := readText(t, "letter"); text != "mine" || code != codeUsage ||
		!strings.Contains(errs, filepath.FromSlash("results/two/table.md")+" is in the way") {
		t.Errorf("a link in the place of a table: code %d, %s, letter %q", code, errs, text)
	}
}

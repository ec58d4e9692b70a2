package build_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tallynet/metrics/report/result"
	"tallynet/scenarios/scenariotest"
	"tallynet/scenarios/spec"
	"tallynet/scenarios/study"
)

// ownFiles writes a small data set of two features and returns its folder. The class is 1
// where a > b; site is 1, 2 or 3, with 40, 20 and 12 rows.
func ownFiles(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	var b strings.Builder
	b.WriteString("a,\"b, too\",site,class\n")
	for i := range 72 {
		x, y, site := i*37%72, i*53%71, 1
		if i >= 40 {
			site = 2
		}
		if i >= 60 {
			site = 3
		}
		fmt.Fprintf(&b, "%d,%d.5,%d,%s\n", x, y, site, map[bool]string{true: "up", false: "down"}[x > y])
	}
	if err := os.WriteFile(filepath.Join(dir, "mine.csv"), []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// ownStudy returns a scenario with a problem on the file.
func ownStudy(t *testing.T, dir, problem, method, more string) (*study.Study, error) {
	t.Helper()
	text := fmt.Sprintf("version: 1\ntopology: {kind: ring, nodes: 3}\nproblem: %s\nalgorithms: [%s]\n%s\n", problem,
		method, more)
	s, err := spec.Parse(filepath.Join(dir, "s.yaml"), []byte(text), scenariotest.Catalog(), nil)
	if err != nil {
		return nil, err
	}
	return study.New(s, &scenariotest.Data)
}

const (
	ownDAGM = "{name: dagm, outer: 3, inner: 2, neumann: 1, alpha: 0.01, beta: 0.1, solve: cg}"
	ownDGD  = "{name: dgd, outer: 3, alpha: 0.01}"
	ownFile = "data: {file: mine.csv, target: class, ignore: [site], standardize: true}"
)

// TestOwnData: every problem on linear models and networks accepts a file, and describes
// each node's samples.
func TestOwnData(t *testing.T) {
	dir := ownFiles(t)
	number := strings.Replace(ownFile, "target: class, ignore: [site]", "target: a, ignore: [class]", 1)
	for _, c := range []struct{ problem, method string }{
		{"{kind: least-squares, l2: 0.1, " + number + "}", ownDGD},
		{"{kind: logistic, " + ownFile + "}", ownDGD},
		{"{kind: hyper-ridge, " + number + "}", ownDAGM},
		{"{kind: hyper-logistic, bias: true, " + ownFile + "}", ownDAGM},
		{"{kind: hyper-softmax, " + ownFile + "}", ownDAGM},
		{"{kind: hyper-svm, " + ownFile + ", partition: by-label, shards: 1}", ownDAGM},
		{"{kind: hyper-l2, " + ownFile + ", partition: dirichlet, concentration: 0.001}", ownDAGM},
		{"{kind: hyper-cleaning, " + ownFile + ", sizes: [30, 9, 20]}", ownDAGM},
		{"{kind: hyper-representation, hidden: 3, " + ownFile + ", partition: shards}", ownDAGM},
		{"{kind: fair-loss, " + ownFile + "}", ownDAGM},
	} {
		st, err := ownStudy(t, dir, c.problem, c.method, "")
		if err != nil {
			t.Errorf("%s: %v", c.problem, err)
			continue
		}
		runs, err := st.Run(context.Background(), study.Options{Workers: 1})
		if err != nil || runs[0].Status != result.Completed || len(st.First().Holdings()) != 3 ||
			runs[0].Nodes[1].Train == 0 {
			t.Errorf("%s: %v, %+v", c.problem, err, runs)
		}
	}
}

// TestOwnPartition: what each node gets, by hand.
func TestOwnPartition(t *testing.T) {
	dir := ownFiles(t)
	for _, c := range []struct{ with, want string }{
		{"", "9+10 9+10 9+10"}, // of 24: a fifth for testing, 5, two fifths for validation, 10
		{"sizes: 20", "8+8 8+8 8+8"},
		{"partition: sizes, sizes: [40, 20, 5]", "16+16 8+8 2+2"},
		{"partition: column", "16+16 8+8 5+5"},
	} {
		file := ownFile
		if strings.Contains(c.with, "column") {
			file = "data: {file: mine.csv, target: class, node_column: site}"
		}
		st, err := ownStudy(t, dir, "{kind: hyper-logistic, "+file+", "+c.with+"}", ownDAGM, "")
		if err != nil {
			t.Errorf("%s: %v", c.with, err)
			continue
		}
		var got []string
		for _, h := range st.First().Holdings() {
			got = append(got, fmt.Sprintf("%d+%d", h.Train, h.Val))
			n := 0
			for _, l := range h.Labels {
				n += l.Count
			}
			if n != h.Train+h.Val {
				t.Errorf("%s: %+v: the classes do not add up", c.with, h)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %s, want %s", c.with, got, c.want)
		}
	}
}

// TestOneClassANode: with one shard a node has one class, or two where they meet.
func TestOneClassANode(t *testing.T) {
	st, err := ownStudy(t, ownFiles(t), "{kind: hyper-softmax, "+ownFile+", partition: by-label, shards: 1}", ownDAGM, "")
	if err != nil {
		t.Fatal(err)
	}
	mixed := 0
	for _, h := range st.First().Holdings() {
		if len(h.Labels) > 1 {
			mixed++
		}
	}
	if mixed > 1 {
		t.Errorf("%d of 3 nodes have both classes", mixed)
	}
}

// TestOwnErrors: errors have the place of the wrong setting.
func TestOwnErrors(t *testing.T) {
	dir := ownFiles(t)
	for _, c := range []struct{ problem, want string }{
		{"{kind: hyper-logistic, data: {file: none.csv}}", "there is no such file"},
		{"{kind: hyper-logistic, data: {file: mine.csv, target: zzz}}", `target: there is no column "zzz"`},
		{"{kind: hyper-ridge, data: {file: mine.csv, target: class}}", `column "class": the target is "`},
		{"{kind: hyper-logistic, data: {file: mine.csv, target: site, ignore: [class]}}",
			"has 3 classes, 1, 2, 3, and this problem tells two apart"},
		{"{kind: hyper-logistic, data: {file: mine.csv, target: site, ignore: [class], classes: [1, 9]}}",
			`has no class "9"`},
		{"{kind: hyper-logistic, data: {file: mine.csv}}", ""},
		{"{kind: hyper-logistic, samples: 10, data: {file: mine.csv}}", "samples is not used where data is file"},
		{"{kind: hyper-logistic, data: {file: mine.csv}, partition: column}", "which column says the node"},
		{"{kind: hyper-logistic, data: mnist, classes: [4, 9], partition: column}", "for data in a file"},
		{"{kind: hyper-logistic, data: {file: mine.csv}, partition: sizes}", "the sizes are missing"},
		{"{kind: hyper-logistic, data: {file: mine.csv}, sizes: [70, 2, 1]}",
			"nodes 0 to 2 need 73 samples, but there are 72"},
		{"{kind: hyper-logistic, data: {file: mine.csv}, sizes: [60, 2, 1]}", "node 2 gets 1 row of mine.csv"},
		{"{kind: hyper-ridge, data: {file: mine.csv, target: a, ignore: [class]}, partition: by-label}",
			"the targets of this problem are numbers"},
		{"{kind: hyper-softmax, classes: 3, data: {file: mine.csv}}", "classes is not used where data is file"},
	} {
		_, err := ownStudy(t, dir, c.problem, ownDAGM, "")
		if c.want == "" {
			if err == nil { // the column site is an ordinary feature: nothing is wrong
				continue
			}
		}
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "s.yaml:3:") {
			t.Errorf("%s: %v, want %q", c.problem, err, c.want)
		}
	}
}

// TestDataSeed: the data depend on their own seed and not on the run's, and --seed does not
// change them.
func TestDataSeed(t *testing.T) {
	dir := t.TempDir()
	const problem = "{kind: hyper-ridge, dim: 3, samples: 5}"
	hashes := func(seeds string, overrides ...string) (runs []result.Run) {
		t.Helper()
		text := fmt.Sprintf("version: 1\ntopology: {kind: ring, nodes: 3}\nproblem: %s\nalgorithms: [%s]\n%s\n", problem,
			ownDAGM, seeds)
		s, err := spec.Parse(filepath.Join(dir, "s.yaml"), []byte(text), scenariotest.Catalog(), overrides)
		if err != nil {
			t.Fatal(err)
		}
		again, err := s.YAML()
		if err != nil {
			t.Fatal(err)
		}
		if s, err = spec.Parse(filepath.Join(dir, "s.yaml"), again, scenariotest.Catalog(), nil); err != nil {
			t.Fatal(err)
		}
		st, err := study.New(s, &scenariotest.Data)
		if err != nil {
			t.Fatal(err)
		}
		if runs, err = st.Run(context.Background(), study.Options{Workers: 1}); err != nil {
			t.Fatal(err)
		}
		return runs
	}
	one, plain := hashes("seed: 1"), hashes("seeds: [1, 2]")
	fixed := hashes("seeds: {data: 1, run: [1..3]}")
	if len(fixed) != 3 || fixed[2].Seed != 3 {
		t.Fatalf("%d runs", len(fixed))
	}
	for _, r := range append(fixed, hashes("seeds: {data: 1, run: 4}", "seed=7")...) {
		if r.IteratesHash != one[0].IteratesHash {
			t.Errorf("seed %d: other data than those of seed 1", r.Seed)
		}
	}
	if plain[1].IteratesHash == one[0].IteratesHash {
		t.Error("seed 2 has the data of seed 1")
	}
	for _, c := range []struct{ seeds, want string }{
		{"seeds: {run: 3}", "want a number of replicates or a list of seeds, got a section of keys"}, {"seeds: {data: [1]}",
			"want a whole number"},
		{"seeds: [3..1]", "want a seed or a span"}, {"seeds: [1..4, 2]", "the seed 2 is given twice"},
		{"seeds: {data: 1, run: 3, other: 2}", "no such key"},
	} {
		text := "version: 1\ntopology: {kind: ring, nodes: 3}\nproblem: " + problem + "\nalgorithms: [" + ownDAGM + "]\n" +
			c.seeds
		if _, err := spec.Parse("s.yaml", []byte(text), scenariotest.Catalog(), nil); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.seeds, err, c.want)
		}
	}
}

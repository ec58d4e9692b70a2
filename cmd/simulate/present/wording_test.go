package present

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tallynet/metrics/report/result"
	"tallynet/metrics/report/table"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/predict"
	"tallynet/scenarios/scenariotest"
	"tallynet/scenarios/spec"
	"tallynet/scenarios/study"
	"tallynet/sim"
	"tallynet/sim/slow"
)

// misworded are forms that no output for people has.
var misworded = map[string]*regexp.Regexp{
	"a ratio of nothing":   regexp.MustCompile(`\b1\.0 times\b`),
	"the tail of a float":  regexp.MustCompile(`\d\.\d{6,}e-?\d+|\d\.\d*(0000|9999)\d+`),
	"JSON":                 regexp.MustCompile(`[{\[]["{\[]|":`),
	"the path of a key":    regexp.MustCompile(`\b(topology|network|platform|wire|compute|problem)\.[a-z_.]+ = `),
	"a value without unit": regexp.MustCompile(` = [0-9.]+(ms|us|s|[kMG]?bit/s|[kMG]?B)\b`),
}

// checkWording reports what no output for people has.
func checkWording(t *testing.T, what, text string) {
	t.Helper()
	for name, form := range misworded {
		if at := form.FindStringIndex(text); at != nil {
			t.Errorf("%s has %s: ...%s...", what, name, text[max(0, at[0]-60):min(len(text), at[1]+30)])
		}
	}
}

// checkShown runs a study and reads its tables, its statistics, and the names on its page and in its legends.
func checkShown(t *testing.T, s *spec.Scenario) {
	t.Helper()
	st, err := study.New(s, &scenariotest.Data)
	if err != nil {
		t.Fatal(err)
	}
	runs, err := st.Run(context.Background(), study.Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	report, err := st.Report(runs, result.Provenance{})
	if err != nil {
		t.Fatal(err)
	}
	shown, err := Show(st, report)
	if err != nil {
		t.Fatal(err)
	}
	shown.Summary.Sentences, shown.Claims, shown.About = nil, nil, "" // which have checks of their own
	files, _, err := shown.Files()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if f.Name == "table.txt" || f.Name == "summary.txt" {
			var b strings.Builder
			if err := f.Write(&b); err != nil {
				t.Fatal(err)
			}
			text, _, _ := strings.Cut(b.String(), "\nParameters")
			checkWording(t, f.Name, text)
		}
	}
	p, err := Page(st, report, shown)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range p.Charts.Axes {
		checkWording(t, "an axis", strings.Join(slices.Concat([]string{a.Name}, a.Values, a.Settings), "\n"))
	}
	for _, group := range shown.Summary.Points {
		checkWording(t, "a legend", group.Name)
	}
	forecasts, _, err := predict.Forecasts(s, &scenariotest.Data)
	if err != nil {
		return // a method has none
	}
	var b strings.Builder
	if err := (table.Document{Tables: Forecasts(s, forecasts)}).Write(&b, "text"); err != nil {
		t.Fatal(err)
	}
	checkWording(t, "the prediction", b.String())
}

// short are the scenarios whose small form takes less than two seconds.
var short = []string{"compression.yaml", "fat-tree.yaml", "lossy.yaml", "one-peer.yaml", "stragglers-async.yaml",
	"wan-regions.yaml"}

func TestWordingOfShippedScenarios(t *testing.T) {
	root := filepath.Join("..", "..", "..", "scenarios")
	err := keys.EachFile(os.DirFS(root), func(name string) error {
		if name == "quickstart-tuning.yaml" { // half an hour; no point of it has another setting
			return nil
		}
		t.Run(name, func(t *testing.T) {
			if !slices.Contains(short, name) {
				slow.Skip(t, "it takes more than two seconds")
			}
			s, err := spec.LoadSmall(filepath.Join(root, name), scenariotest.Catalog())
			if err != nil {
				t.Fatal(err)
			}
			checkShown(t, s)
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// axes are keys with values that need words.
var axes = []struct {
	key    string
	values []string
}{
	{"network.latency", []string{"0.1ms", "75.4us", "{label: far, value: 80ms}"}},
	{"network.bandwidth", []string{"1Mbit/s", "2.5Gbit/s", "unlimited"}},
	{"network.loss", []string{"none", "{kind: independent, p: 0.1, timeout: 5ms}"}},
	{"network.nic.up", []string{"1Mbit/s", "1Gbit/s"}},
	{"wire", []string{"float32", "{compress: top-k, share: 0.30000000000000004}",
		"{label: a tenth, compress: top-k, share: 0.1}"}},
	{"topology", []string{"{kind: ring, nodes: 4}", "{kind: complete, nodes: 3}"}},
	{"topology.kind", []string{"ring", "complete"}},
	{"topology.nodes", []string{"4", "6"}},
	{"compute.speed", []string{"1MFLOP/s", "1.5GFLOP/s"}},
	{"network.overhead.packet", []string{"40B", "1.5kB"}},
	{"compute.straggler", []string{"{kind: constant, factor: 3, nodes: [0, 1]}",
		"{kind: lognormal, sigma: 0.30000000000000004}"}},
	{"dynamics", []string{"matching", "{kind: random-edges, p: 0.5}"}},
	{"faults", []string{"{hosts: [{node: 0, down: 1ms, up: 2ms}]}", "{random_links: {up: 30ms, down: 2ms}}"}},
	{"silence", []string{"wait", "{kind: last, after: 20ms}"}},
	{"tariffs.machine.price", []string{"0.5/h", "1.25/h"}},
	{"algorithms[0].NUMBER", []string{"0.010000000000000002", "0.02"}},
}

// randomStudy returns a study of one or two methods over two keys: a sweep, or a list of points that set both.
func randomStudy(rng *rand.Rand) string {
	var methods, sweep []string
	number, all := "alpha", scenariotest.Catalog().Algorithms
	for k := range 1 + rng.IntN(2) {
		e := all[rng.IntN(len(all))]
		methods = append(methods, scenariotest.Shortest(e))
		for _, p := range e.Params {
			if p.Kind == keys.Float && k == 0 {
				number = p.Name
			}
		}
	}
	var points [2]string
	for _, i := range rng.Perm(len(axes))[:2] {
		key := strings.Replace(axes[i].key, "NUMBER", number, 1)
		sweep = append(sweep, fmt.Sprintf("%q: [%s]", key, strings.Join(axes[i].values, ", ")))
		for k := range points {
			points[k] += fmt.Sprintf("%q: %s, ", key, axes[i].values[k])
		}
	}
	grid := "sweep: {" + strings.Join(sweep, ", ") + "}"
	if rng.IntN(3) == 0 {
		grid = "points: [{" + points[0] + "}, {" + points[1] + "}]"
	}
	problem := []string{"quadratic, p: 2, q: 3", "least-squares, dim: 3, samples: 4"}[rng.IntN(2)]
	topology := []string{"ring, nodes: 5", "star, nodes: 5, center: server", "complete, nodes: 1"}[rng.IntN(3)]
	return "version: 1\nseeds: 2\ntopology: {kind: " + topology + "}\n" +
		"network: {latency: 1ms, contention: nic, nic: {up: 1Gbit/s, down: 1Gbit/s}}\n" +
		"problem: {kind: " + problem + "}\nalgorithms: [" + strings.Join(methods, ", ") + "]\n" + grid + "\n"
}

// TestWordingOfRandomStudies: all 300 run if slow tests do.
func TestWordingOfRandomStudies(t *testing.T) {
	studies, ran := 300, 0
	if os.Getenv(slow.Variable) == "" {
		studies = 30
	}
	for k := 0; ran < studies && k < 30*studies; k++ {
		text := randomStudy(sim.Stream(uint64(k), "wording"))
		s, err := spec.Parse("random.yaml", []byte(text), scenariotest.Catalog(), nil)
		if err == nil {
			_, err = study.New(s, &scenariotest.Data)
		}
		if err != nil { // the method does not go with it
			continue
		}
		ran++
		if checkShown(t, s); t.Failed() {
			t.Fatalf("study %d:\n%s", k, text)
		}
	}
	if ran < studies {
		t.Errorf("%d studies ran, want %d", ran, studies)
	}
}

// The forms are found, and nothing else.
func TestMisworded(t *testing.T) {
	for name, texts := range map[string][2][]string{
		"a ratio of nothing": {{"1.0 times faster"}, {"11.0 times", "1.02 times"}},
		"the tail of a float": {{"4.7399999999999996e-32", "0.30000000000000004", "0.9999999"},
			{"5.02e-4", "0.000602", "1,000,000"}},
		"JSON":                 {{`{"compress":"to...`, `[[0,3]]`, `"a":1`}, {"[0.1, 0.2]", "(0, 3)"}},
		"the path of a key":    {{"network.loss.p = 0.1"}, {"loss probability = 0.1"}},
		"a value without unit": {{"latency = 10ms", "uplink = 1Gbit/s"}, {"latency = 10 ms"}},
	} {
		for i, want := range []bool{true, false} {
			for _, text := range texts[i] {
				if misworded[name].MatchString(text) != want {
					t.Errorf("%q is %s: %v", text, name, !want)
				}
			}
		}
	}
}

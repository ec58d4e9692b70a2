package cli

import (
	"encoding/csv"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/graph/formats/dot"
	"gonum.org/v1/gonum/mat"

	"tallynet/scenarios/execute"
	"tallynet/scenarios/problems"
	"tallynet/sim"
	"tallynet/topologies"
)

// averaging returns the second largest modulus of W's eigenvalues, and the first k for
// which W^k, multiplied out, brings gossip's starting points within 1e-6 of their
// mean. Both use dense matrices.
func averaging(t *testing.T, w *topologies.Mixing, seed uint64) (sigma float64, rounds int) {
	t.Helper()
	n := w.Nodes()
	p, err := problems.NewConsensus(problems.ConsensusConfig{Nodes: n, Dim: execute.GossipDim, Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	start := mat.NewDense(n, execute.GossipDim, nil)
	for i := range n {
		x, _ := p.Start(i)
		start.SetRow(i, x)
	}
	apart := func(x *mat.Dense) float64 {
		ones := mat.NewDense(n, n, nil)
		ones.Apply(func(_, _ int, _ float64) float64 { return 1 / float64(n) }, ones)
		var mean mat.Dense
		mean.Mul(ones, x)
		mean.Sub(x, &mean)
		return mat.Norm(&mean, 2)
	}
	var eig mat.EigenSym
	if !eig.Factorize(w.Dense(), false) {
		t.Fatal("no eigenvalues")
	}
	v := eig.Values(nil)
	sigma = math.Max(math.Abs(v[0]), math.Abs(v[n-2]))

	power, x := mat.DenseCopyOf(w.Dense()), mat.NewDense(n, execute.GossipDim, nil)
	for k := 1; ; k++ {
		if x.Mul(power, start); apart(x) <= 1e-6*apart(start) {
			return sigma, k
		}
		next := mat.NewDense(n, n, nil)
		next.Mul(power, w.Dense())
		power = next
	}
}

// TestTopologyRounds compares the command's predicted and measured rounds with dense
// algebra.
func TestTopologyRounds(t *testing.T) {
	const n, seed = 16, 3
	graph := func(p topologies.Plan, err error) *topologies.Graph {
		g, err := topologies.Make(p, err)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	graphs := map[string]*topologies.Graph{
		"ring": graph(topologies.Ring(n)), "star": graph(topologies.Star(n, 0)), "torus": graph(topologies.Torus(4, 4)),
		"hypercube": graph(topologies.Hypercube(n)), "complete": graph(topologies.Complete(n)),
		"erdos-renyi": graph(topologies.ErdosRenyi(n, 0.347, sim.Stream(seed, "graph"))),
	}
	rules := map[string]func(*topologies.Graph) *topologies.Mixing{
		"metropolis": topologies.Metropolis, "lazy-metropolis": topologies.LazyMetropolis,
		"max-degree": topologies.MaxDegree,
	}
	for kind, g := range graphs {
		for rule, mixing := range rules {
			out, errs, code := simulate("topology", kind, "--nodes", strconv.Itoa(n), "--seed", strconv.Itoa(seed), "--weights",
				rule, "--format", "csv")
			rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
			if code != 0 || err != nil || len(rows) < 2 {
				t.Fatalf("%s: exit code %d, %v\n%s%s", kind, code, err, out, errs)
			}
			cell := map[string]string{}
			for i, name := range rows[0] {
				cell[name] = rows[1][i]
			}
			sigma, measured := averaging(t, mixing(g), seed)
			predicted := 1
			for product := sigma; product > 1e-6; product *= sigma {
				predicted++
			}
			if cell["rounds, predicted"] != strconv.Itoa(predicted) || cell["rounds, measured"] != strconv.Itoa(measured) {
				t.Errorf("%s, %s: %s rounds predicted and %s measured, want %d and %d", kind, rule,
					cell["rounds, predicted"], cell["rounds, measured"], predicted, measured)
			}
			if measured > predicted {
				t.Errorf("%s, %s: %d rounds, more than the %d that are enough from any start", kind, rule, measured, predicted)
			}
		}
	}
}

// TestTopologyFiles parses the graphs in a DOT file and in a drawing.
func TestTopologyFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	if _, errs, code := simulate("topology", "ring", "star", "complete", "--nodes", "9", "--svg", "x.svg", "--dot",
		"x.dot"); code != 0 {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	text := readText(t, "x.dot")
	file, err := dot.ParseBytes([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var edges []int
	for _, g := range file.Graphs {
		edges = append(edges, strings.Count(g.String(), "--"))
	}
	if len(edges) != 3 || edges[0] != 9 || edges[1] != 8 || edges[2] != 36 {
		t.Errorf("edges of the graphs in the file: %v, want 9, 8 and 36", edges)
	}
	svg := readText(t, "x.svg")
	if nodes := strings.Count(string(svg), "<circle"); nodes != 27 {
		t.Errorf("%d nodes drawn, want 27", nodes)
	}
}

// TestTopologyFilesWithoutGraphs: a requested file is written, or the error says why not.
func TestTopologyFilesWithoutGraphs(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct{ args, want string }{
		{"ring --graphml x.graphml", "x.graphml needs a network"},
		{"ring --nodes 5 --simgrid x.xml", "x.xml needs a network"},
		{"switch --set hosts=3 --set up=1Gbit/s --svg x.svg", "x.svg: a network is not drawn"},
		{"ring lan-1g --nodes 5 --graphml x.graphml --svg x.svg", ""},
	} {
		_, errs, code := simulate(append([]string{"topology"}, strings.Fields(c.args)...)...)
		if (code == codeDone) != (c.want == "") || !strings.Contains(errs, c.want) {
			t.Errorf("%s: exit code %d: %s; want %q", c.args, code, errs, c.want)
		}
	}
	for _, name := range []string{"x.graphml", "x.svg"} {
		if _, err := os.Stat(name); err != nil {
			t.Errorf("of a graph and a network: %v", err)
		}
	}
}

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tallynet/metrics"
	"tallynet/metrics/report/quantity"
	"tallynet/metrics/report/result"
	"tallynet/metrics/report/table"
	"tallynet/scenarios/build"
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/execute"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/spec"
	"tallynet/topologies"
)

type topologyFlags struct {
	nodes   int
	set     []string
	weights string
	seed    uint64
	svg     string
	dot     string
	graphml string
	simgrid string
	format  string
}

func (a *app) topologyCommand() *cobra.Command {
	var f topologyFlags
	c := &cobra.Command{
		Use: "topology FILE|KIND... [flags]", Short: "Show properties of graphs, their mixing matrices, and networks",
		Long: `Compare graphs: nodes, edges, degrees, diameter, eigenvalues of the mixing matrix W and
its spectral gap, and how many rounds of averaging, x <- W x, shrink the distance of
all nodes from their mean by a factor of 1e6:

  predicted  the smallest k with σ^k <= 1e-6, where σ = max(|λ2|, |λn|) is the second
             largest modulus of W's eigenvalues: enough from any start, and needed
             from the worst (Xiao and Boyd, Systems & Control Letters 53, 2004)
  measured   by gossip, simulated message by message from random normal vectors;
             left out if that takes too many messages

A graph comes from a scenario file, or is a kind: simulate list topologies.

A network that nodes talk over comes from a file (GraphML, GML, DOT, a SimGrid platform, a
CSV table of latencies), from a scenario with a platform, or is a kind: simulate list
platforms. The output shows how a file was understood, and lists what was assumed.`,
		Example: `  simulate topology ring torus hypercube --nodes 16
  simulate topology ring torus exponential complete --nodes 64 --svg graphs.svg --dot graphs.dot
  simulate topology abilene.graphml --simgrid abilene.xml
  simulate topology regions.csv --set unit=ms --set times=round-trip
  simulate topology racks --set racks=2 --set hosts=8 --set nic=10Gbit/s --set uplink=1Gbit/s
  simulate topology erdos-renyi --nodes 20 --set p=0.5 --format latex`,
		Args: need(1, -1, "a scenario file, a kind of graph or a network"),
	}
	c.Flags().IntVar(&f.nodes, "nodes", 16, "number of nodes (with a file: instead of its own)")
	c.Flags().StringArrayVar(&f.set, "set", nil,
		"parameter of the kind, for example p=0.5, or of the weights, for example weights.a=0.4")
	c.Flags().StringVar(&f.weights, "weights", "metropolis",
		"rule of the mixing matrix (with a file: instead of its own)")
	c.Flags().Uint64Var(&f.seed, "seed", 1, "seed of random graphs (with a file: instead of its own)")
	c.Flags().StringVar(&f.svg, "svg", "", "draw the graphs side by side into this SVG file")
	c.Flags().StringVar(&f.dot, "dot", "",
		"write the graphs, one after the other, to this file in Graphviz's DOT language; or the network")
	c.Flags().StringVar(&f.graphml, "graphml", "", "write the network to this file as GraphML")
	c.Flags().StringVar(&f.simgrid, "simgrid", "", "write the network to this file as a SimGrid platform")
	formatFlag(c.Flags(), &f.format, "the tables", tableFormats())
	c.RunE = func(c *cobra.Command, args []string) error {
		return a.topology(c.Context(), args, f, c.Flags().Changed)
	}
	return c
}

func (a *app) topology(ctx context.Context, args []string, f topologyFlags, given func(flag string) bool) error {
	text := func(name string) table.Column { return table.Column{Name: name} }
	number := func(name string, digits int) table.Column {
		return table.Column{Name: name, Unit: metrics.Number, Digits: digits}
	}
	whole := func(name string) table.Column { return table.Column{Name: name, Unit: metrics.Count} }
	out := table.Table{Columns: []table.Column{text("graph"), text("weights"), whole("nodes"), whole("edges"),
		whole("deg. min"), number("deg. mean", 3),
		whole("deg. max"), whole("diameter"), number("λ2", 4), number("λn", 4), number("spectral gap", 3),
		whole("rounds, predicted"), whole("rounds, measured"), whole("draws")},
		Notes: []string{"Rounds of averaging until the distance from the mean has shrunk to 1e-6 of its start: " +
			"predicted for the worst start, measured from a random one."}}
	args, networks, err := a.networks(args, f)
	if err != nil {
		return err
	}
	if len(args) > 0 {
		if err := checkSettings(a.catalog, args, f.set); err != nil {
			return err
		}
	}
	var graphs []*topologies.Graph
	for _, arg := range args {
		s, err := a.topologyScenario(arg, args, f, given)
		if err != nil {
			return err
		}
		if p, err := s.BuildPlatform(); err != nil {
			return err
		} else if p != nil {
			networks = append(networks, p)
		}
		seed := s.Seeds[0]
		if given("seed") || !isFile(a.catalog, arg) {
			seed = f.seed
		}
		g, w, err := build.Graph(s, seed)
		if err != nil && !isFile(a.catalog, arg) {
			return withoutPlace(arg, err)
		} else if err != nil {
			return err
		}
		row, predicted := describeGraph(g, w, &out)
		measured, err := a.measureRounds(ctx, execute.GossipGraph{Topology: s.Topology, Seed: seed, Edges: g.Edges(),
			Most: predicted},
			g.Name(), &out)
		if err != nil {
			return err
		}
		out.Rows = append(out.Rows, slices.Insert(row, len(row)-1, measured))
		graphs = append(graphs, g)
	}
	var tables []table.Table
	if graphs != nil {
		tables = append(tables, out)
	}
	if networks != nil {
		tables = append(tables, networkTable(networks))
	}
	err = table.Document{Tables: tables}.Write(a.io.Out, f.format)
	if f.graphml+f.simgrid != "" || graphs == nil {
		err = errors.Join(err, writeNetworks(networks, f))
		f.dot = "" // written by writeNetworks
	}
	return errors.Join(err, writeGraphs(graphs, f))
}

// measureRounds returns a cell with the rounds that gossip takes. If they are not measured, it adds a
// note with the reason.
func (a *app) measureRounds(ctx context.Context, g execute.GossipGraph, name string,
	out *table.Table) (table.Cell, error) {
	if why := g.TooMany(); why != "" {
		out.Note(fmt.Sprintf("%s: not measured: %s.", name, why))
		return table.Missing(), nil
	}
	rounds, err := g.Rounds(ctx, a.catalog)
	if err != nil && ctx.Err() != nil {
		return table.Missing(), context.Cause(ctx)
	} else if err != nil {
		return table.Missing(), failed(err)
	}
	return table.Integer(int64(rounds)), nil
}

// describeGraph returns a row without the measured rounds, and the number of predicted rounds. Bounds
// are marked and explained in a note.
func describeGraph(g *topologies.Graph, w *topologies.Mixing, out *table.Table) (row []table.Cell,
	predicted float64) {
	degrees := g.Degrees()
	hops, exact := g.Diameter()
	diameter := table.Integer(int64(hops))
	if !exact {
		diameter = table.Text(fmt.Sprintf("≥ %d", hops))
		out.Note("≥: the diameter of a graph this large is a lower bound.")
	}
	spectrum, err := w.Spectrum()
	predicted = spectrum.Rounds(execute.GossipAgreement)
	gap, rounds := table.Number(spectrum.Gap), table.Number(predicted)
	if predicted < 1e15 {
		rounds = table.Integer(int64(predicted))
	}
	if err != nil {
		gap = table.Text("≤ " + quantity.Float(spectrum.Gap, 3))
		rounds = table.Text("≥ " + quantity.Count(int64(predicted)))
		out.Note(fmt.Sprintf("%s: the gap is an upper bound, and the rounds a lower one: %v.", g.Name(), err))
	}
	draws := table.Missing()
	if g.Draws() > 0 {
		draws = table.Integer(int64(g.Draws()))
	}
	return []table.Cell{table.Text(g.Name()), table.Text(w.Rule()), table.Integer(int64(g.Nodes())),
		table.Integer(int64(g.Edges())),
		table.Integer(int64(degrees.Min)), table.Number(degrees.Mean), table.Integer(int64(degrees.Max)), diameter,
		eigenvalue(spectrum.Lambda2), eigenvalue(spectrum.LambdaN), gap, rounds, draws}, predicted
}

// eigenvalue shows rounding errors around zero as zero.
func eigenvalue(x float64) table.Cell {
	if math.Abs(x) < 1e-13 {
		x = 0
	}
	return table.Number(x)
}

// writeGraphs writes the requested files, even if one of them fails.
func writeGraphs(graphs []*topologies.Graph, f topologyFlags) error {
	var errs []error
	if f.svg != "" && graphs == nil {
		errs = append(errs, fmt.Errorf("topology: %s: a network is not drawn; --dot writes it for Graphviz", f.svg))
	} else if f.svg != "" {
		errs = append(errs, result.WriteFile(f.svg, func(w io.Writer) error { return topologies.WriteSheet(w, graphs) }))
	}
	if f.dot != "" {
		errs = append(errs, result.WriteFile(f.dot, func(w io.Writer) error {
			for _, g := range graphs {
				if err := g.WriteDOT(w); err != nil {
					return err
				}
			}
			return nil
		}))
	}
	return failed(errors.Join(errs...))
}

// isFile reports whether an argument is a scenario file rather than a kind of graph.
func isFile(cat *catalog.Catalog, arg string) bool {
	if cat.Topology(arg) != nil {
		return false
	}
	if strings.ContainsRune(arg, filepath.Separator) || slices.Contains([]string{".yaml", ".yml", ".json"},
		filepath.Ext(arg)) {
		return true
	}
	_, err := os.Stat(arg)
	return err == nil
}

// topologyScenario loads a file or creates a scenario around a kind, so that both are checked by the
// same rules.
func (a *app) topologyScenario(arg string, all []string, f topologyFlags,
	given func(flag string) bool) (*spec.Scenario, error) {
	var overrides []string
	file := isFile(a.catalog, arg)
	if file && given("nodes") {
		overrides = append(overrides, fmt.Sprintf("topology.nodes=%d", f.nodes))
	}
	if file && given("weights") {
		overrides = append(overrides, "topology.weights="+f.weights)
	}
	for _, set := range f.set {
		if file || takes(a.catalog, arg, f.weights, set) {
			overrides = append(overrides, "topology."+set)
		}
	}
	if file {
		return a.load(arg, overrides)
	}
	entry := a.catalog.Topology(arg)
	if entry == nil {
		return nil, fmt.Errorf("topology: %q is neither a file nor a kind of graph%s", arg, proposal(arg,
			entryNames(catalog.Entries(a.catalog.Topologies))))
	}
	for _, p := range entry.Params {
		if p.Required && !slices.ContainsFunc(f.set, func(s string) bool { return settingKey(s) == p.Name }) {
			return nil, fmt.Errorf("topology: %s needs %s, %s: --set %s=%s", arg, p.Name, p.About, p.Name,
				strings.ReplaceAll(p.Example, " ", ""))
		}
	}
	return a.scenarioOf(arg, fmt.Sprintf("topology: {kind: %q, nodes: %d, weights: {kind: %q}}", arg, f.nodes, f.weights),
		overrides)
}

// scenarioOf returns a scenario with the keys of an argument. The rest of it only has to be valid.
func (a *app) scenarioOf(arg, keys string, overrides []string) (*spec.Scenario, error) {
	s, err := spec.Parse("topology", []byte("version: 1\n"+keys+"\n"+gossip), a.withGossip(), overrides)
	return s, withoutPlace(arg, err)
}

// withoutPlace removes the position from an error in a scenario that the user did not write.
func withoutPlace(kind string, err error) error {
	wrong, ok := errors.AsType[*keys.FileError](err)
	if !ok {
		return err
	}
	text := fmt.Sprintf("topology: %s: %s", kind, strings.TrimPrefix(wrong.Message, kind+": "))
	if wrong.Set != "" {
		text = fmt.Sprintf("topology: %s: %s: %s", kind, wrong.Set, wrong.Message)
	}
	if wrong.Hint != "" {
		text += "; " + wrong.Hint
	}
	return errors.New(text)
}

func settingKey(set string) string {
	key, _, _ := strings.Cut(set, "=")
	return strings.TrimSpace(key)
}

// takes reports whether a kind or its weights have the parameter that is set.
func takes(cat *catalog.Catalog, kind, weights, set string) bool {
	key := settingKey(set)
	if name, ok := strings.CutPrefix(key, "weights."); ok {
		w := cat.WeightsRule(weights)
		return w != nil && keys.Named(w.Params, name) != nil
	}
	t := cat.Topology(kind)
	return t != nil && keys.Named(t.Params, key) != nil
}

// checkSettings rejects a setting that no kind has, since it would be ignored.
func checkSettings(cat *catalog.Catalog, args, sets []string) error {
	for _, set := range sets {
		if !strings.Contains(set, "=") {
			return fmt.Errorf("topology: --set %s has no value: write --set %s=VALUE", set, set)
		}
		if strings.HasPrefix(set, "weights.") {
			continue
		}
		if !slices.ContainsFunc(args, func(arg string) bool {
			return isFile(cat, arg) || cat.Topology(arg) == nil ||
				takes(cat, arg, "", set)
		}) {
			return fmt.Errorf("topology: --set %s: %s has no parameter %s (see simulate describe %s)", set, strings.Join(args,
				", "), settingKey(set), args[0])
		}
	}
	return nil
}

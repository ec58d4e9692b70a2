package cli

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"tallynet/metrics"
	"tallynet/metrics/report/result"
	"tallynet/metrics/report/table"
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/keys"
	"tallynet/topologies/platform"
)

// isNetwork reports whether an argument is a kind of platform or a file with a network.
func isNetwork(cat *catalog.Catalog, arg string) bool {
	if cat.Topology(arg) != nil {
		return false
	}
	return cat.Platform(arg) != nil || platform.Formats()[strings.ToLower(filepath.Ext(arg))] != ""
}

// network builds the platform that an argument names.
func (a *app) network(arg string, f topologyFlags) (*platform.Platform, error) {
	what := fmt.Sprintf("kind: %q", arg)
	if a.catalog.Platform(arg) == nil {
		kind := "graph"
		if platform.Formats()[strings.ToLower(filepath.Ext(arg))] == "csv" {
			kind = "regions"
		}
		what = fmt.Sprintf("kind: %s, file: %q", kind, arg)
	}
	var overrides []string
	for _, set := range f.set {
		overrides = append(overrides, "platform."+set)
	}
	s, err := a.scenarioOf(arg, fmt.Sprintf("topology: {kind: complete, nodes: %d}\nplatform: {%s}", f.nodes, what),
		overrides)
	if err != nil {
		return nil, err
	}
	p, err := s.BuildPlatform()
	return p, withoutPlace(arg, err)
}

// platformExample returns a scenario on a platform.
func platformExample(e *keys.Entry, name string) string {
	about := name // a profile by its name, or a kind with its required parameters
	if kind := flow("kind", name, e.Params); name == e.Name && strings.Contains(kind, ", ") {
		about = kind
	}
	return "version: 1\ntopology: {kind: ring, nodes: 8}\nplatform: " + about + "\n" + gossip
}

// networkTable describes each network, with notes on what was assumed.
func networkTable(networks []*platform.Platform) table.Table {
	text := func(name string) table.Column { return table.Column{Name: name} }
	whole := func(name string) table.Column { return table.Column{Name: name, Unit: metrics.Count} }
	out := table.Table{Columns: []table.Column{text("network"), whole("hosts"), whole("switches"), whole("links"),
		text("which are"), whole("connected parts"), text("bandwidths"), text("latencies")}}
	for _, p := range networks {
		s := p.Summary()
		parts := table.Missing()
		if s.Parts > 0 {
			parts = table.Integer(int64(s.Parts))
		}
		out.Rows = append(out.Rows, []table.Cell{table.Text(p.Name), table.Integer(int64(s.Hosts)),
			table.Integer(int64(s.Switches)), table.Integer(int64(s.Links)), table.Text(s.Sharing), parts,
			table.Text(s.Bandwidths), table.Text(s.Latencies)})
		for _, note := range p.Notes {
			out.Note(p.Name + ": " + note + ".")
		}
	}
	return out
}

// writeNetworks writes the requested files, even if one of them fails.
func writeNetworks(networks []*platform.Platform, f topologyFlags) error {
	var errs []error
	for _, file := range []struct {
		path  string
		write func(p *platform.Platform, w io.Writer) error
	}{
		{f.graphml, (*platform.Platform).WriteGraphML},
		{f.dot, (*platform.Platform).WriteDOT},
		{f.simgrid, func(p *platform.Platform, w io.Writer) error { return p.WriteSimGrid(w, simgridSpeed) }},
	} {
		switch {
		case file.path == "":
		case len(networks) == 0:
			errs = append(errs, fmt.Errorf("topology: %s needs a network: give a scenario with a platform, "+
				"a file of a network or a kind of platform (simulate list platforms)", file.path))
		case len(networks) != 1:
			errs = append(errs, fmt.Errorf("topology: %s takes one network, got %d", file.path, len(networks)))
		default:
			errs = append(errs, result.WriteFile(file.path, func(w io.Writer) error { return file.write(networks[0], w) }))
		}
	}
	return failed(errors.Join(errs...))
}

// simgridSpeed is the speed of the hosts in a SimGrid file, in FLOP/s. It is the default speed of
// machines in scenarios.
const simgridSpeed = 10e9

// networks splits the arguments into graphs and platforms.
func (a *app) networks(args []string, f topologyFlags) (graphs []string, networks []*platform.Platform, err error) {
	for _, arg := range args {
		if !isNetwork(a.catalog, arg) {
			graphs = append(graphs, arg)
			continue
		}
		p, err := a.network(arg, f)
		if err != nil {
			return nil, nil, err
		}
		networks = append(networks, p)
	}
	return graphs, networks, nil
}

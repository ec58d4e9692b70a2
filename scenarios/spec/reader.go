package spec

import (
	"path/filepath"
	"strings"
	"sync"

	"tallynet/metrics/jsonio"
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/sections"
)

// readMode says where a scenario comes from, which determines the checks that it has to pass.
type readMode uint8

const (
	wholeFile      readMode = iota // the file as it is; everything is checked
	smallFile                      // its small form
	overriddenFile                 // with overrides; its small form, claims and settings may no longer be valid
	resolvedFile                   // a resolved scenario
)

// reader reads a scenario: first the keys by their declarations, then the rules between keys.
type reader struct {
	*keys.Reader
	cat  *catalog.Catalog
	mode readMode
}

func newReader(s *keys.Source, cat *catalog.Catalog) *reader {
	all := sync.OnceValue(func() []keys.Param { return Keys(cat) })
	return &reader{Reader: &keys.Reader{Src: s, Keys: all}, cat: cat}
}

// scenarioAt reads the scenario at a point of the grid g of tree. All points share the declarations of r.
func (r *reader) scenarioAt(tree *keys.Value, g grid, index []int) (*Scenario, error) {
	tree, err := g.point(r.Src, tree, index)
	if err != nil {
		return nil, err
	}
	p := &reader{Reader: &keys.Reader{Src: r.Src, GridPoint: g.name(index), Keys: r.Keys}, cat: r.cat}
	s := p.scenario(tree)
	if len(p.Errs) > 0 {
		return nil, p.Err()
	}
	return s, nil
}

// scenario reads the whole tree.
func (r *reader) scenario(tree *keys.Value) *Scenario {
	a := r.Section("", "", tree, r.Src.At(1, 1), r.Keys())
	if a.Int("version") > 1 {
		r.Fail(a.PosOf("version"), "version", "", "the file has version %d; this program reads version 1",
			a.Int("version"))
	}
	s := &Scenario{
		Limits:   DefaultLimits(),
		Version:  a.Int("version"),
		Name:     a.String("name"),
		About:    strings.TrimSpace(a.String("about")),
		Dynamics: a.Section("dynamics"),
		Platform: a.Section("platform"),
		Place:    a.Strings("place"),
		Network:  a.Section("network"),
		Compute:  a.Section("compute"),
		Tariffs:  a.Section("tariffs"),
		Silence:  a.Section("silence"),
		Wire:     a.Section("wire").Kind(),
		Compress: a.Section("wire"),
		Problem:  ProblemSpec{a.Section("problem").Kind(), a.Section("problem")},
		Stop:     a.Section("stop"),
		Record:   a.Section("record"),
		ask:      a.Section("ask"),
		file:     r.Src.Name,
		src:      r.Src,
		tree:     tree,
		declared: r.Keys(),
		Catalog:  r.cat,
	}
	if s.Name == "" {
		s.Name = strings.TrimSuffix(filepath.Base(r.Src.Name), filepath.Ext(r.Src.Name))
	}
	if a.Given("faults") { // its defaults alone are not a section
		s.Faults = a.Section("faults")
	}
	s.links = sync.OnceValues(s.makePlatform)
	r.seeds(s, tree)
	r.checkSections(s, a)
	if f := a.Field("algorithms"); f != nil {
		s.Algorithms = r.algorithms(f)
		s.iterate()
	}
	s.PaperID, s.Readings = a.String("paper"), a.Strings("readings")
	s.Why, _ = a.Value("why").(jsonio.Object)
	if f := a.Field("claims"); f != nil {
		s.Claims = r.claims(a.Sections("claims"), f.Value.Items)
	}
	s.Tables = r.tables(a.Sections("tables"))
	s.Figures = r.figures(a.Sections("figures"), s.Tables)
	s.Settings = r.settings(a.Sections("settings"))
	if f := a.Field("small"); f != nil && f.Value.Shape == keys.Map {
		s.Small = plainValues(f.Value)
	}
	return s
}

// checkSections reads the topology and checks the rules within and between sections. A section with an error was
// reported before and is skipped.
func (r *reader) checkSections(s *Scenario, root keys.Args) {
	if t := root.Section("topology"); t.Read() {
		s.Topology = sections.ReadTopology(r.Reader, r.cat, t)
	}
	nodes := s.Topology.Nodes
	if s.Network.Read() {
		sections.CheckNetwork(r.Reader, s.Network, nodes)
	}
	sections.CheckPlatform(r.Reader, root, s.Platform, s.Network, nodes)
	if s.Compute.Read() {
		sections.CheckCompute(r.Reader, s.Compute, nodes)
	}
	if s.Tariffs.Read() {
		sections.CheckTariffs(r.Reader, s.Tariffs, s.Platform, s.Network, nodes)
	}
	if s.Record.Read() && s.Record.Given("every") && s.Record.Given("interval") {
		r.Fail(s.Record.PosOf("interval"), s.Record.Path("interval"), "leave one of them out",
			"record has both every and interval, and samples are apart by one of them")
	}
	if s.Faults.Read() {
		sections.CheckFaults(r.Reader, s.Faults, nodes)
	}
}

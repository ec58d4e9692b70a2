package spec

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"tallynet/scenarios/catalog"
	"tallynet/scenarios/claims"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/sections"
)

// checks compiles the checks against the labels, the grid and the seeds of the study.
// With overrides, a check that fits the file no longer may: the claim is then kept and
// stays undecided, so that it stops nobody from trying other values.
func (r *reader) checks(s *Scenario, g grid) {
	at := r.places(s, g)
	if len(s.Claims)+len(s.Tables)+len(s.Figures) == 0 {
		return
	}
	scope := s.claimScope(g)
	scope.At = at
	r.rows(s, scope)
	r.curves(s, scope)
	for i := range s.Claims {
		c := &s.Claims[i]
		var err error
		if c.Compiled, err = claims.Compile(c.Check, scope); err == nil {
			if c.Exact && c.Compiled.Orders() {
				r.Fail(c.at, c.path+".check", "leave exact out, or compare by == and within",
					"an exact claim consists of equalities; this check compares by order")
			}
			continue
		}
		c.unfit = r.misfit(s, c.at, c.Check, c.path+".check", err)
	}
}

// Load reads and checks the scenario file at path. overrides are --set texts,
// "network.latency=2ms", applied in order before anything is checked. The error is
// a *FileError, FileErrors where several things are wrong, or a *ReadError.
func Load(path string, cat *catalog.Catalog, overrides []string) (*Scenario, error) {
	text, err := keys.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Parse(path, text, cat, overrides)
}

// Parse reads and checks a scenario from src. name stands for the file in errors,
// and paths in the scenario are relative to its folder. See Load.
func Parse(name string, src []byte, cat *catalog.Catalog, overrides []string) (*Scenario, error) {
	as := wholeFile
	if len(overrides) > 0 {
		as = changedFile
	}
	return parse(name, src, cat, overrides, as)
}

// ParseResolved reads a resolved scenario, as a result has it. Its small form is not
// checked: it was of the file, where defaults were not written out.
func ParseResolved(name string, src []byte, cat *catalog.Catalog) (*Scenario, error) {
	return parse(name, src, cat, nil, resolvedFile)
}

func parse(name string, src []byte, cat *catalog.Catalog, overrides []string, as form) (*Scenario, error) {
	s := keys.NewSource(name, src)
	tree, err := scenarioTree(s)
	if err != nil {
		return nil, err
	}
	if as == wholeFile && tree.Child("small") != nil {
		if _, err := smallForm(s, tree, cat); err != nil {
			return nil, err
		}
	}
	var changes []keys.Override
	for _, text := range overrides {
		o, ferr := keys.ParseOverride(name, text)
		if ferr != nil {
			return nil, ferr
		}
		changes = append(changes, o)
		changed, err := o.Apply(tree)
		if err != nil {
			return nil, &keys.FileError{FilePosition: o.Where, Path: o.Path, Message: err.Error()}
		}
		tree = changed
	}
	for _, o := range changes {
		if ferr := sweptAway(s, tree, o); ferr != nil {
			return nil, ferr
		}
	}
	sc, err := study(s, tree, cat, as)
	if err == nil && slices.ContainsFunc(sc.Claims, func(c ClaimSpec) bool { return c.unfit != "" }) {
		// A check that does not fit the file as it is either is a mistake.
		if _, err := Parse(name, src, cat, nil); err != nil {
			return nil, err
		}
	}
	return sc, err
}

// scenarioTree parses the file.
func scenarioTree(s *keys.Source) (*keys.Value, error) {
	tree, err := s.Parse()
	switch {
	case err != nil:
		return nil, err
	case tree == nil || tree.Shape == keys.Null:
		return nil, s.Fail(s.At(1, 1), "", "simulate new FILE writes a scenario to start from", "the file is empty")
	case tree.Shape != keys.Map:
		return nil, s.Fail(tree.Pos, "", "simulate new FILE writes a scenario to start from",
			"want a section of keys, as in version: 1, got %s", tree.Shape)
	}
	return tree, nil
}

// sweptAway returns an error if the sweep replaces what o sets, which would then
// change nothing.
func sweptAway(s *keys.Source, tree *keys.Value, o keys.Override) *keys.FileError {
	if list := tree.Child(pointsKey); list != nil && o.Steps[0].Key != pointsKey {
		for _, point := range list.Value.Items {
			for _, c := range point.Fields {
				steps, err := keys.ParsePath(c.Key)
				if err == nil && len(steps) <= len(o.Steps) && slices.Equal(steps, o.Steps[:len(steps)]) {
					return s.Fail(o.Where, o.Path, "", "the points set %s, at %v: this would change nothing", c.Key,
						c.KeyPos)
				}
			}
		}
	}
	sweep := tree.Child("sweep")
	if sweep == nil {
		return nil
	}
	for _, axis := range sweep.Value.Fields {
		steps, err := keys.ParsePath(axis.Key)
		if err == nil && len(steps) <= len(o.Steps) && slices.Equal(steps, o.Steps[:len(steps)]) {
			return s.Fail(o.Where, o.Path, fmt.Sprintf(`write --set 'sweep["%s"]=[...]'`, axis.Key),
				"the sweep sets %s, at %v: this would change nothing", axis.Key, axis.KeyPos)
		}
	}
	return nil
}

// study reads the scenario and, where it has a sweep, checks every point of it.
func study(s *keys.Source, tree *keys.Value, cat *catalog.Catalog, as form) (*Scenario, error) {
	r := newReader(s, cat, "")
	r.as = as
	axes := r.sweep(tree)
	if len(r.Errs) > 0 {
		return nil, r.Err()
	}
	base, err := axes.point(s, tree, axes.first())
	if err != nil {
		return nil, err
	}
	sc := r.scenario(base)
	if len(r.Errs) > 0 {
		return nil, r.Err()
	}
	sc.tree, sc.List, sc.Sweep, sc.set = tree, axes.list(), axes.axes(), as == changedFile
	sc.ListNames = axes.names()
	for _, index := range axes.checked(tree) {
		point, err := axes.point(s, tree, index)
		if err != nil {
			return nil, err
		}
		p := r.at(axes.name(index))
		p.scenario(point)
		if len(p.Errs) > 0 {
			return nil, p.Err()
		}
	}
	r.chosen(sc)
	if r.checks(sc, axes); len(r.Errs) > 0 {
		return nil, r.Err()
	}
	return sc, nil
}

// LoadSmall is Load for the small form of a scenario: with the values that it gives
// under small, and without the claims that only its full form can show. A scenario that
// gives none is its own small form.
func LoadSmall(path string, cat *catalog.Catalog) (*Scenario, error) {
	text, err := keys.ReadFile(path)
	if err != nil {
		return nil, err
	}
	s := keys.NewSource(path, text)
	tree, err := scenarioTree(s)
	if err != nil {
		return nil, err
	}
	if tree.Child("small") == nil {
		return Parse(path, text, cat, nil)
	}
	return smallForm(s, tree, cat)
}

// withoutFull leaves out the items of a section that have small: false.
func withoutFull(tree *keys.Value, section string) *keys.Value {
	list := tree.Child(section)
	if list == nil || list.Value.Shape != keys.List {
		return tree
	}
	kept := *list.Value
	kept.Items = slices.DeleteFunc(slices.Clone(kept.Items), func(n *keys.Value) bool {
		c := n.Child("small")
		return c != nil && keys.Plain(c.Value) == false
	})
	changed := *tree
	changed.Fields = slices.Clone(tree.Fields)
	for i := range changed.Fields {
		if changed.Fields[i].Key == section {
			changed.Fields[i].Value = &kept
		}
	}
	return &changed
}

// smallForm reads the small form.
func smallForm(s *keys.Source, tree *keys.Value, cat *catalog.Catalog) (*Scenario, error) {
	e := tree.Child("small")
	r := newReader(s, cat, "")
	if e.Value.Shape != keys.Map || len(e.Value.Fields) == 0 {
		r.WrongKind("small", e.Value, e.KeyPos, "a map of keys to values", "write small: {topology.nodes: 4, seeds: 1}")
		return nil, r.Err()
	}
	tree = keys.Without(tree, "small")
	for _, c := range e.Value.Fields {
		at := "small." + c.Key
		steps, err := keys.ParsePath(c.Key)
		if err != nil {
			return nil, s.Fail(c.KeyPos, at, "", "%v", err)
		}
		if slices.Contains([]string{"version", "name", "about", "claims", "tables", "figures", "settings", "small"},
			steps[0].Key) {
			return nil, s.Fail(c.KeyPos, at, "", "%s stays the same in the small form", steps[0].Key)
		}
		if c.Value.Shape == keys.Null {
			return nil, s.Fail(c.KeyPos, at, "", "the key has no value")
		}
		o := keys.Override{Path: c.Key, Steps: steps, Value: c.Value, Where: c.KeyPos}
		changed, err := o.Apply(tree)
		if err != nil {
			return nil, s.Fail(c.KeyPos, at, "", "%v", err)
		}
		if ferr := sweptAway(s, changed, o); ferr != nil {
			ferr.Path, ferr.Hint = at, "change the sweep itself"
			return nil, ferr
		}
		tree = changed
	}
	tree = withoutFull(withoutFull(tree, "claims"), "tables")
	sc, err := study(s, tree, cat, smallFile)
	var one *keys.FileError
	var many keys.FileErrors
	switch {
	case errors.As(err, &many):
	case errors.As(err, &one):
		many = keys.FileErrors{one}
	}
	for _, e := range many {
		e.Message += " (in the small form)"
	}
	return sc, err
}

// scenario reads the whole tree.
func (r *reader) scenario(tree *keys.Value) *Scenario {
	a := r.Section("", "", tree, r.Src.At(1, 1), r.Keys())
	if a.Int("version") > 1 {
		r.Fail(a.PosOf("version"), "version", "", "the file has version %d; this program reads version 1",
			a.Int("version"))
	}
	s := &Scenario{
		Limits: DefaultLimits(), Version: a.Int("version"), Name: a.String("name"),
		About: strings.TrimSpace(a.String("about")), Wire: a.Section("wire").Kind(), Compress: a.Section("wire"),
		Network: a.Section("network"), Compute: a.Section("compute"), Stop: a.Section("stop"),
		Record:  a.Section("record"),
		Problem: ProblemSpec{a.Section("problem").Kind(), a.Section("problem")}, file: r.Src.Name, src: r.Src, tree: tree,
		Catalog: r.cat,
	}
	if s.Name == "" {
		s.Name = strings.TrimSuffix(filepath.Base(r.Src.Name), filepath.Ext(r.Src.Name))
	}
	s.Seeds, s.DataSeed = r.seeds(tree)
	if t := a.Section("topology"); t.Read() {
		s.Topology = sections.ReadTopology(r.Reader, r.cat, t)
	}
	if s.Network.Read() {
		sections.CheckNetwork(r.Reader, s.Network, s.Topology.Nodes)
	}
	if a.Given("platform") {
		s.Platform = a.Section("platform")
		s.links = sync.OnceValues(s.makePlatform)
	}
	s.Place = a.Strings("place")
	sections.CheckPlatform(r.Reader, a, s.Platform, s.Network, s.Topology.Nodes)
	if s.Compute.Read() {
		sections.CheckCompute(r.Reader, s.Compute, s.Topology.Nodes)
	}
	if a.Given("tariffs") && a.Section("tariffs").Read() {
		s.Tariffs = a.Section("tariffs")
		sections.CheckTariffs(r.Reader, s.Tariffs, s.Platform, s.Network, s.Topology.Nodes)
	}
	if a.Given("faults") {
		s.Faults = a.Section("faults")
		if s.Faults.Read() {
			sections.CheckFaults(r.Reader, s.Faults, s.Topology.Nodes)
		}
	}
	if a.Given("dynamics") {
		s.Dynamics = a.Section("dynamics")
	}
	if a.Given("silence") {
		s.Silence = a.Section("silence")
	}
	if f := a.Field("algorithms"); f != nil {
		s.Algorithms = r.algorithms(f)
	}
	s.Claims = r.claims(a.Sections("claims"))
	s.Tables = r.tables(a.Sections("tables"))
	s.Figures = r.figures(a.Sections("figures"), s.Tables)
	s.Settings = r.settings(a.Sections("settings"))
	if f := a.Field("small"); f != nil && f.Value.Shape == keys.Map {
		for _, c := range f.Value.Fields {
			s.Small = append(s.Small, GridValue{c.Key, keys.Plain(c.Value)})
		}
	}
	return s
}

func newReader(s *keys.Source, cat *catalog.Catalog, point string) *reader {
	all := sync.OnceValue(func() []keys.Param { return cat.Declared(Keys) })
	return &reader{Reader: &keys.Reader{Src: s, GridPoint: point, Keys: all}, cat: cat}
}

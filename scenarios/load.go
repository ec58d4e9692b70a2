package scenarios

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"tallynet/scenarios/measure"
)

// Load reads and checks the scenario file at path. overrides are --set texts,
// "network.latency=2ms", applied in order before anything is checked. The error is
// a *FileError, FileErrors where several things are wrong, or a *ReadError.
func Load(path string, cat *Catalog, overrides []string) (*Scenario, error) {
	text, err := ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Parse(path, text, cat, overrides)
}

// Parse reads and checks a scenario from src. name stands for the file in errors,
// and paths in the scenario are relative to its folder. See Load.
func Parse(name string, src []byte, cat *Catalog, overrides []string) (*Scenario, error) {
	return parse(name, src, cat, overrides, len(overrides) == 0) // with overrides the small form may no longer fit
}

// ParseResolved reads a resolved scenario, as a result has it. Its small form is not
// checked: it was of the file, where defaults were not written out.
func ParseResolved(name string, src []byte, cat *Catalog) (*Scenario, error) {
	return parse(name, src, cat, nil, false)
}

func parse(name string, src []byte, cat *Catalog, overrides []string, checkSmall bool) (*Scenario, error) {
	s := newSource(name, src)
	tree, err := s.scenarioTree()
	if err != nil {
		return nil, err
	}
	if checkSmall && tree.child("small") != nil {
		if _, err := smallForm(s, tree, cat); err != nil {
			return nil, err
		}
	}
	var changes []override
	for _, text := range overrides {
		o, ferr := parseOverride(name, text)
		if ferr != nil {
			return nil, ferr
		}
		changes = append(changes, o)
		changed, err := o.apply(tree)
		if err != nil {
			return nil, &FileError{Position: o.where, Path: o.path, Message: err.Error()}
		}
		tree = changed
	}
	for _, o := range changes {
		if ferr := sweptAway(s, tree, o); ferr != nil {
			return nil, ferr
		}
	}
	sc, err := study(s, tree, cat, len(overrides) > 0)
	if err == nil && slices.ContainsFunc(sc.Claims, func(c Claim) bool { return c.unfit != "" }) {
		// A check that does not fit the file as it is either is a mistake.
		if _, err := Parse(name, src, cat, nil); err != nil {
			return nil, err
		}
	}
	return sc, err
}

// scenarioTree parses the file.
func (s *source) scenarioTree() (*node, error) {
	tree, err := s.parse()
	switch {
	case err != nil:
		return nil, err
	case tree == nil || tree.kind == nullNode:
		return nil, s.fail(s.at(1, 1), "", "simulate new FILE writes a scenario to start from", "the file is empty")
	case tree.kind != mapNode:
		return nil, s.fail(tree.pos, "", "simulate new FILE writes a scenario to start from", "a scenario is a section of keys, as in version: 1; this is %s", tree.kind)
	}
	return tree, nil
}

// sweptAway returns an error if the sweep replaces what o sets, which would then
// change nothing.
func sweptAway(s *source, tree *node, o override) *FileError {
	if list := tree.child(pointsKey); list != nil && o.steps[0].key != pointsKey {
		for _, point := range list.value.items {
			for _, c := range point.entries {
				steps, err := parsePath(c.key)
				if err == nil && len(steps) <= len(o.steps) && slices.Equal(steps, o.steps[:len(steps)]) {
					return s.fail(o.where, o.path, "", "the points set %s, at %v: this would change nothing", c.key, c.keyPos)
				}
			}
		}
	}
	sweep := tree.child("sweep")
	if sweep == nil {
		return nil
	}
	for _, axis := range sweep.value.entries {
		steps, err := parsePath(axis.key)
		if err == nil && len(steps) <= len(o.steps) && slices.Equal(steps, o.steps[:len(steps)]) {
			return s.fail(o.where, o.path, fmt.Sprintf(`write --set 'sweep["%s"]=[...]'`, axis.key), "the sweep sets %s, at %v: this would change nothing", axis.key, axis.keyPos)
		}
	}
	return nil
}

// study reads the scenario and, where it has a sweep, checks every point of it.
func study(s *source, tree *node, cat *Catalog, set bool) (*Scenario, error) {
	r := &reader{src: s, cat: cat}
	axes := r.sweep(tree)
	if len(r.errs) > 0 {
		return nil, r.err()
	}
	base, err := axes.point(s, tree, axes.first())
	if err != nil {
		return nil, err
	}
	sc := r.scenario(base)
	if len(r.errs) > 0 {
		return nil, r.err()
	}
	sc.tree, sc.List, sc.Sweep, sc.set = tree, axes.list(), axes.axes(), set
	for _, index := range axes.checked(tree) {
		point, err := axes.point(s, tree, index)
		if err != nil {
			return nil, err
		}
		p := &reader{src: s, cat: cat, place: axes.place(index)}
		p.scenario(point)
		if len(p.errs) > 0 {
			return nil, p.err()
		}
	}
	if r.checks(sc, axes); len(r.errs) > 0 {
		return nil, r.err()
	}
	return sc, nil
}

// LoadSmall is Load for the small form of a scenario: with the values that it gives
// under small, and without the claims that only its full form can show. A scenario that
// gives none is its own small form.
func LoadSmall(path string, cat *Catalog) (*Scenario, error) {
	text, err := ReadFile(path)
	if err != nil {
		return nil, err
	}
	s := newSource(path, text)
	tree, err := s.scenarioTree()
	if err != nil {
		return nil, err
	}
	if tree.child("small") == nil {
		return Parse(path, text, cat, nil)
	}
	return smallForm(s, tree, cat)
}

// smallForm reads the small form.
func smallForm(s *source, tree *node, cat *Catalog) (*Scenario, error) {
	e := tree.child("small")
	r := &reader{src: s, cat: cat}
	if e.value.kind != mapNode || len(e.value.entries) == 0 {
		r.wrongKind("small", e.value, e.keyPos, "a map of keys to values", "write small: {topology.nodes: 4, seeds: 1}")
		return nil, r.err()
	}
	tree = without(tree, "small")
	for _, c := range e.value.entries {
		at := "small." + c.key
		steps, err := parsePath(c.key)
		if err != nil {
			return nil, s.fail(c.keyPos, at, "", "%v", err)
		}
		if slices.Contains([]string{"version", "name", "about", "claims", "tables", "small"}, steps[0].key) {
			return nil, s.fail(c.keyPos, at, "", "%s stays the same in the small form", steps[0].key)
		}
		if c.value.kind == nullNode {
			return nil, s.fail(c.keyPos, at, "", "the key has no value")
		}
		o := override{path: c.key, steps: steps, value: c.value, where: c.keyPos}
		changed, err := o.apply(tree)
		if err != nil {
			return nil, s.fail(c.keyPos, at, "", "%v", err)
		}
		if ferr := sweptAway(s, changed, o); ferr != nil {
			ferr.Path, ferr.Hint = at, "change the sweep itself"
			return nil, ferr
		}
		tree = changed
	}
	if list := tree.child("claims"); list != nil && list.value.kind == listNode {
		kept := *list.value
		kept.items = slices.DeleteFunc(slices.Clone(kept.items), func(n *node) bool {
			c := n.child("small")
			return c != nil && plain(c.value) == false
		})
		entries := slices.Clone(tree.entries)
		for i := range entries {
			if entries[i].key == "claims" {
				entries[i].value = &kept
			}
		}
		changed := *tree
		changed.entries = entries
		tree = &changed
	}
	sc, err := study(s, tree, cat, false)
	var one *FileError
	var many FileErrors
	switch {
	case errors.As(err, &many):
	case errors.As(err, &one):
		many = FileErrors{one}
	}
	for _, e := range many {
		e.Message += " (in the small form)"
	}
	return sc, err
}

// err returns what was found wrong, in the order of the file.
func (r *reader) err() error {
	slices.SortStableFunc(r.errs, func(a, b *FileError) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Column - b.Column
	})
	for _, e := range r.errs {
		if r.place != "" {
			e.Message += " (at the grid point " + r.place + ")"
		}
	}
	if len(r.errs) == 1 {
		return r.errs[0]
	}
	return r.errs
}

// scenario reads the whole tree.
func (r *reader) scenario(tree *node) *Scenario {
	a := r.section("", "", tree, r.src.at(1, 1), scenarioParams())
	if v := tree.child("version"); v != nil && a.Given("version") && a.Int("version") > 1 {
		r.fail(v.value.pos, "version", "", "the file has version %d; this program reads version 1", a.Int("version"))
	}
	s := &Scenario{
		Version: a.Int("version"), Name: a.String("name"), About: strings.TrimSpace(a.String("about")),
		Wire: "float64", file: r.src.name, src: r.src, tree: tree, cat: r.cat,
	}
	if s.Name == "" {
		s.Name = strings.TrimSuffix(filepath.Base(r.src.name), filepath.Ext(r.src.name))
	}
	s.Seeds = r.seeds(tree)
	if e := tree.child("topology"); e != nil {
		s.Topology = r.topology(e)
	}
	s.Network = r.network(tree.child("network"), a.Section("network"), s.Topology.Nodes)
	s.Compute = r.compute(tree.child("compute"), a.Section("compute"), s.Topology.Nodes)
	if e := tree.child("wire"); e != nil {
		s.Wire = r.wire(e)
	}
	if e := tree.child("problem"); e != nil {
		s.Problem = r.problem(e)
	}
	if e := tree.child("algorithms"); e != nil {
		s.Algorithms = r.algorithms(e)
	}
	s.Stop = r.stop(a)
	s.Record = r.record(a.Section("record"))
	if e := tree.child("claims"); e != nil {
		s.Claims = r.claims(e, a)
	}
	if e := tree.child("tables"); e != nil {
		s.Tables = r.tables(e, a)
	}
	if e := tree.child("small"); e != nil && e.value.kind == mapNode {
		for _, c := range e.value.entries {
			s.Small = append(s.Small, Setting{c.key, plain(c.value)})
		}
	}
	return s
}

func (r *reader) wire(e *entry) string {
	p := scenarioParam("wire")
	p.Kind = Enum
	if c := e.value.child("compress"); c != nil {
		r.fail(c.keyPos, "wire.compress", "", "not yet: compressed messages belong to a later version")
		return ""
	}
	v, ok := r.value("wire", *e, p)
	if !ok {
		return ""
	}
	return v.(string)
}

func scenarioParam(name string) Param {
	for _, p := range scenarioParams() {
		if p.Name == name {
			return p
		}
	}
	panic("scenarios: no key " + name)
}

// maxSeeds bounds what `seeds: k` may ask for.
const maxSeeds = 10000

func (r *reader) seeds(tree *node) []uint64 {
	one, many := tree.child("seed"), tree.child("seeds")
	switch {
	case one != nil && many != nil:
		r.fail(many.keyPos, "seeds", "keep one of the two", "seed and seeds are both given")
		return nil
	case one != nil:
		if one.value.kind != scalarNode {
			r.wrongKind("seed", one.value, one.keyPos, "a whole number", "seeds: [1, 2, 3] takes several")
			return nil
		}
		v, _ := r.seed("seed", one.value)
		return []uint64{v}
	case many == nil:
		return []uint64{1}
	case many.value.kind == scalarNode:
		k, ok := r.int("seeds", many.value, Param{Range: Between(1, maxSeeds)})
		if !ok {
			return nil
		}
		var seeds []uint64
		for i := range k.(int) {
			seeds = append(seeds, uint64(i)+1)
		}
		return seeds
	}
	return r.seedList(many)
}

func (r *reader) seedList(e *entry) []uint64 {
	if e.value.kind != listNode || len(e.value.items) == 0 {
		r.wrongKind("seeds", e.value, e.keyPos, "a number of replicates or a list of seeds", "write seeds: 10 or seeds: [1, 2, 3]")
		return nil
	}
	if n := len(e.value.items); n > maxSeeds {
		r.fail(e.value.pos, "seeds", "", "%d seeds; at most %d", n, maxSeeds)
		return nil
	}
	var seeds []uint64
	for i, item := range e.value.items {
		path := fmt.Sprintf("seeds[%d]", i)
		if item.kind != scalarNode {
			r.wrongKind(path, item, e.keyPos, "a whole number", "")
			return nil
		}
		v, ok := r.seed(path, item)
		if !ok {
			return nil
		}
		if slices.Contains(seeds, v) {
			r.fail(item.pos, path, "", "the seed %d is given twice: its runs would be equal", v)
			return nil
		}
		seeds = append(seeds, v)
	}
	return seeds
}

// seed reads a whole number of up to 64 bits.
func (r *reader) seed(path string, n *node) (uint64, bool) {
	if v, err := strconv.ParseUint(n.text, 10, 64); err == nil && !n.quoted && (n.text == "0" || n.text[0] != '0') {
		return v, true
	}
	v, ok := r.int(path, n, Param{Range: AtLeast(0)})
	if !ok {
		return 0, false
	}
	return uint64(v.(int)), true
}

func (r *reader) stop(a Args) Stop {
	if !a.Has("stop") {
		return Stop{Growth: defaultGrowth}
	}
	s := a.Section("stop")
	stop := Stop{Iterations: s.Int("iterations"), Time: duration(s, "time"), Payload: size(s, "payload"), Growth: s.Float("growth")}
	for _, m := range measure.Metrics() {
		if s.Has(m.Name) {
			stop.Metrics = append(stop.Metrics, condition(m.Name, s.Float(m.Name)))
		}
		if s.Given("target") && s.Section("target").Has(m.Name) {
			stop.Target = append(stop.Target, condition(m.Name, s.Section("target").Float(m.Name)))
		}
	}
	return stop
}

func (r *reader) record(a Args) Record {
	if a.params == nil { // what is wrong with it was told
		return Record{}
	}
	return Record{Every: a.Int("every"), Metrics: a.Strings("metrics"), Iterates: a.String("iterates")}
}

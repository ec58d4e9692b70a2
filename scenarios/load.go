package scenarios

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/keys"
)

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

// form is how a scenario is read.
type form uint8

const (
	wholeFile    form = iota // as it is in the file: all of it is checked
	smallFile                // its small form
	changedFile              // with overrides: its small form, claims and settings may no longer fit
	resolvedFile             // with all defaults written out, as a result has it
)

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
		cat: r.cat,
	}
	if s.Name == "" {
		s.Name = strings.TrimSuffix(filepath.Base(r.Src.Name), filepath.Ext(r.Src.Name))
	}
	s.Seeds, s.DataSeed = r.seeds(tree)
	if t := a.Section("topology"); t.Read() {
		s.Topology = r.topology(t)
	}
	if s.Network.Read() {
		r.network(s.Network, s.Topology.Nodes)
	}
	if a.Given("platform") {
		s.Platform = a.Section("platform")
		s.links = sync.OnceValues(s.makePlatform)
	}
	s.Place = a.Strings("place")
	r.platform(a, s)
	if s.Compute.Read() {
		r.compute(s.Compute, s.Topology.Nodes)
	}
	if a.Given("tariffs") && a.Section("tariffs").Read() {
		s.Tariffs = a.Section("tariffs")
		r.tariffs(s)
	}
	if a.Given("faults") {
		s.Faults = a.Section("faults")
		if s.Faults.Read() {
			r.faults(s.Faults, s.Topology.Nodes)
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

// maxSeeds bounds what `seeds: k` may ask for.
const maxSeeds = 10000

// seeds returns the seeds of the runs, and that of the data where it is one of its own.
func (r *reader) seeds(tree *keys.Value) (runs []uint64, data *uint64) {
	one, many := tree.Child("seed"), tree.Child("seeds")
	switch {
	case one != nil && many != nil:
		r.Fail(many.KeyPos, "seeds", "keep one of the two", "seed and seeds are both given")
		return nil, nil
	case one != nil:
		if one.Value.Shape != keys.Scalar {
			r.WrongKind("seed", one.Value, one.KeyPos, "a whole number", "seeds: [1, 2, 3] takes several")
			return nil, nil
		}
		v, _ := r.seed("seed", one.Value)
		return []uint64{v}, nil
	case many == nil:
		return []uint64{1}, nil
	case many.Value.Child("data") == nil:
		return r.seedList("seeds", many), nil
	}
	a := r.Section("seeds", "seeds", many.Value, many.KeyPos, seedParams())
	if f := a.Field("data"); f != nil {
		if f.Value.Shape != keys.Scalar {
			r.WrongKind("seeds.data", f.Value, f.KeyPos, "a whole number", "write seeds: {data: 1, run: 10}")
			return nil, nil
		}
		v, _ := r.seed("seeds.data", f.Value)
		data = &v
	}
	if f := a.Field("run"); f != nil {
		return r.seedList("seeds.run", f), data
	}
	return []uint64{1}, data
}

// seedParams are the keys of seeds as a section.
func seedParams() []keys.Param {
	return []keys.Param{
		{Name: "data", Kind: keys.Int, Custom: true, Required: true, Example: "1"},
		{Name: "run", Kind: keys.Any, Custom: true, Example: "10"},
	}
}

// seedList reads a number of replicates or a list of seeds, in which 3..7 means 3, 4, 5, 6, 7.
func (r *reader) seedList(path string, e *keys.Field) []uint64 {
	var seeds []uint64
	items := e.Value.Items
	switch {
	case e.Value.Shape == keys.Scalar && !strings.Contains(e.Value.Text, ".."):
		k, ok := r.Int(path, e.Value, keys.Param{Range: keys.Between(1, maxSeeds)})
		if !ok {
			return nil
		}
		for i := range k.(int) {
			seeds = append(seeds, uint64(i)+1)
		}
		return seeds
	case e.Value.Shape == keys.Scalar:
		items = []*keys.Value{e.Value}
	case e.Value.Shape != keys.List || len(items) == 0:
		r.WrongKind(path, e.Value, e.KeyPos, "a number of replicates or a list of seeds",
			"write seeds: 10 or seeds: [1, 2, 3]")
		return nil
	}
	if n := len(items); n > maxSeeds {
		r.Fail(e.Value.Pos, path, "", "%d seeds; at most %d", n, maxSeeds)
		return nil
	}
	have := map[uint64]bool{}
	for i, item := range items {
		at := fmt.Sprintf("%s[%d]", path, i)
		if item.Shape != keys.Scalar {
			r.WrongKind(at, item, e.KeyPos, "a whole number", "")
			return nil
		}
		first, last, ok := r.seedSpan(at, item)
		if !ok {
			return nil
		}
		for v := first; ; v++ {
			if have[v] {
				r.Fail(item.Pos, at, "", "the seed %d is given twice: the runs would be the same", v)
				return nil
			}
			have[v] = true
			if seeds = append(seeds, v); v == last {
				break
			}
		}
		if n := len(seeds); n > maxSeeds {
			r.Fail(e.Value.Pos, path, "", "%d seeds; at most %d", n, maxSeeds)
			return nil
		}
	}
	return seeds
}

// seedSpan reads one seed, or a span of them, 3..7.
func (r *reader) seedSpan(path string, n *keys.Value) (first, last uint64, ok bool) {
	low, high, span := strings.Cut(n.Text, "..")
	if !span {
		first, ok = r.seed(path, n)
		return first, first, ok
	}
	first, err := strconv.ParseUint(low, 10, 64)
	last, err2 := strconv.ParseUint(high, 10, 64)
	if err != nil || err2 != nil || last < first || last-first >= maxSeeds {
		r.Fail(n.Pos, path, "write 1..10 for the seeds 1 to 10", "want a seed or a span of at most %d seeds, got %s",
			maxSeeds,
			n.Text)
		return 0, 0, false
	}
	return first, last, true
}

// seed reads a whole number of up to 64 bits.
func (r *reader) seed(path string, n *keys.Value) (uint64, bool) {
	if v, err := strconv.ParseUint(n.Text, 10, 64); err == nil && !n.Quoted && (n.Text == "0" || n.Text[0] != '0') {
		return v, true
	}
	v, ok := r.Int(path, n, keys.Param{Range: keys.AtLeast(0)})
	if !ok {
		return 0, false
	}
	return uint64(v.(int)), true
}

// reader reads a scenario: the keys by their declarations, and then what must fit
// together.
type reader struct {
	*keys.Reader
	cat *catalog.Catalog
	as  form
}

func newReader(s *keys.Source, cat *catalog.Catalog, point string) *reader {
	all := sync.OnceValue(func() []keys.Param { return cat.Declared(Keys) })
	return &reader{Reader: &keys.Reader{Src: s, GridPoint: point, Keys: all}, cat: cat}
}

// at returns a reader of a grid point, with the same declarations: ten thousand points
// share one copy of them.
func (r *reader) at(point string) *reader {
	return &reader{Reader: &keys.Reader{Src: r.Src, GridPoint: point, Keys: r.Keys}, cat: r.cat}
}

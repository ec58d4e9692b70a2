package spec

import (
	"errors"
	"fmt"
	"slices"

	"tallynet/scenarios/catalog"
	"tallynet/scenarios/facts"
	"tallynet/scenarios/keys"
)

// Load reads and checks the scenario file at path. Overrides are --set texts such as "network.latency=2ms"; they are
// applied in order before anything is checked. The error is a *keys.FileError, or keys.FileErrors if there are
// several.
func Load(path string, cat *catalog.Catalog, overrides []string) (*Scenario, error) {
	text, err := keys.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Parse(path, text, cat, overrides)
}

// Parse reads and checks the scenario in src. The name stands for the file in errors, and paths in the scenario are
// relative to its folder. See Load.
func Parse(name string, src []byte, cat *catalog.Catalog, overrides []string) (*Scenario, error) {
	if len(overrides) > 0 {
		return parse(name, src, cat, overrides, overriddenFile)
	}
	return parse(name, src, cat, nil, wholeFile)
}

// ParseResolved parses a resolved scenario from a result. It does not check the small form, which is relative to the
// original file.
func ParseResolved(name string, src []byte, cat *catalog.Catalog) (*Scenario, error) {
	return parse(name, src, cat, nil, resolvedFile)
}

// LoadSmall is like Load for the small form of a scenario: it applies the changes that the section small lists, and
// leaves out the claims and tables marked small: false. Without that section the scenario is its own small form.
func LoadSmall(path string, cat *catalog.Catalog) (*Scenario, error) {
	return LoadVariant(path, cat, facts.Variant{}, true)
}

// LoadVariant is like Load for a reading of the paper that a scenario reproduces, or for its small form.
func LoadVariant(path string, cat *catalog.Catalog, v facts.Variant, small bool) (*Scenario, error) {
	text, err := keys.ReadFile(path)
	if err != nil {
		return nil, err
	}
	s := keys.NewSource(path, text)
	tree, err := scenarioTree(s)
	if err != nil {
		return nil, err
	}
	small = small && tree.Child("small") != nil
	if v.Names == nil && !small {
		return Parse(path, text, cat, nil)
	}
	if tree, err = changed(s, tree, v.Changes, "reading"); err != nil {
		return nil, err
	}
	if !small {
		return readStudy(s, tree, cat, smallFile, v)
	}
	return smallForm(s, tree, cat, v)
}

func parse(name string, src []byte, cat *catalog.Catalog, overrides []string, mode readMode) (*Scenario, error) {
	s := keys.NewSource(name, src)
	tree, err := scenarioTree(s)
	if err != nil {
		return nil, err
	}
	if mode == wholeFile && tree.Child("small") != nil {
		if _, err := smallForm(s, tree, cat, facts.Variant{}); err != nil {
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
		if tree, err = o.Apply(tree); err != nil {
			return nil, &keys.FileError{FilePosition: o.Where, Path: o.Path, Message: err.Error()}
		}
	}
	for _, o := range changes {
		if ferr := checkEffective(s, tree, o); ferr != nil {
			return nil, ferr
		}
	}
	sc, err := readStudy(s, tree, cat, mode, facts.Variant{})
	if err == nil && slices.ContainsFunc(sc.Claims, func(c ClaimSpec) bool { return c.unfit != "" }) {
		// A check that is invalid without the overrides too is an error of the file.
		if _, err := Parse(name, src, cat, nil); err != nil {
			return nil, err
		}
	}
	return sc, err
}

// scenarioTree parses the YAML of a scenario.
func scenarioTree(s *keys.Source) (*keys.Value, error) {
	const hint = "simulate new FILE writes a scenario to start from"
	tree, err := s.Parse()
	switch {
	case err != nil:
		return nil, err
	case tree == nil || tree.Shape == keys.Null:
		return nil, s.Fail(s.At(1, 1), "", hint, "the file is empty")
	case tree.Shape != keys.Map:
		return nil, s.Fail(tree.Pos, "", hint, "want a section of keys, as in version: 1, got %s", tree.Shape)
	}
	return tree, nil
}

// checkEffective returns an error if the sweep or the list of points replaces what o sets.
func checkEffective(s *keys.Source, tree *keys.Value, o keys.Override) *keys.FileError {
	replaces := func(key string) bool {
		steps, err := keys.ParsePath(key)
		return err == nil && key != "name" && len(steps) <= len(o.Steps) && slices.Equal(steps, o.Steps[:len(steps)])
	}
	if list := tree.Child(pointsKey); list != nil && o.Steps[0].Key != pointsKey {
		for _, point := range list.Value.Items {
			for _, c := range point.Fields {
				if replaces(c.Key) {
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
		if replaces(axis.Key) {
			return s.Fail(o.Where, o.Path, fmt.Sprintf("write --set 'sweep.%s=[...]'", axis.Key),
				"the sweep sets %s, at %v: this would change nothing", axis.Key, axis.KeyPos)
		}
	}
	return nil
}

// readStudy reads a scenario at the first point of its grid and checks the other points.
func readStudy(s *keys.Source, tree *keys.Value, cat *catalog.Catalog, mode readMode, v facts.Variant) (*Scenario,
	error) {
	r := newReader(s, cat)
	r.mode = mode
	axes := r.sweep(tree)
	if len(r.Errs) > 0 {
		return nil, r.Err()
	}
	base, err := axes.point(s, tree, axes.index(0))
	if err != nil {
		return nil, err
	}
	sc := r.scenario(base)
	if len(r.Errs) > 0 {
		return nil, r.Err()
	}
	sc.tree, sc.List, sc.Sweep, sc.overridden = tree, axes.list(), axes.axes(), mode == overriddenFile
	for _, index := range axes.checked(tree) {
		if _, err := r.scenarioAt(tree, axes, index); err != nil {
			return nil, err
		}
	}
	sc.Variant = v
	r.readAsk(sc)
	r.readFacts(sc)
	r.compareSettings(sc)
	r.compileExpressions(sc, axes)
	if len(r.Errs) > 0 {
		return nil, r.Err()
	}
	return sc, nil
}

// smallForm reads the small form of the scenario in tree, which has a section small.
func smallForm(s *keys.Source, tree *keys.Value, cat *catalog.Catalog, v facts.Variant) (*Scenario, error) {
	e := tree.Child("small")
	if e.Value.Shape != keys.Map || len(e.Value.Fields) == 0 {
		r := newReader(s, cat)
		r.WrongKind("small", e.Value, e.KeyPos, "a map of keys to values", "write small: {topology.nodes: 4, seeds: 1}")
		return nil, r.Err()
	}
	tree, err := changed(s, keys.Without(tree, "small"), e.Value.Fields, "small")
	if err != nil {
		return nil, err
	}
	tree = withoutFull(withoutFull(tree, "claims"), "tables")
	sc, err := readStudy(s, tree, cat, smallFile, v)
	many, _ := errors.AsType[keys.FileErrors](err)
	if one, ok := errors.AsType[*keys.FileError](err); ok && many == nil {
		many = keys.FileErrors{one}
	}
	for _, e := range many {
		e.Message += " (in the small form)"
	}
	return sc, err
}

// changed applies the changes of a small form or of a reading. What the file is about stays the same.
func changed(s *keys.Source, tree *keys.Value, changes []keys.Field, what string) (*keys.Value, error) {
	unchanged := []string{"version", "name", "about", "ask", "paper", "readings", "why", "claims", "tables", "figures",
		"settings", "small"}
	for _, c := range changes {
		at := what + "." + c.Key
		steps, err := keys.ParsePath(c.Key)
		switch {
		case err != nil:
			return nil, s.Fail(c.KeyPos, at, "", "%v", err)
		case slices.Contains(unchanged, steps[0].Key):
			return nil, s.Fail(c.KeyPos, at, "", "%s stays the same in the %s form", steps[0].Key, what)
		case c.Value.Shape == keys.Null:
			return nil, s.Fail(c.KeyPos, at, "", "the key has no value")
		}
		o := keys.Override{Path: c.Key, Steps: steps, Value: c.Value, Where: c.KeyPos}
		if tree, err = o.Apply(tree); err != nil {
			return nil, s.Fail(c.KeyPos, at, "", "%v", err)
		}
		if ferr := checkEffective(s, tree, o); ferr != nil {
			ferr.Path, ferr.Hint = at, "change the sweep itself"
			return nil, ferr
		}
	}
	return tree, nil
}

// withoutFull removes the items of a list that have small: false.
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
	return tree.With(keys.Field{Key: section, KeyPos: list.KeyPos, Value: &kept})
}

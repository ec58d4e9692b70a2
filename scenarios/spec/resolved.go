package spec

import (
	"slices"
	"strings"

	"tallynet/metrics/jsonio"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/sections"
)

// YAML returns the resolved scenario as a file that can be loaded again.
func (s *Scenario) YAML() ([]byte, error) { return keys.YAML(s.Resolved()) }

// Resolved returns the scenario with all defaults filled in, in the order of the file format and with units. It
// marshals to JSON and YAML; loading either gives an equal scenario.
func (s *Scenario) Resolved() jsonio.Object {
	o := jsonio.Of("version", s.Version, "name", s.Name)
	addNonZero(&o, "about", s.About)
	if s.Ask != nil {
		o.Add("ask", keys.Plain(s.tree.Child("ask").Value))
	}
	o = append(o, s.resolvedSeeds())
	for _, name := range []string{"topology", "platform", "place", "network", "compute", "tariffs", "dynamics", "faults",
		"silence", "wire", "problem", "algorithms", "stop", "record"} {
		if value, ok := s.resolvedSection(name); ok {
			o.Add(name, value)
		}
	}
	if len(s.Sweep) > 0 {
		o.Add("sweep", resolvedAxes(s.Sweep))
	}
	addList(&o, pointsKey, resolvedList(s.List, (*ListedPoint).resolved))
	addNonZero(&o, "paper", s.PaperID)
	addList(&o, "readings", s.Readings)
	if s.Why != nil {
		o.Add("why", s.Why)
	}
	addList(&o, "claims", resolvedList(s.Claims, (*ClaimSpec).resolved))
	addList(&o, "tables", resolvedList(s.Tables, (*TableSpec).resolved))
	addList(&o, "figures", resolvedList(s.Figures, (*FigureSpec).resolved))
	addList(&o, "settings", s.resolvedSettings())
	if len(s.Small) > 0 && !s.overridden { // the overrides may make it invalid
		o.Add("small", resolvedValues(s.Small))
	}
	return o
}

// section returns the section of a name. It is not read if the scenario does not have it.
func (s *Scenario) section(name string) keys.Args {
	return map[string]keys.Args{
		"topology": s.Topology.Args,
		"platform": s.Platform,
		"network":  s.Network,
		"compute":  s.Compute,
		"tariffs":  s.Tariffs,
		"dynamics": s.Dynamics,
		"faults":   s.Faults,
		"silence":  s.Silence,
		"wire":     s.Compress,
		"problem":  s.Problem.Args,
		"stop":     s.Stop,
		"record":   s.Record,
	}[name]
}

// resolvedSection returns the value of a key that affects the runs, as a file gives it. It returns false if the
// scenario does not have the key.
//
// If the sweep changes a section, only what the file gives is written, since a default that is valid at the first
// point may be invalid at others.
func (s *Scenario) resolvedSection(name string) (any, bool) {
	if s.listed(name) {
		// Points share nothing but what the file gives.
		given := s.tree.Child(name)
		if given == nil {
			return nil, false
		}
		return keys.Plain(given.Value), true
	}
	swept := s.swept(name)
	which := keys.Which{OnlyGiven: swept}
	switch name {
	case "place":
		return s.Place, len(s.Place) > 0
	case "wire":
		return s.WireValue(), true
	case "algorithms":
		resolve := func(a *AlgorithmSpec) jsonio.Object { return a.resolved(swept) }
		return resolvedList(s.Algorithms, resolve), true
	case "platform":
		which.NoDerived = s.swept("topology") || s.listed("topology")
	case "compute", "tariffs":
		which = keys.Which{NoDerived: swept}
	case "network":
		which = keys.Which{NoDerived: swept, OnlyGiven: s.listed("platform")}
		if s.Platform.Read() {
			which.Except = sections.DedicatedLinkKeys()
		}
	case "stop":
		which = keys.Which{}
	case "record":
		which = keys.Which{}
		if s.Record.Read() && s.Record.Given("interval") {
			which.Except = []string{"every"}
		}
	}
	a := s.section(name)
	return a.Resolved(which), a.Read()
}

// WireValue returns the key wire as a file gives it.
func (s *Scenario) WireValue() any {
	if !sections.Compresses(s.Wire) {
		return s.Wire
	}
	return s.Compress.Resolved(keys.Which{OnlyGiven: s.swept("wire")})
}

// swept reports whether the sweep changes something in a section.
func (s *Scenario) swept(section string) bool {
	return slices.ContainsFunc(s.Sweep, func(a Axis) bool { return within(section, a.Key) })
}

// listed reports whether the list of points changes something in a section.
func (s *Scenario) listed(section string) bool {
	return slices.ContainsFunc(s.List, func(p ListedPoint) bool {
		return slices.ContainsFunc(p.Values, func(c GridValue) bool { return within(section, c.Key) })
	})
}

// within reports whether a key is a section or in it.
func within(section, key string) bool {
	rest, ok := strings.CutPrefix(key, section)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// resolvedList returns the resolved form of the items, without those that have none.
func resolvedList[T any](items []T, resolve func(*T) jsonio.Object) []jsonio.Object {
	var list []jsonio.Object
	for i := range items {
		if o := resolve(&items[i]); o != nil {
			list = append(list, o)
		}
	}
	return list
}

// withList returns a section with the value of a key, which has none if the list is nil.
func withList[T any](a keys.Args, key string, list []T) keys.Args {
	if list == nil {
		return a.Without(key)
	}
	return a.With(key, list)
}

// addNonZero adds a key unless its value is zero.
func addNonZero[T comparable](o *jsonio.Object, key string, value T) {
	var zero T
	if value != zero {
		o.Add(key, value)
	}
}

// addList adds a key unless its list is nil.
func addList[T any](o *jsonio.Object, key string, list []T) {
	if list != nil {
		o.Add(key, list)
	}
}

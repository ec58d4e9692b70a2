package spec

import (
	"fmt"
	"slices"
	"strings"

	"tallynet/metrics/jsonio"
	"tallynet/metrics/report/result"
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/measure"
)

// askCosts are the words of ask.by for costs, with what Question.By has for them.
var askCosts = []struct{ word, id string }{{"time", "time_s"}, {"bytes", "payload_bytes"},
	{"iterations", "iterations"}, {"rounds", "rounds"}, {"gradients", "gradients"}, {"energy", "energy_j"},
	{"money", "money"}}

// askKey declares the question of a study.
func askKey(cat *catalog.Catalog) keys.Param {
	list := func(name, example, about string) keys.Param {
		return keys.Param{Name: name, Kind: keys.Strings, Example: example, About: about}
	}
	p := []keys.Param{
		list("choose", "[topology.kind, algorithm]", "what is to be decided: swept keys, sections of them, points, "+
			"algorithm for the method, or parameters for those of a tuning"),
		list("effect", "[network.latency, network.bandwidth]", "instead, keys whose effect on the costs is asked"),
		list("of", "algorithm", "what they act on, in the same form"),
		list("by", "[time, bytes]", "the costs that decide, or metrics at the end; each splits ties of those before it"),
		{Name: "to", Kind: keys.Any, Custom: true, Example: "{grad_norm2: 1e-4, kept: true}", Derived: "the first target",
			Takes: "stop.target, or a map of metrics to levels such as 1e-4 or 1.1 x floor",
			About: "the accuracy at which costs count, as it is stated; kept: true if it must hold to the end of the run; " +
				"the floor is the least value at which a run of the same seed and problem ends",
			Schema: jsonio.Of("anyOf", []jsonio.Object{jsonio.Of("const", "stop.target"), mapSchema()})},
		list("along", "[network.latency, to]", "what the answer may depend on: swept keys, sections of them, points, "+
			"numbers of the file that need not be swept, or to for the accuracy"),
	}
	p[1].Unless, p[2].With = "choose", "effect"
	for _, c := range askCosts {
		p[3].Enum = append(p[3].Enum, c.word)
	}
	p[3].Enum = append(p[3].Enum, measure.Names(cat.Metrics)...)
	return keys.Param{Name: "ask", Kind: keys.Section, About: "the question that the study answers", Params: p}
}

// readAsk reads the question of a study, whose sweep is known. What the file leaves out stays empty, except for the
// target.
func (r *reader) readAsk(s *Scenario) {
	a, q, taken := s.ask, &result.Question{Given: true}, map[string]bool{}
	if !a.Read() {
		return
	}
	a.Fill(q)
	for k, list := range []*[]string{&q.Choose, &q.Effect, &q.Of, &q.Along} {
		role := []string{"choose", "effect", "of", "along"}[k]
		names := s.askable(role)
		for i, word := range a.Strings(role) {
			pos, path := itemOf(a, role, i)
			meant := s.meant(word, names)
			if len(meant) == 0 {
				r.Fail(pos, path, keys.DidYouMean(word, names), "nothing that may stand here is called %s", word)
			}
			for _, name := range meant {
				if taken[name] {
					r.Fail(pos, path, "keep one of the two", "the question names %s twice", name)
					break
				}
				taken[name] = true
			}
			if word == pointsKey && role != "along" { // the answer knows their keys only
				*list = slices.DeleteFunc(append(slices.Clone(*list), meant...), func(o string) bool { return o == pointsKey })
			}
		}
	}
	q.By = slices.Clone(q.By)
	for i, word := range q.By {
		pos, path := itemOf(a, "by", i)
		if slices.Contains(a.Strings("by")[:i], word) {
			r.Fail(pos, path, "keep one of the two", "the question names %s twice", word)
		}
		priced := s.Tariffs.Read() || s.swept("tariffs") || s.listed("tariffs")
		if (word == "energy" || word == "money") && !priced {
			r.Fail(pos, path, "give tariffs: {machine: {idle: 50W, busy: 200W}} or such", "the scenario has no tariffs")
		}
		for _, c := range askCosts {
			if c.word == word {
				q.By[i] = c.id
			}
		}
	}
	q.To = r.askTarget(s)
	s.Ask = q
}

// itemOf returns the position and the path of an item of a list, which may be a single value.
func itemOf(a keys.Args, key string, i int) (keys.FilePosition, string) {
	if v := a.Field(key).Value; v.Shape == keys.List {
		return v.Items[i].Pos, fmt.Sprintf("%s[%d]", a.Path(key), i)
	}
	return a.PosOf(key), a.Path(key)
}

// askable returns what a role of a question may name, besides sections.
func (s *Scenario) askable(role string) []string {
	names := []string{result.TheMethod}
	if role == "choose" && slices.ContainsFunc(s.Algorithms, func(a AlgorithmSpec) bool { return a.Tune != nil }) {
		names = append(names, result.TheParameters)
	}
	for _, axis := range s.varied() {
		names = append(names, axis.Key)
	}
	if role != "along" {
		return names
	}
	names = append(names, result.TheLevel)
	for _, section := range []string{"topology", "dynamics", "platform", "network", "compute", "tariffs", "faults",
		"silence", "wire", "problem"} {
		for _, key := range s.section(section).Numbers() {
			if key = section + "." + key; !slices.Contains(names, key) {
				names = append(names, key)
			}
		}
	}
	return names
}

// meant returns the names that a word of a question stands for: itself, those in a section, or those of the points.
func (s *Scenario) meant(word string, names []string) (meant []string) {
	for _, name := range names {
		inPoints := func(a Axis) bool { return word == pointsKey && a.Key == name }
		if within(word, name) || slices.ContainsFunc(s.varied()[len(s.Sweep):], inPoints) {
			meant = append(meant, name)
		}
	}
	return meant
}

// askTarget reads the accuracy of a question. By default it is the first target of the scenario, if there is one.
func (r *reader) askTarget(s *Scenario) *result.Target {
	f, path, t := s.ask.Field("to"), s.ask.Path("to"), &result.Target{}
	all, example := s.Targets(), "write to: {grad_norm2: 1e-4, kept: true}"
	switch {
	case f == nil && len(all) == 0:
		return nil
	case f == nil, f.Value.Text == "stop.target" && len(s.StopTargets()) > 0:
		return &all[0]
	case f.Value.Text == "stop.target":
		r.Fail(f.Value.Pos, path, example, "no target stops the runs")
		return nil
	case f.Value.Shape != keys.Map || len(f.Value.Fields) == 0:
		r.WrongKind(path, f.Value, f.KeyPos, "stop.target, or metrics and their levels", example)
		return nil
	}
	for _, level := range f.Value.Fields {
		at, p := keys.JoinKey(path, level.Key), keys.Param{Name: level.Key, Kind: keys.Bool}
		multiple, relative := strings.CutSuffix(level.Value.Text, "floor")
		if metric := keys.Named(metricKeys(r.cat.Metrics), level.Key); metric != nil {
			p = *metric
		} else if level.Key != "kept" {
			r.Fail(level.KeyPos, at, keys.DidYouMean(level.Key, measure.Names(r.cat.Metrics)), "no metric has this name")
			continue
		}
		if relative {
			number := strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(multiple), "x"))
			level.Value = &keys.Value{Shape: keys.Scalar, Text: number, Pos: level.Value.Pos}
			p.Range, p.Example = keys.AtLeast(1), "1.1 x floor"
		}
		switch v, _ := r.Value(at, level, p); v := v.(type) {
		case bool:
			t.Kept = v
		case float64:
			c := conditionOn(r.cat.Metrics, level.Key, v)
			if c.Floor = relative; relative && c.Relation == ">=" {
				r.Fail(level.Value.Pos, at, "write a level, as in 0.9", "more is better: it has no floor")
			}
			t.Conditions = append(t.Conditions, c)
		}
	}
	if len(t.Conditions) == 0 && len(r.Errs) == 0 {
		r.Fail(f.KeyPos, path, example, "want a metric and its level")
	}
	return t
}

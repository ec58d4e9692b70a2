package scenarios

import (
	"encoding/json"
	"math"
	"strings"
	"tallynet/scenarios/measure"
)

// Schema returns the JSON Schema (draft 2020-12) of scenario files, for editors. It
// is made from the tables that check a file. It knows structure, names and ranges,
// not what must fit together; a kind's required keys are not required by it, since
// a sweep or a tuning grid may supply them.
func Schema(cat *Catalog) ([]byte, error) {
	top := schemaSection(scenarioParams(), true)
	props := top.get("properties").(Ordered)
	props.replace("version", Ordered{{"const", 1}, {"description", scenarioParam("version").About}})
	props.replace("seed", Ordered{{"type", "integer"}, {"minimum", 0}, {"description", scenarioParam("seed").About}})
	props.replace("seeds", Ordered{{"description", scenarioParam("seeds").About}, {"anyOf", []Ordered{
		{{"type", "integer"}, {"minimum", 1}, {"maximum", maxSeeds}},
		{{"type", "array"}, {"items", Ordered{{"type", "integer"}, {"minimum", 0}}}, {"minItems", 1}, {"uniqueItems", true}},
	}}})
	props.replace("wire", Ordered{{"enum", scenarioParam("wire").Enum}, {"description", scenarioParam("wire").About}})
	props.replace("sweep", schemaGrid(scenarioParam("sweep").About))

	weights := schemaChoice("kind", cat.weights(), nil)
	weights.get("anyOf").([]Ordered)[1].add("default", Ordered{{"kind", "metropolis"}})
	// A matrix alone is an explicit mixing matrix.
	weights.replace("anyOf", append(weights.get("anyOf").([]Ordered), Ordered{
		{"type", "object"}, {"properties", Ordered{{"matrix", schemaParam(Param{Kind: Matrix})}}},
		{"required", []string{"matrix"}}, {"additionalProperties", false},
	}))
	topology := []Param{
		{Name: "nodes", Kind: Int, Range: Between(1, 1e7), About: "the number of nodes"},
		{Name: "weights", Kind: special},
	}
	props.replace("topology", schemaChoice("kind", cat.topologies(), topology, Pair{"weights", Ordered{{"$ref", "#/$defs/weights"}}}))
	props.replace("problem", schemaChoice("kind", cat.problems(), nil))
	props.replace("algorithms", Ordered{{"type", "array"}, {"minItems", 1}, {"items", schemaAlgorithm(cat)}})
	props.get("claims").(Ordered).get("items").(Ordered).get("properties").(Ordered).replace("printed",
		Ordered{{"description", "the number or words there"}, {"type", []string{"number", "string"}}})
	props.get("tables").(Ordered).get("items").(Ordered).get("properties").(Ordered).get("rows").(Ordered).get("items").(Ordered).get("properties").(Ordered).
		replace("printed", Ordered{{"description", "what is printed there"}, {"type", "array"}, {"items", Ordered{{"type", []string{"number", "string"}}}}})
	props.replace(pointsKey, Ordered{{"description", scenarioParam(pointsKey).About}, {"type", "array"}, {"minItems", 1}, {"uniqueItems", true},
		{"items", Ordered{{"type", "object"}, {"minProperties", 1}}}})
	props.replace("small", Ordered{{"description", scenarioParam("small").About}, {"type", "object"}, {"minProperties", 1}})
	nested(props, "network").replace("jitter", schemaChoice("kind", jitterKinds(), nil))
	nested(props, "compute").replace("straggler", schemaChoice("kind", stragglerKinds(), nil))

	s := Ordered{
		{"$schema", "https://json-schema.org/draft/2020-12/schema"},
		{"title", "Tallynet scenario, version 1"},
	}
	s = append(s, top...)
	s.add("$defs", Ordered{{"weights", weights}})
	return json.MarshalIndent(s, "", "  ")
}

func (o Ordered) get(key string) any {
	for _, p := range o {
		if p.Key == key {
			return p.Value
		}
	}
	panic("scenarios: the schema has no " + key)
}

func (o Ordered) replace(key string, value any) {
	for i := range o {
		if o[i].Key == key {
			o[i].Value = value
			return
		}
	}
	panic("scenarios: the schema has no " + key)
}

func nested(props Ordered, key string) Ordered {
	return props.get(key).(Ordered).get("properties").(Ordered)
}

func schemaAlgorithm(cat *Catalog) Ordered {
	tune := schemaSection(tuneParams(), true)
	props := tune.get("properties").(Ordered)
	props.replace("grid", schemaGrid("the parameters to try, each with its values"))
	var metrics Ordered
	for _, m := range measure.Metrics() {
		metrics.add(m.Name, Ordered{{"type", "number"}, {"description", m.About}})
	}
	props.replace("to", Ordered{{"type", "object"}, {"properties", metrics}, {"additionalProperties", false}, {"minProperties", 1}})
	common := []Param{{Name: "label", Kind: String, About: "the name in tables and plots"}, {Name: "tune", Kind: special}}
	return schemaChoice("name", cat.algorithms(), common, Pair{"tune", tune})
}

func schemaGrid(about string) Ordered {
	return Ordered{{"type", "object"}, {"description", about}, {"minProperties", 1},
		{"additionalProperties", Ordered{{"type", "array"}, {"minItems", 1}, {"uniqueItems", true}}}}
}

// schemaSection is the schema of a section: only its own keys, and the required ones.
func schemaSection(params []Param, required bool) Ordered {
	props := Ordered{}
	var must []string
	for _, p := range params {
		if p.Later != "" {
			continue
		}
		props.add(p.Name, schemaParam(p))
		if required && p.Required {
			must = append(must, p.Name)
		}
	}
	o := Ordered{{"type", "object"}, {"properties", props}, {"additionalProperties", false}}
	if must != nil {
		o.add("required", must)
	}
	return o
}

// schemaChoice is the schema of a section whose key chooses the others. A single word
// stands for a section without other keys.
func schemaChoice(key string, entries []Entry, common []Param, special ...Pair) Ordered {
	var kinds []Ordered
	for _, e := range entries {
		names := entryNames([]Entry{e})
		s := schemaSection(append(append([]Param{{Name: key, Kind: String}}, common...), e.Params...), false)
		props := s.get("properties").(Ordered)
		props.replace(key, Ordered{{"enum", names}})
		for _, p := range special {
			props.replace(p.Key, p.Value)
		}
		kinds = append(kinds, append(Ordered{{"description", e.Summary}}, append(s, Pair{"required", []string{key}})...))
	}
	return Ordered{{"anyOf", []Ordered{{{"enum", entryNames(entries)}}, {{"oneOf", kinds}}}}}
}

// schemaParam is the schema of one value.
func schemaParam(p Param) Ordered {
	o := schemaKind(p)
	if p.About != "" {
		about := p.About
		if p.Only != "" {
			about += " (only with " + p.Only + ")"
		}
		o.add("description", about)
	}
	if p.Default != nil {
		o.add("default", written(p.Default))
	}
	return o
}

func schemaKind(p Param) Ordered {
	one := p
	list := func(kind Kind) Ordered {
		one.Kind = kind
		item := schemaKind(one)
		return Ordered{{"anyOf", []Ordered{{{"type", "array"}, {"items", item}}, item}}}
	}
	switch p.Kind {
	case Int:
		return append(Ordered{{"type", "integer"}}, schemaRange(p.Range)...)
	case Float:
		return append(Ordered{{"type", "number"}}, schemaRange(p.Range)...)
	case Bool:
		return Ordered{{"type", "boolean"}}
	case String, Path:
		return Ordered{{"type", "string"}, {"minLength", 1}}
	case Enum:
		return Ordered{{"enum", p.Enum}}
	case Ints:
		return list(Int)
	case Floats:
		return list(Float)
	case Strings:
		if len(p.Enum) > 0 {
			return list(Enum)
		}
		return list(String)
	case Matrix:
		return Ordered{{"type", "array"}, {"minItems", 1}, {"items", Ordered{{"type", "array"}, {"items", Ordered{{"type", "number"}}}}}}
	case Edges:
		return Ordered{{"type", "array"}, {"items", Ordered{{"type", "array"}, {"minItems", 2}, {"maxItems", 2},
			{"items", Ordered{{"type", "integer"}, {"minimum", 0}}}}}}
	case Duration:
		return schemaQuantity(times())
	case Bandwidth:
		return schemaQuantity(rates(), "unlimited")
	case Bytes:
		return schemaQuantity(sizes())
	case Flops:
		return schemaQuantity(speeds(), "unlimited")
	case Section:
		s := schemaSection(p.Params, true)
		if len(p.Each) > 0 {
			s = Ordered{{"anyOf", []Ordered{s, schemaKind(p.Params[0])}}}
		}
		return s
	case Sections:
		return Ordered{{"type", "array"}, {"items", schemaSection(p.Params, true)}}
	}
	return Ordered{}
}

func schemaRange(r Range) Ordered {
	var o Ordered
	if !r.set {
		return o
	}
	if !math.IsInf(r.Min, -1) {
		o.add(map[bool]string{false: "minimum", true: "exclusiveMinimum"}[r.OpenMin], r.Min)
	}
	if !math.IsInf(r.Max, 1) {
		o.add(map[bool]string{false: "maximum", true: "exclusiveMaximum"}[r.OpenMax], r.Max)
	}
	return o
}

// schemaQuantity is a text of a number and a unit, a word, or plain zero.
func schemaQuantity(d dimension, words ...string) Ordered {
	units := strings.Join(d.unitNames(), "|")
	pattern := `^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?\s*(` + units + ")$"
	any := []Ordered{{{"type", "string"}, {"pattern", pattern}}, {{"const", 0}}}
	if len(words) > 0 {
		any = append(any, Ordered{{"enum", words}})
	}
	return Ordered{{"anyOf", any}, {"examples", []string{d.example}}}
}

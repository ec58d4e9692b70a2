package scenarios

import (
	"encoding/json"
)

// Schema returns the JSON Schema (draft 2020-12) of scenario files, for editors. It
// is made from the tables that check a file. It knows structure, names and ranges,
// not what must fit together; a kind's required keys are not required by it, since
// a sweep or a tuning grid may supply them.
func Schema(cat *Catalog) ([]byte, error) {
	top := SchemaSection(scenarioParams(), true)
	props := top.Get("properties").(Ordered)
	props.Replace("version", Ordered{{"const", 1}, {"description", scenarioParam("version").About}})
	props.Replace("seed", Ordered{{"type", "integer"}, {"minimum", 0}, {"description", scenarioParam("seed").About}})
	props.Replace("seeds", Ordered{{"description", scenarioParam("seeds").About}, {"anyOf", []Ordered{
		{{"type", "integer"}, {"minimum", 1}, {"maximum", maxSeeds}},
		{{"type", "array"}, {"items", Ordered{{"type", "integer"}, {"minimum", 0}}}, {"minItems", 1}, {"uniqueItems", true}},
	}}})
	props.Replace("wire", Ordered{{"enum", scenarioParam("wire").Enum}, {"description", scenarioParam("wire").About}})
	props.Replace("sweep", SchemaGrid(scenarioParam("sweep").About))

	weights := SchemaChoice("kind", cat.WeightsEntries(), nil)
	weights.Get("anyOf").([]Ordered)[1].Add("default", Ordered{{"kind", "metropolis"}})
	// A matrix alone is an explicit mixing matrix.
	weights.Replace("anyOf", append(weights.Get("anyOf").([]Ordered), Ordered{
		{"type", "object"}, {"properties", Ordered{{"matrix", SchemaParam(Param{Kind: Matrix})}}},
		{"required", []string{"matrix"}}, {"additionalProperties", false},
	}))
	topology := []Param{
		{Name: "nodes", Kind: Int, Range: Between(1, 1e7), About: "the number of nodes"},
		{Name: "weights", Kind: Any},
	}
	props.Replace("topology", SchemaChoice("kind", cat.TopologyEntries(), topology, Pair{"weights", Ordered{{"$ref", "#/$defs/weights"}}}))
	props.Replace("problem", SchemaChoice("kind", cat.ProblemEntries(), nil))
	props.Replace("algorithms", Ordered{{"type", "array"}, {"minItems", 1}, {"items", schemaAlgorithm(cat)}})
	props.Get("claims").(Ordered).Get("items").(Ordered).Get("properties").(Ordered).Replace("printed",
		Ordered{{"description", "the number or words there"}, {"type", []string{"number", "string"}}})
	props.Get("tables").(Ordered).Get("items").(Ordered).Get("properties").(Ordered).Get("rows").(Ordered).Get("items").(Ordered).Get("properties").(Ordered).
		Replace("printed", Ordered{{"description", "what is printed there"}, {"type", "array"}, {"items", Ordered{{"type", []string{"number", "string"}}}}})
	props.Replace(pointsKey, Ordered{{"description", scenarioParam(pointsKey).About}, {"type", "array"}, {"minItems", 1}, {"uniqueItems", true},
		{"items", Ordered{{"type", "object"}, {"minProperties", 1}}}})
	props.Replace("small", Ordered{{"description", scenarioParam("small").About}, {"type", "object"}, {"minProperties", 1}})
	Nested(props, "network").Replace("jitter", SchemaChoice("kind", jitterKinds(), nil))
	Nested(props, "compute").Replace("straggler", SchemaChoice("kind", stragglerKinds(), nil))

	s := Ordered{
		{"$schema", "https://json-schema.org/draft/2020-12/schema"},
		{"title", "Tallynet scenario, version 1"},
	}
	s = append(s, top...)
	s.Add("$defs", Ordered{{"weights", weights}})
	return json.MarshalIndent(s, "", "  ")
}

func schemaAlgorithm(cat *Catalog) Ordered {
	tune := SchemaSection(tuneParams(), true)
	props := tune.Get("properties").(Ordered)
	props.Replace("grid", SchemaGrid("the parameters to try, each with its values"))
	var metrics Ordered
	for _, m := range Metrics() {
		metrics.Add(m.Name, Ordered{{"type", "number"}, {"description", m.About}})
	}
	props.Replace("to", Ordered{{"type", "object"}, {"properties", metrics}, {"additionalProperties", false}, {"minProperties", 1}})
	common := []Param{{Name: "label", Kind: String, About: "the name in tables and plots"}, {Name: "tune", Kind: Any}}
	return SchemaChoice("name", cat.AlgorithmEntries(), common, Pair{"tune", tune})
}

package spec

import (
	"encoding/json"
	"slices"

	"tallynet/metrics/jsonio"
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/sections"
)

// Keys declares the keys of a scenario file, with all kinds that the catalog has. The reader, the JSON Schema,
// docs/scenario.md, `simulate describe` and the resolved scenario derive from it.
func Keys(cat *catalog.Catalog) []keys.Param {
	seed := jsonio.Of("type", "integer", "minimum", 0)
	span := jsonio.Of("type", "string", "pattern", `^[0-9]+\.\.[0-9]+$`)
	runs := []jsonio.Object{
		jsonio.Of("type", "integer", "minimum", 1, "maximum", maxSeeds),
		jsonio.Of("type", "array", "items", jsonio.Of("anyOf", []jsonio.Object{seed, span}), "minItems", 1, "uniqueItems",
			true),
		span,
	}
	section := jsonio.Of("type", "object", "anyOf", []jsonio.Object{jsonio.Of("required", []string{"data"}),
		jsonio.Of("required", []string{"until"})}, "additionalProperties", false, "properties",
		jsonio.Of("data", seed, "run", jsonio.Of("anyOf", runs), "until", jsonio.Of("type", "string", "pattern", "%$"),
			"most", jsonio.Of("type", "integer", "minimum", firstLook, "maximum", maxSeeds)))
	return []keys.Param{
		{Name: "version", Kind: keys.Int, Required: true, Example: "1",
			About: "the version of the file format", Range: keys.AtLeast(1), Schema: jsonio.Of("const", 1)},
		{Name: "name", Kind: keys.String, Derived: "the file's name", About: "the name of the scenario"},
		{Name: "about", Kind: keys.String, About: "one sentence on the question that the scenario asks"},
		askKey(cat),
		{Name: "seed", Kind: keys.Int, Custom: true, Range: keys.AtLeast(0), Example: "1", Derived: "1",
			About: "the seed of all random streams"},
		{Name: "seeds", Kind: keys.Any, Custom: true, Example: "10",
			Takes: "a number k for the seeds 1..k, a list of seeds, in which 3..7 is a span, {data: 1, run: those}, or " +
				"{until: 10%, most: 100}",
			About: "replicates: every run is repeated for each seed; with data, all on the data of one seed; with until, " +
				"seeds are added until the answer is decided",
			Schema: jsonio.Of("anyOf", append(slices.Clone(runs), section))},
		sections.TopologyKey(cat),
		sections.DynamicsKey(),
		sections.NetworkKey(),
		sections.PlatformKey(cat),
		sections.PlacementKey(),
		sections.ComputeKey(),
		sections.TariffsKey(),
		sections.FaultsKey(),
		sections.SilenceKey(),
		sections.WireKey(),
		{Name: "problem", Kind: keys.Variant, Required: true, Example: "{kind: quadratic, p: 3, q: 5}",
			About:    "what is optimized",
			Variants: &keys.Variants{Key: "kind", What: "problem", Entries: catalog.Entries(cat.Problems)}},
		algorithmsKey(cat),
		stopKey(cat),
		recordKey(cat),
		{Name: "sweep", Kind: keys.Any, Custom: true, Schema: gridSchema(), Takes: "a map of keys to lists of values",
			About: "a study: each combination of the values is a grid point; a value may have a label, as in " +
				"{label: slow, value: 10ms} or {label: largest tenth, compress: top-k, share: 0.1}"},
		{Name: pointsKey, Kind: keys.Any, Custom: true, Takes: "a list of maps of keys to values",
			Schema: jsonio.Of("type", "array", "minItems", 1, "uniqueItems", true, "items", mapSchema()),
			About: "a study: each item is a grid point, shown by its key label (or name) if it has one; with a sweep, " +
				"each is combined with its grid"},
		{Name: "paper", Kind: keys.String, Example: "niu",
			About: "the paper whose printed facts are in " + keys.Registry + " beside the scenario; claims name them"},
		{Name: "readings", Kind: keys.Strings, Example: "[base, start]",
			About: "what the paper leaves open and the scenario varies: verify runs the other values one reading at a " +
				"time, and all combinations of \"base x start\""},
		{Name: "why", Kind: keys.Free, Takes: "the IDs of facts, and texts",
			About: "for facts that do not come out as printed, the reason; {ID} is the printed value of a fact, and " +
				"{=EXPRESSION} what the runs have"},
		claimsKey(),
		tablesKey(),
		figuresKey(cat),
		settingsKey(),
		{Name: "small", Kind: keys.Any, Custom: true, Schema: mapSchema(),
			Takes: "a map of keys to values, as for --set",
			About: "the changes that make the small form of the scenario, which tests run"},
		{Name: "trace", Later: "writing a trace"},
	}
}

// Schema returns the JSON Schema of scenario files.
func Schema(cat *catalog.Catalog) ([]byte, error) {
	return json.MarshalIndent(keys.Schema("Tallynet scenario, version 1", Keys(cat)), "", "  ")
}

package keys

import (
	"math"
	"slices"
	"strings"

	"tallynet/metrics/jsonio"
)

// Schema returns the JSON Schema (draft 2020-12) of a file with these keys, for editors. It covers structure, names
// and ranges, but no constraints between keys. It does not require the required keys of a kind, since a sweep or a
// tuning grid may supply them.
func Schema(title string, params []Param) jsonio.Object {
	var s schema
	top := s.section(params, true)
	o := jsonio.Of("$schema", "https://json-schema.org/draft/2020-12/schema", "title", title)
	return append(append(o, top...), jsonio.Member{Key: "$defs", Value: s.defs})
}

// schema collects definitions that several kinds share.
type schema struct{ defs jsonio.Object }

// section returns the schema of a section.
func (s *schema) section(params []Param, required bool) jsonio.Object {
	props := jsonio.Object{}
	var must []string
	for _, p := range params {
		if p.Later != "" {
			continue
		}
		props.Add(p.Name, s.param(p))
		if required && p.Required {
			must = append(must, p.Name)
		}
	}
	o := jsonio.Of("type", "object", "properties", props, "additionalProperties", false)
	if must != nil {
		o.Add("required", must)
	}
	return o
}

// variants returns the schema of a section whose kind determines its other keys. A single word stands for a section
// without other keys.
func (s *schema) variants(v *Variants) jsonio.Object {
	var kinds []jsonio.Object
	for i := range v.Entries {
		e := &v.Entries[i]
		of := s.section(slices.Concat(v.Params(e)[:1], s.shared(v.First), e.Params, s.shared(v.Last)), false)
		kinds = append(kinds, append(jsonio.Of("description", e.Summary),
			append(of, jsonio.Member{Key: "required", Value: []string{v.Key}})...))
	}
	forms := []jsonio.Object{jsonio.Of("enum", EntryNames(v.Entries)), jsonio.Of("oneOf", kinds)}
	for i := range v.Entries {
		for _, p := range v.Entries[i].Params {
			if v.Implied[p.Name] == v.Entries[i].Name {
				of := s.section([]Param{p}, false)
				forms = append(forms, append(of, jsonio.Member{Key: "required", Value: []string{p.Name}}))
			}
		}
	}
	return jsonio.Of("anyOf", forms)
}

// shared returns keys that several kinds have, with sections replaced by references to one definition.
func (s *schema) shared(params []Param) []Param {
	out := slices.Clone(params)
	for i := range out {
		p := &out[i]
		if p.Kind != Section && p.Kind != Variant {
			continue
		}
		if !slices.ContainsFunc(s.defs, func(m jsonio.Member) bool { return m.Key == p.Name }) {
			s.defs.Add(p.Name, s.kind(*p))
		}
		p.Schema = jsonio.Of("$ref", "#/$defs/"+p.Name)
	}
	return out
}

// param returns the schema of one value with its description and default.
func (s *schema) param(p Param) jsonio.Object {
	o := slices.Clone(s.kind(p))
	if p.About != "" {
		about := p.About
		if p.Only != "" {
			about += " (only with " + p.Only + ")"
		}
		if p.With != "" {
			about += " (only with " + p.With + ")"
		}
		o.Add("description", about)
	}
	if p.Default != nil {
		o.Add("default", written(p.Default, Which{}))
	}
	return o
}

// kind returns the schema of one value.
func (s *schema) kind(p Param) jsonio.Object {
	if p.Schema != nil {
		return p.Schema
	}
	one := p
	list := func(kind ParamKind) jsonio.Object {
		one.Kind = kind
		item := s.kind(one)
		return jsonio.Of("anyOf", []jsonio.Object{jsonio.Of("type", "array", "items", item), item})
	}
	switch p.Kind {
	case Int:
		return append(jsonio.Of("type", "integer"), schemaRange(p.Range)...)
	case Float:
		return append(jsonio.Of("type", "number"), schemaRange(p.Range)...)
	case Bool:
		return jsonio.Of("type", "boolean")
	case String, Path:
		return jsonio.Of("type", "string", "minLength", 1)
	case Enum:
		return jsonio.Of("enum", p.Enum)
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
		return jsonio.Of("type", "array", "minItems", 1, "items",
			jsonio.Of("type", "array", "items", jsonio.Of("type", "number")))
	case Edges:
		return jsonio.Of("type", "array", "items",
			jsonio.Of("type", "array", "minItems", 2, "maxItems", 2, "items",
				jsonio.Of("type", "integer", "minimum", 0)))
	case Free:
		return jsonio.Of("type", "object")
	case Section:
		of := s.section(p.Params, true)
		if len(p.Each) > 0 {
			of = jsonio.Of("anyOf", []jsonio.Object{of, s.kind(p.Params[0])})
		}
		return of
	case Sections:
		return jsonio.Of("type", "array", "items", s.section(p.Params, true))
	case Variant:
		return s.variants(p.Variants)
	case VariantList:
		return jsonio.Of("type", "array", "minItems", 1, "items", s.variants(p.Variants))
	}
	if q, ok := quantities[p.Kind]; ok {
		return q.schema()
	}
	return jsonio.Object{}
}

func schemaRange(r Range) jsonio.Object {
	var o jsonio.Object
	if !r.IsSet() {
		return o
	}
	if !math.IsInf(r.Min, -1) {
		o.Add(map[bool]string{false: "minimum", true: "exclusiveMinimum"}[r.OpenMin], r.Min)
	}
	if !math.IsInf(r.Max, 1) {
		o.Add(map[bool]string{false: "maximum", true: "exclusiveMaximum"}[r.OpenMax], r.Max)
	}
	return o
}

// schema returns the schema of a quantity: a number with a unit, plain zero, or the word unlimited if it is allowed.
func (q quantityKind) schema() jsonio.Object {
	d := q.dimension
	units := strings.Join(d.unitNames(), "|")
	pattern := `^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?\s*(` + units + ")$"
	forms := []jsonio.Object{jsonio.Of("type", "string", "pattern", pattern), jsonio.Of("const", 0)}
	if q.unlimited {
		forms = append(forms, jsonio.Of("enum", []string{unlimited}))
	}
	return jsonio.Of("anyOf", forms, "examples", []string{d.example})
}

package scenarios

import (
	"math"
	"strings"
)

func (o Ordered) Get(key string) any {
	for _, p := range o {
		if p.Key == key {
			return p.Value
		}
	}
	panic("scenarios: the schema has no " + key)
}

func (o Ordered) Replace(key string, value any) {
	for i := range o {
		if o[i].Key == key {
			o[i].Value = value
			return
		}
	}
	panic("scenarios: the schema has no " + key)
}

func Nested(props Ordered, key string) Ordered {
	return props.Get(key).(Ordered).Get("properties").(Ordered)
}

func SchemaGrid(about string) Ordered {
	return Ordered{{"type", "object"}, {"description", about}, {"minProperties", 1},
		{"additionalProperties", Ordered{{"type", "array"}, {"minItems", 1}, {"uniqueItems", true}}}}
}

// schemaSection is the schema of a section: only its own keys, and the required ones.
func SchemaSection(params []Param, required bool) Ordered {
	props := Ordered{}
	var must []string
	for _, p := range params {
		if p.Later != "" {
			continue
		}
		props.Add(p.Name, SchemaParam(p))
		if required && p.Required {
			must = append(must, p.Name)
		}
	}
	o := Ordered{{"type", "object"}, {"properties", props}, {"additionalProperties", false}}
	if must != nil {
		o.Add("required", must)
	}
	return o
}

// schemaChoice is the schema of a section whose key chooses the others. A single word
// stands for a section without other keys.
func SchemaChoice(key string, entries []Entry, common []Param, special ...Pair) Ordered {
	var kinds []Ordered
	for _, e := range entries {
		names := EntryNames([]Entry{e})
		s := SchemaSection(append(append([]Param{{Name: key, Kind: String}}, common...), e.Params...), false)
		props := s.Get("properties").(Ordered)
		props.Replace(key, Ordered{{"enum", names}})
		for _, p := range special {
			props.Replace(p.Key, p.Value)
		}
		kinds = append(kinds, append(Ordered{{"description", e.Summary}}, append(s, Pair{"required", []string{key}})...))
	}
	return Ordered{{"anyOf", []Ordered{{{"enum", EntryNames(entries)}}, {{"oneOf", kinds}}}}}
}

// schemaParam is the schema of one value.
func SchemaParam(p Param) Ordered {
	o := SchemaKind(p)
	if p.About != "" {
		about := p.About
		if p.Only != "" {
			about += " (only with " + p.Only + ")"
		}
		o.Add("description", about)
	}
	if p.Default != nil {
		o.Add("default", Written(p.Default))
	}
	return o
}

func SchemaKind(p Param) Ordered {
	one := p
	list := func(kind Kind) Ordered {
		one.Kind = kind
		item := SchemaKind(one)
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
		s := SchemaSection(p.Params, true)
		if len(p.Each) > 0 {
			s = Ordered{{"anyOf", []Ordered{s, SchemaKind(p.Params[0])}}}
		}
		return s
	case Sections:
		return Ordered{{"type", "array"}, {"items", SchemaSection(p.Params, true)}}
	}
	return Ordered{}
}

func schemaRange(r Range) Ordered {
	var o Ordered
	if !r.set {
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

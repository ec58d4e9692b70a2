package keys

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Row is the line of one key in the reference.
type Row struct {
	Name    string // below the section, "nic.up", "links[].from"
	Takes   string // the type of its values, with their range
	Default string // as text of a file, "required", or ""
	Meaning string
}

// Rows returns a row for each key of a section and of the sections below it. Keys of Variants are listed by kind
// instead.
func Rows(params []Param) []Row { return rows(nil, params, "") }

func rows(all []Row, params []Param, prefix string) []Row {
	for i := range params {
		p := &params[i]
		if p.Later != "" {
			continue
		}
		all = append(all, Row{prefix + p.Name, p.takes(), p.standard(), p.meaning()})
		switch p.Kind {
		case Section:
			all = rows(all, p.Params, prefix+p.Name+".")
		case Sections:
			all = rows(all, p.Params, prefix+p.Name+"[].")
		}
	}
	return all
}

// takes describes the values: "number in (0, 1]", "peer | server".
func (p *Param) takes() string {
	switch {
	case p.Takes != "":
		return strings.TrimPrefix(p.Takes, "a ")
	case p.Kind == Enum:
		return strings.Join(p.Enum, " | ")
	case p.Kind == Variant:
		return strings.Join(EntryNames(p.Variants.Entries), " | ")
	case len(p.Enum) > 0:
		return "list of: " + strings.Join(p.Enum, " | ")
	}
	text := strings.TrimPrefix(p.Kind.String(), "a ")
	if r := p.interval(); r != "" {
		text += " " + r
	}
	return text
}

func (p *Param) standard() string {
	switch {
	case p.Required:
		return "required"
	case p.Derived != "":
		return p.Derived
	case p.Default == nil:
		return ""
	}
	if list, ok := p.Default.([]string); ok {
		return "[" + strings.Join(list, ", ") + "]"
	}
	return fmt.Sprint(p.Default)
}

func (p *Param) meaning() string {
	text := p.About
	if p.Only != "" {
		text += "; only with " + p.Only
	}
	if p.With != "" {
		text += "; only with " + p.With
	}
	if p.Unless != "" {
		text += "; not with " + p.Unless
	}
	if p.Source != "" {
		text += " (" + p.Source + ")"
	}
	return text
}

// interval returns the range in mathematical notation, or "" if it is unbounded.
func (p *Param) interval() string {
	r := p.Range
	quantity := func(x float64) string { return strings.ReplaceAll(fmt.Sprintf("%g", x), "e+0", "e") }
	switch {
	case r.String() == "":
		return ""
	case math.IsInf(r.Max, 1) && r.OpenMin:
		return "> " + quantity(r.Min)
	case math.IsInf(r.Max, 1):
		return "≥ " + quantity(r.Min)
	}
	left, right := "[", "]"
	if r.OpenMin {
		left = "("
	}
	if r.OpenMax {
		right = ")"
	}
	return "in " + left + quantity(r.Min) + ", " + quantity(r.Max) + right
}

// FindParam returns the declaration at a path such as "network.nic.up", or nil, and the paths of all keys beside it.
func FindParam(params []Param, path string) (found *Param, names []string) {
	steps := strings.Split(strings.ReplaceAll(path, "[]", ""), ".")
	prefix := ""
	for i, step := range steps {
		found, names = nil, nil
		for k := range params {
			if params[k].Later == "" {
				names = append(names, prefix+params[k].Name)
			}
			if params[k].Name == step && params[k].Later == "" {
				found = &params[k]
			}
		}
		if found == nil || i == len(steps)-1 {
			return found, names
		}
		params, prefix = found.Params, prefix+step+"."
		if v := found.Variants; v != nil {
			params = slices.Concat(v.First, v.Last)
			for k := range v.Entries {
				params = append(params, v.Entries[k].Params...)
			}
		}
	}
	return found, names
}

package keys

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"tallynet/metrics/jsonio"
	"tallynet/sim"
)

// Args holds the checked values of a section, with defaults filled in. Each value has the Go type of its kind. A
// getter panics if the section does not declare the name, or declares it with another kind. It returns the zero value
// of an optional parameter that was not given and has no default; Has reports whether there is a value.
type Args struct {
	owner  string
	kind   string // of a Variant: the name of its entry, as written
	path   string
	pos    FilePosition // of the section
	value  *Value       // nil: the section is not in the file
	params []Param
	values map[string]any
	given  map[string]bool
	meant  map[string]bool // keys that a misspelled key probably stands for; they are not reported as missing
}

func (a Args) param(name string) *Param {
	if p := Named(a.params, name); p != nil {
		return p
	}
	panic(fmt.Sprintf("keys: %s declares no parameter %q", a.owner, name))
}

// Get returns the value of a key of any kind, or the zero value where it has none. Args has methods for the kinds that
// are read often. Slices are shared and must not be changed.
func Get[T any](a Args, name string) T {
	v, ok := a.values[name]
	if !ok {
		a.param(name)
		var zero T
		return zero
	}
	t, ok := v.(T)
	if !ok {
		panic(fmt.Sprintf("keys: parameter %q of %s is %v, and holds a %T", name, a.owner, a.param(name).Kind, v))
	}
	return t
}

// Optional returns the value of a key, or the zero value if the section does not declare it. Kinds of a Variant
// differ in their keys.
func Optional[T any](a Args, name string) T {
	v, _ := a.values[name].(T)
	return v
}

// Read reports whether the section was read. The zero Args declares nothing.
func (a Args) Read() bool { return a.params != nil }

// Declares reports whether the section can have the key. Kinds of a Variant differ in their keys.
func (a Args) Declares(name string) bool { return Named(a.params, name) != nil }

// Has reports whether name has a value: given in the file or by default.
func (a Args) Has(name string) bool { a.param(name); return a.values[name] != nil }

// Given reports whether name was given in the file.
func (a Args) Given(name string) bool { a.param(name); return a.given[name] }

// Kind returns the kind of a Variant as it was written: a name or an alias.
func (a Args) Kind() string { return a.kind }

// Path returns the path of a key of the section; of the section itself for "".
func (a Args) Path(key string) string {
	if key == "" {
		return a.path
	}
	return JoinKey(a.path, key)
}

// Pos returns the position of the section, or of the section around it if it is not in the file.
func (a Args) Pos() FilePosition { return a.pos }

// PosOf returns the position of a key's value, or of the section if the key is not in the file.
func (a Args) PosOf(key string) FilePosition {
	if f := a.value.Child(key); f != nil {
		return f.Value.Pos
	}
	return a.pos
}

// Field returns the key as it stands in the file, or nil.
func (a Args) Field(key string) *Field { return a.value.Child(key) }

// Value returns the value of a key of any kind, or nil.
func (a Args) Value(name string) any { a.param(name); return a.values[name] }

// With returns a copy of the section in which the key has another value.
func (a Args) With(name string, value any) Args {
	a.param(name)
	a.values = maps.Clone(a.values)
	a.values[name] = value
	return a
}

// Without returns a copy of the section in which the key has no value.
func (a Args) Without(name string) Args {
	a.values = maps.Clone(a.values)
	delete(a.values, name)
	return a
}

// Int returns the value of an Int.
func (a Args) Int(name string) int { return Get[int](a, name) }

// Float returns the value of a Float.
func (a Args) Float(name string) float64 { return Get[float64](a, name) }

// Bool returns the value of a Bool.
func (a Args) Bool(name string) bool { return Get[bool](a, name) }

// String returns the value of a String, an Enum or a Path.
func (a Args) String(name string) string { return Get[string](a, name) }

// Duration returns the value of a Duration.
func (a Args) Duration(name string) sim.Time { return Get[sim.Time](a, name) }

// Rate returns the value of a Bandwidth.
func (a Args) Rate(name string) Rate { return Get[Rate](a, name) }

// Ints returns the value of an Ints. The slice is shared and must not be changed.
func (a Args) Ints(name string) []int { return Get[[]int](a, name) }

// Strings returns the value of a Strings. The slice is shared and must not be changed.
func (a Args) Strings(name string) []string { return Get[[]string](a, name) }

// Matrix returns the value of a Matrix by rows. The slices are shared and must not be changed.
func (a Args) Matrix(name string) [][]float64 { return Get[[][]float64](a, name) }

// Section returns the keys of a Section or a Variant.
func (a Args) Section(name string) Args { return Get[Args](a, name) }

// Sections returns the items of a Sections.
func (a Args) Sections(name string) []Args { return Get[[]Args](a, name) }

// Files returns the file names in the section and the sections below it, by key.
func (a Args) Files() jsonio.Object {
	var files jsonio.Object
	for _, p := range a.params {
		if below, ok := a.values[p.Name].(Args); ok {
			for _, f := range below.Files() {
				files.Add(p.Name+"."+f.Key, f.Value)
			}
		}
		if name, ok := a.values[p.Name].(string); ok && p.Kind == Path && name != "" {
			files.Add(p.Name, name)
		}
	}
	return files
}

// Numbers returns the paths of all numbers and quantities in the section and the sections below it.
func (a Args) Numbers() []string {
	var names []string
	for _, p := range a.params {
		switch v := a.values[p.Name].(type) {
		case Args:
			for _, name := range v.Numbers() {
				names = append(names, p.Name+"."+name)
			}
		case int, float64, fmt.Stringer:
			names = append(names, p.Name)
		}
	}
	return names
}

// derive sets the defaults that follow from other keys, first in the section, then in the sections below it.
func (a Args) derive(around Args) {
	for _, p := range a.params {
		if p.Derive != nil && a.values[p.Name] == nil && p.unused(a) == "" {
			a.values[p.Name] = p.Derive(a, around)
		}
	}
	for _, p := range a.params {
		switch v := a.values[p.Name].(type) {
		case Args:
			v.derive(a)
		case []Args:
			for _, item := range v {
				item.derive(a)
			}
		}
	}
}

// Which selects the values that Resolved returns.
type Which struct {
	OnlyGiven bool     // only values from the file
	NoDerived bool     // no defaults that follow from other keys
	Except    []string // not these keys
}

// Resolved returns the values in the form of a file, in the order of the declarations. A section that has only a kind
// becomes the name of the kind.
func (a Args) Resolved(w Which) jsonio.Object {
	var o jsonio.Object
	for _, p := range a.params {
		v, ok := a.values[p.Name]
		switch {
		case !ok, slices.Contains(w.Except, p.Name):
		case w.OnlyGiven && !a.given[p.Name] && !(a.kind != "" && v == a.kind):
		case w.NoDerived && p.Derive != nil && !a.given[p.Name]:
		default:
			o.Add(p.Name, written(v, Which{OnlyGiven: w.OnlyGiven, NoDerived: w.NoDerived}))
		}
	}
	return o
}

// Find returns the declaration of a key such as uplink or latency.uplink, nil if there is none, and its value.
func (a Args) Find(path string) (*Param, any) {
	name, inside, below := strings.Cut(path, ".")
	if !below {
		return Named(a.params, name), a.values[name]
	}
	section, _ := a.values[name].(Args)
	return section.Find(inside)
}

// written returns a value in the form of a file.
func written(v any, w Which) any {
	switch v := v.(type) {
	case fmt.Stringer: // a quantity
		return v.String()
	case Args:
		o := v.Resolved(w)
		if v.kind != "" && len(o) == 1 {
			return v.kind
		}
		return o
	case []Args:
		list := []jsonio.Object{}
		for _, a := range v {
			list = append(list, a.Resolved(w))
		}
		return list
	}
	return v
}

package scenarios

import (
	"fmt"
	"slices"
	"tallynet/sim"
)

// Args holds the checked values of a section: each of the kind's Go type, with
// the defaults filled in. A getter panics on a name that the table does not
// declare, or declares with another kind: that is a bug in the program. An
// optional parameter that was not given and has no default is the zero value;
// Has tells it apart.
type Args struct {
	owner  string
	Params []Param
	Values map[string]any
	GivenKeys  map[string]bool
	meant  map[string]bool // what misspelled keys are likely to mean: not missing
}

func (a Args) param(name string) Param {
	for _, p := range a.Params {
		if p.Name == name {
			return p
		}
	}
	panic(fmt.Sprintf("scenarios: %s declares no parameter %q", a.owner, name))
}

// get returns the value of name, or the zero value where it has none.
func Get[T any](a Args, name string) T {
	v, ok := a.Values[name]
	if !ok {
		a.param(name)
		var zero T
		return zero
	}
	t, ok := v.(T)
	if !ok {
		panic(fmt.Sprintf("scenarios: parameter %q of %s is %v, and holds a %T", name, a.owner, a.param(name).Kind, v))
	}
	return t
}

// Has reports whether name has a value: given in the file or by default.
func (a Args) Has(name string) bool { a.param(name); return a.Values[name] != nil }

// Given reports whether name was given in the file.
func (a Args) Given(name string) bool { a.param(name); return a.GivenKeys[name] }

// Int returns the value of an Int.
func (a Args) Int(name string) int { return Get[int](a, name) }

// Float returns the value of a Float.
func (a Args) Float(name string) float64 { return Get[float64](a, name) }

// Bool returns the value of a Bool.
func (a Args) Bool(name string) bool { return Get[bool](a, name) }

// String returns the value of a String, an Enum or a Path.
func (a Args) String(name string) string { return Get[string](a, name) }

// Ints returns the value of an Ints. The slice is shared and must not be changed.
func (a Args) Ints(name string) []int { return Get[[]int](a, name) }

// Floats returns the value of a Floats. The slice is shared and must not be changed.
func (a Args) Floats(name string) []float64 { return Get[[]float64](a, name) }

// Strings returns the value of a Strings. The slice is shared and must not be changed.
func (a Args) Strings(name string) []string { return Get[[]string](a, name) }

// Matrix returns the value of a Matrix by rows. The slices are shared and must not be changed.
func (a Args) Matrix(name string) [][]float64 { return Get[[][]float64](a, name) }

// Edges returns the value of an Edges. The slice is shared and must not be changed.
func (a Args) Edges(name string) [][2]int { return Get[[][2]int](a, name) }

// Section returns the keys of a Section.
func (a Args) Section(name string) Args { return Get[Args](a, name) }

// ordered returns the values, or only the given ones, in the order of the table.
func (a Args) Ordered(onlyGiven bool, except ...string) Ordered {
	var o Ordered
	for _, p := range a.Params {
		v, ok := a.Values[p.Name]
		if !ok || p.Kind == Any || onlyGiven && !a.GivenKeys[p.Name] || slices.Contains(except, p.Name) {
			continue
		}
		o.Add(p.Name, Written(v))
	}
	return o
}

// written returns a value as it is written in a file.
func Written(v any) any {
	switch v := v.(type) {
	case sim.Time:
		return v.String()
	case Rate:
		return v.String()
	case Size:
		return v.String()
	case Speed:
		return v.String()
	case Args:
		return v.Ordered(false)
	case []Args:
		var list []Ordered
		for _, a := range v {
			list = append(list, a.Ordered(false))
		}
		return list
	}
	return v
}

// optional is get for a name that the table may not declare.
func Optional[T any](a Args, name string) T {
	v, _ := a.Values[name].(T)
	return v
}

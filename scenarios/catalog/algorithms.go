package catalog

import (
	"fmt"
	"reflect"
	"slices"

	"tallynet/algorithms"
	"tallynet/algorithms/declare"
	"tallynet/scenarios/keys"
	"tallynet/sim"
)

// Algorithms returns the table of methods: those that package algorithms declares.
func Algorithms() []AlgorithmEntry {
	var all []AlgorithmEntry
	for _, m := range algorithms.Methods() {
		e := Method(m)
		if e.Name == "aid" {
			e.Check = checkAID
		}
		all = append(all, e)
	}
	return all
}

// Method returns the entry of a method that declares itself. The method is a struct; fields that it does not declare
// keep the values that they have in m.
func Method(m algorithms.Declared) AlgorithmEntry {
	d := m.Declare()
	e := AlgorithmEntry{
		Entry:      keys.Entry{Name: d.Name, Label: d.Label, Aliases: d.Aliases, Summary: d.Summary},
		Problem:    d.Problem,
		Updates:    d.Updates,
		Source:     d.Source,
		Departures: d.Departures,
		Iterations: d.Fields[0].Name, ExampleProblem: d.ExampleProblem,
		Misfits: algorithms.MisfitsInWords(algorithms.Example(m)),
		cost:    func() string { return algorithms.CostInWords(m) },
		New:     func(a keys.Args) (algorithms.Method, error) { return filled(m, a), nil },
	}
	if d.Problem == "" {
		e.Problem = m.Needs().Problem()
	}
	for _, f := range d.Fields {
		e.Params = append(e.Params, param(f, algorithms.FieldOf(m, f.Name).Type()))
	}
	if _, ok := m.(algorithms.Checked); ok {
		e.Check = func(a keys.Args) *keys.ParamError {
			w := filled(m, a).(algorithms.Checked).Check()
			if w == nil {
				return nil
			}
			return &keys.ParamError{Param: w.Field, Message: w.Message, Hint: w.Hint}
		}
	}
	return e
}

// filled returns a copy of a method with its fields set from the keys.
func filled(m algorithms.Declared, a keys.Args) algorithms.Method {
	set := reflect.New(reflect.TypeOf(m))
	set.Elem().Set(reflect.ValueOf(m))
	for _, key := range a.Fill(set.Interface()) {
		if !slices.Contains([]string{"name", "label", "tune", "at"}, key) {
			panic(fmt.Sprintf("catalog: %T has no field for the key %s", m, key))
		}
	}
	return set.Elem().Interface().(algorithms.Method)
}

// param returns the key that sets a field of the given type.
func param(f declare.Field, of reflect.Type) keys.Param {
	p := keys.Param{Name: f.Name, About: f.About, Default: f.Default, Required: f.Required, Example: f.Example,
		Range: f.Range, Enum: f.Values, Only: f.Only, With: f.With, Source: f.Source}
	switch {
	case of == reflect.TypeFor[sim.Time]():
		p.Kind = keys.Duration
	case of.Kind() == reflect.Int:
		p.Kind = keys.Int
	case of.Kind() == reflect.Float64:
		p.Kind = keys.Float
	case of.Kind() == reflect.Bool:
		p.Kind = keys.Bool
	case f.Values != nil:
		p.Kind = keys.Enum
	default:
		p.Kind = keys.String
	}
	return p
}

// checkAID finds keys that the linear solver does not read. It needs to know which keys the file gives.
func checkAID(a keys.Args) *keys.ParamError {
	switch solve := a.String("solve"); {
	case solve == "neumann" && a.Given("warm") && a.Bool("warm"):
		return &keys.ParamError{Param: "warm",
			Message: "the Neumann series always starts from scratch", Hint: "leave warm out, or take solve: gd"}
	case solve == "cg" && a.Given("eta"):
		return &keys.ParamError{Param: "eta",
			Message: "conjugate gradients have no step", Hint: "leave eta out, or take solve: gd"}
	}
	return nil
}

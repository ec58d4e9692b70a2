// Package declare describes a method of optimization: its name, its fields and what a reader should know of
// it.
//
// A method states its Method beside its struct. Everything that a scenario file can say of the method, and
// everything that a program prints about it, is derived from that value.
package declare

// Method describes a method.
type Method struct {
	Name    string // in scenario files
	Label   string // in tables and figures; the upper-case Name where empty
	Summary string // one line
	Aliases []Alias
	Fields  Fields // the first one is the number of iterations

	Problem    string // what the method solves, where its requirements do not imply it
	Updates    string // the update equations
	Source     string // the paper
	Departures string // what differs from the paper, and why

	ExampleProblem string // the kind of problem of the example; empty: the first that fits
}

// Alias is another name of a method, with some of its fields set.
type Alias struct {
	Name    string
	Label   string
	Summary string
	Preset  []Preset
}

// Preset is a value that an alias sets, as it would be written in a file.
type Preset struct{ Param, Value string }

// Wrong says why a field does not fit the others.
type Wrong struct{ Field, Message, Hint string }

package keys

import (
	"tallynet/algorithms/declare"
	"tallynet/metrics/jsonio"
)

// ParamKind is the type of a parameter's value.
type ParamKind uint8

// The kinds of parameters, with the Go type that Args holds for each.
const (
	Int         ParamKind = iota // int
	Float                        // float64, finite
	Bool                         // bool
	String                       // string
	Enum                         // string, one of Param.Enum
	Path                         // string, a file as written; relative to the scenario's folder
	Ints                         // []int; a single number is a list of one
	Floats                       // []float64; a single number is a list of one
	Strings                      // []string
	Matrix                       // [][]float64, rows of equal length
	Edges                        // [][2]int
	Duration                     // sim.Time
	Bandwidth                    // Rate
	Bytes                        // Size
	Flops                        // Speed
	Distance                     // Length
	Watts                        // Power
	ByteEnergy                   // EnergyPerByte
	HourPrice                    // PricePerHour
	BytePrice                    // PricePerGigabyte
	Section                      // Args of Param.Params
	Sections                     // []Args of Param.Params
	Variant                      // Args of Param.Variants
	VariantList                  // []Args of Param.Variants
	Free                         // jsonio.Object: names of the user's own, and their values
	Any                          // what Param.Schema says; always Custom
)

var kindNouns = [...]string{
	Int: "a whole number", Float: "a number", Bool: "true or false", String: "a text", Enum: "one of a list",
	Path: "a file name", Ints: "a list of whole numbers", Floats: "a list of numbers", Strings: "a list of names",
	Matrix: "a list of rows of numbers", Edges: "a list of pairs of nodes", Duration: "a time",
	Bandwidth: "a bandwidth",
	Bytes:     "a size in bytes", Flops: "a speed", Distance: "a length",
	Watts: "a power", ByteEnergy: "an energy for each byte", HourPrice: "a price of time", BytePrice: "a price of data",
	Section: "a section of keys", Sections: "a list of sections",
	Variant: "a name, or a section with its kind", VariantList: "a list of sections with their kinds",
	Free: "a section of names and values", Any: "a value",
}

// String returns a noun for values of the kind, with its article: "a whole number".
func (k ParamKind) String() string { return kindNouns[k] }

// Range bounds a number, or each number of a list. Bounds of quantities are in base units: ns, bit/s, bytes, FLOP/s,
// mm.
type Range = declare.Range

// The constructors of ranges.
var (
	AtLeast   = declare.AtLeast
	Above     = declare.Above
	Between   = declare.Between
	Inside    = declare.Inside
	AboveUpTo = declare.AboveUpTo
	FromBelow = declare.FromBelow
)

// Named returns the declaration of a key, or nil.
func Named(params []Param, name string) *Param {
	for i := range params {
		if params[i].Name == name {
			return &params[i]
		}
	}
	return nil
}

// Param declares one key of a section. The reader, the defaults, the JSON Schema, the reference, `simulate describe`
// and the resolved scenario all follow from it.
type Param struct {
	Name     string
	Kind     ParamKind
	Title    string // the name for people, where Name is not clear enough: "graph", "loss probability"
	About    string // one line: meaning, and shape if it has one
	Default  any    // of the kind's Go type, the name of the kind of a Variant; nil: none
	Required bool
	Example  string // as written in a file; shown where a required value is missing
	Range    Range
	Enum     []string  // of Kind Enum, Strings: the allowed names
	Later    string    // the key is known and belongs to a later version: what it will do
	NotYet   []string  // of Kind Enum: names, or keys of a section, that belong to a later version
	Params   []Param   // of Kind Section, Sections
	Each     []string  // of Kind Section: a single value stands for each of these keys
	Variants *Variants // of Kind Variant, VariantList
	Only     string    // "data: mnist or mushroom": the key is used only where the earlier key data is one of them
	Unless   string    // the key is not used where this key is given, or given as "data: file"
	With     string    // the key is used only where this key is given; the default may be given without
	Source   string    // where the default comes from

	// Derive makes the default that follows from other keys: of the section, and of the
	// one around it. Derived says it in words.
	Derive  func(here, around Args) any
	Derived string

	// Custom keys are read by code of their own. Schema is the JSON Schema of the value,
	// where the kind does not say it, and Takes says it in words.
	Custom bool
	Schema jsonio.Object
	Takes  string
}

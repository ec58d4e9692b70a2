package scenarios

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"tallynet/algorithms"
	"tallynet/scenarios/measure"
	"tallynet/scenarios/problems"
	"tallynet/scenarios/problems/data"
	"tallynet/topologies"
)

// Catalog is everything that a scenario file can name. It is an explicit value:
// a program that adds a method of its own copies the tables and appends to them.
type Catalog struct {
	Algorithms []AlgorithmEntry
	Problems   []ProblemEntry
	Topologies []TopologyEntry
	Weights    []WeightsEntry
	Metrics    []measure.Metric
}

// NewCatalog returns a catalog of all that this program has.
func NewCatalog() *Catalog {
	return &Catalog{Algorithms: Algorithms(), Problems: Problems(), Topologies: Topologies(), Weights: WeightsRules(), Metrics: measure.Metrics()}
}

// AlgorithmEntry is a method. The texts are for `simulate describe`.
type AlgorithmEntry struct {
	Entry
	Problem    string // which problem class it solves
	Updates    string // the update equations
	Cost       string // per outer iteration, in words and formulas
	Source     string // the paper
	Departures string // what differs from the paper, and why
	// Iterations names the parameter that is the number of outer iterations.
	Iterations string
	// ExampleProblem is the kind of problem of the example; empty: the first that loads.
	ExampleProblem string
	// New makes the method. An error begins with the parameter that is wrong.
	New func(a Args) (algorithms.Method, error)
}

// ProblemEnv is what a problem is made in.
type ProblemEnv struct {
	Nodes int    // that hold data
	Seed  uint64 // of the data
	Dir   string // the folder that paths are relative to
	Data  *data.Loader
}

// ProblemEntry is a kind of problem.
type ProblemEntry struct {
	Entry
	Formula string // f_i and g_i
	Source  string
	// New makes the problem. An error begins with the parameter that is wrong.
	New func(a Args, env ProblemEnv) (problems.Problem, error)
}

// TopologyEntry is a family of graphs.
type TopologyEntry struct {
	Entry
	MinNodes int
	Random   bool // New draws from the stream
	// New makes the graph on the given number of nodes.
	New func(a Args, nodes int, rng *rand.Rand) (*topologies.Graph, error)
}

// WeightsEntry is a rule for the mixing matrix.
type WeightsEntry struct {
	Entry
	Formula string
	Source  string
	New     func(a Args, g *topologies.Graph) (*topologies.Mixing, error)
}

// Algorithm returns the entry with the name or alias, or nil.
func (c *Catalog) Algorithm(name string) *AlgorithmEntry {
	return entryNamed(c.Algorithms, name, func(e *AlgorithmEntry) *Entry { return &e.Entry })
}

// Problem returns the entry with the name or alias, or nil.
func (c *Catalog) Problem(name string) *ProblemEntry {
	return entryNamed(c.Problems, name, func(e *ProblemEntry) *Entry { return &e.Entry })
}

// Topology returns the entry with the name or alias, or nil.
func (c *Catalog) Topology(name string) *TopologyEntry {
	return entryNamed(c.Topologies, name, func(e *TopologyEntry) *Entry { return &e.Entry })
}

// WeightsRule returns the entry with the name or alias, or nil.
func (c *Catalog) WeightsRule(name string) *WeightsEntry {
	return entryNamed(c.Weights, name, func(e *WeightsEntry) *Entry { return &e.Entry })
}

func entryNamed[T any](table []T, name string, of func(*T) *Entry) *T {
	for i := range table {
		if e, _ := lookup([]Entry{*of(&table[i])}, name); e != nil {
			return &table[i]
		}
	}
	return nil
}

func entriesOf[T any](table []T, of func(*T) *Entry) []Entry {
	es := make([]Entry, len(table))
	for i := range table {
		es[i] = *of(&table[i])
	}
	return es
}

func (c *Catalog) algorithms() []Entry {
	return entriesOf(c.Algorithms, func(e *AlgorithmEntry) *Entry { return &e.Entry })
}

func (c *Catalog) problems() []Entry {
	return entriesOf(c.Problems, func(e *ProblemEntry) *Entry { return &e.Entry })
}

func (c *Catalog) topologies() []Entry {
	return entriesOf(c.Topologies, func(e *TopologyEntry) *Entry { return &e.Entry })
}

func (c *Catalog) weights() []Entry {
	return entriesOf(c.Weights, func(e *WeightsEntry) *Entry { return &e.Entry })
}

// What later versions have, so that a file for them is told from a misspelling.

func laterAlgorithms() []string {
	return []string{"sparkle", "push-sum"}
}

func laterProblems() []string {
	return nil
}

func laterTopologies() []string { return []string{"file", "matrix", "caveman"} }

func laterWeights() []string { return []string{"fdla"} }

// Kind is what a parameter's value must be.
type Kind uint8

// The kinds of parameters, with the Go type that Args holds for each.
const (
	Int       Kind = iota // int
	Float                 // float64, finite
	Bool                  // bool
	String                // string
	Enum                  // string, one of Param.Enum
	Path                  // string, a file as written; relative to the scenario's folder
	Ints                  // []int; a single number is a list of one
	Floats                // []float64; a single number is a list of one
	Strings               // []string
	Matrix                // [][]float64, rows of equal length
	Edges                 // [][2]int
	Duration              // sim.Time
	Bandwidth             // Rate
	Bytes                 // Size
	Flops                 // Speed
	Section               // Args of Param.Params
	Sections              // []Args of Param.Params
	special               // read by code of its own
)

var kindNouns = [...]string{
	Int: "a whole number", Float: "a number", Bool: "true or false", String: "a text", Enum: "one of a list",
	Path: "a file name", Ints: "a list of whole numbers", Floats: "a list of numbers", Strings: "a list of names",
	Matrix: "a list of rows of numbers", Edges: "a list of pairs of nodes", Duration: "a time", Bandwidth: "a bandwidth",
	Bytes: "a size in bytes", Flops: "a speed", Section: "a section of keys", Sections: "a list of sections", special: "a value",
}

// String returns what a value of the kind is, with its article: "a whole number".
func (k Kind) String() string { return kindNouns[k] }

// Range bounds a number, or each number of a list. For quantities with units it
// is in base units: ns, bit/s, bytes, FLOP/s. The zero Range bounds nothing.
type Range struct {
	Min, Max         float64
	OpenMin, OpenMax bool
	set              bool
}

// AtLeast is [min, ∞).
func AtLeast(min float64) Range { return Range{Min: min, Max: math.Inf(1), set: true} }

// Above is (min, ∞).
func Above(min float64) Range { return Range{Min: min, Max: math.Inf(1), OpenMin: true, set: true} }

// Between is [min, max].
func Between(min, max float64) Range { return Range{Min: min, Max: max, set: true} }

// Inside is (min, max).
func Inside(min, max float64) Range {
	return Range{Min: min, Max: max, OpenMin: true, OpenMax: true, set: true}
}

// AboveUpTo is (min, max].
func AboveUpTo(min, max float64) Range { return Range{Min: min, Max: max, OpenMin: true, set: true} }

// FromBelow is [min, max).
func FromBelow(min, max float64) Range { return Range{Min: min, Max: max, OpenMax: true, set: true} }

// Contains reports whether v is in the range. A NaN never is.
func (r Range) Contains(v float64) bool {
	if !r.set {
		return v == v
	}
	return (v > r.Min || !r.OpenMin && v == r.Min) && (v < r.Max || !r.OpenMax && v == r.Max)
}

// String returns the range in words: "at least 1", "above 0 and at most 1".
func (r Range) String() string {
	if !r.set {
		return ""
	}
	var parts []string
	if !math.IsInf(r.Min, -1) {
		word := "at least "
		if r.OpenMin {
			word = "above "
		}
		parts = append(parts, word+formatFloat(r.Min))
	}
	if !math.IsInf(r.Max, 1) {
		word := "at most "
		if r.OpenMax {
			word = "below "
		}
		parts = append(parts, word+formatFloat(r.Max))
	}
	return strings.Join(parts, " and ")
}

// Param is one key of a section of the file. The same table checks the file,
// fills in defaults, makes the JSON Schema and answers `simulate describe`.
type Param struct {
	Name     string
	Kind     Kind
	About    string // one line: meaning, and shape where it has one
	Default  any    // of the kind's Go type; nil: none
	Required bool
	Example  string // as written in a file; shown where a required value is missing
	Range    Range
	Enum     []string // of Kind Enum, Strings: the allowed names
	Later    string   // the key is known and belongs to a later version: what it will do
	NotYet   []string // of Kind Enum: names that belong to a later version
	Params   []Param  // of Kind Section, Sections
	Each     []string // of Kind Section: a single value stands for each of these keys
	Only     string   // "data: mnist or mushroom": the key is used only where the earlier key data is one of them
	Unless   string   // the key is not used where this earlier key is given
	Source   string   // where the default comes from
}

// Args holds the checked values of a section: each of the kind's Go type, with
// the defaults filled in. A getter panics on a name that the table does not
// declare, or declares with another kind: that is a bug in the program. An
// optional parameter that was not given and has no default is the zero value;
// Has tells it apart.
type Args struct {
	owner  string
	params []Param
	values map[string]any
	given  map[string]bool
	meant  map[string]bool // what misspelled keys are likely to mean: not missing
}

func (a Args) param(name string) Param {
	for _, p := range a.params {
		if p.Name == name {
			return p
		}
	}
	panic(fmt.Sprintf("scenarios: %s declares no parameter %q", a.owner, name))
}

// get returns the value of name, or the zero value where it has none.
func get[T any](a Args, name string) T {
	v, ok := a.values[name]
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
func (a Args) Has(name string) bool { a.param(name); return a.values[name] != nil }

// Given reports whether name was given in the file.
func (a Args) Given(name string) bool { a.param(name); return a.given[name] }

// Int returns the value of an Int.
func (a Args) Int(name string) int { return get[int](a, name) }

// Float returns the value of a Float.
func (a Args) Float(name string) float64 { return get[float64](a, name) }

// Bool returns the value of a Bool.
func (a Args) Bool(name string) bool { return get[bool](a, name) }

// String returns the value of a String, an Enum or a Path.
func (a Args) String(name string) string { return get[string](a, name) }

// Ints returns the value of an Ints. The slice is shared and must not be changed.
func (a Args) Ints(name string) []int { return get[[]int](a, name) }

// Floats returns the value of a Floats. The slice is shared and must not be changed.
func (a Args) Floats(name string) []float64 { return get[[]float64](a, name) }

// Strings returns the value of a Strings. The slice is shared and must not be changed.
func (a Args) Strings(name string) []string { return get[[]string](a, name) }

// Matrix returns the value of a Matrix by rows. The slices are shared and must not be changed.
func (a Args) Matrix(name string) [][]float64 { return get[[][]float64](a, name) }

// Edges returns the value of an Edges. The slice is shared and must not be changed.
func (a Args) Edges(name string) [][2]int { return get[[][2]int](a, name) }

// Section returns the keys of a Section.
func (a Args) Section(name string) Args { return get[Args](a, name) }

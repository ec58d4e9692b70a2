package catalog

import (
	"math/rand/v2"
	"slices"

	"tallynet/algorithms"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/measure"
	"tallynet/scenarios/problems"
	"tallynet/scenarios/problems/budget"
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
	Platforms  []PlatformEntry
	Metrics    []measure.Metric
}

// New returns a catalog with all tables of this program.
func New() *Catalog {
	return &Catalog{Algorithms: Algorithms(), Problems: Problems(), Topologies: Topologies(), Weights: WeightsRules(),
		Platforms: Platforms(), Metrics: measure.Metrics()}
}

// AlgorithmEntry is a method. The texts are for `simulate describe`.
type AlgorithmEntry struct {
	keys.Entry
	Problem    string // which problem class it solves
	Updates    string // the update equations
	Cost       string // per outer iteration, in words; CostInWords returns it
	Source     string // the paper
	Misfits    string // the settings that it does not go with, one a line
	Departures string // what differs from the paper, and why
	// Iterations names the parameter that is the number of outer iterations.
	Iterations string
	// ExampleProblem is the kind of problem of the example; empty: the first that loads.
	ExampleProblem string
	// New makes the method. An error about one parameter is a *keys.ParamError.
	New func(a keys.Args) (algorithms.Method, error)
	// NewIn makes a method that depends on where it is made; then New is nil.
	NewIn func(a keys.Args, env MethodEnv) (algorithms.Method, error)

	cost func() string // of a method that declares itself
}

// CostInWords describes the cost of an outer iteration.
func (e *AlgorithmEntry) CostInWords() string {
	if e.cost != nil && e.Cost == "" {
		return e.cost()
	}
	return e.Cost
}

// MethodEnv is the context in which a method is made.
type MethodEnv struct {
	Dir       string // the folder that paths are relative to
	AllowCode bool   // code that the scenario names may run
}

// Make makes the method.
func (e *AlgorithmEntry) Make(a keys.Args, env MethodEnv) (algorithms.Method, error) {
	if e.NewIn != nil {
		return e.NewIn(a, env)
	}
	return e.New(a)
}

// ProblemEnv is the context in which a problem is made.
type ProblemEnv struct {
	Nodes int    // that hold data
	Seed  uint64 // of the data
	Dir   string // the folder that paths are relative to
	Data  *data.Loader
	// Budget limits the memory and work of the problem, and the size of its files.
	Budget budget.Limit
	// AllowCode permits running code that the scenario names.
	AllowCode bool
}

// ProblemEntry is a kind of problem.
type ProblemEntry struct {
	keys.Entry
	Formula string // f_i and g_i
	Source  string
	// Size returns the size of the problem, for a number of nodes that hold data, without making it. It is nil if
	// the size is unknown before.
	Size func(a keys.Args, nodes int) Size
	// New makes the problem. An error about one parameter is a *keys.ParamError.
	New func(a keys.Args, env ProblemEnv) (problems.Problem, error)
}

// TopologyEntry is a family of graphs.
type TopologyEntry struct {
	keys.Entry
	MinNodes int
	Random   bool   // the plan draws from the stream
	Culprit  string // the parameter that errors of the family are most likely about, "" if that is not known
	// Plan plans the graph on the given number of nodes. It is nil if List makes the graph.
	Plan func(a keys.Args, nodes int, rng *rand.Rand) (topologies.Plan, error)
	// List makes a graph whose parameters list the edges.
	List func(a keys.Args, nodes int) (*topologies.Graph, error)
}

// Size returns the size of the graph that New would make. It needs a Plan.
func (e *TopologyEntry) Size(a keys.Args, nodes int) (topologies.Size, error) {
	p, err := e.Plan(a, nodes, nil)
	return p.Size, e.blame(err)
}

// New makes the graph on the given number of nodes.
func (e *TopologyEntry) New(a keys.Args, nodes int, rng *rand.Rand) (*topologies.Graph, error) {
	if e.Plan == nil {
		return e.List(a, nodes)
	}
	g, err := topologies.Make(e.Plan(a, nodes, rng))
	return g, e.blame(err)
}

// blame places an error at the Culprit.
func (e *TopologyEntry) blame(err error) error {
	if e.Culprit == "" {
		return err
	}
	return keys.About(e.Culprit, err)
}

// WeightsEntry is a rule for the mixing matrix.
type WeightsEntry struct {
	keys.Entry
	Formula string
	Source  string
	New     func(a keys.Args, g *topologies.Graph) (*topologies.Mixing, error)
}

// Algorithm returns the entry with the name or alias, or nil.
func (c *Catalog) Algorithm(name string) *AlgorithmEntry { return entryNamed(c.Algorithms, name) }

// Problem returns the entry with the name or alias, or nil.
func (c *Catalog) Problem(name string) *ProblemEntry { return entryNamed(c.Problems, name) }

// Topology returns the entry with the name or alias, or nil.
func (c *Catalog) Topology(name string) *TopologyEntry { return entryNamed(c.Topologies, name) }

// WeightsRule returns the entry with the name or alias, or nil.
func (c *Catalog) WeightsRule(name string) *WeightsEntry { return entryNamed(c.Weights, name) }

// Platform returns the entry with the name or alias, or nil.
func (c *Catalog) Platform(name string) *PlatformEntry { return entryNamed(c.Platforms, name) }

// entry is a pointer to an entry of a table.
type entry[T any] interface {
	*T
	Common() *keys.Entry
}

func entryNamed[T any, P entry[T]](table []T, name string) P {
	for i := range table {
		if e := P(&table[i]); slices.Contains(e.Common().Names(), name) {
			return e
		}
	}
	return nil
}

// Entries returns the common part of the entries of a table.
func Entries[T any, P entry[T]](table []T) []keys.Entry {
	es := make([]keys.Entry, len(table))
	for i := range table {
		es[i] = *P(&table[i]).Common()
	}
	return es
}

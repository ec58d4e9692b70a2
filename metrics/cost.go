package metrics

import (
	"encoding/json"
	"slices"

	"tallynet/metrics/jsonio"
)

// Kind is the kind of a message part. It comes from the part's constructor: a Jacobian is a matrix even if one
// of its dimensions is 1, and a flattened parameter is a vector.
type Kind uint8

// The kinds of message parts.
const (
	Scalar Kind = iota
	Vector
	Matrix
	NumKinds
)

var kindNames = [NumKinds]string{"scalar", "vector", "matrix"}

func (k Kind) String() string { return kindNames[k] }

// plural returns the plural of the kind's name.
func (k Kind) plural() string { return [NumKinds]string{"scalars", "vectors", "matrices"}[k] }

// ParseKind returns the kind with the given name.
func ParseKind(name string) (Kind, bool) {
	i := slices.Index(kindNames[:], name)
	return Kind(max(i, 0)), i >= 0
}

// Elements counts elements (not bytes) by kind.
type Elements struct {
	Scalar int64 `json:"scalar"`
	Vector int64 `json:"vector"`
	Matrix int64 `json:"matrix"`
}

// Of returns the elements of a kind.
func (e Elements) Of(k Kind) int64 { return *e.at(k) }

// at returns the counter of a kind.
func (e *Elements) at(k Kind) *int64 {
	return [NumKinds]*int64{&e.Scalar, &e.Vector, &e.Matrix}[k]
}

// Add adds n elements of kind k.
func (e *Elements) Add(k Kind, n int64) { *e.at(k) = sum(*e.at(k), n) }

// Plus returns e + o.
func (e Elements) Plus(o Elements) Elements {
	return Elements{sum(e.Scalar, o.Scalar), sum(e.Vector, o.Vector), sum(e.Matrix, o.Matrix)}
}

// Times returns c times e.
func (e Elements) Times(c int64) Elements {
	return Elements{product(c, e.Scalar), product(c, e.Vector), product(c, e.Matrix)}
}

// Total returns the number of elements of all kinds.
func (e Elements) Total() int64 { return sum(sum(e.Scalar, e.Vector), e.Matrix) }

// Call is a kind of oracle call.
type Call uint8

// The kinds of oracle calls. Each partial gradient is one call: ∇_x f and ∇_y f
// at one point are two GradF.
const (
	CallValue    Call = iota // a function value, f or g
	CallGradF                // ∇_x f or ∇_y f
	CallGradG                // ∇_x g or ∇_y g
	CallHVP                  // (∇²_yy g) v
	CallJVP                  // (∇²_xy g) v
	CallHessian              // ∇²_yy g formed, q x q
	CallJacobian             // ∇²_xy g formed, p x q
	CallSolve                // a q x q linear solve
	NumCalls
)

var callNames = [NumCalls]string{"value", "grad_f", "grad_g", "hvp", "jvp", "hessian", "jacobian", "solve"}

func (c Call) String() string { return callNames[c] }

// about describes what calls of the kind compute.
func (c Call) about() string {
	return [NumCalls]string{
		"function values of f or g", "partial gradients of f", "partial gradients of g",
		"products with the Hessian of g in y",
		"products with the cross derivative of g", "Hessians of g in y formed, q x q",
		"cross derivatives of g formed, p x q", "q x q linear solves",
	}[c]
}

// group names the calls of about the same cost, which tables for people sum up.
func (c Call) group() string {
	return [NumCalls]string{"values", "gradients", "gradients", "HVP + JVP", "HVP + JVP", "Hessians + Jacobians",
		"Hessians + Jacobians", "solves"}[c]
}

// OracleCounts counts oracle calls by kind, and the samples that they touched.
type OracleCounts struct {
	Value    int64 `json:"value"`
	GradF    int64 `json:"grad_f"`
	GradG    int64 `json:"grad_g"`
	HVP      int64 `json:"hvp"`
	JVP      int64 `json:"jvp"`
	Hessian  int64 `json:"hessian"`
	Jacobian int64 `json:"jacobian"`
	Solve    int64 `json:"solve"`
	Samples  int64 `json:"samples"` // touched by all calls
	// SamplesOf splits Samples by kind of call: a Hessian on a thousand samples costs more
	// than one on ten.
	SamplesOf CallSamples `json:"samples_of,omitzero"`
}

// CallSamples counts samples by the kind of call that touched them. In JSON it is an object whose keys are the
// names of the kinds.
type CallSamples [NumCalls]int64

// MarshalJSON writes the kinds in order.
func (s CallSamples) MarshalJSON() ([]byte, error) {
	var o jsonio.Object
	for c, n := range s {
		o.Add(Call(c).String(), n)
	}
	return o.MarshalJSON()
}

// UnmarshalJSON reads the form that MarshalJSON writes. It ignores unknown kinds.
func (s *CallSamples) UnmarshalJSON(data []byte) error {
	return jsonio.Each(data, func(key string, value json.RawMessage) error {
		for c := range NumCalls {
			if c.String() == key {
				return json.Unmarshal(value, &s[c])
			}
		}
		return nil
	})
}

// At returns the counter of calls of kind c.
func (o *OracleCounts) At(c Call) *int64 {
	return [NumCalls]*int64{&o.Value, &o.GradF, &o.GradG, &o.HVP, &o.JVP, &o.Hessian, &o.Jacobian, &o.Solve}[c]
}

// calls returns the number of calls of all kinds.
func (o *OracleCounts) calls() int64 {
	var n int64
	for c := range NumCalls {
		n = sum(n, o.Of(c))
	}
	return n
}

// Add counts n calls of kind c that touched the given number of samples in total.
func (o *OracleCounts) Add(c Call, n, samples int64) {
	*o.At(c) = sum(*o.At(c), n)
	o.Samples = sum(o.Samples, samples)
	o.SamplesOf[c] = sum(o.SamplesOf[c], samples)
}

// Of returns the number of calls of kind c.
func (o OracleCounts) Of(c Call) int64 { return *o.At(c) }

// Plus returns o + p.
func (o OracleCounts) Plus(p OracleCounts) OracleCounts {
	for c := range NumCalls {
		*o.At(c) = sum(o.Of(c), p.Of(c))
		o.SamplesOf[c] = sum(o.SamplesOf[c], p.SamplesOf[c])
	}
	o.Samples = sum(o.Samples, p.Samples)
	return o
}

// Times returns c times o.
func (o OracleCounts) Times(c int64) OracleCounts {
	for k := range NumCalls {
		*o.At(k) = product(o.Of(k), c)
		o.SamplesOf[k] = product(o.SamplesOf[k], c)
	}
	o.Samples = product(o.Samples, c)
	return o
}

// Cost is the cost of one outer iteration for the whole network: the sum over all nodes, except for Rounds. An
// algorithm states it in closed form, and the ledger counts it.
type Cost struct {
	Rounds    int64        `json:"rounds"`             // bundled exchanges; the maximum over nodes
	Messages  int64        `json:"messages"`           // once per receiver
	Broadcast Elements     `json:"broadcast_elements"` // once per sender
	Wire      Elements     `json:"wire_elements"`      // once per receiver
	Oracle    OracleCounts `json:"oracle"`             // without Samples, which depend on the data
	// Whole is the part of Wire that is never compressed.
	Whole Elements `json:"whole_elements,omitzero"`
	// Bound marks upper bounds. The true counts depend on values.
	Bound bool `json:"bound,omitempty"`
	// Paper is the count in the method's own paper; nil if it has none.
	Paper *PaperCount `json:"paper,omitempty"`
}

// NamedCount is one number of a cost.
type NamedCount struct {
	Name  string
	Value int64
}

// Counts returns the numbers of a cost, by which a prediction is checked.
func (c Cost) Counts() []NamedCount {
	all := []NamedCount{{"rounds", c.Rounds}, {"messages", c.Messages}}
	for _, e := range []struct {
		name string
		of   Elements
	}{{"broadcast", c.Broadcast}, {"wire", c.Wire}} {
		all = append(all, NamedCount{e.name + " scalars", e.of.Scalar},
			NamedCount{e.name + " vector elements", e.of.Vector}, NamedCount{e.name + " matrix elements", e.of.Matrix})
	}
	for call := range NumCalls {
		all = append(all, NamedCount{call.String() + " calls", c.Oracle.Of(call)})
	}
	return all
}

// PaperCount is a published count of one outer iteration, shown beside the true one.
type PaperCount struct {
	ElementsPerNode float64 `json:"elements_per_node"` // broadcast elements per node and outer iteration
	Formula         string  `json:"formula"`           // as printed, for one outer iteration
	Source          string  `json:"source"`            // where it is printed
	Note            string  `json:"note"`              // how it differs from the true count, and why
}

// Plus returns c + d. Counts saturate. Paper is that of c.
func (c Cost) Plus(d Cost) Cost {
	c.Rounds = sum(c.Rounds, d.Rounds)
	c.Messages = sum(c.Messages, d.Messages)
	c.Broadcast = c.Broadcast.Plus(d.Broadcast)
	c.Wire = c.Wire.Plus(d.Wire)
	c.Oracle = c.Oracle.Plus(d.Oracle)
	c.Whole = c.Whole.Plus(d.Whole)
	c.Bound = c.Bound || d.Bound
	return c
}

// Times returns k times c. Counts saturate.
func (c Cost) Times(k int64) Cost {
	c.Rounds = product(c.Rounds, k)
	c.Messages = product(c.Messages, k)
	c.Broadcast = c.Broadcast.Times(k)
	c.Wire = c.Wire.Times(k)
	c.Oracle = c.Oracle.Times(k)
	c.Whole = c.Whole.Times(k)
	return c
}

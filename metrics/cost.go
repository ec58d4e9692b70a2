package metrics

import (
	"encoding/json"
	"slices"

	"tallynet/metrics/jsonio"
)

// Kind is what a message part is. It comes from the part's constructor: a Jacobian is a
// matrix even if one of its dimensions is 1, and a flattened parameter is a vector.
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

// plural returns the name of several parts of the kind.
func (k Kind) plural() string { return [NumKinds]string{"scalars", "vectors", "matrices"}[k] }

// ParseKind returns the kind with a name.
func ParseKind(name string) (Kind, bool) {
	i := slices.Index(kindNames[:], name)
	return Kind(max(i, 0)), i >= 0
}

// Elements counts numbers (not bytes) by kind.
type Elements struct {
	Scalar int64 `json:"scalar"`
	Vector int64 `json:"vector"`
	Matrix int64 `json:"matrix"`
}

// Of returns the elements of a kind.
func (e Elements) Of(k Kind) int64 { return *e.at(k) }

// at returns where the elements of a kind are counted.
func (e *Elements) at(k Kind) *int64 {
	return [NumKinds]*int64{&e.Scalar, &e.Vector, &e.Matrix}[k]
}

// Add adds n elements of kind k.
func (e *Elements) Add(k Kind, n int64) { *e.at(k) = sum(*e.at(k), n) }

// Plus returns e + o.
func (e Elements) Plus(o Elements) Elements {
	return Elements{sum(e.Scalar, o.Scalar), sum(e.Vector, o.Vector), sum(e.Matrix, o.Matrix)}
}

// Times returns c e.
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

// about says what a call of the kind computes.
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
	Samples  int64 `json:"samples"` // touched by calls of all kinds
	// SamplesOf splits Samples by the kind of call: a Hessian on a thousand samples costs more
	// than one on ten.
	SamplesOf CallSamples `json:"samples_of,omitzero"`
}

// CallSamples counts samples by the kind of call that touched them. In JSON it is an object
// with the names of the kinds as keys.
type CallSamples [NumCalls]int64

// MarshalJSON writes the kinds in order.
func (s CallSamples) MarshalJSON() ([]byte, error) {
	var o jsonio.Object
	for c, n := range s {
		o.Add(Call(c).String(), n)
	}
	return o.MarshalJSON()
}

// UnmarshalJSON reads what MarshalJSON writes; it ignores kinds that it does not know.
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

// At returns where the calls of a kind are counted.
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

// Add counts n calls of kind c that touched the given number of samples in all.
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

// Times returns c o.
func (o OracleCounts) Times(c int64) OracleCounts {
	for k := range NumCalls {
		*o.At(k) = product(o.Of(k), c)
		o.SamplesOf[k] = product(o.SamplesOf[k], c)
	}
	o.Samples = product(o.Samples, c)
	return o
}

// Cost is what one outer iteration costs the whole network: except for Rounds, the sum over
// all nodes. An algorithm states it in closed form; the ledger counts it.
type Cost struct {
	Rounds    int64        `json:"rounds"`             // bundled exchanges, the most of any node
	Messages  int64        `json:"messages"`           // one per directed link
	Broadcast Elements     `json:"broadcast_elements"` // once per sender
	Wire      Elements     `json:"wire_elements"`      // once per receiver
	Oracle    OracleCounts `json:"oracle"`             // Samples is left 0: it depends on the data
	// Whole is what of Wire is sent as it is where the network compresses.
	Whole Elements `json:"whole_elements,omitzero"`
	// Bound says that the numbers are upper bounds, since the true ones depend on values.
	Bound bool `json:"bound,omitempty"`
	// Paper is the count in the method's own paper, if it has one.
	Paper *PaperCount `json:"paper,omitempty"`
}

// PaperCount is a published count of one outer iteration, shown beside the true one.
type PaperCount struct {
	ElementsPerNode float64 `json:"elements_per_node"` // broadcast elements per node and outer iteration
	Formula         string  `json:"formula"`           // as printed, for one outer iteration
	Source          string  `json:"source"`            // where it is printed
	Note            string  `json:"note"`              // how it differs from the true count, and why
}

// Plus returns c + d, in which a count that 64 bits do not hold is most. Paper is not added: the sum has that of c.
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

// Times returns k c, in which a count that 64 bits do not hold is most.
func (c Cost) Times(k int64) Cost {
	c.Rounds = product(c.Rounds, k)
	c.Messages = product(c.Messages, k)
	c.Broadcast = c.Broadcast.Times(k)
	c.Wire = c.Wire.Times(k)
	c.Oracle = c.Oracle.Times(k)
	c.Whole = c.Whole.Times(k)
	return c
}

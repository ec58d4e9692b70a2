package claims

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"tallynet/metrics"
	"tallynet/metrics/result"
)

// Run is what a check sees of a run. Numbers are float64, so that all of them mix.
// The tags are the names in a check; those of totals are the keys of result.json.
type Run struct {
	Label      string    `expr:"label"`
	Seed       float64   `expr:"seed"`
	Point      point     `expr:"point"`
	Status     string    `expr:"status"`
	Reason     string    `expr:"reason"` // why it ended
	Iterations float64   `expr:"iterations"`
	Final      final     `expr:"final"`
	Totals     totals    `expr:"totals"`
	Predicted  predicted `expr:"predicted"`

	run *result.Run
}

// point is the swept keys of a run: numbers as float64, anything else as text.
type point map[string]any

// final is the metrics of a run's last sample.
type final map[string]float64

type elements struct {
	Scalar float64 `expr:"scalar"`
	Vector float64 `expr:"vector"`
	Matrix float64 `expr:"matrix"`
}

type oracle struct {
	Value    float64 `expr:"value"`
	GradF    float64 `expr:"grad_f"`
	GradG    float64 `expr:"grad_g"`
	HVP      float64 `expr:"hvp"`
	JVP      float64 `expr:"jvp"`
	Hessian  float64 `expr:"hessian"`
	Jacobian float64 `expr:"jacobian"`
	Solve    float64 `expr:"solve"`
	Samples  float64 `expr:"samples"`
}

type criticalPath struct {
	ComputeS   float64 `expr:"compute_s"`
	TransferS  float64 `expr:"transfer_s"`
	LatencyS   float64 `expr:"latency_s"`
	IdleS      float64 `expr:"idle_s"`
	ComputeNS  float64 `expr:"compute_ns"`
	TransferNS float64 `expr:"transfer_ns"`
	LatencyNS  float64 `expr:"latency_ns"`
	IdleNS     float64 `expr:"idle_ns"`
}

type totals struct {
	TimeS         float64      `expr:"time_s"`
	TimeNS        float64      `expr:"time_ns"`
	ComputeS      float64      `expr:"compute_s"`
	ComputeNS     float64      `expr:"compute_ns"`
	WaitS         float64      `expr:"wait_s"`
	WaitNS        float64      `expr:"wait_ns"`
	Rounds        float64      `expr:"rounds"`
	Messages      float64      `expr:"messages"`
	PayloadBytes  float64      `expr:"payload_bytes"`
	ScalarBytes   float64      `expr:"scalar_bytes"`
	VectorBytes   float64      `expr:"vector_bytes"`
	MatrixBytes   float64      `expr:"matrix_bytes"`
	OverheadBytes float64      `expr:"overhead_bytes"`
	Retransmitted float64      `expr:"retransmitted_bytes"`
	LostBytes     float64      `expr:"lost_bytes"`
	LostMessages  float64      `expr:"lost_messages"`
	Broadcast     elements     `expr:"broadcast_elements"`
	Wire          elements     `expr:"wire_elements"`
	Oracle        oracle       `expr:"oracle"`
	Path          criticalPath `expr:"critical_path"`
}

type cost struct {
	Rounds    float64  `expr:"rounds"`
	Messages  float64  `expr:"messages"`
	Broadcast elements `expr:"broadcast_elements"`
	Wire      elements `expr:"wire_elements"`
	Oracle    oracle   `expr:"oracle"`
}

type paper struct {
	ElementsPerNode float64 `expr:"elements_per_node"` // NaN where the paper has no accounting
}

type predicted struct {
	Initial      cost  `expr:"initial"`
	PerIteration cost  `expr:"per_iteration"`
	Total        cost  `expr:"total"`
	Varies       bool  `expr:"varies"`
	Bound        bool  `expr:"bound"`
	Paper        paper `expr:"paper"`
}

// Interval is an estimate and its 95 % confidence interval.
type Interval struct {
	Value float64 `expr:"value"`
	Low   float64 `expr:"low"`
	High  float64 `expr:"high"`
}

func newRun(r *result.Run) *Run {
	v := &Run{Label: r.Label, Seed: float64(r.Seed), Point: point{}, Status: string(r.Status), Reason: r.Reason, Iterations: float64(r.Iterations),
		Final: final{}, Totals: newTotals(&r.Totals), run: r}
	for _, s := range r.Point {
		v.Point[s.Key] = s.Text()
		if x, ok := number(s); ok {
			v.Point[s.Key] = x
		}
	}
	for _, m := range r.Final.Values {
		v.Final[m.Name] = m.Value
	}
	v.Predicted.Paper.ElementsPerNode = math.NaN()
	if p := r.Predicted; p != nil {
		v.Predicted.Initial, v.Predicted.PerIteration, v.Predicted.Total = newCost(p.Initial), newCost(p.PerIteration), newCost(p.Total)
		v.Predicted.Varies, v.Predicted.Bound = p.Varies, p.Bound
		if p.Paper != nil {
			v.Predicted.Paper.ElementsPerNode = p.Paper.ElementsPerNode
		}
	}
	return v
}

func newTotals(t *metrics.Totals) totals {
	return totals{
		TimeS: t.Time.Seconds(), TimeNS: float64(t.Time), ComputeS: t.Compute.Seconds(), ComputeNS: float64(t.Compute),
		WaitS: t.Wait.Seconds(), WaitNS: float64(t.Wait), Rounds: float64(t.Rounds), Messages: float64(t.Messages),
		PayloadBytes: float64(t.PayloadBytes()), ScalarBytes: float64(t.Payload[metrics.Scalar]),
		VectorBytes: float64(t.Payload[metrics.Vector]), MatrixBytes: float64(t.Payload[metrics.Matrix]),
		OverheadBytes: float64(t.Overhead), Retransmitted: float64(t.Retransmitted), LostBytes: float64(t.LostBytes), LostMessages: float64(t.LostMessages),
		Broadcast: newElements(t.Broadcast), Wire: newElements(t.Wire), Oracle: newOracle(t.Oracle),
		Path: criticalPath{
			t.Path.Compute.Seconds(), t.Path.Transfer.Seconds(), t.Path.Latency.Seconds(), t.Path.Idle.Seconds(),
			float64(t.Path.Compute), float64(t.Path.Transfer), float64(t.Path.Latency), float64(t.Path.Idle),
		},
	}
}

func newCost(c metrics.Cost) cost {
	return cost{float64(c.Rounds), float64(c.Messages), newElements(c.Broadcast), newElements(c.Wire), newOracle(c.Oracle)}
}

func newElements(e metrics.Elements) elements {
	return elements{float64(e.Scalar), float64(e.Vector), float64(e.Matrix)}
}

func newOracle(o metrics.OracleCounts) oracle {
	return oracle{float64(o.Value), float64(o.GradF), float64(o.GradG), float64(o.HVP), float64(o.JVP),
		float64(o.Hessian), float64(o.Jacobian), float64(o.Solve), float64(o.Samples)}
}

// number returns a setting as a number, if it is one.
func number(s result.Setting) (float64, bool) {
	var x float64
	err := json.Unmarshal(s.Value, &x)
	return x, err == nil && string(s.Value) != "null"
}

// matches reports whether a setting has the value that a check asks for.
func matches(s result.Setting, want any) bool {
	switch w := want.(type) {
	case int:
		x, ok := number(s)
		return ok && x == float64(w)
	case float64:
		x, ok := number(s)
		return ok && x == w
	case bool:
		return string(s.Value) == strconv.FormatBool(w)
	case string:
		return s.Text() == w
	}
	return false
}

// identifier returns the name by which a check can call the run of a label, or "".
func identifier(label string) string {
	for i, c := range label {
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return ""
		}
	}
	return strings.ToLower(label)
}

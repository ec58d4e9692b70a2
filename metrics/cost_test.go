package metrics

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestElements(t *testing.T) {
	var e Elements
	e.Add(Scalar, 1)
	e.Add(Vector, 20)
	e.Add(Matrix, 300)
	e.Add(Vector, 20)
	if want := (Elements{1, 40, 300}); e != want || e.Total() != 341 {
		t.Errorf("%+v", e)
	}
	if got, want := e.Plus(Elements{1, 2, 3}).Times(2), (Elements{4, 84, 606}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestOracleCounts gives every kind of call a different count, so that mixed-up kinds are found.
func TestOracleCounts(t *testing.T) {
	var o OracleCounts
	names := map[string]bool{}
	for c := range NumCalls {
		o.Add(c, int64(1+c), 10)
		names[c.String()] = true
	}
	want := OracleCounts{Value: 1, GradF: 2, GradG: 3, HVP: 4, JVP: 5, Hessian: 6, Jacobian: 7, Solve: 8, Samples: 80,
		SamplesOf: CallSamples{10, 10, 10, 10, 10, 10, 10, 10}}
	if o != want || len(names) != int(NumCalls) {
		t.Errorf("%+v, names %v", o, names)
	}
	for c := range NumCalls {
		if got := o.Of(c); got != int64(1+c) {
			t.Errorf("%v: %d", c, got)
		}
	}
	if got := o.Plus(o).Plus(o); got != o.Times(3) || o != want {
		t.Errorf("three times: %+v; %+v", got, o)
	}
}

// TestCallSamplesAsJSON checks that kinds are keys, that unknown kinds are ignored, and that counts without
// samples omit the key.
func TestCallSamplesAsJSON(t *testing.T) {
	var o OracleCounts
	o.Add(CallHessian, 2, 30)
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	want := `"samples_of":{"value":0,"grad_f":0,"grad_g":0,"hvp":0,"jvp":0,"hessian":30,"jacobian":0,"solve":0}`
	if !strings.Contains(string(text), want) {
		t.Errorf("%s", text)
	}
	later := strings.Replace(string(text), `"samples_of":{`, `"samples_of":{"third_order":7,`, 1)
	var back OracleCounts
	if err := json.Unmarshal([]byte(later), &back); err != nil || back != o {
		t.Errorf("%+v, %v", back, err)
	}
	text, err = json.Marshal(OracleCounts{Hessian: 2})
	if err != nil || strings.Contains(string(text), "samples_of") {
		t.Errorf("%s, %v", text, err)
	}
}

func TestCost(t *testing.T) {
	paper := &PaperCount{Formula: "d1"}
	a := Cost{Rounds: 1, Messages: 10, Broadcast: Elements{Vector: 3}, Wire: Elements{Vector: 6},
		Oracle: OracleCounts{HVP: 2}, Paper: paper}
	b := Cost{Rounds: 2, Messages: 20, Broadcast: Elements{Matrix: 5}, Wire: Elements{Matrix: 7},
		Oracle: OracleCounts{JVP: 4}, Bound: true}
	got := a.Times(2).Plus(b)
	want := Cost{
		Rounds: 4, Messages: 40, Broadcast: Elements{Vector: 6, Matrix: 5}, Wire: Elements{Vector: 12, Matrix: 7},
		Oracle: OracleCounts{HVP: 4, JVP: 4}, Bound: true, Paper: paper,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestParseKind(t *testing.T) {
	for k := range Kind(NumKinds) {
		if got, ok := ParseKind(k.String()); !ok || got != k {
			t.Errorf("%v is read as %v, %v", k, got, ok)
		}
	}
	for _, name := range []string{"", "tensor", "Scalar", "vectors"} {
		if _, ok := ParseKind(name); ok {
			t.Errorf("%q is read as a kind", name)
		}
	}
}

package channel

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"tallynet/metrics"
)

// panics returns what f panics with, or "".
func panics(f func()) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = fmt.Sprint(r)
		}
	}()
	f()
	return ""
}

func TestParts(t *testing.T) {
	m := mat.NewDense(2, 3, []float64{1, 2, 3, 4, 5, 6})
	p := Mat("J", m)
	if p.Kind != metrics.Matrix || p.Rows != 2 || p.Cols != 3 || !slices.Equal(p.Data, m.RawMatrix().Data) {
		t.Errorf("matrix part is %+v", p)
	}
	if p := Mat("J", mat.NewDense(4, 1, nil)); p.Kind != metrics.Matrix || p.Rows != 4 || p.Cols != 1 {
		t.Errorf("a Jacobian of one column is %+v", p)
	}
	if p := Vec("y", []float64{1, 2}); p.Kind != metrics.Vector || p.Rows != 2 || p.Cols != 1 {
		t.Errorf("vector part is %+v", p)
	}
	if p := Scalar("s", []float64{1}); p.Kind != metrics.Scalar {
		t.Errorf("scalar part is %+v", p)
	}
	for want, f := range map[string]func(){
		"a buffer of 2 bytes is read past its end": func() { (&bitReader{buf: make([]byte, 2)}).get(17) },
		"view with stride 3":                       func() { Mat("J", m.Slice(0, 2, 0, 2).(*mat.Dense)) },
		`scalar "s": want 1 number, got 2`:         func() { Scalar("s", make([]float64, 2)) },
		"want 2 x 2 numbers, got 3": func() {
			(&Pool{Codec: Float64{}}).New(0, []Part{{Name: "x", Rows: 2, Cols: 2, Data: make([]float64, 3)}}, 1)
		},
	} {
		if got := panics(f); !strings.Contains(got, want) {
			t.Errorf("panic is %q, want %q in it", got, want)
		}
	}
	if got := panics(func() { Mat("row", m.Slice(0, 1, 0, 2).(*mat.Dense)) }); got != "" {
		t.Errorf("a part of one row is contiguous: %s", got)
	}
}

func TestPoolSnapshotsAndReuses(t *testing.T) {
	p := &Pool{Codec: Float32}
	x, y := []float64{0.1, 2}, []float64{3}
	a := p.New(0, []Part{Vec("x", x), Scalar("y", y)}, 2)
	x[0], y[0] = 9, 9 // the sender goes on at once
	if a.Vec(0)[0] != float64(float32(0.1)) || a.Vec(0)[1] != 2 || a.Vec(1)[0] != 3 {
		t.Errorf("snapshot is %v, %v", a.Vec(0), a.Vec(1))
	}
	if got := append(a.Vec(0), 7); &got[0] == &a.Vec(0)[0] || a.Vec(1)[0] != 3 {
		t.Error("appending to a part runs into the next")
	}
	p.Release(a)
	if b := p.New(0, []Part{Vec("x", x), Scalar("y", y)}, 1); b == a || p.Live() != 2 || p.At(b.Index()) != b {
		t.Errorf("a message was reused while a receiver held it, or is not found; %d live", p.Live())
	}
	p.Release(a)
	if c := p.New(0, []Part{Vec("x", x), Scalar("y", y)}, 1); c != a || c.Vec(0)[0] != 9 {
		t.Error("a message was not reused, or not refreshed")
	}
	if d := p.New(1, []Part{Vec("x", x)}, 1); d == a || len(d.Vec(0)) != 2 {
		t.Error("another class got the same message")
	}
	if got := panics(func() { p.Release(a); p.Release(a) }); !strings.Contains(got, "released too often") {
		t.Errorf("double release: %q", got)
	}
	p = &Pool{Codec: Float64{}}
	j := Mat("J", mat.NewDense(2, 3, []float64{1, 2, 3, 4, 5, 6}))
	b, c := p.New(0, []Part{j, Vec("x", x)}, 1), p.New(0, []Part{j, Vec("x", x)}, 2)
	if !slices.Equal(b.Vec(0), j.Data) || !slices.Equal(b.Vec(1), x) || p.Live() != 2 {
		t.Errorf("a matrix and a vector: %v and %v; %d live", b.Vec(0), b.Vec(1), p.Live())
	}
	for i, m := range []*Message{b, c, c} {
		p.Release(m)
		if want := []int{1, 1, 0}[i]; p.Live() != want {
			t.Errorf("%d live, want %d", p.Live(), want)
		}
	}
}

func TestVerifyFindsWriters(t *testing.T) {
	p := &Pool{Codec: Float64{}, Verify: true}
	m := p.New(0, []Part{Vec("x", []float64{1, 2})}, 2)
	m.From, m.Phase = 3, "inner"
	p.Release(m)
	m.Vec(0)[1] = math.Nextafter(2, 3)
	if got := panics(func() { p.Release(m) }); !strings.Contains(got, `a receiver of message "inner" of node 3`) {
		t.Errorf("panic is %q", got)
	}
	m = p.New(0, []Part{Vec("x", []float64{1, 2})}, 1)
	p.Release(m)
	if !math.IsNaN(m.Vec(0)[0]) {
		t.Error("released data are still readable")
	}
}

func TestPoolAllocatesNothing(t *testing.T) {
	p := &Pool{Codec: Float16}
	x := make([]float64, 100)
	p.Release(p.New(0, []Part{Vec("x", x)}, 1))
	if a := testing.AllocsPerRun(100, func() { p.Release(p.New(0, []Part{Vec("x", x)}, 1)) }); a > 0 {
		t.Errorf("%v allocations per message", a)
	}
}

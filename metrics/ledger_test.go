package metrics

import (
	"strings"
	"testing"
)

// ledger has two links and two classes: a vector with a scalar, and a matrix.
func ledger() (l *Ledger, bundle, matrix int) {
	l = NewLedger(2)
	bundle = l.AddClass(Class{Phase: "inner", Overhead: 40, Parts: []Shape{
		{Name: "y", Kind: Vector, Rows: 10, Cols: 1, Bytes: 40}, {Name: "s", Kind: Scalar, Rows: 1, Cols: 1, Bytes: 4},
	}})
	matrix = l.AddClass(Class{Phase: "outer", Payload: 1e9, Parts: []Shape{
		{Name: "J", Kind: Matrix, Rows: 3, Cols: 5, Bytes: 120},
	}})
	return l, bundle, matrix
}

func TestTrafficByHand(t *testing.T) {
	l, bundle, matrix := ledger()
	if l.Class(bundle).WireBytes() != 84 || l.Class(matrix).WireBytes() != 120 || len(l.Classes()) != 2 {
		t.Errorf("classes are %+v", l.Classes())
	}
	got := l.Traffic([]Tally{{Broadcasts: 3, Messages: 7}, {Broadcasts: 2, Messages: 2}})
	want := Traffic{
		Carried:   Carried{Messages: 9, Payload: KindBytes{Scalar: 28, Vector: 280, Matrix: 240}, Overhead: 280},
		Broadcast: Elements{Scalar: 3, Vector: 30, Matrix: 30}, Wire: Elements{Scalar: 7, Vector: 70, Matrix: 30},
	}
	if got != want || got.PayloadBytes() != 548 {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestVaryingByHand: a class with messages of different size and shape, and a loss and a repetition of 60 bytes each.
func TestVaryingByHand(t *testing.T) {
	l, bundle, _ := ledger()
	varying := l.AddClass(Class{Phase: "sparse", Varies: true, Shapeless: true,
		Parts: []Shape{{Name: "z", Kind: Vector}}})
	var tally Tally
	for i, size := range []Size{
		{Payload: KindBytes{Vector: 100}, Overhead: 8, Elements: Elements{Vector: 5}},
		{Payload: KindBytes{Vector: 50}, Overhead: 7, Elements: Elements{Vector: 2}},
	} {
		receivers := 2 - i // to both links, and to the second one
		tally.Broadcasts, tally.Messages = tally.Broadcasts+1, tally.Messages+int64(receivers)
		tally.SendSize(&size, receivers)
		l.PartSent(varying, 0, size.Elements.Vector, size.Payload[Vector], receivers)
		for link := i; link < 2; link++ {
			l.Sent(varying, link)
			l.SentSize(link, &size)
		}
		if got := size.WireBytes(); got != size.Payload[Vector]+size.Overhead {
			t.Errorf("%d bytes cross a link", got)
		}
	}
	l.Lost(varying, 1, 60)
	l.Again(1, 60)
	l.Sent(bundle, 0)
	fixed := Tally{Broadcasts: 1, Messages: 1}
	if got, want := l.PartSum(varying, 0, &tally), (PartSum{Broadcast: 7, Wire: 12, Bytes: 250}); got != want {
		t.Errorf("a part that varies: %+v, want %+v", got, want)
	}
	if got, want := l.PartSum(bundle, 0, &Tally{Broadcasts: 3, Messages: 7}), (PartSum{30, 70, 280}); got != want {
		t.Errorf("a part of a fixed shape: %+v, want %+v", got, want)
	}
	for link, want := range []Carried{
		{Messages: 2, Payload: KindBytes{Scalar: 4, Vector: 140}, Overhead: 48},
		{Messages: 2, Payload: KindBytes{Vector: 150}, Overhead: 15, Retransmitted: 60, LostMessages: 1, LostBytes: 60},
	} {
		if got := l.OnLink(link); got != want {
			t.Errorf("link %d carried %+v, want %+v", link, got, want)
		}
	}
	if got, want := l.Tally(varying, 1), (LinkTally{Sent: 2, Lost: 1}); got != want {
		t.Errorf("link 1: %+v, want %+v", got, want)
	}
	got := l.Traffic([]Tally{fixed, {}, tally})
	want := Traffic{
		Carried:   Carried{Messages: 4, Payload: KindBytes{Scalar: 4, Vector: 290}, Overhead: 63},
		Broadcast: Elements{Scalar: 1, Vector: 17}, Wire: Elements{Scalar: 1, Vector: 22},
	}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	both := tally.plus(tally)
	if both.Broadcasts != 4 || both.Messages != 6 || both.Cast.Vector != 14 || both.Sized.Payload[Vector] != 500 ||
		both.Sized.Overhead != 46 || both.Sized.Elements.Vector != 24 {
		t.Errorf("twice %+v is %+v", tally, both)
	}
}

func TestCheckFires(t *testing.T) {
	for _, c := range []struct {
		name string
		harm func(l *Ledger, class int)
		want string
	}{
		{"nothing", func(*Ledger, int) {}, ""},
		{"sent", func(l *Ledger, c int) { l.Sent(c, 1) },
			`phase "outer" on link 1: sent 3, delivered 1, lost 0, in flight 1`},
		{"delivered", func(l *Ledger, c int) { l.Delivered(c, 0) },
			`phase "outer" on link 0: sent 1, delivered 2, lost 0, in flight 0`},
		{"both", func(l *Ledger, c int) { l.Sent(c, 1); l.Delivered(c, 1) },
			`phase "outer": links carried 4 messages, nodes sent 3`},
	} {
		l, _, matrix := ledger()
		for _, link := range []int{0, 1, 1} {
			l.Sent(matrix, link)
		}
		l.Delivered(matrix, 0)
		l.Delivered(matrix, 1)
		c.harm(l, matrix)
		err := l.Check(func(class, link int) int64 {
			if class == matrix && link == 1 {
				return 1
			}
			return 0
		}, []Tally{{}, {Messages: 3}})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
	l, bundle, _ := ledger()
	l.Sent(bundle, 0)
	l.Delivered(bundle, 0)
	if err := l.Check(func(int, int) int64 { return 0 }, nil); err == nil {
		t.Error("a message that no node sent is not found")
	}
}

func TestCountingAllocatesNothing(t *testing.T) {
	l, bundle, _ := ledger()
	if a := testing.AllocsPerRun(100, func() { l.Sent(bundle, 1); l.Delivered(bundle, 1) }); a > 0 {
		t.Errorf("%v allocations", a)
	}
	if got := l.Tally(bundle, 1); got.Sent != 101 || got.Delivered != 101 {
		t.Errorf("%+v", got)
	}
}

package metrics

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"tallynet/sim"
)

// TestBillByHand: 40 W for 3 s and 110 W more for 1 s of these, at 0.72 an hour; 5 GB at 20 nJ/B
// and 0.09 a gigabyte.
func TestBillByHand(t *testing.T) {
	m := MachineTariff{IdleMicrowatts: 40e6, BusyMicrowatts: 150e6, NanosPerHour: 0.72e9}
	if got, want := m.Of(3*sim.Second, sim.Second).Charge(), (Charge{230, 0.0006}); got != want {
		t.Errorf("the machine: got %+v, want %+v", got, want)
	}
	l := LinkTariff{FemtojoulesPerByte: 20e6, NanosPerGigabyte: 0.09e9}
	if got, want := l.Of(5e9).Charge(), (Charge{100, 0.45}); got != want {
		t.Errorf("the link: got %+v, want %+v", got, want)
	}
	if got, want := l.Plus(l).Of(1).Charge(), (Charge{40e-9, 0.18e-9}); got != want {
		t.Errorf("a byte over two links: got %+v, want %+v", got, want)
	}
}

// TestAmount compares sums and products of 128 bits with big integers.
func TestAmount(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		var sum Amount
		want := new(big.Int)
		for range 5 {
			x, y := r.Uint64()>>r.IntN(64), r.Uint64()>>(3+r.IntN(61))
			sum = sum.Plus(AmountOf(x, y))
			want.Add(want, new(big.Int).Mul(new(big.Int).SetUint64(x), new(big.Int).SetUint64(y)))
		}
		nearest, _ := new(big.Rat).SetFrac(want, big.NewInt(1e15)).Float64()
		if got := sum.over(1e15, 1); got != nearest {
			t.Fatalf("got %v, want %v", got, nearest)
		}
	}
	if got := AmountOf(1<<60, 1<<50).times(3600).over(1<<60, 1<<50); got != 3600 {
		t.Errorf("got %v, want 3600", got)
	}
}

// TestCostsOfSnapshot checks that machines are on until the iteration's time, whenever they reported it.
func TestCostsOfSnapshot(t *testing.T) {
	tariffs := &Tariffs{Machines: []MachineTariff{{10e6, 30e6, 3600e9}, {20e6, 20e6, 0}}, Links: []LinkTariff{{}}}
	var s Snapshot
	for i, r := range []struct{ at, compute sim.Time }{{sim.Second, sim.Second / 2}, {3 * sim.Second, 3 * sim.Second}} {
		s.At = max(s.At, r.at)
		s.Add(&Counters{Compute: r.compute, Computing: tariffs.Computing(i, r.compute),
			Links: LinkTariff{1e15, 1e9}.Of(7)})
	}
	want := Costs{Energy: 114, MachineEnergy: 100, LinkEnergy: 14, Money: 3 + 14e-9, MachineMoney: 3, LinkMoney: 14e-9}
	if got := tariffs.Costs(&s); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestTariffsAreChecked checks that negative tariffs, machines that draw less power while they compute, and
// missing tariffs are errors.
func TestTariffsAreChecked(t *testing.T) {
	for _, c := range []struct {
		m    MachineTariff
		l    LinkTariff
		good bool
	}{
		{MachineTariff{}, LinkTariff{}, true}, {MachineTariff{5, 5, 1}, LinkTariff{1, 1}, true},
		{MachineTariff{-1, 5, 1}, LinkTariff{}, false}, {MachineTariff{5, 4, 1}, LinkTariff{}, false},
		{MachineTariff{5, 6, -1}, LinkTariff{}, false}, {MachineTariff{-2, -3, -1}, LinkTariff{}, false},
		{MachineTariff{}, LinkTariff{-1, 1}, false}, {MachineTariff{}, LinkTariff{1, -1}, false},
	} {
		all := Tariffs{Machines: []MachineTariff{{}, c.m}, Links: []LinkTariff{{}, {}, c.l}}
		if err := all.Check(2, 3); (err == nil) != c.good {
			t.Errorf("%+v and %+v: %v", c.m, c.l, err)
		}
		for _, n := range [][2]int{{1, 3}, {3, 3}, {2, 2}, {2, 4}} {
			if all.Check(n[0], n[1]) == nil {
				t.Errorf("tariffs of 2 machines and 3 links are taken for %d and %d", n[0], n[1])
			}
		}
	}
}

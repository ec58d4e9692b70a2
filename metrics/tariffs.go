package metrics

import (
	"fmt"

	"tallynet/sim"
)

// Tariffs are what time and bytes cost: energy and money. Prices have whatever currency they are
// given in.
//
// A machine is on from the beginning to the moment at which the bill is made out. It draws its
// busy power while it computes and its idle power otherwise, and has its price by the hour. A link
// costs by the byte, headers included, when a message is sent: on each physical link of its way,
// once for a broadcast medium, and on the line between two nodes where there is no platform.
type Tariffs struct {
	Machines []MachineTariff // by node
	// Links is by physical link, or, without a platform, by directed link of the graph.
	Links []LinkTariff
}

// MachineTariff is what a machine costs. Busy is at least idle.
type MachineTariff struct {
	IdleMicrowatts, BusyMicrowatts int64
	NanosPerHour                   int64 // 1e-9 of the currency
}

// LinkTariff is what the bytes on a link cost.
type LinkTariff struct {
	FemtojoulesPerByte int64
	NanosPerGigabyte   int64 // 1e-9 of the currency for 1e9 bytes
}

// Bill is what was used up, exactly.
type Bill struct {
	Energy Amount // in fJ: a microwatt for a nanosecond
	Money  Amount // in parts of 1e-9 of the currency, of which 3600e9 are one: a nanosecond at such a price by the hour
}

// Plus returns the sum of both.
func (b Bill) Plus(o Bill) Bill { return Bill{b.Energy.Plus(o.Energy), b.Money.Plus(o.Money)} }

// Charge is a bill in joules and in the currency.
type Charge struct{ Joules, Money float64 }

// Charge returns what the bill amounts to: the nearest numbers to it.
func (b Bill) Charge() Charge {
	if b == (Bill{}) {
		return Charge{}
	}
	return Charge{b.Energy.over(1e15, 1), b.Money.over(1e9, 3600e9)}
}

// Of returns what bytes on a link cost.
func (l LinkTariff) Of(bytes int64) Bill {
	// A gigabyte has as many parts of a price as an hour: 3600 for each byte.
	return Bill{AmountOf(uint64(l.FemtojoulesPerByte), uint64(bytes)),
		AmountOf(uint64(l.NanosPerGigabyte), uint64(bytes)).times(3600)}
}

// Plus returns the tariff of two links, one after the other.
func (l LinkTariff) Plus(o LinkTariff) LinkTariff {
	return LinkTariff{sum(l.FemtojoulesPerByte, o.FemtojoulesPerByte), sum(l.NanosPerGigabyte, o.NanosPerGigabyte)}
}

// Of returns the cost of a machine that is on for some time and computes for a part of it.
func (m MachineTariff) Of(on, computing sim.Time) Bill { return m.on(on).Plus(m.computing(computing)) }

// on is the cost of a machine that does not compute, and computing the additional cost while it does.
func (m MachineTariff) on(t sim.Time) Bill {
	return Bill{AmountOf(uint64(m.IdleMicrowatts), uint64(t)), AmountOf(uint64(m.NanosPerHour), uint64(t))}
}

func (m MachineTariff) computing(t sim.Time) Bill {
	return Bill{Energy: AmountOf(uint64(m.BusyMicrowatts-m.IdleMicrowatts), uint64(t))}
}

// Computing returns the cost of a node's computing, on top of that of being on.
func (t *Tariffs) Computing(node int, computing sim.Time) Bill {
	return t.Machines[node].computing(computing)
}

// Costs are the totals that follow from tariffs.
type Costs struct {
	Energy, MachineEnergy, LinkEnergy float64 // in joules
	Money, MachineMoney, LinkMoney    float64 // in the currency of the prices
}

// Costs returns what a recorded iteration had cost: of all machines up to its time, and of all
// that was sent and computed for it.
func (t *Tariffs) Costs(s *Snapshot) Costs {
	machines := s.Computing
	for _, m := range t.Machines {
		machines = machines.Plus(m.on(s.At))
	}
	m, l, all := machines.Charge(), s.Links.Charge(), machines.Plus(s.Links).Charge()
	return Costs{all.Joules, m.Joules, l.Joules, all.Money, m.Money, l.Money}
}

// Check returns an error if a tariff is negative, or a machine draws less while it computes.
func (t *Tariffs) Check(nodes, links int) error {
	if len(t.Machines) != nodes || len(t.Links) != links {
		return fmt.Errorf("want tariffs of %d machines and %d links, got %d and %d", nodes, links, len(t.Machines),
			len(t.Links))
	}
	for i, m := range t.Machines {
		if m.IdleMicrowatts < 0 || m.BusyMicrowatts < m.IdleMicrowatts || m.NanosPerHour < 0 {
			return fmt.Errorf("tariff of machine %d: want no negative numbers, and no less power while it computes, got %+v",
				i, m)
		}
	}
	for i, l := range t.Links {
		if l.FemtojoulesPerByte < 0 || l.NanosPerGigabyte < 0 {
			return fmt.Errorf("tariff of link %d: want no negative numbers, got %+v", i, l)
		}
	}
	return nil
}

package metrics

import (
	"fmt"

	"tallynet/sim"
)

// Tariffs are the costs of time and bytes in energy and money. Prices may be in any currency.
//
// A machine is on from the start until the time of the bill. It draws its busy power while it computes and its
// idle power otherwise, and has a price per hour. A link has a price per byte, headers included, which is
// charged when a message is sent: for each physical link on its way, once for a broadcast medium, or for the
// directed link if there is no platform.
type Tariffs struct {
	Machines []MachineTariff // by node
	// Links is by physical link or, without a platform, by directed link of the graph.
	Links []LinkTariff
}

// MachineTariff is the tariff of a machine. Busy is at least idle.
type MachineTariff struct {
	IdleMicrowatts, BusyMicrowatts int64
	NanosPerHour                   int64 // 1e-9 of the currency
}

// LinkTariff is the tariff of the bytes on a link.
type LinkTariff struct {
	FemtojoulesPerByte int64
	NanosPerGigabyte   int64 // 1e-9 of the currency for 1e9 bytes
}

// Bill is an exact amount of energy and money.
type Bill struct {
	Energy Amount // in fJ: a microwatt for a nanosecond
	Money  Amount // in 1e-9 of the currency / 3600e9: the price of a nanosecond at 1e-9 per hour
}

// Plus returns b + o.
func (b Bill) Plus(o Bill) Bill { return Bill{b.Energy.Plus(o.Energy), b.Money.Plus(o.Money)} }

// Charge is a bill in joules and in the currency.
type Charge struct{ Joules, Money float64 }

// Charge converts the bill to the nearest floats.
func (b Bill) Charge() Charge {
	if b == (Bill{}) {
		return Charge{}
	}
	return Charge{b.Energy.over(1e15, 1), b.Money.over(1e9, 3600e9)}
}

// Of returns the cost of bytes on a link.
func (l LinkTariff) Of(bytes int64) Bill {
	// The unit of Money is 1/3600e9, and a byte costs 1/1e9 of a gigabyte's price.
	return Bill{AmountOf(uint64(l.FemtojoulesPerByte), uint64(bytes)),
		AmountOf(uint64(l.NanosPerGigabyte), uint64(bytes)).times(3600)}
}

// Plus returns the tariff of two links in series.
func (l LinkTariff) Plus(o LinkTariff) LinkTariff {
	return LinkTariff{sum(l.FemtojoulesPerByte, o.FemtojoulesPerByte), sum(l.NanosPerGigabyte, o.NanosPerGigabyte)}
}

// Of returns the cost of a machine that is on for some time and computes for part of it.
func (m MachineTariff) Of(on, computing sim.Time) Bill { return m.on(on).Plus(m.computing(computing)) }

// on returns the cost of being on; computing returns the additional cost of computing.
func (m MachineTariff) on(t sim.Time) Bill {
	return Bill{AmountOf(uint64(m.IdleMicrowatts), uint64(t)), AmountOf(uint64(m.NanosPerHour), uint64(t))}
}

func (m MachineTariff) computing(t sim.Time) Bill {
	return Bill{Energy: AmountOf(uint64(m.BusyMicrowatts-m.IdleMicrowatts), uint64(t))}
}

// Computing returns the additional cost of a node's computing.
func (t *Tariffs) Computing(node int, computing sim.Time) Bill {
	return t.Machines[node].computing(computing)
}

// Costs are the totals that follow from tariffs.
type Costs struct {
	Energy, MachineEnergy, LinkEnergy float64 // in joules
	Money, MachineMoney, LinkMoney    float64 // in the currency of the prices
}

// Costs returns the costs at a recorded iteration: those of all machines up to its time, and of all messages
// and computing that led to it.
func (t *Tariffs) Costs(s *Snapshot) Costs {
	machines := s.Computing
	for _, m := range t.Machines {
		machines = machines.Plus(m.on(s.At))
	}
	m, l, all := machines.Charge(), s.Links.Charge(), machines.Plus(s.Links).Charge()
	return Costs{all.Joules, m.Joules, l.Joules, all.Money, m.Money, l.Money}
}

// Check returns an error if a tariff is negative, or if a machine draws less power while it computes.
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

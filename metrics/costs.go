package metrics

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"tallynet/sim"
)

// KindBytes counts bytes by the kind of message part.
type KindBytes [NumKinds]int64

// Total returns the bytes of all kinds.
func (b KindBytes) Total() int64 {
	var total int64
	for _, n := range b {
		total = sum(total, n)
	}
	return total
}

// CostItem is a cost that a run accumulates. The table of cost items is the only place that knows their names:
// result.json, the CSV and Parquet files, tables, statistics, claims, tuning, the page and the documentation iterate
// over it.
type CostItem struct {
	ID     string // the path below totals in result.json, as in oracle.hvp; times end in _s
	Column string // of iterations.csv; "": none
	Name   string // for display
	About  string
	Unit   Unit
	// Rank orders the costs that methods are compared by, from 1. The others have 0.
	Rank int
	// Axis is the place of the cost among those that figures draw metrics over, from 1. Of several at one place, figures
	// draw over the first that is paid, and the first of all is the headline cost. The others have 0.
	Axis int
	// PerMethod marks a cost that is another amount of work in each method, so that no method is ranked by it.
	PerMethod bool
	// Place is the table for people that has the cost. Short is its name there, if not Name. Neighbours with the same
	// Short share a column, which has their sum.
	Place Place
	Short string

	// Of returns the count at a moment, times in nanoseconds; nil for costs that are real numbers.
	Of func(*Moment) int64
	// Field returns the field of totals that holds the count; nil if the cost is derived from others or a real number.
	Field func(*Totals) *int64
	// Real returns the field of totals that holds a cost that is a real number; nil for counts.
	Real  func(*Totals) *float64
	apart bool // not a member of totals in result.json
}

// Place is a table for people that has a column for a cost. Files for programs have all costs.
type Place uint8

// The places of costs.
const (
	InCosts     Place = iota // the main table
	InCalls                  // oracle calls, where some run makes any
	InTime                   // the parts of the simulated time
	InTimeIfAny              // the same, where it is not 0
	InPrices                 // energy and money, where the scenario has tariffs
	InSummary                // no table, but summary.json has the cost to each target
	Nowhere
)

// Main reports whether methods are compared by this cost.
func (c *CostItem) Main() bool { return c.Rank > 0 }

// ToTargets reports whether statistics have the cost to each target.
func (c *CostItem) ToTargets() bool {
	return c.Main() || slices.Contains([]Place{InCosts, InTime, InTimeIfAny, InSummary}, c.Place)
}

// Label returns the name in tables for people.
func (c *CostItem) Label() string { return cmp.Or(c.Short, c.Name) }

// Header returns the name in tables whose headers have the unit.
func (c *CostItem) Header() string {
	name := strings.TrimPrefix(cmp.Or(c.Column, c.ID), "oracle_")
	return strings.TrimSuffix(strings.TrimSuffix(name, "_s"), "_bytes")
}

// Counted reports whether the cost is a number of things: there are fewer, and not less.
func (c *CostItem) Counted() bool { return c.Unit == Bytes || c.Unit == Count }

// Value returns the cost at a moment. Times are in seconds.
func (c *CostItem) Value(m *Moment) float64 {
	switch {
	case c.Real != nil:
		return *c.Real(&m.Totals)
	case c.Unit == Seconds:
		return sim.Time(c.Of(m)).Seconds()
	}
	return float64(c.Of(m))
}

// CostItems returns the table of costs.
func CostItems() []CostItem { return slices.Clone(costItems) }

// RankedCosts returns the table of costs, those by which methods are compared first, by rank.
func RankedCosts() []CostItem {
	rank := func(c CostItem) int { return cmp.Or(c.Rank, math.MaxInt) }
	ranked := CostItems()
	slices.SortStableFunc(ranked, func(a, b CostItem) int { return cmp.Compare(rank(a), rank(b)) })
	return ranked
}

// AxisCosts returns the costs over which figures draw metrics, from left to right.
func AxisCosts() []CostItem {
	drawn := slices.DeleteFunc(RankedCosts(), func(c CostItem) bool { return c.Axis == 0 })
	slices.SortStableFunc(drawn, func(a, b CostItem) int { return cmp.Compare(a.Axis, b.Axis) })
	return drawn
}

// Headlines returns the costs that comparisons of two results, ratios and sentences are about.
func Headlines() []CostItem {
	return slices.CompactFunc(AxisCosts(), func(a, b CostItem) bool { return a.Axis == b.Axis })
}

// FindCost returns the cost with the given ID, or nil.
func FindCost(id string) *CostItem {
	i := slices.IndexFunc(costItems, func(c CostItem) bool { return c.ID == id })
	if i < 0 {
		return nil
	}
	c := costItems[i]
	return &c
}

// costItems is in the order of the columns of iterations.csv; new ones go to the end. Items of one object of
// result.json are adjacent.
var costItems = slices.Concat(
	[]CostItem{
		{ID: "iterations", Name: "iterations", About: "outer iterations", Unit: Count, Rank: 1, Axis: 1, PerMethod: true,
			apart: true, Of: func(m *Moment) int64 { return int64(m.Iteration) }},
		costItem("time_s", "time_s", "time", "simulated time", Seconds, 3,
			func(t *Totals) *int64 { return (*int64)(&t.Time) }).at(InCosts, "simulated time").on(3),
		costItem("rounds", "rounds", "rounds", "bundled exchanges, the most of any node", Count, 4,
			func(t *Totals) *int64 { return &t.Rounds }),
		costItem("messages", "messages", "messages", "messages sent, once per receiver", Count, 0,
			func(t *Totals) *int64 { return &t.Messages }).at(Nowhere, ""),
		derivedItem("payload_bytes", "bytes", "payload bytes of all kinds", Bytes, 2,
			func(t *Totals) int64 { return t.PayloadBytes() }).at(Nowhere, "payload bytes").on(2),
	},
	bytesByKind(),
	[]CostItem{
		costItem("overhead_bytes", "overhead_bytes", "overhead bytes", "headers of messages and packets", Bytes, 0,
			func(t *Totals) *int64 { return &t.Overhead }).at(Nowhere, ""),
		costItem("retransmitted_bytes", "retransmitted_bytes", "retransmitted bytes", "sent again after a loss", Bytes, 0,
			func(t *Totals) *int64 { return &t.Retransmitted }).at(Nowhere, ""),
		costItem("lost_bytes", "lost_bytes", "lost bytes", "sent and never delivered", Bytes, 0,
			func(t *Totals) *int64 { return &t.LostBytes }).at(Nowhere, ""),
		costItem("lost_messages", "lost_messages", "lost messages", "sent and never delivered", Count, 0,
			func(t *Totals) *int64 { return &t.LostMessages }).at(Nowhere, ""),
	},
	elementsByKind("broadcast", "once per sender", func(t *Totals) *Elements { return &t.Broadcast }),
	elementsByKind("wire", "once per receiver", func(t *Totals) *Elements { return &t.Wire }),
	callsByKind(),
	[]CostItem{
		costItem("compute_s", "compute_s", "computing", "time spent computing, summed over the nodes", Seconds, 0,
			func(t *Totals) *int64 { return (*int64)(&t.Compute) }).at(Nowhere, ""),
		costItem("wait_s", "wait_s", "waiting", "time spent waiting, summed over the nodes", Seconds, 0,
			func(t *Totals) *int64 { return (*int64)(&t.Wait) }).at(Nowhere, ""),
		onPath("compute", "computing", "oracle calls and local algebra", func(p *Path) *sim.Time { return &p.Compute }),
		onPath("transfer", "transfer", "serializing, queueing and jitter", func(p *Path) *sim.Time { return &p.Transfer }).
			at(InTime, "sending"),
		onPath("latency", "latency", "latency of links", func(p *Path) *sim.Time { return &p.Latency }),
		onPath("idle", "idle", "waiting for timers", func(p *Path) *sim.Time { return &p.Idle }).
			at(InTimeIfAny, "idle"),
		derivedItem("oracle_calls", "oracle calls", "oracle calls of all kinds", Count, 5,
			func(t *Totals) int64 { return t.Oracle.calls() }).at(Nowhere, "").on(2), // where nothing is sent
		tariffItem("energy_j", "energy", "energy of all machines and links", Joules, 6,
			func(t *Totals) *float64 { return &t.Energy }),
		tariffItem("machine_energy_j", "energy of machines", "energy of all machines, idle and busy", Joules, 0,
			func(t *Totals) *float64 { return &t.MachineEnergy }),
		tariffItem("link_energy_j", "energy of links", "energy of the bytes on all links", Joules, 0,
			func(t *Totals) *float64 { return &t.LinkEnergy }),
		tariffItem("money", "money", "price of all machines and links, in the currency of the tariffs", Money, 7,
			func(t *Totals) *float64 { return &t.Money }),
		tariffItem("machine_money", "price of machines", "price of the time of all machines", Money, 0,
			func(t *Totals) *float64 { return &t.MachineMoney }),
		tariffItem("link_money", "price of links", "price of the bytes on all links", Money, 0,
			func(t *Totals) *float64 { return &t.LinkMoney }),
	},
)

func tariffItem(id, name, about string, unit Unit, rank int, of func(*Totals) *float64) CostItem {
	return CostItem{ID: id, Column: id, Name: name, About: about, Unit: unit, Rank: rank, Place: InPrices, Real: of}
}

// at returns the cost at another place.
func (c CostItem) at(place Place, short string) CostItem {
	c.Place, c.Short = place, short
	return c
}

// on returns the cost at a place among the axes of figures.
func (c CostItem) on(axis int) CostItem {
	c.Axis = axis
	return c
}

func costItem(id, column, name, about string, unit Unit, rank int, field func(*Totals) *int64) CostItem {
	return CostItem{ID: id, Column: column, Name: name, About: about, Unit: unit, Rank: rank, Field: field,
		Of: func(m *Moment) int64 { return *field(&m.Totals) }}
}

func derivedItem(id, name, about string, unit Unit, rank int, of func(*Totals) int64) CostItem {
	return CostItem{ID: id, Column: id, Name: name, About: about, Unit: unit, Rank: rank,
		Of: func(m *Moment) int64 { return of(&m.Totals) }}
}

func onPath(part, name, about string, of func(*Path) *sim.Time) CostItem {
	return costItem("critical_path."+part+"_s", "path_"+part+"_s", "critical path: "+name, "on the critical path: "+about,
		Seconds, 0,
		func(t *Totals) *int64 { return (*int64)(of(&t.Path)) }).at(InTime, name)
}

func bytesByKind() []CostItem {
	var all []CostItem
	for k := range NumKinds {
		id, place := k.String()+"_bytes", InCosts
		if k == Scalar {
			place = InSummary
		}
		all = append(all, costItem(id, id, k.String()+" bytes", "payload bytes of "+k.plural(), Bytes, 0,
			func(t *Totals) *int64 { return &t.Payload[k] }).at(place, ""))
	}
	return all
}

func elementsByKind(prefix, how string, of func(*Totals) *Elements) []CostItem {
	var all []CostItem
	for k := range NumKinds {
		column := prefix + "_" + k.String() + "_elements"
		if k == Scalar {
			column = prefix + "_scalars"
		}
		all = append(all, costItem(prefix+"_elements."+k.String(), column, prefix+" "+k.String()+" elements",
			"numbers in "+k.plural()+", "+how, Count, 0,
			func(t *Totals) *int64 { return of(t).at(k) }).at(Nowhere, ""))
	}
	return all
}

func callsByKind() []CostItem {
	var all []CostItem
	for c := range NumCalls {
		all = append(all, costItem("oracle."+c.String(), "oracle_"+c.String(), c.String()+" calls", c.about(), Count, 0,
			func(t *Totals) *int64 { return t.Oracle.At(c) }).at(InCalls, c.group()))
	}
	all = append(all, costItem("oracle.samples", "oracle_samples", "samples", "samples touched by oracle calls", Count, 0,
		func(t *Totals) *int64 { return &t.Oracle.Samples }).at(Nowhere, ""))
	for c := range NumCalls {
		all = append(all, costItem("oracle.samples_of."+c.String(), "", c.String()+" samples",
			"samples touched by "+c.String()+" calls", Count, 0,
			func(t *Totals) *int64 { return &t.Oracle.SamplesOf[c] }).at(Nowhere, ""))
	}
	return all
}

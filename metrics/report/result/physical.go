package result

import (
	"cmp"
	"math"
	"slices"

	"tallynet/metrics"
	"tallynet/metrics/jsonio"
	"tallynet/metrics/list"
	"tallynet/metrics/report/table"
	"tallynet/sim"
)

// PhysicalTotals is the load of a run on the network that its links share. Here a message counts on each physical
// link that it crosses. The files platform_links.csv and platform_flows.csv have all links.
type PhysicalTotals struct {
	Links   int           `json:"links"`
	Bytes   int64         `json:"bytes"`   // on all links together, headers included
	Busiest []PhysicalUse `json:"busiest"` // the links that were busy longest, at most ten
	Path    CriticalPath  `json:"critical_path"`
	// Assumed lists the assumptions about what the platform's file does not say, as in "3 parallel lines were
	// merged".
	Assumed []string `json:"assumed,omitempty"`
}

// PhysicalUse is a physical link in result.json.
type PhysicalUse struct {
	Link        string      `json:"link"`
	Bytes       int64       `json:"bytes"`
	Busy        Seconds     `json:"busy_s"`
	Utilisation jsonio.Real `json:"utilisation"`
}

// Seconds is a time that is written in seconds.
type Seconds sim.Time

// Float returns the seconds.
func (s Seconds) Float() float64 { return sim.Time(s).Seconds() }

// Time returns the time.
func (s Seconds) Time() sim.Time { return sim.Time(s) }

// MarshalJSON writes the exact number of seconds.
func (s Seconds) MarshalJSON() ([]byte, error) { return []byte(table.Seconds(sim.Time(s))), nil }

// UnmarshalJSON reads what MarshalJSON writes.
func (s *Seconds) UnmarshalJSON(data []byte) error {
	t, err := parseSeconds(string(data))
	*s = Seconds(t)
	return err
}

// CriticalPath is the chain of causes behind the end of the run. Gains are upper bounds: if the machine or link were
// ten times as fast, another chain might be the longest.
type CriticalPath struct {
	Total   Seconds    `json:"total_s"`
	Steps   int        `json:"steps"`
	Whole   bool       `json:"whole"` // false: only the end of a long chain was kept
	Latency Seconds    `json:"latency_s"`
	Jitter  Seconds    `json:"jitter_s"`
	Idle    Seconds    `json:"idle_s"`
	Limits  Seconds    `json:"own_limit_s"`     // of connections: a window, or a line
	Nodes   []PathNode `json:"nodes,omitempty"` // those that computed longest on it, at most ten
	Links   []PathLink `json:"links,omitempty"` // those that held it up longest, at most ten
}

// PathNode is a node's computing on the critical path.
type PathNode struct {
	Node    int     `json:"node"`
	Compute Seconds `json:"compute_s"`
	Gain    Seconds `json:"gain_at_most_s"`
}

// PathLink is a physical link's part of the critical path.
type PathLink struct {
	Link     string  `json:"link"`
	Transfer Seconds `json:"transfer_s"`
	Gain     Seconds `json:"gain_at_most_s"`
}

// PlatformLinkRow is a physical link of a run.
type PlatformLinkRow struct {
	Link          string
	BitsPerSecond float64 // infinite: unlimited
	Messages      int64
	Bytes         int64
	Busy          sim.Time
	Utilisation   float64
	Charge        metrics.Charge // with tariffs
}

// CrossingRow is what a connection has sent over one physical link. Link is empty for the limit of the connection
// itself, its window or its line. To is -1 for all neighbours on a medium.
type CrossingRow struct {
	From, To   int
	Link       string
	Messages   int64
	Bytes      int64
	Bottleneck sim.Time // for how long the link was the connection's bottleneck
}

// platformLinkFile has one row for each run and physical link: the run; link, bits_per_second, messages, bytes,
// busy_s, utilisation, and what it cost by the tariffs.
var platformLinkFile = fixedFile("platform_links.csv", platformLinkColumns,
	func(run *Run) *[]PlatformLinkRow { return &run.PlatformLinks })

var platformLinkColumns = []column[PlatformLinkRow]{
	{"link", func(l *PlatformLinkRow) any { return &l.Link }},
	{"bits_per_second", func(l *PlatformLinkRow) any { return &l.BitsPerSecond }},
	{"messages", func(l *PlatformLinkRow) any { return &l.Messages }},
	{"bytes", func(l *PlatformLinkRow) any { return &l.Bytes }},
	{"busy_s", func(l *PlatformLinkRow) any { return &l.Busy }},
	{"utilisation", func(l *PlatformLinkRow) any { return &l.Utilisation }},
	{"energy_j", func(l *PlatformLinkRow) any { return &l.Charge.Joules }},
	{"money", func(l *PlatformLinkRow) any { return &l.Charge.Money }},
}

// crossingFile has one row for each run, connection and physical link of its route: the run; from, to, link,
// messages, bytes, bottleneck_s.
var crossingFile = fixedFile("platform_flows.csv", crossingColumns,
	func(run *Run) *[]CrossingRow { return &run.Crossings })

var crossingColumns = []column[CrossingRow]{
	{"from", func(c *CrossingRow) any { return &c.From }},
	{"to", func(c *CrossingRow) any { return &c.To }},
	{"link", func(c *CrossingRow) any { return &c.Link }},
	{"messages", func(c *CrossingRow) any { return &c.Messages }},
	{"bytes", func(c *CrossingRow) any { return &c.Bytes }},
	{"bottleneck_s", func(c *CrossingRow) any { return &c.Bottleneck }},
}

// overPlatform reports whether a run had physical links.
func (r *Report) overPlatform() bool {
	return slices.ContainsFunc(r.Runs, func(run Run) bool { return run.Physical != nil })
}

// SetPhysical records the load on the run's platform until t. It does nothing for a run without a platform.
func (r *Run) SetPhysical(links []metrics.PhysicalLink, crossings []metrics.Crossing, path *metrics.CriticalPath,
	unlimited int64, t sim.Time) {
	if path == nil {
		return
	}
	p := &PhysicalTotals{Links: len(links), Path: newCriticalPath(path, links)}
	for i := range links {
		l := &links[i]
		p.Bytes += l.Bytes
		row := PlatformLinkRow{Link: l.Name, BitsPerSecond: float64(l.BitsPerSecond), Messages: l.Messages, Bytes: l.Bytes,
			Busy: l.Busy, Utilisation: l.Utilisation(unlimited, t)}
		if l.BitsPerSecond == unlimited {
			row.BitsPerSecond = math.Inf(1)
		}
		r.PlatformLinks = append(r.PlatformLinks, row)
	}
	busiest := slices.Clone(r.PlatformLinks)
	slices.SortStableFunc(busiest, func(a, b PlatformLinkRow) int { return cmp.Compare(b.Busy, a.Busy) })
	p.Busiest = list.Map(busiest[:min(most, len(busiest))], func(l PlatformLinkRow) PhysicalUse {
		return PhysicalUse{l.Link, l.Bytes, Seconds(l.Busy), jsonio.Real(l.Utilisation)}
	})
	for _, c := range crossings {
		row := CrossingRow{From: c.From, To: c.To, Messages: c.Messages, Bytes: c.Bytes, Bottleneck: c.Bottleneck}
		if c.Link >= 0 {
			row.Link = links[c.Link].Name
		}
		r.Crossings = append(r.Crossings, row)
	}
	r.Physical = p
}

// most limits the nodes and links in result.json.
const most = 10

func newCriticalPath(p *metrics.CriticalPath, links []metrics.PhysicalLink) CriticalPath {
	c := CriticalPath{Total: Seconds(p.Total), Steps: p.Steps, Whole: p.Whole, Latency: Seconds(p.Latency),
		Jitter: Seconds(p.Transfer), Idle: Seconds(p.Idle), Limits: Seconds(p.Limits),
		Nodes: []PathNode{}, Links: []PathLink{}}
	for _, s := range p.Nodes[:min(most, len(p.Nodes))] {
		c.Nodes = append(c.Nodes, PathNode{s.Index, Seconds(s.Time), Seconds(s.Gain())})
	}
	for _, s := range p.Links[:min(most, len(p.Links))] {
		c.Links = append(c.Links, PathLink{links[s.Index].Name, Seconds(s.Time), Seconds(s.Gain())})
	}
	return c
}

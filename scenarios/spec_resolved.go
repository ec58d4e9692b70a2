package scenarios

import (
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"tallynet/sim"
)

// YAML returns the resolved scenario as a file that can be loaded again.
func (s *Scenario) YAML() ([]byte, error) { return yaml.Marshal(s.Resolved()) }

// Resolved returns the scenario with every default filled in, in the order of the
// file format, quantities with their units. It marshals to JSON and YAML, and
// loading either gives an equal scenario.
func (s *Scenario) Resolved() Ordered {
	var o Ordered
	o.Add("version", s.Version)
	o.Add("name", s.Name)
	if s.About != "" {
		o.Add("about", s.About)
	}
	o = append(o, seedPair(s.Seeds))
	o.Add("topology", s.resolvedTopology())
	o.Add("network", s.Network.resolved())
	o.Add("compute", s.Compute.resolved())
	o.Add("wire", s.Wire)
	problem := Ordered{{"kind", s.Problem.Kind}}
	o.Add("problem", append(problem, s.Problem.Args.Ordered(s.swept("problem"))...))
	var algs []Ordered
	for _, a := range s.Algorithms {
		algs = append(algs, a.resolved(s.swept("algorithms")))
	}
	o.Add("algorithms", algs)
	if stop := s.Stop.resolved(); len(stop) > 0 {
		o.Add("stop", stop)
	}
	record := Ordered{{"every", s.Record.Every}}
	if s.Record.Metrics != nil {
		record.Add("metrics", s.Record.Metrics)
	}
	record.Add("iterates", s.Record.Iterates)
	o.Add("record", record)
	if len(s.Sweep) > 0 {
		o.Add("sweep", resolvedAxes(s.Sweep))
	}
	if len(s.List) > 0 {
		var points []Ordered
		for _, p := range s.List {
			points = append(points, resolvedSettings(p))
		}
		o.Add(pointsKey, points)
	}
	var list []Ordered
	for _, c := range s.Claims {
		if c.unfit == "" { // the others are not of the scenario as it is now
			list = append(list, c.resolved())
		}
	}
	if list != nil {
		o.Add("claims", list)
	}
	if tables := s.resolvedTables(); tables != nil {
		o.Add("tables", tables)
	}
	if len(s.Small) > 0 && !s.set { // with other values it may not fit
		o.Add("small", resolvedSettings(s.Small))
	}
	return o
}

func resolvedSettings(settings []Setting) Ordered {
	var o Ordered
	for _, s := range settings {
		o.Add(s.Key, s.Value)
	}
	return o
}

func (s *Scenario) resolvedTables() []Ordered {
	var tables []Ordered
	for _, t := range s.Tables {
		o := Ordered{{"name", t.Name}, {"title", t.Title}, {"source", t.Source}, {"columns", t.Columns}}
		var rows []Ordered
		for _, r := range t.Rows {
			if r.unfit != "" {
				continue
			}
			row := Ordered{{"name", r.Name}, {"cells", r.Cells}}
			if r.Printed != nil {
				row.Add("printed", r.Printed)
			}
			rows = append(rows, row)
		}
		if rows == nil {
			continue
		}
		o.Add("rows", rows)
		if t.X != nil {
			o.Add("x", t.X)
			if t.XLabel != "" {
				o.Add("xlabel", t.XLabel)
			}
			if t.YLabel != "" {
				o.Add("ylabel", t.YLabel)
			}
			o.Add("scale", map[bool]string{false: "linear", true: "log"}[t.Log])
		}
		tables = append(tables, o)
	}
	return tables
}

func (c Claim) resolved() Ordered {
	o := Ordered{{"text", c.Text}, {"source", c.Source}}
	if c.Printed != nil {
		o.Add("printed", c.Printed)
	}
	o.Add("check", c.Check)
	if c.Differs {
		o.Add("expected", "differs")
		o.Add("reason", c.Reason)
	}
	if c.Exact {
		o.Add("exact", true)
	}
	if c.Full {
		o.Add("small", false)
	}
	return o
}

func seedPair(seeds []uint64) Pair {
	if len(seeds) == 1 {
		return Pair{"seed", seeds[0]}
	}
	for i, v := range seeds {
		if v != uint64(i)+1 {
			return Pair{"seeds", seeds}
		}
	}
	return Pair{"seeds", len(seeds)}
}

// swept reports whether the sweep changes something in the section. Then only what
// was given is written: a default that fits the first point may not fit the others.
func (s *Scenario) swept(section string) bool {
	within := func(key string) bool {
		rest, ok := strings.CutPrefix(key, section)
		return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
	}
	for _, p := range s.List {
		if slices.ContainsFunc(p, func(c Setting) bool { return within(c.Key) }) {
			return true
		}
	}
	return slices.ContainsFunc(s.Sweep, func(a Axis) bool { return within(a.Key) })
}

// listed returns the keys of a section that the list of points sets: what the first point
// gives may be no key at the others.
func (s *Scenario) listed(section string) []string {
	var keys []string
	for _, p := range s.List {
		for _, c := range p {
			if key, ok := strings.CutPrefix(c.Key, section+"."); ok {
				keys = append(keys, key)
			}
		}
	}
	return keys
}

func (s *Scenario) resolvedTopology() Ordered {
	t := s.Topology
	o := Ordered{{"kind", t.Kind}}
	o = append(o, t.Args.Ordered(s.swept("topology"), s.listed("topology")...)...)
	if args := t.Weights.Args.Ordered(false); len(args) > 0 {
		o.Add("weights", append(Ordered{{"kind", t.Weights.Kind}}, args...))
	} else {
		o.Add("weights", t.Weights.Kind)
	}
	return o
}

func (n Network) resolved() Ordered {
	o := Ordered{
		{"latency", n.Latency.String()},
		{"bandwidth", n.Bandwidth.String()},
		{"duplex", "full"},
	}
	if n.Jitter.Kind == "none" {
		o.Add("jitter", "none")
	} else {
		j := Ordered{{"kind", n.Jitter.Kind}, {"mean", n.Jitter.Mean.String()}}
		if n.Jitter.Kind == "normal" {
			j.Add("deviation", n.Jitter.Deviation.String())
		}
		o.Add("jitter", j)
	}
	h := Ordered{{"message", n.Overhead.Message.String()}, {"packet", n.Overhead.Packet.String()}}
	if n.Overhead.MTU > 0 {
		h.Add("mtu", n.Overhead.MTU.String())
	}
	o.Add("overhead", h)
	o.Add("contention", n.Contention)
	if n.NIC != nil {
		nic := Ordered{{"up", n.NIC.Up.String()}, {"down", n.NIC.Down.String()}}
		var nodes []Ordered
		for _, x := range n.NIC.Nodes {
			nodes = append(nodes, Ordered{{"node", x.Node}, {"up", x.Up.String()}, {"down", x.Down.String()}})
		}
		if nodes != nil {
			nic.Add("nodes", nodes)
		}
		o.Add("nic", nic)
	}
	var links []Ordered
	for _, l := range n.Links {
		links = append(links, Ordered{{"from", l.From}, {"to", l.To}, {"oneway", l.OneWay},
			{"latency", l.Latency.String()}, {"bandwidth", l.Bandwidth.String()}})
	}
	if links != nil {
		o.Add("links", links)
	}
	return o
}

func (c Compute) resolved() Ordered {
	o := c.Machine.resolved(0)
	if s := c.Straggler; s == nil {
		o.Add("straggler", "none")
	} else {
		o.Add("straggler", s.resolved())
	}
	var nodes []Ordered
	for _, m := range c.Nodes {
		nodes = append(nodes, append(Ordered{{"node", m.Node}}, m.Machine.resolved(c.Calls.Round)...))
	}
	if nodes != nil {
		o.Add("nodes", nodes)
	}
	return o
}

// resolved writes the machine; round is what holds where calls are left out.
func (m Machine) resolved(round sim.Time) Ordered {
	o := Ordered{{"speed", m.Speed.String()}}
	var calls Ordered
	differs := m.Calls.Round != round
	for _, f := range m.Calls.fields() {
		if *f.at >= 0 {
			calls.Add(f.name, f.at.String())
			differs = differs || f.name != "round"
		}
	}
	if differs {
		o.Add("calls", calls)
	}
	return o
}

func (s *Straggler) resolved() Ordered {
	o := Ordered{{"kind", s.Kind}}
	switch s.Kind {
	case "constant":
		o.Add("factor", s.Factor)
	case "lognormal":
		o.Add("sigma", s.Sigma)
	case "exponential":
		o.Add("mean", s.Mean)
	case "pareto":
		o.Add("shape", s.Shape)
	}
	if s.Kind != "constant" {
		o.Add("window", s.Window.String())
	}
	if s.Nodes != nil {
		o.Add("nodes", s.Nodes)
	}
	return o
}

func (a Algorithm) resolved(onlyGiven bool) Ordered {
	o := Ordered{{"name", a.Name}, {"label", a.Label}}
	except := []string{"label"}
	if a.Tune != nil {
		for _, x := range a.Tune.Grid {
			except = append(except, x.Key)
		}
	}
	o = append(o, a.Args.Ordered(onlyGiven, except...)...)
	if t := a.Tune; t != nil {
		tune := Ordered{{"grid", resolvedAxes(t.Grid)}, {"by", t.By}}
		if t.To != nil {
			var to Ordered
			for _, m := range t.To {
				to.Add(m.Metric, m.Value)
			}
			tune.Add("to", to)
		}
		o.Add("tune", tune)
	}
	return o
}

func resolvedAxes(axes []Axis) Ordered {
	var o Ordered
	for _, a := range axes {
		o.Add(a.Key, a.Values)
	}
	return o
}

func (s Stop) resolved() Ordered {
	var o Ordered
	if s.Iterations > 0 {
		o.Add("iterations", s.Iterations)
	}
	if s.Time > 0 {
		o.Add("time", s.Time.String())
	}
	if s.Payload > 0 {
		o.Add("payload", s.Payload.String())
	}
	if s.Growth != defaultGrowth {
		o.Add("growth", s.Growth)
	}
	if s.Target != nil {
		var target Ordered
		for _, m := range s.Target {
			target.Add(m.Metric, m.Value)
		}
		o.Add("target", target)
	}
	for _, m := range s.Metrics {
		o.Add(m.Metric, m.Value)
	}
	return o
}

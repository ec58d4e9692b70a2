package scenarios

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"tallynet/sim"
)

// Ordered is a section of keys that keeps their order in JSON and YAML.
type Ordered []Pair

// Pair is a key and its value.
type Pair struct {
	Key   string
	Value any
}

// MarshalJSON writes an object whose keys are in order.
func (o Ordered) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, p := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		key, err := json.Marshal(p.Key)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(p.Value)
		if err != nil {
			return nil, err
		}
		b.Write(key)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// MarshalYAML gives the YAML library a map that keeps its order.
func (o Ordered) MarshalYAML() (any, error) {
	m := yaml.MapSlice{}
	for _, p := range o {
		m = append(m, yaml.MapItem{Key: p.Key, Value: p.Value})
	}
	return m, nil
}

func (o *Ordered) add(key string, value any) { *o = append(*o, Pair{key, value}) }

// YAML returns the resolved scenario as a file that can be loaded again.
func (s *Scenario) YAML() ([]byte, error) { return yaml.Marshal(s.Resolved()) }

// Resolved returns the scenario with every default filled in, in the order of the
// file format, quantities with their units. It marshals to JSON and YAML, and
// loading either gives an equal scenario.
func (s *Scenario) Resolved() Ordered {
	var o Ordered
	o.add("version", s.Version)
	o.add("name", s.Name)
	if s.About != "" {
		o.add("about", s.About)
	}
	o = append(o, seedPair(s.Seeds))
	o.add("topology", s.resolvedTopology())
	o.add("network", s.Network.resolved())
	o.add("compute", s.Compute.resolved())
	o.add("wire", s.Wire)
	problem := Ordered{{"kind", s.Problem.Kind}}
	o.add("problem", append(problem, s.Problem.Args.ordered(s.swept("problem"))...))
	var algs []Ordered
	for _, a := range s.Algorithms {
		algs = append(algs, a.resolved(s.swept("algorithms")))
	}
	o.add("algorithms", algs)
	if stop := s.Stop.resolved(); len(stop) > 0 {
		o.add("stop", stop)
	}
	record := Ordered{{"every", s.Record.Every}}
	if s.Record.Metrics != nil {
		record.add("metrics", s.Record.Metrics)
	}
	record.add("iterates", s.Record.Iterates)
	o.add("record", record)
	if len(s.Sweep) > 0 {
		o.add("sweep", resolvedAxes(s.Sweep))
	}
	if len(s.List) > 0 {
		var points []Ordered
		for _, p := range s.List {
			points = append(points, resolvedSettings(p))
		}
		o.add(pointsKey, points)
	}
	var list []Ordered
	for _, c := range s.Claims {
		if c.unfit == "" { // the others are not of the scenario as it is now
			list = append(list, c.resolved())
		}
	}
	if list != nil {
		o.add("claims", list)
	}
	if tables := s.resolvedTables(); tables != nil {
		o.add("tables", tables)
	}
	if len(s.Small) > 0 && !s.set { // with other values it may not fit
		o.add("small", resolvedSettings(s.Small))
	}
	return o
}

func resolvedSettings(settings []Setting) Ordered {
	var o Ordered
	for _, s := range settings {
		o.add(s.Key, s.Value)
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
				row.add("printed", r.Printed)
			}
			rows = append(rows, row)
		}
		if rows == nil {
			continue
		}
		o.add("rows", rows)
		if t.X != nil {
			o.add("x", t.X)
			if t.XLabel != "" {
				o.add("xlabel", t.XLabel)
			}
			if t.YLabel != "" {
				o.add("ylabel", t.YLabel)
			}
			o.add("scale", map[bool]string{false: "linear", true: "log"}[t.Log])
		}
		tables = append(tables, o)
	}
	return tables
}

func (c Claim) resolved() Ordered {
	o := Ordered{{"text", c.Text}, {"source", c.Source}}
	if c.Printed != nil {
		o.add("printed", c.Printed)
	}
	o.add("check", c.Check)
	if c.Differs {
		o.add("expected", "differs")
		o.add("reason", c.Reason)
	}
	if c.Exact {
		o.add("exact", true)
	}
	if c.Full {
		o.add("small", false)
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
	o = append(o, t.Args.ordered(s.swept("topology"), s.listed("topology")...)...)
	if args := t.Weights.Args.ordered(false); len(args) > 0 {
		o.add("weights", append(Ordered{{"kind", t.Weights.Kind}}, args...))
	} else {
		o.add("weights", t.Weights.Kind)
	}
	return o
}

// ordered returns the values, or only the given ones, in the order of the table.
func (a Args) ordered(onlyGiven bool, except ...string) Ordered {
	var o Ordered
	for _, p := range a.params {
		v, ok := a.values[p.Name]
		if !ok || p.Kind == special || onlyGiven && !a.given[p.Name] || slices.Contains(except, p.Name) {
			continue
		}
		o.add(p.Name, written(v))
	}
	return o
}

// written returns a value as it is written in a file.
func written(v any) any {
	switch v := v.(type) {
	case sim.Time:
		return v.String()
	case Rate:
		return v.String()
	case Size:
		return v.String()
	case Speed:
		return v.String()
	case Args:
		return v.ordered(false)
	case []Args:
		var list []Ordered
		for _, a := range v {
			list = append(list, a.ordered(false))
		}
		return list
	}
	return v
}

func (n Network) resolved() Ordered {
	o := Ordered{
		{"latency", n.Latency.String()},
		{"bandwidth", n.Bandwidth.String()},
		{"duplex", "full"},
	}
	if n.Jitter.Kind == "none" {
		o.add("jitter", "none")
	} else {
		j := Ordered{{"kind", n.Jitter.Kind}, {"mean", n.Jitter.Mean.String()}}
		if n.Jitter.Kind == "normal" {
			j.add("deviation", n.Jitter.Deviation.String())
		}
		o.add("jitter", j)
	}
	h := Ordered{{"message", n.Overhead.Message.String()}, {"packet", n.Overhead.Packet.String()}}
	if n.Overhead.MTU > 0 {
		h.add("mtu", n.Overhead.MTU.String())
	}
	o.add("overhead", h)
	o.add("contention", n.Contention)
	if n.NIC != nil {
		nic := Ordered{{"up", n.NIC.Up.String()}, {"down", n.NIC.Down.String()}}
		var nodes []Ordered
		for _, x := range n.NIC.Nodes {
			nodes = append(nodes, Ordered{{"node", x.Node}, {"up", x.Up.String()}, {"down", x.Down.String()}})
		}
		if nodes != nil {
			nic.add("nodes", nodes)
		}
		o.add("nic", nic)
	}
	var links []Ordered
	for _, l := range n.Links {
		links = append(links, Ordered{{"from", l.From}, {"to", l.To}, {"oneway", l.OneWay},
			{"latency", l.Latency.String()}, {"bandwidth", l.Bandwidth.String()}})
	}
	if links != nil {
		o.add("links", links)
	}
	return o
}

func (c Compute) resolved() Ordered {
	o := c.Machine.resolved(0)
	if s := c.Straggler; s == nil {
		o.add("straggler", "none")
	} else {
		o.add("straggler", s.resolved())
	}
	var nodes []Ordered
	for _, m := range c.Nodes {
		nodes = append(nodes, append(Ordered{{"node", m.Node}}, m.Machine.resolved(c.Calls.Round)...))
	}
	if nodes != nil {
		o.add("nodes", nodes)
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
			calls.add(f.name, f.at.String())
			differs = differs || f.name != "round"
		}
	}
	if differs {
		o.add("calls", calls)
	}
	return o
}

func (s *Straggler) resolved() Ordered {
	o := Ordered{{"kind", s.Kind}}
	switch s.Kind {
	case "constant":
		o.add("factor", s.Factor)
	case "lognormal":
		o.add("sigma", s.Sigma)
	case "exponential":
		o.add("mean", s.Mean)
	case "pareto":
		o.add("shape", s.Shape)
	}
	if s.Kind != "constant" {
		o.add("window", s.Window.String())
	}
	if s.Nodes != nil {
		o.add("nodes", s.Nodes)
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
	o = append(o, a.Args.ordered(onlyGiven, except...)...)
	if t := a.Tune; t != nil {
		tune := Ordered{{"grid", resolvedAxes(t.Grid)}, {"by", t.By}}
		if t.To != nil {
			var to Ordered
			for _, m := range t.To {
				to.add(m.Metric, m.Value)
			}
			tune.add("to", to)
		}
		o.add("tune", tune)
	}
	return o
}

func resolvedAxes(axes []Axis) Ordered {
	var o Ordered
	for _, a := range axes {
		o.add(a.Key, a.Values)
	}
	return o
}

func (s Stop) resolved() Ordered {
	var o Ordered
	if s.Iterations > 0 {
		o.add("iterations", s.Iterations)
	}
	if s.Time > 0 {
		o.add("time", s.Time.String())
	}
	if s.Payload > 0 {
		o.add("payload", s.Payload.String())
	}
	if s.Growth != defaultGrowth {
		o.add("growth", s.Growth)
	}
	if s.Target != nil {
		var target Ordered
		for _, m := range s.Target {
			target.add(m.Metric, m.Value)
		}
		o.add("target", target)
	}
	for _, m := range s.Metrics {
		o.add(m.Metric, m.Value)
	}
	return o
}

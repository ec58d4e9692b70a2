package serve

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tallynet/scenarios/catalog"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/spec"
)

// control describes a control of the page. A slider goes from Low to High, in seconds, bit/s or
// plain numbers.
type control struct {
	Key     string   `json:"key"`
	Label   string   `json:"label"`
	Kind    string   `json:"kind"` // choice, count, time, rate or number
	Value   string   `json:"value"`
	Choices []string `json:"choices,omitempty"`
	Low     float64  `json:"low,omitempty"`
	High    float64  `json:"high,omitempty"`
	Step    float64  `json:"step,omitempty"`
	Log     bool     `json:"log,omitempty"`
	Off     string   `json:"off,omitempty"` // why it is disabled
	Hint    string   `json:"hint,omitempty"`
	swept   bool     // the sweep has several values for it
}

// The controls, in the order in which changes are applied.
const (
	topology  = "topology"
	nodes     = "nodes"
	latency   = "latency"
	bandwidth = "bandwidth"
	loss      = "loss"
	straggler = "straggler"
	slowness  = "slowness"
	seeds     = "seeds"
)

// slow describes the slowness of each kind of straggler: its key, its label, its first value and the
// range of the slider.
var slow = map[string]struct {
	key, about, first string
	low, high         float64
}{
	"none":        {},
	"constant":    {"factor", "how many times slower", "4", 1, 100},
	"lognormal":   {"sigma", "spread of the slowdown (sigma)", "0.5", 0.05, 5},
	"exponential": {"mean", "mean slowdown beyond 1", "0.5", 0.05, 50},
	"pareto":      {"shape", "shape: the smaller, the heavier the tail", "2.5", 1.05, 20},
}

// controls returns the controls with the values of a scenario.
func controls(s *spec.Scenario, cat *catalog.Catalog) []control {
	all := []control{
		{Key: topology, Label: "topology", Kind: "choice", Value: s.Topology.Kind, Choices: kinds(s, cat)},
		{Key: nodes, Label: "nodes", Kind: "count", Value: strconv.Itoa(s.Topology.Nodes), Low: 2, High: 256, Log: true},
		{Key: latency, Label: "latency", Kind: "time", Low: 1e-6, High: 1, Log: true},
		{Key: bandwidth, Label: "bandwidth", Kind: "rate", Low: 1e5, High: 1e11, Log: true},
		{Key: loss, Label: "loss (share of the messages)", Kind: "number", Value: "0", High: 0.5, Step: 0.01},
	}
	if s.Platform.Read() {
		all[2].Off, all[3].Off = "the links are those of the platform", "the links are those of the platform"
	} else {
		all[2].Value, all[3].Value = s.Network.Duration("latency").String(), s.Network.Rate("bandwidth").String()
	}
	if lost := keys.Optional[keys.Args](s.Network, "loss"); lost.Read() {
		switch lost.Kind() {
		case "independent":
			all[4].Value = keys.FormatFloat(lost.Float("p"))
		case "bursts":
			all[4].Off = "messages are lost in bursts"
		}
	}
	all = append(all, stragglerControls(s)...)
	all = append(all, control{Key: seeds, Label: "seeds (runs of each method)", Kind: "count",
		Value: strconv.Itoa(len(s.Seeds)), Low: 1, High: 100, Log: true, Hint: seedsHint(s.Seeds)})
	for i := range all {
		all[i].sweep(s)
	}
	return all
}

func stragglerControls(s *spec.Scenario) []control {
	now := s.Compute.Section("straggler")
	how := slow[now.Kind()]
	which := control{Key: straggler, Label: "straggler", Kind: "choice", Value: now.Kind(),
		Choices: []string{"none", "constant", "lognormal", "exponential", "pareto"}}
	if now.Kind() == "none" {
		return []control{which, {Key: slowness, Label: "slowness", Kind: "number", Low: 1, High: 10, Log: true,
			Off: "there is no straggler"}}
	}
	which.Hint = "all nodes"
	if keys.Optional[[]int](now, "nodes") != nil {
		which.Hint = fmt.Sprintf("of nodes %v", now.Ints("nodes"))
	}
	return []control{which, {Key: slowness, Label: how.about, Kind: "number", Log: true, Low: how.low, High: how.high,
		Value: keys.FormatFloat(now.Float(how.key))}}
}

// seedsHint lists the seeds of a scenario unless they are 1, 2, and so on.
func seedsHint(all []uint64) string {
	const most = 4
	usual := true
	for i, v := range all {
		usual = usual && v == uint64(i)+1
	}
	if usual {
		return ""
	}
	text := words(all[:min(most, len(all))])
	if len(all) > most {
		text += ", ..."
	}
	return fmt.Sprintf("those of the file: %s; k seeds are 1 to k", text)
}

// kinds returns the topologies that need only a number of nodes, and the file's own.
func kinds(s *spec.Scenario, cat *catalog.Catalog) []string {
	var names []string
	for _, e := range catalog.Entries(cat.Topologies) {
		if _, ok := example(&e); ok || e.Name == s.Topology.Kind {
			names = append(names, e.Name)
		}
	}
	if !slices.Contains(names, s.Topology.Kind) { // an alias
		names = append(names, s.Topology.Kind)
	}
	return names
}

// example returns values for the required parameters of a kind of topology. It returns false if they
// depend on the nodes.
func example(e *keys.Entry) (text string, ok bool) {
	for _, p := range e.Params {
		if p.Required && p.Kind != keys.Int && p.Kind != keys.Float {
			return "", false
		}
		if p.Required {
			text += fmt.Sprintf(", %s: %s", p.Name, p.Example)
		}
	}
	return text, true
}

// path returns the key of the scenario that a control sets.
func (c *control) path(s *spec.Scenario) string {
	switch c.Key {
	case topology:
		return "topology.kind"
	case nodes:
		return "topology.nodes"
	case latency, bandwidth, loss:
		return "network." + c.Key
	case seeds:
		if s.DataSeed != nil {
			return "seeds.run"
		}
		return seeds
	case slowness:
		return "compute.straggler." + slow[s.Compute.Section("straggler").Kind()].key
	}
	return "compute." + c.Key
}

// sweep marks a control whose key the study sweeps over.
func (c *control) sweep(s *spec.Scenario) {
	at := c.path(s)
	for _, a := range s.Sweep {
		switch {
		case a.Key == at && len(a.Values) > 1:
			c.swept = true
			c.Hint = fmt.Sprintf("swept over %s: a choice here takes the place of all", words(a.Values))
		case a.Key != at && (within(a.Key, at) || within(at, a.Key)):
			c.Off = "the sweep sets " + a.Key
		}
	}
	for _, point := range s.List {
		for _, v := range point.Values {
			if within(v.Key, at) || within(at, v.Key) {
				c.Off = "the points set " + v.Key
			}
		}
	}
}

// within reports whether a key is the section or lies in it.
func within(section, key string) bool { return key == section || strings.HasPrefix(key, section+".") }

func words[T any](values []T) string {
	var all []string
	for _, v := range values {
		all = append(all, fmt.Sprint(v))
	}
	return strings.Join(all, ", ")
}

// Values of controls that the page may send: a name, or a number with a unit.
var (
	aName     = regexp.MustCompile(`^[a-z][a-z-]{0,31}$`)
	aQuantity = regexp.MustCompile(`^([0-9][0-9.]{0,15}(e[+-]?[0-9]{1,3})? ?[A-Za-z]{0,6}(/s)?|unlimited)$`)
)

// sets translates changes of controls into --set arguments for the file.
func sets(file *spec.Scenario, cat *catalog.Catalog, changes map[string]string) ([]string, error) {
	now := map[string]control{}
	for _, c := range controls(file, cat) {
		now[c.Key] = c
	}
	for key, value := range changes {
		of := aQuantity
		if key == topology || key == straggler {
			of = aName
		}
		if _, known := now[key]; !known || !of.MatchString(value) {
			return nil, fmt.Errorf("%s: %q is not a value of this control", key, value)
		}
	}
	t := translation{file: file, cat: cat, changes: changes, now: now}
	t.graph()
	for _, key := range []string{latency, bandwidth} {
		if v, ok := t.changed(key); ok {
			t.set("network."+key, v)
		}
	}
	t.losses()
	t.stragglers()
	if v, ok := t.changed(seeds); ok {
		c := now[seeds]
		t.set(c.path(file), v)
	}
	return t.all, t.err
}

// translation translates controls into --set arguments.
type translation struct {
	file    *spec.Scenario
	cat     *catalog.Catalog
	changes map[string]string
	now     map[string]control
	all     []string
	err     error
}

// changed returns the new value of a control, and whether it differs from the file.
func (t *translation) changed(key string) (string, bool) {
	v, ok := t.changes[key]
	return v, ok && (v != t.now[key].Value || t.now[key].swept)
}

// set sets a key. A swept key gets a sweep over one value.
func (t *translation) set(key, value string) {
	if t.sweeps(key) {
		t.all = append(t.all, fmt.Sprintf(`sweep["%s"]=[%s]`, key, value))
		return
	}
	t.all = append(t.all, key+"="+value)
}

func (t *translation) sweeps(key string) bool {
	return slices.ContainsFunc(t.file.Sweep, func(a spec.Axis) bool { return a.Key == key })
}

// graph sets the topology. Another kind replaces the whole section, since its parameters differ, but
// keeps the rule of the mixing matrix.
func (t *translation) graph() {
	n, resized := t.changed(nodes)
	kind, other := t.changed(topology)
	if other && !t.sweeps("topology.kind") {
		if n == "" {
			n = t.now[nodes].Value
		}
		e, _ := keys.Lookup(catalog.Entries(t.cat.Topologies), kind)
		if e == nil {
			t.err = fmt.Errorf("there is no topology %q", kind)
			return
		}
		more, _ := example(e)
		t.set("topology", fmt.Sprintf("{kind: %s, nodes: %s%s%s}", kind, n, more, t.weights()))
		if !t.sweeps("topology.nodes") {
			return
		}
	} else if other {
		t.set("topology.kind", kind)
	}
	if resized {
		t.set("topology.nodes", n)
	}
}

// weights returns the file's rule of the mixing matrix, unless it is an explicit matrix.
func (t *translation) weights() string {
	if t.file.Topology.Weights.Kind() == "explicit" {
		return ""
	}
	for _, m := range t.file.Topology.Args.Resolved(keys.Which{OnlyGiven: true}) {
		if m.Key != "weights" {
			continue
		}
		if name, ok := m.Value.(string); ok {
			return ", weights: " + name
		}
		text, err := json.Marshal(m.Value)
		if err != nil {
			panic("serve: " + err.Error()) // a resolved section has a JSON form
		}
		return ", weights: " + string(text)
	}
	return ""
}

func (t *translation) losses() {
	v, ok := t.changed(loss)
	if !ok {
		return
	}
	lost := keys.Optional[keys.Args](t.file.Network, "loss")
	p, err := strconv.ParseFloat(v, 64)
	switch {
	case err != nil || math.IsNaN(p):
		t.err = fmt.Errorf("loss: want a share from 0 to 1, got %q", v)
	case lost.Read() && lost.Kind() == "independent":
		t.set("network.loss.p", v)
	case p > 0:
		t.set("network.loss", fmt.Sprintf("{kind: independent, p: %s}", v))
	}
}

// stragglers sets the straggler: node 0 for a constant slowdown, all nodes for a random one.
func (t *translation) stragglers() {
	kind, other := t.changed(straggler)
	if !other {
		kind = t.now[straggler].Value
	}
	how, known := slow[kind]
	v, moved := t.changed(slowness)
	switch {
	case !known:
		t.err = fmt.Errorf("there is no straggler %q", kind)
	case other && kind == "none":
		t.set("compute.straggler", "none")
	case other:
		if v == "" {
			v = how.first
		}
		where := ""
		if kind == "constant" {
			where = ", nodes: [0]"
		}
		t.set("compute.straggler", fmt.Sprintf("{kind: %s, %s: %s%s}", kind, how.key, v, where))
	case moved && kind != "none":
		t.set("compute.straggler."+how.key, v)
	}
}

package scenarios

import (
	"fmt"
	"strings"
)

func (r *reader) topology(e *Field) Topology {
	common := []Param{
		{Name: "nodes", Kind: Int, Required: true, Example: "8", Range: Between(1, 1e7), About: "the number of nodes"},
		{Name: "weights", Kind: Any, About: "the mixing matrix"},
		{Name: "schedule", Later: "a graph that changes over time"},
		{Name: "directed", Later: "directed graphs"},
	}
	c := r.Choose(e, Choice{Path: "topology", Key: "kind", What: "topology", Entries: r.cat.TopologyEntries(), Common: common, Later: LaterTopologies()})
	if c.Entry == nil {
		return Topology{}
	}
	t := Topology{Kind: c.Name, Nodes: c.Args.Int("nodes"), Args: c.Args}
	if min := r.cat.Topology(c.Name).MinNodes; t.Nodes > 0 && t.Nodes < min {
		hint := ""
		if t.Nodes == 1 {
			hint = "a single node is kind: complete"
		}
		r.Fail(c.Value.Child("nodes").Value.Pos, "topology.nodes", hint, "a %s has at least %d nodes, this is %d", c.Name, min, t.Nodes)
	}
	w := c.Value.Child("weights")
	if w == nil {
		w = &Field{"weights", e.KeyPos, &Value{Shape: Scalar, Text: "metropolis", Pos: e.Value.Pos, Size: 1}}
	}
	t.Weights = r.weights(w, t.Nodes)
	return t
}

func (r *reader) weights(e *Field, nodes int) Weights {
	fallback := "metropolis"
	if e.Value.Child("matrix") != nil {
		fallback = "explicit"
	}
	c := r.Choose(e, Choice{Path: "topology.weights", Key: "kind", What: "mixing matrix", Entries: r.cat.WeightsEntries(), Fallback: fallback, Later: LaterWeights()})
	if c.Entry == nil {
		return Weights{}
	}
	if m := c.Value.Child("matrix"); m != nil && c.Entry.Name == "explicit" {
		if w := c.Args.Matrix("matrix"); nodes > 0 && len(w) > 0 && (len(w) != nodes || len(w[0]) != nodes) {
			r.Fail(m.Value.Pos, "topology.weights.matrix", "", "the matrix is %d x %d; %d nodes need %d x %d", len(w), len(w[0]), nodes, nodes, nodes)
		}
	}
	return Weights{Kind: c.Name, Args: c.Args}
}

func (r *reader) problem(e *Field) Problem {
	c := r.Choose(e, Choice{Path: "problem", Key: "kind", What: "problem", Entries: r.cat.ProblemEntries(), Later: LaterProblems()})
	return Problem{Kind: c.Name, Args: c.Args}
}

func (r *reader) algorithms(e *Field) []Algorithm {
	if e.Value.Shape != List || len(e.Value.Items) == 0 {
		r.WrongKind("algorithms", e.Value, e.KeyPos, "a list of algorithms", "write one line \"- {name: ..., ...}\" for each; simulate list algorithms names them")
		return nil
	}
	var all []Algorithm
	var places []Position
	for i, item := range e.Value.Items {
		a, pos, ok := r.algorithm(fmt.Sprintf("algorithms[%d]", i), item, e.KeyPos)
		if !ok {
			continue
		}
		for j, b := range all {
			if strings.EqualFold(a.Label, b.Label) {
				r.Fail(pos, fmt.Sprintf("algorithms[%d]", i), "give this one a label of its own, as in label: "+a.Label+" (2)",
					"two algorithms have the label %s; the first is at %v", a.Label, places[j])
			}
		}
		all, places = append(all, a), append(places, pos)
	}
	return all
}

func (r *reader) algorithm(path string, n *Value, keyPos Position) (Algorithm, Position, bool) {
	if n.Shape == Null {
		r.WrongKind(path, n, keyPos, "an algorithm", "write {name: ..., ...}")
		return Algorithm{}, n.Pos, false
	}
	var grid []gridAxis
	if t := n.Child("tune"); t != nil {
		n, grid = r.tuneGrid(path, n, t)
	}
	common := []Param{
		{Name: "label", Kind: String, Example: "DGBO (b=5)", About: "the name in tables and plots"},
		{Name: "tune", Kind: Any, About: "a search for the best parameters"},
	}
	before := len(r.Errs)
	ch := Choice{Path: path, Key: "name", What: "algorithm", Entries: r.cat.AlgorithmEntries(), Common: common, Later: LaterAlgorithms()}
	c := r.Choose(&Field{"", n.Pos, n}, ch)
	if c.Entry == nil {
		return Algorithm{}, n.Pos, false
	}
	a := Algorithm{Name: c.Name, Label: c.Args.String("label"), Args: c.Args}
	pos := n.Pos
	if nm := c.Value.Child("name"); nm != nil {
		pos = nm.Value.Pos
	}
	if l := c.Value.Child("label"); l != nil {
		pos = l.Value.Pos
	}
	if a.Label == "" {
		a.Label = c.Entry.LabelOf(c.Name)
	}
	delete(a.Args.Values, "label") // it is a.Label
	if t := n.Child("tune"); t != nil && len(r.Errs) == before {
		a.Tune = r.tune(path, n, t, grid, ch)
	}
	return a, pos, true
}

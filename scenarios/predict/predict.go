package predict

import (
	"fmt"

	"tallynet/algorithms"
	"tallynet/metrics"
	"tallynet/metrics/report/result"
	"tallynet/scenarios/build"
	"tallynet/scenarios/problems/data"
	"tallynet/scenarios/spec"
	"tallynet/topologies"
)

// Forecasts returns the cost of each method at each grid point in closed form, and describes the first grid point. It
// runs nothing. It makes a problem only if its dimensions depend on a data file, and a large graph only if its family
// does not give its size.
func Forecasts(s *spec.Scenario, loader *data.Loader) (all []result.Forecast, about string, err error) {
	err = s.EachPoint(func(p spec.GridPoint) error {
		in, size, err := sized(p.Scenario, loader)
		if err != nil {
			return err
		}
		if about == "" {
			about = fmt.Sprintf("%s: %s, %d nodes, %d edges; x has %d elements, y has %d; an element is %s.",
				s.Name, in.Graph.Name(), in.Graph.Nodes(), in.Graph.Edges(), in.P, in.Q, elementText(in))
			about += graphText(in, size)
			for _, text := range in.Apart() {
				about += " " + text + "."
			}
			if memory := in.Memory(0); memory != "" {
				about += " Memory of a run: " + memory + "."
			}
		}
		of, err := forecasts(in, p)
		all = append(all, of...)
		return err
	})
	if err != nil {
		return nil, "", err
	}
	return all, about, nil
}

// elementText describes an element of a message.
func elementText(in *build.Instance) string {
	text := in.Engine.Codec.Name()
	if in.Engine.Compress != nil {
		text += ", and what nodes exchange is compressed: " + in.Scenario.Wire
	}
	return text
}

// forecasts returns the cost of each method at one grid point.
func forecasts(in *build.Instance, p spec.GridPoint) ([]result.Forecast, error) {
	point, nodes := p.Settings(), p.Scenario.Topology
	var all []result.Forecast
	for k, m := range in.Methods {
		alg := p.Scenario.Algorithms[k]
		if u, ok := m.(algorithms.Unpredicted); ok {
			return nil, p.Scenario.Errorf("algorithms."+alg.Label, "%s: %s", alg.Label, u.NoPrediction())
		}
		last := algorithms.Iterations(m)
		f := result.Forecast{
			Label: alg.Label, Point: point, Nodes: nodes.Nodes, DataNodes: nodes.DataNodes(),
			Iterations: last, Prediction: Predict(m, in.Dims(), last), Tuned: alg.Tune != nil,
		}
		_, f.GoesOn = m.(algorithms.Asynchronous)
		f.Prediction.Bound = f.Prediction.Bound || in.Bounds()
		setBytes(in, &f, m)
		all = append(all, f)
	}
	return all, nil
}

// graphText says where the size of a large graph comes from.
func graphText(in *build.Instance, size topologies.Size) string {
	named := ""
	if in.Scenario.NamesEdges() {
		named = " A run checks whether it has the edges that the scenario names."
	}
	switch {
	case in.Mixing != nil:
		return ""
	case size.Drawn:
		return " The graph is not drawn here, which would take long: its number of edges is the expected one, and so are " +
			"messages and bytes; a run draws it until it is connected, which may fail." + named
	}
	return " The graph is not made here, which would take long: its number of edges follows from its family." + named
}

// sized returns the instance of the first seed with its dimensions. It makes the problem only if the parameters do not
// give them. The size is that of the graph, if that has a closed form.
func sized(s *spec.Scenario, loader *data.Loader) (*build.Instance, topologies.Size, error) {
	in, graph, err := build.Sketch(s)
	if in == nil && err == nil {
		in, err = build.Outline(s, s.Seeds[0])
	}
	if err != nil {
		return nil, graph, err
	}
	size, known := s.ProblemSize(s.Problem.Args, s.Topology.DataNodes())
	if !known {
		return in, graph, in.Pose(loader)
	}
	in.P, in.Q = size.P, size.Q
	return in, graph, in.CheckProblems()
}

// Predict returns the cost of a method up to an iteration, in closed form.
func Predict(m algorithms.Method, d algorithms.Dims, iterations int) *metrics.Prediction {
	p := &metrics.Prediction{Initial: algorithms.CostAt(m, 0, d), PerIteration: m.Cost(1, d)}
	terms := algorithms.CostTerms(m, d, iterations)
	for _, t := range terms[1:] {
		c := t.Cost
		p.Varies = p.Varies || c.Rounds != p.PerIteration.Rounds || c.Messages != p.PerIteration.Messages ||
			c.Broadcast != p.PerIteration.Broadcast || c.Wire != p.PerIteration.Wire || c.Oracle != p.PerIteration.Oracle
	}
	p.Total, p.Terms = terms.Cost(), terms
	p.Bound = p.Initial.Bound || p.PerIteration.Bound || p.Total.Bound
	p.Paper = p.PerIteration.Paper
	p.PerIteration.Paper = nil
	p.Total.Paper = nil
	return p
}

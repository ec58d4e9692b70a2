package cli

import (
	"fmt"
	"strings"

	"tallynet/scenarios/build"
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/spec"
)

// exampleParts names what an example must use. Empty fields are free.
type exampleParts struct {
	algorithm, problem, topology, weights string
}

// exampleOf returns a short scenario that loads and builds, or "" if there is none. It tries the
// entries of the catalog in order, with the examples of their required parameters.
func (a *app) exampleOf(want exampleParts) string {
	one := func(name string, all []string) []string {
		if name != "" {
			return []string{name}
		}
		return all
	}
	algs, probs := entryNames(catalog.Entries(a.catalog.Algorithms)), entryNames(catalog.Entries(a.catalog.Problems))
	rules, graphs := entryNames(catalog.Entries(a.catalog.Weights)), entryNames(catalog.Entries(a.catalog.Topologies))
	if a.catalog.Topology("ring") != nil { // shows more of a method than the first, complete
		graphs = append([]string{"ring"}, graphs...)
	}
	if a.catalog.Topology("star") != nil { // for methods with a server
		graphs = append([]string{graphs[0], withServer}, graphs[1:]...)
	}
	for _, topology := range one(want.topology, graphs) {
		for _, nodes := range []int{8, 16, 3, 2, 1} {
			for _, weights := range one(want.weights, rules[:min(1, len(rules))]) {
				graph := a.example(gossip, topology, nodes, weights)
				if topology != withServer && !a.builds(a.withGossip(), graph) { // gossip cannot build on a server's star
					continue
				}
				for _, problem := range one(want.problem, probs) {
					for _, algorithm := range one(want.algorithm, algs) {
						text := a.example("problem: "+flow("kind", problem, a.catalog.Problem(problem).Params)+
							"\nalgorithms:\n  - "+flow("name", algorithm, a.catalog.Algorithm(algorithm).Params)+"\n",
							topology, nodes, weights)
						if a.builds(a.catalog, text) {
							return text
						}
					}
				}
			}
		}
	}
	return ""
}

// withServer is a star whose center is a server without data.
const withServer = "star with a server"

// gossip is the rest of a scenario around a graph or a network. It fits any graph without a server.
const gossip = "problem: {kind: consensus, dim: 1}\nalgorithms: [{name: gossip}]\n"

// withGossip returns a catalog with gossip, and with the graphs and networks of the program's catalog.
func (a *app) withGossip() *catalog.Catalog {
	cat := catalog.New()
	cat.Topologies, cat.Weights, cat.Platforms = a.catalog.Topologies, a.catalog.Weights, a.catalog.Platforms
	return cat
}

// example returns a scenario.
func (a *app) example(rest, topology string, nodes int, weights string) string {
	center := ""
	if topology == withServer {
		topology, center = "star", ", center: server"
	}
	t := flow("kind", topology, a.catalog.Topology(topology).Params)
	w := weights
	if rule := flow("kind", weights, a.catalog.WeightsRule(weights).Params); strings.Contains(rule, ", ") {
		w = rule
	}
	t = strings.Replace(t, "{kind: "+topology,
		fmt.Sprintf("{kind: %s, nodes: %d%s, weights: %s", topology, nodes, center, w), 1)
	return "version: 1\ntopology: " + t + "\n" + rest
}

// flow returns a kind with the examples of its required parameters, as in "{kind: ring-a, a: 0.4}".
func flow(key, name string, params []keys.Param) string {
	text := "{" + key + ": " + name
	for _, p := range params {
		if p.Required && p.Only == "" {
			text += ", " + p.Name + ": " + p.Example
		}
	}
	return text + "}"
}

func (a *app) builds(cat *catalog.Catalog, text string) bool {
	s, err := spec.Parse("example.yaml", []byte(text), cat, nil)
	if err != nil {
		return false
	}
	_, err = build.Build(s, s.Seeds[0], &a.loader)
	return err == nil
}

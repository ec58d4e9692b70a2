package spec

import (
	"fmt"
	"strings"

	"tallynet/scenarios/sections"
)

// Links summarizes the links of the scenario.
func (s *Scenario) Links() string {
	n := s.Network
	if s.Platform.Read() {
		return s.platformText()
	}
	text := fmt.Sprintf("latency %s, bandwidth %s, %s", n.Duration("latency"), n.Rate("bandwidth"),
		n.String("contention"))
	switch k := len(n.Sections("links")); k {
	case 0:
	case 1:
		text += "; 1 link differs"
	default:
		text += fmt.Sprintf("; %d links differ", k)
	}
	return text
}

// platformText summarizes the platform. It points to simulate topology if building the platform made assumptions.
func (s *Scenario) platformText() string {
	p, err := s.BuildPlatform()
	if err != nil {
		return s.Platform.Kind() // the error is reported when the scenario is built
	}
	text := fmt.Sprintf("%s with %d hosts and %d links, nodes placed %s", s.Platform.Kind(), len(p.Hosts), len(p.Links),
		s.placeText())
	if len(p.Notes) > 0 {
		text += "; simulate topology lists what was assumed"
	}
	return text
}

// placeText summarizes the placement of the nodes.
func (s *Scenario) placeText() string {
	switch {
	case len(s.Place) == 0:
		return sections.Placements()[0]
	case len(s.Place) > 4:
		return fmt.Sprintf("a list of %d hosts", len(s.Place))
	}
	return strings.Join(s.Place, ", ")
}

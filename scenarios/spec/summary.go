package spec

import (
	"cmp"
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
	place := cmp.Or(strings.Join(s.Place, ", "), sections.Placements()[0])
	if len(s.Place) > 4 {
		place = fmt.Sprintf("a list of %d hosts", len(s.Place))
	}
	text := fmt.Sprintf("%s with %d hosts and %d links, nodes placed %s", s.Platform.Kind(), len(p.Hosts), len(p.Links),
		place)
	if len(p.Notes) > 0 {
		text += "; simulate topology lists what was assumed"
	}
	return text
}

package spec

import (
	"fmt"
	"strings"

	"tallynet/scenarios/sections"
)

// Links says in a few words what the links are.
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

// platformText says in a few words what the network is, and whether more was assumed of it than
// is said here.
func (s *Scenario) platformText() string {
	p, err := s.BuildPlatform()
	if err != nil {
		return s.Platform.Kind() // whoever builds the scenario says what is wrong
	}
	text := fmt.Sprintf("%s with %d hosts and %d links, nodes placed %s", s.Platform.Kind(), len(p.Hosts), len(p.Links),
		s.placeText())
	if len(p.Notes) > 0 {
		text += "; simulate topology lists what was assumed"
	}
	return text
}

// placeText says in a few words which hosts the nodes are on.
func (s *Scenario) placeText() string {
	switch {
	case len(s.Place) == 0:
		return sections.Placements()[0]
	case len(s.Place) > 4:
		return fmt.Sprintf("a list of %d hosts", len(s.Place))
	}
	return strings.Join(s.Place, ", ")
}

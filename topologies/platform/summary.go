package platform

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"tallynet/sim"
)

// Overview summarizes a platform.
type Overview struct {
	Hosts, Switches, Links, Groups, Parts int // Parts 0: unknown, see Components
	Bandwidths, Latencies                 string
	Sharing                               string
}

// Summary returns the overview of the platform.
func (p *Platform) Summary() Overview {
	s := Overview{Hosts: len(p.Hosts), Switches: len(p.switches), Links: len(p.Links), Groups: p.Groups(),
		Parts: p.Components()}
	var kinds [3]int
	var rates []float64
	var times []sim.Time
	for _, l := range p.Links {
		kinds[l.Sharing]++
		rates = append(rates, l.Bandwidth)
		times = append(times, l.Latency)
	}
	unlimitedLast := func(rate float64) float64 { return cmp.Or(rate, math.Inf(1)) }
	slices.SortFunc(rates, func(a, b float64) int { return cmp.Compare(unlimitedLast(a), unlimitedLast(b)) })
	slices.Sort(times)
	s.Bandwidths, s.Latencies = span(rates, func(bits float64) string {
		rounded, _ := strconv.ParseFloat(strconv.FormatFloat(bits, 'g', 4, 64), 64)
		return rateText(rounded)
	}), span(times, sim.Time.String)
	for kind, n := range kinds {
		if n > 0 && s.Sharing != "" {
			s.Sharing += ", "
		}
		if n > 0 {
			s.Sharing += fmt.Sprintf("%d %s", n, [...]string{"one-way", "half duplex", "broadcast media"}[kind])
		}
	}
	return s
}

// span formats the range of sorted values, with the median.
func span[T comparable](sorted []T, text func(T) string) string {
	switch n := len(sorted); {
	case n == 0:
		return "none"
	case sorted[0] == sorted[n-1]:
		return text(sorted[0])
	default:
		return fmt.Sprintf("%s to %s, median %s", text(sorted[0]), text(sorted[n-1]), text(sorted[n/2]))
	}
}

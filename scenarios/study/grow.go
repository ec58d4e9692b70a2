package study

import (
	"context"
	"fmt"
	"math"
	"strings"

	"tallynet/metrics/report/result"
	"tallynet/metrics/report/stats"
	"tallynet/scenarios/problems/data"
	"tallynet/scenarios/spec"
)

// Growth says what a study still needs, given its runs so far.
type Growth struct {
	// Decided reports whether every margin of the answer is decided by intervals of a confidence. If it is nil, a
	// scenario with seeds.until runs with its most seeds.
	Decided func(s *spec.Scenario, runs []result.Run, level float64) (bool, error)
	// Changes returns where the answer changes along swept keys. If it is nil, no values are added to the sweep.
	Changes func(s *spec.Scenario, runs []result.Run) ([]Gap, error)
	// Step is called before the study runs again, with what was added.
	Step func(added string)
}

// Gap is a change of the answer between two values of a numeric key, which are positive and in its base unit.
type Gap struct {
	Key       string
	Low, High float64
}

// Grow runs a study, and again with more seeds until its margins are decided, and with finer sweeps until the values
// around each change of the answer are within 5 %. It returns the study that ran last, its runs, and notes on why it
// ended there. What cannot be added ends it, too. Errors are as those of Run.
func Grow(ctx context.Context, st *Study, o Options, g Growth, loader *data.Loader) (*Study, []result.Run, []string,
	error) {
	for begun := st; ; {
		runs, err := st.Run(ctx, o)
		if err != nil {
			return st, runs, nil, err
		}
		s, text, err := g.next(st.Scenario, runs)
		if err == nil && s != nil {
			var grown *Study
			if grown, err = New(s, loader); err == nil {
				if g.Step(text); st != begun {
					st.Close()
				}
				st = grown
				continue
			}
		}
		var notes []string
		if text != "" && s == nil {
			notes = append(notes, text)
		}
		if err != nil {
			notes = append(notes, fmt.Sprintf("nothing was added to the study: %v", err))
		}
		return st, runs, notes, nil
	}
}

// next returns the scenario to run next with what it adds or, if it is nil, why the study ends.
func (g *Growth) next(s *spec.Scenario, runs []result.Run) (*spec.Scenario, string, error) {
	why := ""
	if s.Until > 0 {
		level, more := look(len(s.Seeds), s.Most)
		decided := false
		if g.Decided != nil {
			var err error
			if decided, err = g.Decided(s, runs, level); err != nil {
				return nil, "", err
			}
		}
		if !decided && more > 0 {
			grown, err := s.WithSeeds(more)
			return grown, fmt.Sprintf("%d seeds do not decide every margin: %d run", len(s.Seeds), more), err
		}
		why = fmt.Sprintf("%d seeds ran, the most allowed: not every margin is decided to %g %%", len(s.Seeds), s.Until)
		if decided {
			why = fmt.Sprintf("%d of at most %d seeds ran: every margin is decided to %g %%", len(s.Seeds), s.Most, s.Until)
		}
	}
	if g.Changes == nil {
		return nil, why, nil
	}
	gaps, err := g.Changes(s, runs)
	finer, added := s, []string{}
	for _, gap := range gaps {
		next, value, err := finer.Refined(gap.Key, math.Sqrt(gap.Low*gap.High))
		if err != nil {
			return nil, why, fmt.Errorf("%s = %s: %w", gap.Key, value, err)
		}
		if next != finer {
			finer, added = next, append(added, gap.Key+" = "+value)
		}
	}
	if err != nil || finer == s {
		return nil, why, err
	}
	return finer, "the answer changes around " + strings.Join(added, ", "), nil
}

// look returns the confidence of intervals at each look of a study with up to most seeds, so that all together err as
// seldom as one of stats.Level, and the number of seeds of the look after n seeds; 0: that was the last.
func look(n, most int) (level float64, next int) {
	looks := 1
	for k := 5; k < most; k *= 2 {
		looks++
		if next == 0 && k > n {
			next = k
		}
	}
	if next == 0 && n < most {
		next = most
	}
	return 1 - (1-stats.Level)/float64(looks), next
}

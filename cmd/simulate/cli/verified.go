package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"tallynet/metrics/report/papers"
	"tallynet/metrics/report/result"
	"tallynet/scenarios/facts"
	"tallynet/scenarios/spec"
	"tallynet/scenarios/study"
)

// Reasons why a page has no runs of a scenario.
const (
	notRun       = "not run"
	olderResults = "the saved runs are of an older scenario"
)

// saved checks the claims of a scenario against runs that an earlier command saved, even with
// another version of this program. If the scenario has changed since, its runs are not used.
func (a *app) saved(s *spec.Scenario, folder string) (papers.Verified, error) {
	report, err := result.ReadFolder(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return verified(s, nil, elapsed{}, notRun)
	case err != nil:
		return papers.Verified{}, failed(fmt.Errorf("verify: --saved: %w; run it again", err))
	}
	earlier, err := spec.ParseResolved(filepath.Join(folder, "result.json"), report.Scenario, a.catalog)
	if err != nil || !spec.SameRuns(s, earlier) {
		return verified(s, nil, elapsed{}, olderResults)
	}
	return verified(s, report, elapsedOf(folder, report), "")
}

// verified checks the claims of a scenario against the runs of a report, draws its figures and
// fills in its tables. A nil report has no runs, and missing says why.
func verified(s *spec.Scenario, report *result.Report, took elapsed, missing string) (papers.Verified, error) {
	st, err := study.FromRuns(s)
	if err != nil {
		return papers.Verified{}, err
	}
	v := papers.Verified{Scenario: s.Name, File: s.File(), Paper: paperOf(s.Facts), Settings: s.Compared(),
		Small: s.SmallText(), Hash: s.Hash(), Missing: missing}
	if s.Variants != nil {
		apart := s.Variant.Apart(s.Variants[0])
		v.Reading, v.Varies = apart.String(), apart.Names
	}
	var runs []result.Run
	if report != nil {
		runs = report.Runs
		v.Seconds, v.Program = took.Seconds, programText(&report.Provenance, took.Finished)
	}
	v.Claims = st.Claims(runs)
	if missing != "" {
		for i := range v.Claims {
			c := &v.Claims[i]
			c.Verdict, c.Expected, c.Reason = result.Undecided, "", missing
		}
		return v, nil
	}
	v.Tables = st.Tables(runs)
	if v.Figures, err = st.Figures(runs); err != nil {
		return papers.Verified{}, failed(err)
	}
	return v, nil
}

// paperOf returns what the pages need of a registry; nil for nil.
func paperOf(g *facts.Registry) *papers.Paper {
	if g == nil {
		return nil
	}
	p := &papers.Paper{ID: g.ID, Cite: g.Cite, Answer: g.Answer}
	for _, f := range g.Facts {
		p.Facts = append(p.Facts, f.Fact)
	}
	if text, err := os.ReadFile(g.Verdicts); err == nil { // they are no condition of a run
		var full papers.Reproduction
		if json.Unmarshal(text, &full) == nil {
			for _, of := range full.Papers {
				if of.Paper != nil && of.ID == g.ID {
					p.Full = of.Facts
				}
			}
		}
	}
	for _, r := range g.Readings {
		p.Readings = append(p.Readings, papers.Reading{Name: r.Name, Open: r.Open, Main: r.Main, Support: r.Support})
	}
	return p
}

// programText names the program that made a result and, if known, when.
func programText(p *result.Provenance, finished string) string {
	words := []string{named(cmp.Or(p.Version, "unknown"))}
	if p.Commit != "" {
		words = append(words, "commit "+p.ShortCommit())
	}
	if p.Modified {
		words = append(words, "with uncommitted changes")
	}
	if finished != "" {
		words = append(words, "on "+strings.TrimSuffix(strings.Replace(finished, "T", " ", 1), "Z")+" UTC")
	}
	return strings.Join(words, ", ")
}

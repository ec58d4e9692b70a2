package study

import (
	"encoding/json"
	"fmt"

	"tallynet/metrics/report/result"
	"tallynet/scenarios/papers"
)

// results are the runs as the scenario's claims, tables and figures see them.
func (st *Study) results(runs []result.Run) *papers.Results {
	return &papers.Results{Scenario: st.Scenario, Points: st.points, Unfit: st.unfit, Runs: st.everywhere(runs)}
}

// Claims decides the scenario's claims over the runs of the study, in the order of the file.
func (st *Study) Claims(runs []result.Run) []result.Claim { return st.results(runs).Claims() }

// Tables makes the scenario's tables from the runs of the study, in the order of the file.
func (st *Study) Tables(runs []result.Run) []result.PaperTable { return st.results(runs).Tables() }

// Figures draws the scenario's figures from the runs of the study, in the order of the file.
func (st *Study) Figures(runs []result.Run) ([]result.PaperFigure, error) {
	return st.results(runs).Figures()
}

// Report combines the runs with the scenario, its claims and tables, and their provenance.
func (st *Study) Report(runs []result.Run, p result.Provenance) (*result.Report, error) {
	fitting := *st.Scenario
	fitting.Claims = nil
	for i, c := range st.Scenario.Claims {
		if st.unfit[i] == "" {
			fitting.Claims = append(fitting.Claims, c)
		}
	}
	raw, err := json.Marshal(fitting.Resolved())
	if err != nil {
		return nil, fmt.Errorf("resolved scenario: %w", err)
	}
	p.Seeds = st.Scenario.Seeds
	return &result.Report{Schema: result.Schema, Scenario: raw, Provenance: p, Runs: runs, Claims: st.Claims(runs),
		Tables: st.Tables(runs)}, nil
}

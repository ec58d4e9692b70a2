package cli

import (
	"encoding/json"
	"fmt"
	"path/filepath"

	"tallynet/metrics/report/compare"
	"tallynet/metrics/report/quantity"
	"tallynet/metrics/report/result"
	"tallynet/scenarios/spec"
)

// shownDifferences is the largest number of keys that announceReplaced lists.
const shownDifferences = 5

// announceReplaced prints to standard error how an earlier result that will be replaced differs from
// the scenario of the same name.
func (a *app) announceReplaced(folder string, earlier *result.Report, s *spec.Scenario) error {
	if earlier == nil {
		return nil
	}
	raw, err := json.Marshal(s.Resolved())
	if err != nil {
		return fmt.Errorf("resolved scenario: %w", err)
	}
	differences, err := compare.Differences(earlier.Scenario, raw)
	if err != nil {
		return fmt.Errorf("the scenario in %s: %w", filepath.Join(folder, "result.json"), err)
	}
	if len(differences) == 0 {
		return nil
	}
	fmt.Fprintf(a.io.Err,
		"simulate: %s holds a result of %s with other values; it will be replaced (--out keeps both):\n",
		folder, s.Name)
	for i, d := range differences {
		if i == shownDifferences {
			fmt.Fprintf(a.io.Err, "  and %s\n", quantity.Plural(len(differences)-i, "more key"))
			break
		}
		there, now := d.Shown()
		fmt.Fprintf(a.io.Err, "  %s: %s there, %s now\n", d.Key, there, now)
	}
	return nil
}

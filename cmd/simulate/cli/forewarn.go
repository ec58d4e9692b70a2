package cli

import (
	"fmt"

	"tallynet/scenarios"
)

// forewarn says before a study begins how long it takes, where that is long, what would take
// less time, and that memory allows fewer runs at the same time than wanted.
func (a *app) forewarn(study *scenarios.Study, wanted int) error {
	workers := study.Workers(wanted)
	if most := min(wanted, study.Runs()); workers < most {
		fmt.Fprintf(a.io.Err, "memory: the problems of %d runs at the same time need more than %s together; "+
			"%d at a time: --max-memory raises the limit\n", most, scenarios.Bytes(study.Scenario.Limits.Bytes), workers)
	}
	if a.io.Now == nil {
		return nil
	}
	if slow, err := study.WallTime(scenarios.SlowPace()); err != nil || !slow.Long(workers) {
		return err
	}
	wall, err := study.WallTime(scenarios.MeasurePace(a.io.Now))
	if err != nil || !wall.Long(workers) {
		return err
	}
	fmt.Fprintf(a.io.Err, "time: %s; stop rules may end runs earlier, and stored runs take none\n",
		wall.On(workers))
	for _, hint := range wall.Remedies(workers) {
		fmt.Fprintf(a.io.Err, "  %s\n", hint)
	}
	return nil
}

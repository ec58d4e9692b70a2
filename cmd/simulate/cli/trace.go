package cli

import (
	"context"
	"fmt"
	"os"

	"tallynet/metrics/report/result"
	"tallynet/metrics/trace"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/study"
)

// writeTrace repeats the runs of the first grid point and seed, and writes a trace of their nodes to
// a file.
func (a *app) writeTrace(ctx context.Context, study *study.Study, report *result.Report, file string) error {
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("--trace %s: it is not a file", file)
	}
	t := trace.New(trace.Most)
	if err := study.Trace(ctx, report.Runs, t); err != nil {
		return err
	}
	if err := result.WriteFile(file, t.Write); err != nil {
		return fmt.Errorf("--trace %s: %w", file, keys.Cause(err))
	}
	for _, line := range t.Left() {
		fmt.Fprintln(a.io.Err, "simulate: the trace of "+line)
	}
	return nil
}

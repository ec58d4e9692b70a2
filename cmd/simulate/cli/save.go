package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"tallynet/metrics/result"
	"tallynet/metrics/views"
	"tallynet/scenarios"
	"tallynet/scenarios/keys"
)

// saveOptions say how a study runs whose results are saved.
type saveOptions struct {
	workers int
	fresh   bool // run again what is stored
	quiet   bool
	title   string // of the progress; "runs" where empty
}

// saveStudy runs a study and writes its results into a folder. It returns them, and
// what is to be said of the files. Of an interrupted study it returns what was finished
// besides the error, if that is anything.
func (a *app) saveStudy(ctx context.Context, study *scenarios.Study, folder string,
	o saveOptions) (report *result.Report, shown *views.Study, saved string, err error) {
	name := study.Scenario.Name
	store, err := a.openStore(folder)
	if err != nil {
		return nil, nil, "", failed(err)
	}
	id, err := programDigest()
	if err != nil {
		return nil, nil, "", failed(fmt.Errorf("read this program's own file: %w", err))
	}
	bars := newProgress(a.io, o.quiet)
	bars.title = o.title
	again := 0
	runs, stopped := study.Run(ctx, scenarios.Options{Workers: o.workers, Store: store, Fresh: o.fresh, Program: id,
		Notify: func(e scenarios.Event) {
			if e.Stored && !e.Tuning {
				again++
			}
			bars.notify(e)
		}})
	bars.end()
	if stopped != nil && (len(runs) == 0 || ctx.Err() == nil) {
		what := kept(store)
		if what == "" {
			a.dropFolders()
			what = "nothing is saved"
		}
		if ctx.Err() != nil {
			return nil, nil, "", fmt.Errorf("%s: %w before the first run of the result was finished; %s", name, errInterrupted,
				what)
		}
		var wrong *keys.FileError
		if errors.As(stopped, &wrong) { // the file must be changed before anything can go on
			return nil, nil, "", failed(stopped)
		}
		return nil, nil, "", failed(fmt.Errorf("%s: %w; %s", name, stopped, what))
	}
	if again > 0 && !o.quiet {
		these := fmt.Sprintf("%d of %d runs were stored in %s already; --fresh runs them again", again, len(runs),
			store.Folder())
		if len(runs) == 1 {
			these = fmt.Sprintf("the run was stored in %s already; --fresh runs it again", store.Folder())
		}
		fmt.Fprintln(a.io.Err, "simulate: "+these)
	}
	if report, err = study.Report(runs, a.provenance()); err != nil {
		return nil, nil, "", failed(err)
	}
	report.Facts = facts(study)
	if stopped != nil && holdsResult(folder) {
		folder += "-interrupted" // the result that is there may be complete
		if err := a.claimFolder(folder, study.Scenario); err != nil {
			return nil, nil, "", err
		}
	}
	if shown, err = show(study.Scenario, report); err != nil {
		return nil, nil, "", failed(err)
	}
	files, notes, err := writeResults(folder, study.Scenario, report, shown)
	if err != nil {
		return nil, nil, "", failed(err)
	}
	for _, n := range notes {
		if o.title == "" { // one study among many has no word of its own
			fmt.Fprintln(a.io.Err, "simulate: "+n)
		}
	}
	if stopped != nil {
		err = fmt.Errorf("%s: %w; the runs until then are in %s; the same command goes on from there", name, errInterrupted,
			folder)
	}
	return report, shown, folder + ": " + strings.Join(files, ", "), err
}

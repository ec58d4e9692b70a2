package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"tallynet/cmd/simulate/present"
	"tallynet/metrics/report/result"
	"tallynet/metrics/report/views"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/study"
)

// saveOptions say how a study runs whose results are saved.
type saveOptions struct {
	workers int
	fresh   bool // run again what is stored
	quiet   bool
	parquet bool   // write the Parquet files too
	title   string // of the progress; "runs" where empty
}

// jobTally counts what a study has finished. Its events come one at a time.
type jobTally struct {
	again  int // runs that an earlier command had stored
	runs   int // that are finished
	trials int // of a tuning that are finished
}

func (t *jobTally) add(e study.Event) {
	if e.Stored && !e.Tuning {
		t.again++
	}
	switch {
	case e.Done == nil || e.Done.Status == result.Interrupted:
	case e.Tuning:
		t.trials++
	default:
		t.runs++
	}
}

// finished returns the number of finished runs, or before the first of them, of trials:
// the best trial is a run as well.
func (t *jobTally) finished() int { return cmp.Or(t.runs, t.trials) }

// resumption says what the same command will do after an interruption: it takes finished
// runs from the store, but a run that was interrupted starts over.
func (t *jobTally) resumption() string {
	if t.finished() == 0 {
		return "no run was finished, and a run cannot be resumed: the same command starts over"
	}
	return fmt.Sprintf("the same command goes on from there: it keeps %s and starts the others over",
		present.Plural(t.finished(), "finished run"))
}

// savedStudy is a study whose results are written.
type savedStudy struct {
	report *result.Report
	shown  *views.StudyView
	files  string // a line on what was written, and where
	took   elapsed
}

// saveStudy runs a study and writes its results into a folder. Of an interrupted study it
// returns the error together with what was finished; if nothing was, there is no report.
func (a *app) saveStudy(ctx context.Context, st *study.Study, folder string,
	o saveOptions) (done savedStudy, err error) {
	name := st.Scenario.Name
	store, err := a.openStore(folder)
	if err != nil {
		return savedStudy{}, failed(err)
	}
	id, err := programID()
	if err != nil {
		return savedStudy{}, failed(fmt.Errorf("read this program's own file: %w", err))
	}
	bars := newProgress(a.io, o.quiet, o.title)
	var tally jobTally
	watch := newStopwatch(a.io.Now)
	runs, stopped := st.Run(ctx, study.Options{Workers: o.workers, Store: store, Fresh: o.fresh, Program: id,
		Leave: a.io.Leave, Notify: func(e study.Event) {
			tally.add(e)
			bars.notify(e)
		}})
	bars.end()
	if stopped == nil || tally.finished() > 0 || len(runs) > 0 && ctx.Err() != nil { // else there is nothing
		if done.took, err = watch.add(store.Folder(), id, o.fresh); err != nil {
			return savedStudy{}, failed(err)
		}
	}
	again := tally.again
	if stopped != nil && (len(runs) == 0 || ctx.Err() == nil) {
		what := "nothing is saved"
		if tally.finished() > 0 {
			what = fmt.Sprintf("%s kept in %s: the same command goes on from there",
				present.Plural(tally.finished(), "finished run"),
				store.Folder())
		} else {
			a.dropFolders()
		}
		if ctx.Err() != nil {
			return savedStudy{}, fmt.Errorf("%s: %w before any run of the result was finished; %s", name, errInterrupted, what)
		}
		var wrong *keys.FileError
		if errors.As(stopped, &wrong) { // the file must be changed before anything can go on
			return savedStudy{}, failed(stopped)
		}
		return savedStudy{}, failed(fmt.Errorf("%s: %w; %s", name, stopped, what))
	}
	if again > 0 && !o.quiet {
		these := fmt.Sprintf("%d of %d runs were already stored in %s; --fresh runs them again", again, len(runs),
			store.Folder())
		if len(runs) == 1 {
			these = fmt.Sprintf("the run was already stored in %s; --fresh runs it again", store.Folder())
		}
		fmt.Fprintln(a.io.Err, "simulate: "+these)
	}
	defer sparing(len(runs))()
	report, err := st.Report(runs, a.provenance())
	if err != nil {
		return savedStudy{}, failed(err)
	}
	report.Facts, report.Data = present.Facts(st), st.First().Holdings()
	done.report = report
	if stopped != nil && holdsResult(folder) {
		folder += "-interrupted" // the result that is there may be complete
		if err := a.claimFolder(folder, st.Scenario); err != nil {
			return savedStudy{}, err
		}
	}
	if done.shown, err = present.Show(st, report); err != nil {
		return savedStudy{}, failed(err)
	}
	files, notes, err := a.writeResults(folder, st, report, done.shown, o.parquet)
	if err != nil {
		return savedStudy{}, failed(err)
	}
	for _, n := range notes {
		if o.title == "" { // verify shows no notes of single studies
			fmt.Fprintln(a.io.Err, "simulate: "+n)
		}
	}
	if stopped != nil {
		err = fmt.Errorf("%s: %w; the runs until then are in %s; %s", name, errInterrupted, folder, tally.resumption())
	}
	done.files = folder + ": " + strings.Join(files, ", ")
	return done, err
}

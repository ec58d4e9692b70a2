package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"tallynet/cmd/simulate/present"
	"tallynet/metrics/report/page"
	"tallynet/metrics/report/parquet"
	"tallynet/metrics/report/quantity"
	"tallynet/metrics/report/result"
	"tallynet/metrics/report/views"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/study"
)

// saveOptions configure saveStudy.
type saveOptions struct {
	workers int
	fresh   bool // repeat stored runs
	quiet   bool
	brief   bool   // without notes on the pictures
	parquet bool   // also write the Parquet files
	refine  bool   // add values to the sweep where the answer changes
	title   string // of the progress bar; "runs" if empty
}

// jobTally counts the finished jobs of a study.
type jobTally struct {
	stored int // runs that an earlier command has stored
	runs   int // finished runs
	trials int // finished trials of a tuning
}

func (t *jobTally) add(e study.Event) {
	if e.Stored && !e.Tuning {
		t.stored++
	}
	switch {
	case e.Done == nil || e.Done.Status == result.Interrupted:
	case e.Tuning:
		t.trials++
	default:
		t.runs++
	}
}

// finished returns the number of finished runs or, before the first of them, of finished trials.
// The best trial becomes a run.
func (t *jobTally) finished() int { return cmp.Or(t.runs, t.trials) }

// savedStudy is a study whose results have been written.
type savedStudy struct {
	report *result.Report
	shown  *views.StudyView
	folder string
	files  string // that were written into the folder
	took   elapsed
}

// saveStudy runs a study and writes its results into a folder. If the study is interrupted, it
// returns an error together with the finished runs. If none finished, the report is nil.
func (a *app) saveStudy(ctx context.Context, st *study.Study, folder string,
	o saveOptions) (done savedStudy, err error) {
	name := st.Scenario.Name
	store, program, err := a.openStore(folder)
	if err != nil {
		return savedStudy{}, failed(err)
	}
	bars := newProgress(a.io, o.quiet, o.title)
	var tally jobTally
	since := stopwatch(a.io.Now)
	growth := study.Growth{Decided: present.Decided, Step: func(added string) {
		bars.end()
		if !o.quiet {
			fmt.Fprintln(a.io.Err, "simulate: "+added)
		}
		tally, bars = jobTally{}, newProgress(a.io, o.quiet, o.title)
	}}
	if o.refine {
		growth.Changes = present.Changes
	}
	st, runs, notes, stopped := study.Grow(ctx, st, study.Options{Workers: o.workers, Store: store, Fresh: o.fresh,
		Program: program, Leave: a.io.Leave, Notify: func(e study.Event) {
			tally.add(e)
			bars.notify(e)
		}}, growth, &a.loader)
	bars.end()
	if stopped == nil || tally.finished() > 0 || len(runs) > 0 && ctx.Err() != nil { // otherwise nothing is left to time
		if done.took, err = addElapsed(since(), store.Folder(), program, o.fresh); err != nil {
			return savedStudy{}, failed(err)
		}
	}
	if stopped != nil && (len(runs) == 0 || ctx.Err() == nil) {
		what := "nothing is saved"
		if tally.finished() > 0 {
			what = fmt.Sprintf("%s kept in %s: the same command continues from there",
				quantity.Plural(tally.finished(), "finished run"),
				store.Folder())
		} else {
			a.dropFolders()
		}
		if ctx.Err() != nil {
			return savedStudy{}, fmt.Errorf("%s: %w before any run of the result was finished; %s", name, errInterrupted, what)
		}
		if _, wrong := errors.AsType[*keys.FileError](stopped); wrong { // the same command would fail again
			return savedStudy{}, failed(stopped)
		}
		return savedStudy{}, failed(fmt.Errorf("%s: %w; %s", name, stopped, what))
	}
	if tally.stored > 0 && !o.quiet {
		these := fmt.Sprintf("%d of %d runs were already stored in %s; --fresh runs them again", tally.stored, len(runs),
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
	report.Facts, report.Data = append(present.Facts(st), notes...), st.First().Holdings()
	done.report = report
	if stopped != nil && holdsResult(folder) {
		folder += "-interrupted" // the existing result may be complete
		if err := a.claimFolder(folder, st.Scenario); err != nil {
			return savedStudy{}, err
		}
	}
	if done.shown, err = present.Show(st, report); err != nil {
		return savedStudy{}, failed(err)
	}
	if stopped == nil {
		found, why, err := st.Crossovers(ctx, report.Runs, report.Answer, o.workers, &a.loader)
		if err != nil {
			return savedStudy{}, failed(err)
		}
		if report.Facts = append(report.Facts, why...); len(found) > 0 {
			report.Answer.Crossovers = found
			if done.shown, err = present.Show(st, report); err != nil {
				return savedStudy{}, failed(err)
			}
		}
	}
	files, drawn, err := a.writeResults(folder, st, report, done.shown, o.parquet)
	if err != nil {
		return savedStudy{}, failed(err)
	}
	for _, n := range append(notes, drawn...) {
		if o.title == "" && !o.brief { // verify shows no notes of single studies
			fmt.Fprintln(a.io.Err, "simulate: "+n)
		}
	}
	if stopped != nil {
		resumes := "no run was finished, and a run cannot be resumed: the same command starts over"
		if n := tally.finished(); n > 0 {
			resumes = fmt.Sprintf("the same command continues: it keeps %s and restarts the others",
				quantity.Plural(n, "finished run"))
		}
		err = fmt.Errorf("%s: %w; the runs so far are in %s; %s", name, errInterrupted, folder, resumes)
	}
	done.folder, done.files = folder, strings.Join(files, ", ")
	return done, err
}

// writeResults writes all files of a result into the folder, or none. It returns their names, and
// notes on the pictures.
func (a *app) writeResults(folder string, st *study.Study, report *result.Report, shown *views.StudyView,
	typed bool) (names, notes []string, err error) {
	data := report.Files()
	last := len(data) - 1 // result.json, which says what the others belong to
	made, notes, err := madeFiles(st, report, shown)
	if err != nil {
		return nil, nil, err
	}
	files := append(data[:last:last], made...)
	if typed {
		files = append(files, parquet.Files(report)...)
	}
	report.Written = fileNames(files)
	earlier, err := resultIn(folder)
	if err != nil {
		return nil, nil, err
	}
	names = append([]string{data[last].Name}, report.Written...)
	// A file that only the earlier result has would seem to be part of this one.
	stale := slices.DeleteFunc(filesOf(folder, earlier), func(name string) bool { return slices.Contains(names, name) })
	return names, notes, a.io.writeFiles(folder, append(files, data[last]), stale)
}

// madeFiles returns the files that can be regenerated from a result.
func madeFiles(st *study.Study, report *result.Report, shown *views.StudyView) (files []result.File, notes []string,
	err error) {
	files, notes, err = shown.Files()
	if err != nil {
		return nil, nil, err
	}
	p, err := present.Page(st, report, shown)
	write := func(w io.Writer) error { return page.Write(w, p) }
	return append(files, result.File{Name: "runs.csv", Write: report.WriteRuns},
		result.File{Name: "report.html", Write: write}), notes, err
}

func fileNames(files []result.File) []string {
	var names []string
	for _, f := range files {
		names = append(names, f.Name)
	}
	return names
}

package serve

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"tallynet/cmd/simulate/present"
	"tallynet/metrics/report/quantity"
	"tallynet/metrics/report/result"
	"tallynet/scenarios/spec"
	"tallynet/scenarios/study"
)

// Curves first appear after firstTime, which people perceive as at once. The pause before each update
// is at least renewTime, and renewPart times what the last update took.
const (
	firstTime = 100 * time.Millisecond
	renewTime = 250 * time.Millisecond
	renewPart = 4
)

// sampleBytes is the approximate memory of a recorded iteration without iterates.
const sampleBytes = 3000

// watch collects the runs of a study, finished or not.
type watch struct {
	mu       sync.Mutex
	done     map[int]*result.Run
	soFar    map[int]func() *result.Run // returns the samples of a run that goes on
	progress string
	bytes    int64       // of the samples of finished runs
	most     int64       // limit of bytes
	full     func(error) // called above the limit
}

// notify takes an event of the study.
func (w *watch) notify(e study.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	what := "runs"
	if e.Tuning {
		what = "trials of the tuning"
	}
	if e.Done == nil {
		w.progress = fmt.Sprintf("%d of %d %s done; %s: iteration %d of %d", len(w.done), e.Jobs, what, e.Progress.Label,
			e.Progress.Iteration, e.Progress.Iterations)
		return
	}
	if e.Tuning {
		w.progress = fmt.Sprintf("tuning, %d trials", e.Jobs)
		return
	}
	w.done[e.Job] = e.Done
	delete(w.soFar, e.Job)
	w.bytes += int64(len(e.Done.Samples)) * sampleBytes
	if w.bytes > w.most {
		w.full(fmt.Errorf("the runs that have ended need more memory than the limit of %s: simulate run keeps them in "+
			"files, --max-memory raises the limit, and a larger record.every keeps less", spec.Bytes(w.most)))
	}
}

// recorded registers a run that has recorded its first samples.
func (w *watch) recorded(job int, soFar func() *result.Run) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.soFar[job] = soFar
}

// runs returns all runs that have samples, in order, and the progress of the study.
func (w *watch) runs() ([]*result.Run, string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := maps.Clone(w.done)
	for job, soFar := range w.soFar {
		all[job] = soFar()
	}
	var runs []*result.Run
	for _, job := range slices.Sorted(maps.Keys(all)) {
		if len(all[job].Samples) > 0 {
			runs = append(runs, all[job])
		}
	}
	return runs, w.progress
}

// run runs a study. It sends the growing curves and, at the end, the report.
func (s *Server) run(ctx context.Context, st *study.Study, command []string, out stream) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	w := &watch{done: map[int]*result.Run{}, soFar: map[int]func() *result.Run{}, most: s.config.Limits.Bytes,
		full: func(err error) { cancel(err) }}
	type ended struct {
		runs []result.Run
		err  error
	}
	done := make(chan ended, 1)
	go func() {
		runs, err := st.Run(ctx, study.Options{Workers: s.config.Workers, Notify: w.notify, Recorded: w.recorded})
		done <- ended{runs, err}
	}()
	next := time.NewTimer(min(firstTime, s.renew))
	defer next.Stop()
	var shown string
	for {
		select {
		case e := <-done:
			if e.err != nil {
				return e.err
			}
			return s.report(st, e.runs, command, out)
		case <-next.C:
			began := time.Now()
			if err := grown(st.Scenario, w, &shown, out); err != nil {
				cancel(err) // the study ends
			}
			next.Reset(max(s.renew, renewPart*time.Since(began)))
		}
	}
}

// grown sends the current curves. It sends the page around them only if that differs from shown.
func grown(s *spec.Scenario, w *watch, shown *string, out stream) error {
	runs, progress := w.runs()
	m := message{Progress: progress}
	if len(runs) > 0 {
		p, err := present.UnderWay(s, runs)
		if err != nil {
			return err
		}
		f, err := p.Fragment()
		if err != nil {
			return err
		}
		if m.Data = f.Data; f.HTML != *shown {
			m.Data, m.Page, *shown = nil, &f, f.HTML
		}
	}
	return out.send(m)
}

// report sends the report of the study.
func (s *Server) report(st *study.Study, runs []result.Run, command []string, out stream) error {
	from := s.config.Program
	from.CommandLine = command
	report, err := st.Report(runs, from)
	if err != nil {
		return err
	}
	report.Facts, report.Data = present.Facts(st), st.First().Holdings()
	shown, err := present.Show(st, report)
	if err != nil {
		return err
	}
	p, err := present.Page(st, report, shown)
	if err != nil {
		return err
	}
	f, err := p.Fragment()
	if err != nil {
		return err
	}
	m := message{Page: &f, Progress: quantity.Plural(len(runs), "run") + " done."}
	for _, r := range runs {
		m.Runs = append(m.Runs, ran{r.Label, r.Point.Text("="), r.Seed, string(r.Status), r.Hash})
	}
	return out.send(m)
}

package serve

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"tallynet/cmd/simulate/present"
	"tallynet/metrics/report/page"
	"tallynet/metrics/report/result"
	"tallynet/scenarios/spec"
	"tallynet/scenarios/study"
)

// Curves are first shown after a tenth of a second, which people take for at once, and renewed so often at most,
// and so that making them takes a part of the time only.
const (
	firstTime = 100 * time.Millisecond
	renewTime = 250 * time.Millisecond
	renewPart = 4
)

// sampleBytes is about what a recorded iteration takes in memory, besides iterates.
const sampleBytes = 3000

// watch keeps what a study has done so far.
type watch struct {
	mu       sync.Mutex
	done     map[int]*result.Run
	soFar    map[int]func() *result.Run
	jobs     int
	progress string
	bytes    int64
	most     int64 // bytes
	full     func(error)
}

// notify takes an event of the study.
func (w *watch) notify(e study.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.jobs = e.Jobs
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

// recorded notes that a run has got further.
func (w *watch) recorded(job int, soFar func() *result.Run) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.soFar[job] = soFar
}

// runs returns all runs that have recorded something, in their order, and how far the study is.
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

// run runs a study: first its curves as they grow, and then its report.
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
	next := time.NewTimer(firstTime)
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
				cancel(err) // and wait for the study
			}
			next.Reset(max(renewTime, renewPart*time.Since(began)))
		}
	}
}

// grown sends the curves as they are now. The page around them is sent if it is not as shown.
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

// report sends what a report shows of the study.
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
	var f page.Fragment
	if f, err = p.Fragment(); err != nil {
		return err
	}
	m := message{Page: &f, Progress: present.Plural(len(runs), "run") + " done."}
	for _, r := range runs {
		m.Runs = append(m.Runs, ran{r.Label, r.Point.Text("="), r.Seed, string(r.Status), r.Hash})
	}
	return out.send(m)
}

package cli

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"strings"
	"sync"
	"time"

	bars "github.com/jedib0t/go-pretty/v6/progress"

	"tallynet/metrics/escape"
	"tallynet/metrics/report/quantity"
	"tallynet/scenarios/execute"
	"tallynet/scenarios/study"
)

// progress shows the progress of a study: on a terminal a bar for each active run and one for the whole study,
// elsewhere, as in the log of a batch job, a line from time to time.
type progress struct {
	title string // of all; "runs" if empty
	mu    sync.Mutex
	// Of the runs, or of the trials of a tuning.
	tuning                     bool
	jobs, done, stored, failed int       // stored: done by an earlier command
	began                      time.Time // when the first began
	latest                     execute.Progress

	bars  bars.Writer    // or nil
	all   *line          // the bar of the whole study; nil before the first event
	runs  map[int]*line  // by job
	stop  chan struct{}  // ends the lines; nil if there are none
	ended sync.WaitGroup // until the bars have been removed, or the lines have ended
}

// barWidth leaves room for names and numbers on a line of lineWidth characters.
const (
	barWidth  = 24
	lineWidth = 79
)

// maxLabel is the longest label on a line.
const maxLabel = 40

// line is the bar of one run, or of all.
type line struct {
	bar   *bars.Tracker
	label string
	began time.Time
	moved time.Time
}

func newProgress(s streams, quiet bool, title string) *progress {
	p := &progress{title: title}
	switch {
	case quiet:
	case s.Progress:
		out := s.Err
		if w, ok := out.(*escape.Writer); ok { // a bar moves the cursor
			out = w.Raw
		}
		p.bars = newBars(out)
	case s.Tick != nil:
		p.stop = make(chan struct{})
		p.ended.Go(func() {
			for {
				select {
				case <-s.Tick:
					fmt.Fprintln(s.Err, p.line())
				case <-p.stop:
					return
				}
			}
		})
	}
	return p
}

// newBars returns a writer of bars that ends when no bar is left. The messages of the bars contain
// the numbers.
func newBars(out io.Writer) bars.Writer {
	w := bars.NewWriter()
	w.SetOutputWriter(out)
	w.SetAutoStop(true)
	w.SetUpdateFrequency(120 * time.Millisecond)
	w.SetTerminalWidth(lineWidth)
	w.SetTrackerLength(barWidth)
	w.SetSortBy(bars.SortByIndex)
	style := bars.StyleDefault
	style.Options.Separator = " "
	style.Visibility = bars.StyleVisibility{Tracker: true}
	w.SetStyle(style)
	return w
}

// notify takes an event of the study.
func (p *progress) notify(e study.Event) {
	if p.bars == nil && p.stop == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	first := p.began.IsZero() || p.tuning != e.Tuning
	if first {
		p.began, p.tuning, p.done, p.stored, p.failed = time.Now(), e.Tuning, 0, 0, 0
	}
	p.jobs = e.Jobs
	if e.Done == nil {
		p.latest = e.Progress
	} else {
		p.done++
		if e.Stored {
			p.stored++
		}
		if !e.Done.Status.Ended() {
			p.failed++
		}
	}
	if p.bars != nil {
		p.move(e, first)
	}
}

// move moves the bars.
func (p *progress) move(e study.Event, first bool) {
	if first {
		p.start()
	}
	l := p.runs[e.Job]
	switch {
	case e.Done != nil && l != nil:
		l.bar.MarkAsDone()
		delete(p.runs, e.Job)
	case e.Done != nil:
	case l == nil:
		l = p.add(e.Progress.Label, int64(e.Progress.Iterations), uint64(e.Job))
		p.runs[e.Job] = l
		fallthrough
	default:
		// Updating the bar would take longer than a short iteration.
		if time.Since(l.moved) < 50*time.Millisecond && e.Progress.Iteration < e.Progress.Iterations {
			return
		}
		value := ""
		if v := e.Progress.Value; !math.IsNaN(v) {
			value = fmt.Sprintf("  %s %s", e.Progress.Metric, quantity.Float(v, 3))
		}
		l.move(int64(e.Progress.Iteration), 0, value)
	}
	failed := ""
	if p.failed > 0 {
		failed = fmt.Sprintf("  %d failed", p.failed)
	}
	p.all.move(int64(p.done), int64(p.stored), failed)
}

// start adds the bar of all runs, or of all trials, below those of the runs.
func (p *progress) start() {
	before := p.all
	p.runs = map[int]*line{}
	name := cmp.Or(p.title, "runs")
	if p.tuning {
		name = strings.TrimSpace(p.title + " tuning")
	}
	p.all = p.add(name, int64(p.jobs), math.MaxUint64)
	if before != nil {
		before.bar.MarkAsDone()
		return
	}
	p.ended.Go(p.bars.Render)
}

// add adds a bar. Bars are sorted by place.
func (p *progress) add(label string, total int64, place uint64) *line {
	l := &line{label: escape.Middle(label, maxLabel), began: time.Now()}
	l.bar = &bars.Tracker{Message: l.label, Total: total, Index: place, RemoveOnCompletion: true, AutoStopDisabled: true}
	p.bars.AppendTracker(l.bar)
	return l
}

// move sets the value of the bar and the text behind its numbers. Steps that were stored do not count for the pace.
func (l *line) move(value, stored int64, about string) {
	l.moved = time.Now()
	l.bar.SetValue(value)
	text := fmt.Sprintf("%s  %d/%d%s", l.label, value, l.bar.Total, about)
	if left := timeLeft(l.began, float64(value-stored), float64(l.bar.Total-stored)); left != "" {
		text += "  " + left
	}
	l.bar.UpdateMessage(text)
}

// timeLeft estimates the remaining time of work from its average pace so far.
func timeLeft(began time.Time, done, steps float64) string {
	if done <= 0 || done >= steps {
		return ""
	}
	left := min(time.Since(began).Seconds()*(steps-done)/done, 1e9)
	return fmt.Sprintf("%v left", time.Duration(left*float64(time.Second)).Round(time.Second))
}

// line returns the progress in words.
func (p *progress) line() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	text := strings.TrimSpace("simulate: " + p.title)
	if p.jobs == 0 {
		return text + " starting"
	}
	what := "runs"
	if p.tuning {
		what = "trials of the tuning"
	}
	text += fmt.Sprintf(" %d of %d %s done", p.done, p.jobs, what)
	if p.failed > 0 {
		text += fmt.Sprintf(", %d failed", p.failed)
	}
	if l := p.latest; l.Label != "" && p.done < p.jobs {
		text += fmt.Sprintf("; %s: iteration %s of %s", l.Label, quantity.Count(int64(l.Iteration)),
			quantity.Count(int64(l.Iterations)))
		steps := float64(p.done-p.stored) + float64(l.Iteration)/float64(max(1, l.Iterations))
		if left := timeLeft(p.began, steps, float64(p.jobs-p.stored)); left != "" {
			text += ", " + left
		}
	}
	return text
}

// end removes all bars, and ends the lines.
func (p *progress) end() {
	p.mu.Lock()
	if p.stop != nil {
		close(p.stop)
	}
	for _, l := range p.runs {
		l.bar.MarkAsDone()
	}
	if p.all != nil {
		p.all.bar.MarkAsDone()
	}
	p.mu.Unlock()
	p.ended.Wait()
}

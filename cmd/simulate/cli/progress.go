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
	"tallynet/scenarios/study"
)

// progress shows the progress of a study: on a terminal a bar for each active run and one for the
// whole study, elsewhere a line from time to time.
type progress struct {
	lines  *progressLines // or nil
	mu     sync.Mutex
	bars   bars.Writer   // or nil
	ended  chan struct{} // closed when the bars have been removed
	all    *line         // the bar of the whole study; nil before the first event
	tuning bool          // all counts trials
	runs   map[int]*line // by job
	title  string        // of all; "runs" if empty
	failed int
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
	// stored counts steps that an earlier command has done. They do not count for the pace.
	stored int64
}

func newProgress(s streams, quiet bool, title string) *progress {
	p := &progress{runs: map[int]*line{}, title: title}
	switch {
	case quiet:
	case s.Progress:
		out := s.Err
		if w, ok := out.(*escape.Writer); ok { // a bar moves the cursor
			out = w.Raw
		}
		p.bars = newBars(out)
	case s.Tick != nil:
		p.lines = newProgressLines(s.Err, s.Tick, title)
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
	if p.lines != nil {
		p.lines.notify(e)
	}
	if p.bars == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.all == nil || p.tuning != e.Tuning {
		p.start(e)
	}
	if e.Done != nil {
		p.finish(e)
		return
	}
	l := p.runs[e.Job]
	if l == nil {
		l = p.add(e.Progress.Label, int64(e.Progress.Iterations), uint64(e.Job))
		p.runs[e.Job] = l
	}
	// Updating the bar would take longer than a short iteration.
	if time.Since(l.moved) < 50*time.Millisecond && e.Progress.Iteration < e.Progress.Iterations {
		return
	}
	value := ""
	if v := e.Progress.Value; !math.IsNaN(v) {
		value = fmt.Sprintf("  %s %s", e.Progress.Metric, quantity.Float(v, 3))
	}
	l.move(int64(e.Progress.Iteration), value)
	p.count()
}

// finish counts a finished run and removes its bar.
func (p *progress) finish(e study.Event) {
	if l := p.runs[e.Job]; l != nil {
		l.bar.MarkAsDone()
		delete(p.runs, e.Job)
	}
	if e.Stored {
		p.all.stored++
	}
	if !e.Done.Status.Ended() {
		p.failed++
	}
	p.all.bar.Increment(1)
	p.count()
}

// count updates the bar of the whole study.
func (p *progress) count() {
	failed := ""
	if p.failed > 0 {
		failed = fmt.Sprintf("  %d failed", p.failed)
	}
	p.all.move(p.all.bar.Value(), failed)
}

// start adds the bar of all runs, or of all trials, below those of the runs.
func (p *progress) start(e study.Event) {
	before := p.all
	p.tuning, p.runs, p.failed = e.Tuning, map[int]*line{}, 0
	name := cmp.Or(p.title, "runs")
	if e.Tuning {
		name = strings.TrimSpace(p.title + " tuning")
	}
	p.all = p.add(name, int64(e.Jobs), math.MaxUint64)
	if before != nil {
		before.bar.MarkAsDone()
		return
	}
	p.ended = make(chan struct{})
	go func() {
		defer close(p.ended)
		p.bars.Render()
	}()
}

// add adds a bar. Bars are sorted by place.
func (p *progress) add(label string, total int64, place uint64) *line {
	l := &line{label: escape.Middle(label, maxLabel), began: time.Now()}
	l.bar = &bars.Tracker{Message: l.label, Total: total, Index: place, RemoveOnCompletion: true, AutoStopDisabled: true}
	p.bars.AppendTracker(l.bar)
	return l
}

// move sets the value of the bar and the text behind its numbers.
func (l *line) move(value int64, about string) {
	l.moved = time.Now()
	l.bar.SetValue(value)
	l.bar.UpdateMessage(fmt.Sprintf("%s  %d/%d%s%s", l.label, value, l.bar.Total, about, l.left(value)))
}

// left returns the estimated remaining time, from the average pace without stored steps. Before the
// first step it returns "".
func (l *line) left(value int64) string {
	if left := timeLeft(l.began, float64(value-l.stored), float64(l.bar.Total-l.stored)); left != "" {
		return "  " + left
	}
	return ""
}

// timeLeft estimates the remaining time of work from its average pace so far.
func timeLeft(began time.Time, done, steps float64) string {
	if done <= 0 || done >= steps {
		return ""
	}
	left := min(time.Since(began).Seconds()*(steps-done)/done, 1e9)
	return fmt.Sprintf("%v left", time.Duration(left*float64(time.Second)).Round(time.Second))
}

// end removes all bars.
func (p *progress) end() {
	if p.lines != nil {
		p.lines.end()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.all == nil {
		return
	}
	for _, l := range p.runs {
		l.bar.MarkAsDone()
	}
	p.all.bar.MarkAsDone()
	<-p.ended
}

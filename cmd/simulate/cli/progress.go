package cli

import (
	"cmp"
	"fmt"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"tallynet/metrics/escape"
	"tallynet/metrics/render"
	"tallynet/scenarios"
)

// progress shows how far a study is: on a terminal a bar for each run that is under way,
// and one for all of them; elsewhere a line from time to time.
type progress struct {
	lines  *progressLines // nil: none
	mu     sync.Mutex
	bars   *mpb.Progress // nil: none
	all    *mpb.Bar
	tuning bool // the bar for all counts trials
	runs   map[int]*line
	title  string // of the bar for all; "runs" where empty
	// How many jobs were already stored, which say nothing about the pace, and how many
	// did not end well. mpb asks for them from goroutines of its own.
	stored, failed *atomic.Int64
}

// barWidth leaves room for names and numbers on a line of 80 characters.
const barWidth = 24

// maxLabel is the longest label on a line.
const maxLabel = 40

// line is the bar of one run.
type line struct {
	bar  *mpb.Bar
	at   time.Time  // when it was last moved
	mu   sync.Mutex // mpb asks for the text from a goroutine of its own
	last scenarios.Progress
}

func newProgress(s Streams, quiet bool, title string) *progress {
	p := &progress{runs: map[int]*line{}, title: title}
	switch {
	case quiet:
	case s.Progress:
		out := s.Err
		if w, ok := out.(*escape.Writer); ok { // a bar moves the cursor
			out = w.Raw
		}
		p.bars = mpb.New(mpb.WithOutput(out), mpb.WithAutoRefresh())
	case s.Tick != nil:
		p.lines = newProgressLines(s.Err, s.Tick, title)
	}
	return p
}

// notify takes an event of the study.
func (p *progress) notify(e scenarios.Event) {
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
	l := p.runs[e.Job]
	if e.Done != nil {
		if l != nil {
			l.bar.Abort(true)
			delete(p.runs, e.Job)
		}
		if e.Stored {
			p.stored.Add(1)
		}
		if !e.Done.Status.Ended() {
			p.failed.Add(1)
		}
		p.all.Increment()
		return
	}
	if l == nil {
		l = &line{last: e.Progress}
		l.bar = p.bars.AddBar(int64(e.Progress.Iterations), mpb.BarRemoveOnComplete(), mpb.BarWidth(barWidth),
			mpb.PrependDecorators(decor.Name(escape.Middle(e.Progress.Label, maxLabel), decor.WCSyncSpaceR),
				decor.CountersNoUnit("%d/%d", decor.WCSyncSpace)),
			mpb.AppendDecorators(decor.Any(l.text), eta(new(atomic.Int64))))
		p.runs[e.Job] = l
	}
	// Short iterations would spend their time on being shown.
	if time.Since(l.at) < 50*time.Millisecond && e.Progress.Iteration < e.Progress.Iterations {
		return
	}
	l.at = time.Now()
	l.mu.Lock()
	l.last = e.Progress
	l.mu.Unlock()
	l.bar.SetCurrent(int64(e.Progress.Iteration))
}

// start begins the bar for all runs, or all trials.
func (p *progress) start(e scenarios.Event) {
	if p.all != nil {
		p.all.Abort(true)
	}
	p.tuning, p.runs = e.Tuning, map[int]*line{}
	p.stored, p.failed = new(atomic.Int64), new(atomic.Int64)
	name, failed := cmp.Or(p.title, "runs"), p.failed
	if e.Tuning {
		name = strings.TrimSpace(p.title + " tuning")
	}
	p.all = p.bars.AddBar(int64(e.Jobs), mpb.BarPriority(math.MaxInt), mpb.BarRemoveOnComplete(), mpb.BarWidth(barWidth),
		mpb.PrependDecorators(decor.Name(escape.Middle(name, maxLabel), decor.WCSyncSpaceR),
			decor.CountersNoUnit("%d/%d", decor.WCSyncSpace)),
		mpb.AppendDecorators(eta(p.stored), decor.Any(func(decor.Statistics) string {
			if n := failed.Load(); n > 0 {
				return fmt.Sprintf("  %d failed", n)
			}
			return ""
		})))
}

// eta estimates how long a bar will take, from its average pace without the steps that
// were done before. Until its first step there is no estimate.
func eta(before *atomic.Int64) decor.Decorator {
	start := time.Now()
	return decor.Any(func(s decor.Statistics) string {
		steps := s.Current - before.Load()
		if steps <= 0 || s.Current >= s.Total {
			return ""
		}
		pace := time.Since(start).Seconds() / float64(steps)
		left := min(pace*float64(s.Total-s.Current), 1e9)
		return fmt.Sprintf("  %v left", time.Duration(left*float64(time.Second)).Round(time.Second))
	})
}

// text is the current value of the metric.
func (l *line) text(decor.Statistics) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if math.IsNaN(l.last.Value) {
		return ""
	}
	return fmt.Sprintf("  %s %s", l.last.Metric, render.Float(l.last.Value, 3))
}

// end removes all bars.
func (p *progress) end() {
	if p.lines != nil {
		p.lines.end()
	}
	if p.bars == nil {
		return
	}
	p.mu.Lock()
	for _, l := range p.runs {
		l.bar.Abort(true)
	}
	if p.all != nil {
		p.all.Abort(true)
	}
	p.mu.Unlock()
	p.bars.Wait()
}

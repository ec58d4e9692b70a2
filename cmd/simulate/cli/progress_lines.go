package cli

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"tallynet/metrics/report/quantity"
	"tallynet/scenarios/execute"
	"tallynet/scenarios/study"
)

// progressLines writes a line with the progress of a study at each tick. It serves commands whose
// standard error is a log, such as batch jobs.
type progressLines struct {
	to    io.Writer
	title string
	stop  chan struct{}
	ended sync.WaitGroup

	mu     sync.Mutex
	began  time.Time // when the first run began
	stored int       // runs that were done before
	jobs   int
	done   int
	failed int
	tuning bool
	latest execute.Progress // of the run that reported last
}

func newProgressLines(to io.Writer, tick <-chan time.Time, title string) *progressLines {
	p := &progressLines{to: to, title: title, stop: make(chan struct{})}
	p.ended.Go(func() {
		for {
			select {
			case <-tick:
				fmt.Fprintln(p.to, p.line())
			case <-p.stop:
				return
			}
		}
	})
	return p
}

func (p *progressLines) notify(e study.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.began.IsZero() || p.tuning != e.Tuning {
		p.began, p.stored, p.done, p.failed = time.Now(), 0, 0, 0
	}
	p.jobs, p.tuning = e.Jobs, e.Tuning
	switch {
	case e.Done == nil:
		p.latest = e.Progress
	default:
		p.done++
		if e.Stored {
			p.stored++
		}
		if !e.Done.Status.Ended() {
			p.failed++
		}
	}
}

func (p *progressLines) line() string {
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

func (p *progressLines) end() {
	close(p.stop)
	p.ended.Wait()
}

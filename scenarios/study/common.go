package study

import (
	"sync"

	"tallynet/metrics/report/result"
)

// commonParts holds the settings, notes and predictions that runs with different seeds have in common, so that a study
// of a hundred thousand runs keeps one copy for each grid point. A nil *commonParts shares nothing.
type commonParts struct {
	mu    sync.Mutex
	first *result.Run
}

// share replaces the parts of a run by equal ones of the first run. No other goroutine may have the run yet.
func (p *commonParts) share(run *result.Run) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.first == nil {
		first := run.Brief(nil)
		p.first = &first
		return
	}
	run.Share(p.first)
}

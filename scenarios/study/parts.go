package study

import (
	"sync"

	"tallynet/metrics/report/result"
)

// commonParts holds the settings, notes and predictions of a run, which are mostly those of the
// other seeds too: a study of a hundred thousand runs keeps one copy for each grid point. A nil
// one shares nothing.
type commonParts struct {
	mu    sync.Mutex
	first *result.Run
}

// share lets a run, which is not yet seen by others, have the parts of the first run where they
// are equal.
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

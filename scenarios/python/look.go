package python

import (
	"io"
	"time"
)

// looks decides how long to poll for a frame before blocking. If both sides have a core, waking up takes longer than
// most answers. If they share one, or the other side computes for long, polling only wastes time. So looks tries
// polling for some frames from time to time, and continues while it mostly helps. tallynet.py does the same. Both
// sides count the same frames and periods are powers of two, so they try at the same time.
type looks struct {
	frame  int // waits so far
	period int // a trial begins where frame is a multiple of it
	streak int // waits of a trial in a row that were short
	credit int // while it is above 0 it is looked for frames outside of trials
}

const (
	trialFrames  = 6
	trialWindow  = 200 * time.Microsecond // enough to be woken
	usualWindow  = 60 * time.Microsecond
	firstPeriod  = 16
	lastPeriod   = 1024
	wantedStreak = 3
	mostCredit   = 8
	costOfMiss   = 4
)

// window returns how long to poll for the next frame.
func (l *looks) window() time.Duration {
	l.period = max(l.period, firstPeriod)
	at := l.frame % l.period
	l.frame++
	switch {
	case l.credit > 0:
		return usualWindow
	case at >= trialFrames:
		return 0
	case at == 0:
		l.streak = 0
	}
	return trialWindow
}

// waited records whether a frame that was polled for came within the usual window.
func (l *looks) waited(short bool) {
	switch {
	case l.credit > 0 && short:
		l.credit = min(l.credit+1, mostCredit)
		return
	case l.credit > 0:
		l.credit = max(l.credit-costOfMiss, 0)
		return
	case short:
		l.streak++
	default:
		l.streak = 0
	}
	switch {
	case (l.frame-1)%l.period != trialFrames-1:
	case l.streak >= wantedStreak:
		l.credit, l.period = mostCredit, max(l.period/4, firstPeriod)
	default:
		l.period = min(2*l.period, lastPeriod)
	}
}

// pipe is a reader of frames. look announces that the next read is for the first bytes of a frame.
type pipe interface {
	io.Reader
	look()
}

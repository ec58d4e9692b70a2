package python

import (
	"io"
	"time"
)

// looks says how long to look for a frame before sleeping for it. To be woken takes longer than
// most answers do where both sides have a core, and nothing but a core's time is to be had from
// looking where they have not, or where the other side computes for long. So it is tried for some
// frames from time to time, and goes on for so long as it mostly helps. tallynet.py does the same;
// as both sides count the same frames, and periods are powers of two, they try at the same time.
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

// window returns how long to look for the next frame.
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

// waited says how a frame was waited for that had a window: whether it came within the usual one.
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

// pipe is what frames are read from. Looking is for the first bytes of a frame only.
type pipe interface {
	io.Reader
	look()
}

package node

import (
	"fmt"
	"path"
	"runtime"
	"strings"
)

// Panic is the value with which Network.Run panics when an algorithm does. A program runs on a
// stack of its own, so that the site of its panic would otherwise be lost. Site contains no
// folder and no address, so that equal bugs give equal words on every machine.
type Panic struct {
	Value any    // of the algorithm's panic
	Site  string // the function, file and line
	Node  int    // which node ran
	When  string // how far it had come, "after iteration 3 of 10"
}

// Error describes the panic on one line.
func (p *Panic) Error() string {
	if e, ok := p.Value.(interface {
		error
		UserCode() // it is not a fault of this program: where it was found does not matter
	}); ok {
		return fmt.Sprintf("node %d %s: %v", p.Node, p.When, e)
	}
	return fmt.Sprintf("node %d %s: panic in %s: %v", p.Node, p.When, p.Site, p.Value)
}

// misuse is the value of a panic that says which node gave what where something else was wanted: the place in
// this package that saw it says no more.
type misuse string

func (m misuse) Error() string { return string(m) }

// UserCode says so to Panic.
func (m misuse) UserCode() {}

// asPanic wraps what was recovered, unless it is wrapped already. It must be called by the
// deferred function that recovered.
func asPanic(r any) *Panic {
	if p, ok := r.(*Panic); ok {
		return p
	}
	return &Panic{Value: r, Site: panicSite()}
}

// panicSite returns the innermost function on the panic's stack that is not the runtime's.
func panicSite() string {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs[:])])
	panicking := false
	for {
		f, more := frames.Next()
		if panicking && !strings.HasPrefix(f.Function, "runtime.") {
			return fmt.Sprintf("%s (%s:%d)", path.Base(f.Function), path.Base(f.File), f.Line)
		}
		panicking = panicking || f.Function == "runtime.gopanic"
		if !more {
			return "an unknown function"
		}
	}
}

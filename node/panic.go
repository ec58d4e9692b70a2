package node

import (
	"fmt"
	"path"
	"runtime"
	"strings"
)

// Panic is the value with which Network.Run panics if an algorithm does. Site is the origin of the panic: a
// program has a stack of its own, which would otherwise be lost. Site contains neither folders nor addresses,
// so that equal bugs have equal texts on every machine.
type Panic struct {
	Value any    // the value of the algorithm's panic
	Site  string // the function, file and line
	Node  int    // the node that was running
	When  string // its progress, "after iteration 3 of 10"
}

// Error describes the panic on one line.
func (p *Panic) Error() string {
	if e, ok := p.Value.(interface {
		error
		UserCode() // the user's code is at fault, and the site says nothing
	}); ok {
		return fmt.Sprintf("node %d %s: %v", p.Node, p.When, e)
	}
	return fmt.Sprintf("node %d %s: panic in %s: %v", p.Node, p.When, p.Site, p.Value)
}

// misuse is the value of a panic over a method's wrong use of this package. Its text says all; where in this
// package it was found does not matter.
type misuse string

func (m misuse) Error() string { return string(m) }

// UserCode tells Panic to leave out the site.
func (m misuse) UserCode() {}

// asPanic wraps a recovered value in a Panic, unless it is one. The deferred function that recovered must call
// it directly.
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

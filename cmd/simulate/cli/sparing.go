package cli

import "runtime/debug"

// manyRuns is the number of runs from which a summary trades time for memory.
const manyRuns = 10_000

// sparing makes the garbage collector run twice as often while a result of many runs is
// summarized, until the returned function is called.
func sparing(runs int) (end func()) {
	if runs < manyRuns {
		return func() {}
	}
	const percent = 50 // of what is in use
	before := debug.SetGCPercent(percent)
	return func() { debug.SetGCPercent(before) }
}

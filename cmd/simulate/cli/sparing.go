package cli

import "runtime/debug"

// manyRuns is the number of runs from which on a summary is made with less memory and more time.
const manyRuns = 10_000

// sparing lets the garbage collector leave half as much behind while a result of many runs is
// summed up, until the returned function is called.
func sparing(runs int) (end func()) {
	if runs < manyRuns {
		return func() {}
	}
	const percent = 50 // of what is in use
	before := debug.SetGCPercent(percent)
	return func() { debug.SetGCPercent(before) }
}

// Package sim is the kernel of the simulator: virtual time, the event queue, the
// run loop and the random streams.
//
//	Push(event) ─► Queue, ordered by (time, receiver, sender, sender's counter) ─► Run ─► dispatch(event)
//
// Time is an integer number of nanoseconds, so that adding and comparing are
// exact and equal on every machine. The order of events is total: two events at
// one time are ordered by who receives, then by who sends, then by the sender's
// own counter, so no tie is left to luck and a node added elsewhere reorders
// nothing. Random numbers come from streams keyed by (seed, purpose, ids); there
// is no shared generator whose use in one place could disturb another.
//
// The package knows neither messages nor nodes, starts no goroutine and never
// looks at the wall clock.
package sim

// Package sim is the kernel of the simulator: virtual time, the event queue, the run loop
// and the random streams.
//
//	Push(event) ─► Queue, ordered by (time, receiver, sender, sender's counter) ─► Run ─► dispatch(event)
//
// Time is an integer number of nanoseconds, so that adding and comparing are exact and the
// same on every machine. The order of events is total: events of one time are ordered by
// receiver, then by sender, then by the sender's own counter, so that there are no ties,
// and a node added elsewhere does not reorder the others' events. Random numbers come
// from streams keyed by (seed, purpose, ids); there is no shared generator, so that users
// do not disturb each other.
//
// The package knows neither messages nor nodes and never reads the wall clock. Only Helpers
// start goroutines.
package sim

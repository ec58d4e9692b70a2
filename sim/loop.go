package sim

// Ending is the reason for the end of a loop.
type Ending uint8

// The reasons for a loop to end.
const (
	Drained    Ending = iota // no event is left
	Stopped                  // dispatch returned false
	TimeLimit                // the next event lies beyond Limits.Until
	EventLimit               // Limits.Events were dispatched
)

// Limits bound a loop.
type Limits struct {
	Until  Time   // events after this time are not dispatched; Never: no limit
	Events uint64 // at most this many events are dispatched; 0: no limit
}

// Run takes events in order and hands each to dispatch, which may push more, until none is left, dispatch
// returns false, or a limit is met. Events beyond a limit stay pending, so that a later Run can continue. An
// event is valid during the call of dispatch only.
func (q *Queue) Run(l Limits, dispatch func(*Event) bool) Ending {
	e := &q.taken
	for done := uint64(0); ; done++ {
		if l.Events > 0 && done == l.Events {
			return EventLimit
		}
		if l.Until != Never && q.size > 0 && q.Peek() > l.Until {
			return TimeLimit
		}
		if !q.Pop(e) {
			return Drained
		}
		if !dispatch(e) {
			return Stopped
		}
	}
}

// Package retime finds the simulated times of a run on other links and machines without computing it again, and where
// along a key of the scenario the cheapest choice changes.
//
// The iterates of a synchronous method do not depend on when messages arrive. So a run is recorded once, and what its
// nodes did is played on any network with the same graph. The events are those of a run, so its times are exact.
package retime

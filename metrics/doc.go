// Package metrics counts what a run costs and holds what a run reports.
//
//	send ─► Ledger (phase, part, kind, shape, link) ─┐
//	call ─► Counters (rounds, grad, HVP, JVP, ...)   ├─► Sample k ─► Run ─► Report ─► result.json, *.csv
//	time ─► Counters (computing, waiting, path)     ─┘
//
// Every byte has a phase, a kind (scalar, vector, matrix), a directed link and
// an iteration, and is conserved: sent = delivered + lost + in flight. A cost
// that an algorithm states in closed form has the same type as a counted cost,
// so that the two can be compared.
//
// The package measures nothing itself and knows neither algorithms nor
// scenarios. The packages of metrics/report make tables and figures.
package metrics

// Package metrics counts what a run costs and holds what a run reports.
//
//	send ─► Ledger (phase, part, kind, shape, link) ─┐
//	call ─► Counters (rounds, grad, HVP, JVP, ...)   ├─► Sample k ─► Run ─► Report ─► result.json, *.csv
//	time ─► Counters (computing, waiting, path)     ─┘
//
// Every byte has a phase, a kind (scalar, vector, matrix), a directed link and
// an iteration, and is conserved: sent = delivered + in flight. A cost
// that an algorithm states in closed form has the same type as the cost that
// was counted, so that the two can be held equal.
//
// The package measures nothing by itself and knows neither algorithms nor
// scenarios. Tables and figures are made by the packages of metrics/report.
package metrics

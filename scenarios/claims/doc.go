// Package claims decides statements about runs.
//
//	check (text) ─► Compile ─► Check ─► Evaluate(runs) ─► holds | fails | undecided
//	                   ▲                                   and what was measured
//	                 Scope: labels, points, metrics, targets
//
// A check is an expression of the language Expr, whose parser reads it. What it may name
// is known before anything runs, so an unknown name is an error with a place in the text,
// never a false.
//
// Expr's own machine is not used: it has two truth values, and a check has three. A check
// that looks at nothing (no run passed a filter, a metric is missing, an iteration was not
// recorded, a fit has too few points) is neither true nor false but undecided, and the
// reason names the part. All parts are evaluated, whatever the others come to. A budget of
// steps bounds the time and memory that an expression can take.
//
// What a run paid is read from the table of costs, and when it reached a target from
// [result.Run.Reach], so that a check cannot disagree with tables and statistics.
//
// The package reads no files and runs nothing; it has no clock and no random numbers.
package claims

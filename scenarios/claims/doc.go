// Package claims decides statements about runs.
//
//	check (text) ─► Compile ─► Check ─► Evaluate(runs) ─► holds | fails | undecided
//	                   ▲                                   and what was measured
//	                 Scope: labels, points, metrics
//
// A check is an expression of the language Expr. What it may name is known before
// anything runs, so a name that means nothing is an error with a place in the text,
// never a false. What a number cannot say (a run that did not finish, an iteration
// that was not recorded, a fit through too few points) makes a claim undecided.
//
// The package reads no files and runs nothing; it has no clock and no random numbers,
// and the functions of Expr that have are not offered.
package claims

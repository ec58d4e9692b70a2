// Package scenarios holds the scenarios that are shipped: what-if examples, and in papers/ the tables and figures of
// five papers. It has no code. What reads, builds and runs a scenario lies in packages below it, each of which uses
// those above it in this list only:
//
//	keys      the strict reader of files: tree, paths, units, parameters, errors
//	problems  the problems, and the data behind them
//	measure   the metrics of iterates
//	catalog   what each name in a file constructs
//	sections  what one section of a file declares, checks and gives the engine
//	claims    the expressions of claims
//	spec      the checked scenario and its grid
//	build     a scenario and a seed become an instance
//	predict   what an instance costs, in closed form
//	execute   one run
//	papers    claims, tables and figures, decided from runs
//	study     many runs: order, store, shares, tuning
//
// Besides, python has problems and methods in Python, and scenariotest helps tests.
package scenarios

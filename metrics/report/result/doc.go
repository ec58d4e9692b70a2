// Package result has what a run leaves behind: samples, totals, ledgers, claims, tables and figures.
//
//	Report ─► result.json, iterations.csv, links.csv, nodes.csv, phases.csv ─► ReadFolder
//	Run    ─► RunStore: finished runs under a key, shared between processes
//
// Files are written whole or not at all. Within version 1 of the format, keys are only added.
package result

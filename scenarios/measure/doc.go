// Package measure evaluates what a run has reached: the metrics of its iterates.
//
//	Snapshot (x_i, y_i of all nodes) ─► Evaluator ─► one value for each Metric
//
// A [Metric] is an entry of a table: its name and what it is, for which problems there
// is one, and how it is computed. Files, stop rules, tuning, CSV columns, the page and
// the documentation follow the table. A program may append metrics of its own.
//
// Measuring is free: it uses the problem itself, costs no simulated time and is never
// counted.
package measure

// Package page writes what a study found as one HTML file that opens without a network.
//
//	run ─► Builder.Add ─► a few points per curve ─┐
//	fold.Summary ─────────────────────────────────┴► Page ─► Write ─► report.html
//
// A [Page] is plain data: words, tables, and the numbers that the charts draw. The file
// holds all of it, with the charting library, and fetches nothing: its content security
// policy forbids it to. Words of users are text in it, never markup.
//
// Runs come one at a time and are not kept. Of a curve stay the recorded iterations that
// a screen can show, dense at the start and sparser later, the same ones in every run, so
// that seeds can be averaged. Of all runs of a method at a grid point, one shows its
// links, nodes and phases. The more runs there are, the fewer points each keeps, so that
// hundreds of runs stay below ten megabytes.
//
// A run that diverged, stalled, failed or was interrupted is drawn by itself and marked;
// it enters no mean.
package page

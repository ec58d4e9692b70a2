// Package table writes one table as text, Markdown, CSV, LaTeX and HTML.
//
// It knows nothing of runs: the caller fills a [Table]. A cell keeps its number and its column has the unit, so one
// table gives people "1.23 MB" and machines 1230000.
package table

// Package table writes tables as text, Markdown, CSV, LaTeX and HTML, and documents that consist of tables with
// words above them.
//
// It is independent of runs. A cell keeps its number and its column has the unit, so that one [Table] gives people
// "1.23 MB" and programs 1230000. A [Sheet] is a table for programs only: CSV and Parquet files come from the same
// cells.
package table

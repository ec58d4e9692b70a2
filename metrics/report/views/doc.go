// Package views makes the tables and figures of a study, for the terminal, the files and the page.
//
//	[]result.Run ─► New ─► StudyView ─► tables, figures, summary
package views

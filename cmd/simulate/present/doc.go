// Package present puts a scenario and its runs together for people: facts, tables, sentences and
// the page. The command line writes them to files, and the live page shows them at once.
//
//	study.Study ─┐
//	result.Report ───┴─► Show ─► views.StudyView ─► Page ─► page.Page
//
// It computes nothing, and writes nothing.
package present

// Package present prepares a study and its results for display: facts, tables, sentences and the
// page. The command line writes them to files, and the live page sends them to the browser.
//
//	study.Study ─────┐
//	result.Report ───┴─► Show ─► views.StudyView ─► Page ─► page.Page
//
// It computes nothing, and writes nothing.
package present

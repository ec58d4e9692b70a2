// Package browser opens pages in Chromium and records what they complain about. It is for tests: a test binary that
// imports it has the flag -screenshots, which names a folder for pictures of the pages.
//
// A test whose machine has no Chromium is skipped. All tests of a binary share one browser; each page has a tab.
package browser

// Package compare sets two results side by side: a table of what their common runs cost, the keys in which their
// scenarios differ, and what changes from one to the other in sentences.
package compare

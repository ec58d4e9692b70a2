// Package papers decides the claims of a scenario and makes the tables and figures of its paper, from runs that are
// there. It runs nothing.
package papers

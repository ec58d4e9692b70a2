// Package papers presents the claims of scenarios about papers, and the tables and figures of the papers that they
// reproduce: as tables, as pictures, and as Markdown pages.
package papers

// Package render draws tables and plots from plain structs.
//
//	Table  ─► text | Markdown | CSV | LaTeX | HTML
//	Plot   ─┐
//	Figure ─┴► SVG | PNG
//
// It is independent of runs and reports: the caller fills a Table or a Figure. A cell
// keeps its number and its column has the unit, so one table gives people "1.23 MB" and
// machines 1230000.
//
// Figures are made for print: lines differ in colour, dashes and markers, so they can be
// distinguished in greyscale and by colour-blind readers; text is drawn as outlines, so a
// figure needs no fonts and looks the same everywhere. The same data gives the same
// bytes. Points that cannot be drawn (NaN, infinite, or not positive on a log axis) are
// left out, counted, returned to the caller and stated in the figure.
package render

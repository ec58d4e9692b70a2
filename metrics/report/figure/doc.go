// Package figure draws plots from plain structs.
//
//	Plot   ─┐
//	Figure ─┴► SVG | PNG | PDF | TikZ | CSV
//
// It knows nothing of runs: the caller fills a [Figure].
//
// Figures are made for print: lines differ in colour, dashes and markers, so they can be
// distinguished in greyscale and by colour-blind readers; text is drawn as outlines, so a
// figure needs no fonts and looks the same everywhere. The same data gives the same
// bytes. Points that cannot be drawn (NaN, infinite, or not positive on a log axis) are
// left out, counted, returned to the caller and stated in the figure.
package figure

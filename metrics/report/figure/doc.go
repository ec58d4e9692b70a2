// Package figure draws plots from plain structs.
//
//	Plot   ─┐
//	Figure ─┴► SVG | PNG | PDF | TikZ | CSV
//
// The package knows nothing of runs: the caller fills a [Figure].
//
// Figures are made for print. Lines differ in colour, dashes and markers, so they can be
// distinguished in greyscale and by colour-blind readers. PNG and PDF use embedded fonts, so
// they look the same everywhere. The same data gives the same bytes. Points that cannot be
// drawn (NaN, infinite, or not positive on a log axis) are left out, counted and stated
// below the figure.
//
// The layout measures text with the embedded fonts and draws on a canvas that collects
// shapes. Each writer replays the shapes: SVG is written here, PNG and TikZ by gonum/plot,
// PDF by fpdf.
package figure

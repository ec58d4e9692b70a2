// Package render draws tables and plots from plain structs.
//
//	Table  ─► text | Markdown | CSV | LaTeX | HTML
//	Plot   ─┐
//	Figure ─┴► SVG | PNG
//
// It knows neither runs nor reports and measures nothing: whoever has numbers
// fills a Table or a Figure. A cell keeps its number and its column knows the
// unit, so that people get "1.23 MB" and machines get 1230000 from one table.
//
// Pictures are made to be printed: lines differ in colour, dashes and markers
// at once, so they can be told apart in greyscale and by the colour-blind; the
// text is drawn as outlines, so a picture needs no fonts and looks the same
// everywhere. The same data gives the same bytes. What cannot be drawn (NaN,
// infinities, non-positive numbers on a log axis) is left out, counted, returned
// to the caller and stated in the picture.
package render

// Package escape makes text harmless where it leaves the program. Labels, names and
// notes come from scenario files and may hold anything: terminal escapes, markup,
// formulas, characters that a format does not allow. There is one function for each
// sink, and each format calls it at the one place where its text is written:
//
//	terminal, SVG titles, lettering of SVG and PNG  Plain
//	whole documents (the page, output of a command) Block
//	JSON that is shown by a page                    JSON
//	Markdown                                        Markdown
//	CSV                                             CSV, and FromCSV reads it back
//	LaTeX                                           LaTeX
//	HTML                                            HTML
//
// Name shortens what is too long for people; files for machines keep it whole.
package escape

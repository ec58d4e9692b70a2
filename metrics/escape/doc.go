// Package escape makes text harmless where it leaves the program. Labels, names and
// notes come from scenario files and may contain anything: terminal escapes, markup,
// formulas, characters that a format does not allow. There is one function for each
// format, which calls it at the one place where its text is written:
//
//	terminal, SVG titles, lettering of SVG and PNG  Plain
//	whole documents (the page, output of a command) Block
//	JSON that is shown by a page                    JSON
//	Markdown                                        Markdown
//	CSV                                             CSV, and FromCSV reads it back
//	LaTeX                                           LaTeX
//	HTML                                            HTML
//
// Name shortens long names for people; files for machines keep them whole.
package escape

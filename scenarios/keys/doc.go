// Package keys reads a strict YAML file by declarations of its keys.
//
//	text ─► Source.Parse ─► Value, Field ─► Override.Apply ─┐      (--set, the points of a sweep)
//	                                                        ▼
//	[]Param ───────────────────────────────────────► Reader.Section ─► Args ─► Resolved
//	   │                                                    └─► FileErrors: line, caret, hint
//	   └─► Schema, Rows
//
// A Param declares one key: kind, range, default, meaning. From the same declaration come
// what the reader accepts, the JSON Schema, the reference of the keys, and how values are
// written back, so that these cannot disagree. A Variants declares a section whose kind
// decides which other keys it has; its kinds are Entries, which make up the catalog.
//
// Args holds the values of a section that was read, and where they are in the file: a
// check of what must fit together reports its error with Reader.Fail at Args.PosOf. A
// constructor that gets Args reports what is wrong as a ParamError, which says which
// parameter it is about.
//
// The package knows nothing of scenarios: which keys there are is declared elsewhere.
package keys

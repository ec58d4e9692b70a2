// Package spec reads scenario files and checks them. It builds nothing.
//
//	file.yaml ─┐                        ┌─► Resolved: JSON, YAML, every default filled in
//	--set k=v ─┼─► Parse ─► Scenario ───┼─► Points: the grid of a study
//	catalog ───┘     │                  └─► Errorf: later errors, located in the file
//	                 └─► keys.FileError: file:line:column, the line, a caret, the nearest key
//
// Parsing is strict because a misread scenario wastes days. Parse rejects unknown and duplicate keys, keys that the
// other keys make ineffective, quantities without a unit or with an ambiguous one (Mb), numbers that YAML parsers read
// differently (010, 1_000), values out of range, and keys of a later version of the format ("not yet"). It accepts
// anchors, aliases and merge keys, but neither tags nor several documents in a file. It reports up to ten errors at
// once. Hostile input (too deep, too large, aliases of aliases) is rejected before it costs time or memory.
//
// --set and sweeps change the tree before it is checked, so their values get the same checks as the file. Their errors
// point at the --set text or into the sweep.
package spec

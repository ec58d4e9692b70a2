// Package spec reads scenario files and checks them. It builds nothing.
//
//	file.yaml ─┐                        ┌─► Resolved: JSON, YAML, every default filled in
//	--set k=v ─┼─► Parse ─► Scenario ───┼─► Points: the grid of a study
//	catalog ───┘     │                  └─► Errorf: where a key is, for later errors
//	                 └─► keys.FileError: file:line:column, the line, a caret, the nearest key
//
// Reading is strict, since a scenario that silently means something else wastes days.
// A file is refused for an unknown key, a key that would change nothing beside the
// others, a quantity without a unit, an ambiguous one (Mb), a number that YAML readers
// do not agree on (010, 1_000), a value out of range, a key given twice, and for what
// belongs to a later version of the format ("not yet"). Anchors, aliases and merge keys
// are read; tags and several documents in one file are not. Up to ten errors are reported
// at once. A text that is hostile (too deep, too large, aliases of aliases) is refused
// before it costs anything.
//
// Changes from --set and from a sweep are made to the tree before it is checked, so
// they are checked like the file itself; their errors point at the --set text, or into
// the sweep.
package spec

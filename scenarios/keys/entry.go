package keys

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"tallynet/algorithms/declare"
)

// Entry declares one kind of a section. All entries of the catalog embed it.
type Entry struct {
	Name    string
	Label   string // how it is shown; the upper-case name where empty
	Aliases []Alias
	Summary string // one line
	Params  []Param
	// Check checks parameters against each other, after each was checked by itself; may be nil.
	Check func(a Args) *ParamError
}

// Alias is another name of an entry, with some of its parameters set.
type Alias = declare.Alias

// Preset is a parameter that an alias sets, with its value as text of a file.
type Preset = declare.Preset

// Common returns the entry, of which each entry of the catalog is one.
func (e *Entry) Common() *Entry { return e }

// Names returns the name of the entry and its aliases.
func (e *Entry) Names() []string {
	names := []string{e.Name}
	for _, a := range e.Aliases {
		names = append(names, a.Name)
	}
	return names
}

// LabelOf returns the display name of the entry under the given name or alias.
func (e *Entry) LabelOf(name string) string {
	for _, a := range e.Aliases {
		if a.Name == name && a.Label != "" {
			return a.Label
		}
	}
	if name == e.Name && e.Label != "" {
		return e.Label
	}
	return strings.ToUpper(name)
}

// Lookup returns the entry with the name or alias, and the alias; nil if there is none.
func Lookup(entries []Entry, name string) (*Entry, *Alias) {
	for i := range entries {
		e := &entries[i]
		if e.Name == name {
			return e, nil
		}
		for j := range e.Aliases {
			if e.Aliases[j].Name == name {
				return e, &e.Aliases[j]
			}
		}
	}
	return nil, nil
}

// EntryNames returns the names and aliases of the entries.
func EntryNames(entries []Entry) []string {
	var names []string
	for i := range entries {
		names = append(names, entries[i].Names()...)
	}
	return names
}

// ParamError reports an invalid parameter of a section.
type ParamError struct {
	Param   string // as a path below the section, "edges[1]"; empty: the whole section
	Message string
	Hint    string // what to write instead; may be empty
	Err     error  // the cause; may be nil
}

// About returns err as an error of the parameter; nil for nil.
func About(param string, err error) error {
	if err == nil {
		return nil
	}
	return &ParamError{Param: param, Message: err.Error(), Err: err}
}

// Wrong returns an error of the parameter.
func Wrong(param, format string, args ...any) error {
	return About(param, fmt.Errorf(format, args...))
}

// OfFile returns the error of reading the file at path as an error of the parameter; nil for nil.
func OfFile(param, path string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return Wrong(param, "there is no such file: %s", path)
	}
	return About(param, err)
}

// Error returns the parameter and the message.
func (e *ParamError) Error() string {
	if e.Param == "" {
		return e.Message
	}
	return e.Param + ": " + e.Message
}

// Unwrap returns the cause, or nil.
func (e *ParamError) Unwrap() error { return e.Err }

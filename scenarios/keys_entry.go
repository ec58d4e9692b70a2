package scenarios

import "strings"

// Entry is what all entries of the catalog have.
type Entry struct {
	Name    string
	Label   string // how it is shown; the upper-case name where empty
	Aliases []Alias
	Summary string // one line
	Params  []Param
	// Check finds what is wrong with parameters that are right one by one; may be nil.
	Check func(a Args) *ParamError
}

// ParamError is something wrong with one parameter. An empty Param is the whole section.
type ParamError struct{ Param, Message, Hint string }

func (e *ParamError) Error() string {
	if e.Param == "" {
		return e.Message
	}
	return e.Param + ": " + e.Message
}

// Alias is another name of an entry, with some of its parameters set.
type Alias struct {
	Name    string
	Label   string
	Summary string
	Preset  []Preset
}

// Preset is a parameter that an alias sets, as it would be written in a file.
type Preset struct{ Param, Value string }

func upper(name string) string { return strings.ToUpper(name) }

// label returns the display name of the entry under the given name or alias.
func (e *Entry) LabelOf(name string) string {
	for _, a := range e.Aliases {
		if a.Name == name && a.Label != "" {
			return a.Label
		}
	}
	if name == e.Name && e.Label != "" {
		return e.Label
	}
	return upper(name)
}

// lookup returns the entry with the name or alias, and the alias, or nil.
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

func EntryNames(entries []Entry) []string {
	var names []string
	for _, e := range entries {
		names = append(names, e.Name)
		for _, a := range e.Aliases {
			names = append(names, a.Name)
		}
	}
	return names
}

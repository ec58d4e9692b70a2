package keys

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"tallynet/metrics/jsonio"
)

// Reader checks a tree against declarations and collects errors.
type Reader struct {
	Src  *Source
	Errs FileErrors
	// GridPoint names the point of the sweep; "" outside a sweep.
	GridPoint string
	// Keys returns the declarations of all keys of the file, so that the error for a misplaced key can name its
	// section; may be nil.
	Keys func() []Param
	// kinds has the kinds of the sections read so far, by path.
	kinds map[string]string
}

// Fail records an error at a position, with the key and a hint. It does nothing after MaxErrors.
func (r *Reader) Fail(at FilePosition, path, hint, format string, args ...any) {
	if len(r.Errs) >= MaxErrors {
		return
	}
	r.Errs = append(r.Errs, r.Src.Fail(at, path, hint, format, args...))
}

// Section reads the keys of n by their declarations. Any other key is an error. The caller reads Custom keys. Missing
// keys are reported at keyPos.
func (r *Reader) Section(path, owner string, n *Value, keyPos FilePosition, params []Param) Args {
	a := r.section(path, owner, "", n, keyPos, params)
	a.derive(Args{})
	return a
}

// section is Section without derived defaults. kind is the entry's name if the section is a Variant.
func (r *Reader) section(path, owner, kind string, n *Value, keyPos FilePosition, params []Param) Args {
	a := Args{owner: owner, kind: kind, path: path, pos: keyPos, value: n, params: params,
		values: map[string]any{}, given: map[string]bool{}, meant: map[string]bool{}}
	if n != nil {
		a.pos = n.Pos
	}
	if kind != "" {
		a.values[params[0].Name] = kind
		if r.kinds == nil {
			r.kinds = map[string]string{}
		}
		r.kinds[path] = kind
	}
	if n != nil && n.Shape != Map {
		r.WrongKind(path, n, keyPos, "a section of keys", sectionExample(params))
		return a
	}
	if n != nil {
		for _, e := range n.Fields {
			r.key(path, owner, e, params, &a)
		}
	}
	for _, p := range params {
		switch why := p.unused(a); {
		case why != "":
			harmless := p.With != "" && p.Default != nil && a.values[p.Name] == p.Default
			if a.given[p.Name] && !harmless {
				hint := "leave it out"
				if p.With != "" {
					hint = fmt.Sprintf("leave it out, or give %s too", p.With)
				}
				r.Fail(n.Child(p.Name).KeyPos, JoinKey(path, p.Name), hint, "%s", why)
			}
			delete(a.values, p.Name)
		case a.given[p.Name] || a.values[p.Name] != nil:
		case p.Required && !a.meant[p.Name]:
			r.Fail(keyPos, path, p.write("write "), "%s is missing: %s", p.Name, p.About)
		case p.With != "" && a.isDefault(p.With): // an explicit default counts as left out
		default:
			if v, ok := r.standard(JoinKey(path, p.Name), keyPos, p); ok {
				a.values[p.Name] = v
			}
		}
	}
	return a
}

// isDefault reports whether a key has its default value.
func (a Args) isDefault(key string) bool {
	p := Named(a.params, key)
	return p != nil && p.Default != nil && a.values[key] == p.Default
}

// standard returns the default of a key that the file lacks.
func (r *Reader) standard(path string, at FilePosition, p Param) (any, bool) {
	switch {
	case p.Later != "":
		return nil, false
	case p.Kind == Variant && p.Default != nil:
		kind := &Value{Shape: Scalar, Text: p.Default.(string), Pos: at, Size: 1}
		return r.variant(path, &Field{p.Name, at, kind}, p.Variants)
	case p.Kind == Section:
		// A missing section has the defaults of its keys, if none is required.
		return r.defaults(path, p)
	}
	return p.Default, p.Default != nil
}

// unused returns why p has no effect beside the earlier keys, or "" if it has one.
func (p Param) unused(a Args) string {
	if key, want, ok := strings.Cut(p.Only, ": "); ok &&
		!slices.Contains(strings.Split(want, " or "), wordFor(a.values[key])) {
		if got, ok := a.values[key]; ok {
			return fmt.Sprintf("only %s uses %s; this has %s: %s", p.Only, p.Name, key, wordFor(got))
		}
		return fmt.Sprintf("only %s uses %s", p.Only, p.Name)
	}
	if key, word, ok := strings.Cut(p.Unless, ": "); ok {
		if a.given[key] && wordFor(a.values[key]) == word {
			return fmt.Sprintf("%s is not used where %s is %s", p.Name, key, word)
		}
	} else if p.Unless != "" && a.given[p.Unless] {
		return fmt.Sprintf("%s is not used where %s is given", p.Name, p.Unless)
	}
	if p.With != "" && !a.given[p.With] {
		return fmt.Sprintf("%s is used only where %s is given", p.Name, p.With)
	}
	return ""
}

// wordFor returns a value as Only and Unless write it. A Variant is written as the name of its kind.
func wordFor(v any) string {
	if a, ok := v.(Args); ok {
		return a.kind
	}
	return fmt.Sprint(v)
}

// defaults returns the section p with the defaults of its keys. It reports false if a key is required, or none has a
// default.
func (r *Reader) defaults(path string, p Param) (any, bool) {
	some := false
	for _, q := range p.Params {
		if q.Required {
			return Args{}, false
		}
		some = some || q.Default != nil
	}
	if !some {
		return Args{}, false
	}
	return r.section(path, p.Name, "", nil, FilePosition{}, p.Params), true
}

// write returns a hint to write the key as in its example, after some words; "" if it has none.
func (p *Param) write(words string) string {
	if p.Example == "" {
		return ""
	}
	return words + p.Name + ": " + p.Example
}

func (r *Reader) key(path, owner string, e Field, params []Param, a *Args) {
	full := JoinKey(path, e.Key)
	if p := Named(params, e.Key); p != nil {
		a.given[p.Name] = true
		switch {
		case p.Later != "":
			r.Fail(e.KeyPos, full, "", "not yet: %s belongs to a later version", p.Later)
		case p.Custom:
		default:
			if v, ok := r.Value(full, e, *p); ok {
				a.values[p.Name] = v
			}
		}
		return
	}
	var names []string
	for _, p := range params {
		if p.Later == "" {
			names = append(names, p.Name)
		}
	}
	what := "the scenario has no such key"
	if owner != "" {
		what = owner + " has no such key"
	}
	if len(names) == 0 {
		r.Fail(e.KeyPos, full, "", "%s; it takes none", what)
		return
	}
	meant, hint := Nearest(e.Key, names), ""
	if r.Keys != nil && !misspelt(e.Key, meant) { // a key of another section is a better guess than a similar name
		key := misplaced{e, r.kinds}
		if at := inside(key, path, params); path != "" && at != "" {
			meant, hint = "", "did you mean "+at+"?"
		} else if top, why := belongs(key, path, r.Keys()); why != "" {
			meant, hint = top, why
		}
	}
	switch {
	case hint == "":
		hint = DidYouMean(e.Key, names)
	case meant == "" && !strings.HasPrefix(hint, "did you mean"):
		hint += "; " + DidYouMean(e.Key, names)
	}
	if meant != "" {
		a.meant[meant] = true
	}
	r.Fail(e.KeyPos, full, hint, "%s", what)
}

// JoinKey returns the path of a key below path.
func JoinKey(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

func sectionExample(params []Param) string {
	for _, p := range params {
		if p.Example != "" {
			return "write it as {" + p.Name + ": " + p.Example + ", ...}"
		}
	}
	return ""
}

// WrongKind records that a value has the wrong type for its key.
func (r *Reader) WrongKind(path string, n *Value, keyPos FilePosition, want, hint string) {
	at := n.Pos
	got := n.Shape.String()
	if len(n.Items)+len(n.Fields) == 0 {
		got = strings.Replace(strings.Replace(got, "a list", "an empty list", 1), "a section", "an empty section", 1)
	}
	switch n.Shape {
	case Scalar:
		got = quote(n.Text)
	case Null:
		at, got = keyPos, "no value"
	}
	r.Fail(at, path, hint, "want %s, got %s", want, got)
}

// Value reads the value of one key. On an error it records it and returns false.
func (r *Reader) Value(path string, e Field, p Param) (any, bool) {
	n := e.Value
	if n.Shape == Null {
		const words = "leave the key out, or write "
		hint := cmp.Or(p.write(words), words+p.Kind.String())
		r.Fail(e.KeyPos, path, hint, "the key has no value")
		return nil, false
	}
	switch p.Kind {
	case Ints:
		return listOf[int](r, path, n, e.KeyPos, p, Int)
	case Floats:
		return listOf[float64](r, path, n, e.KeyPos, p, Float)
	case Strings:
		kind := String
		if len(p.Enum) > 0 {
			kind = Enum
		}
		return listOf[string](r, path, n, e.KeyPos, p, kind)
	case Matrix:
		return r.matrix(path, n, e.KeyPos, p)
	case Edges:
		return r.edges(path, n, e.KeyPos, p)
	case Section:
		if n.Shape == Scalar && len(p.Each) > 0 {
			all := &Value{Shape: Map, Pos: n.Pos, Size: 1}
			for _, key := range p.Each {
				all.Fields = append(all.Fields, Field{key, n.Pos, n})
			}
			n = all
		}
		before := len(r.Errs)
		a := r.section(path, path, "", n, e.KeyPos, p.Params)
		return a, len(r.Errs) == before
	case Variant:
		return r.variant(path, &e, p.Variants)
	case Sections:
		return r.sections(path, n, e.KeyPos, p)
	case Free:
		if o, ok := Plain(n).(jsonio.Object); ok && n.Shape == Map {
			return o, true
		}
		r.WrongKind(path, n, e.KeyPos, p.Kind.String(), "write it as "+p.Name+": "+p.Example)
		return nil, false
	}
	return r.scalar(path, n, e.KeyPos, p)
}

func (r *Reader) sections(path string, n *Value, keyPos FilePosition, p Param) (any, bool) {
	if n.Shape != List {
		r.WrongKind(path, n, keyPos, "a list of sections", "write one line \"- {...}\" for each")
		return nil, false
	}
	before := len(r.Errs)
	var all []Args
	for i, item := range n.Items {
		at := fmt.Sprintf("%s[%d]", path, i)
		all = append(all, r.section(at, path, "", item, item.Pos, p.Params))
	}
	return all, len(r.Errs) == before
}

// listOf reads a list of items of the given kind. A single item stands for a list of one.
func listOf[T any](r *Reader, path string, n *Value, keyPos FilePosition, p Param, kind ParamKind) (any, bool) {
	one := p
	one.Kind = kind
	items := n.Items
	single := n.Shape == Scalar
	if single {
		items = []*Value{n}
	} else if n.Shape != List {
		r.WrongKind(path, n, keyPos, p.Kind.String(), "")
		return nil, false
	}
	list, ok := make([]T, 0, len(items)), true
	for i, item := range items {
		at := path
		if !single {
			at = fmt.Sprintf("%s[%d]", path, i)
		}
		v, good := r.scalar(at, item, keyPos, one)
		if !good {
			if ok = false; len(r.Errs) >= MaxErrors {
				break
			}
			continue
		}
		list = append(list, v.(T))
	}
	return list, ok
}

func (r *Reader) matrix(path string, n *Value, keyPos FilePosition, p Param) (any, bool) {
	if n.Shape != List || len(n.Items) == 0 {
		r.WrongKind(path, n, keyPos, p.Kind.String(), "write [[0.5, 0.5], [0.5, 0.5]]")
		return nil, false
	}
	rows := make([][]float64, 0, len(n.Items))
	for i, row := range n.Items {
		at := fmt.Sprintf("%s[%d]", path, i)
		if row.Shape != List {
			r.WrongKind(at, row, keyPos, "a row of numbers", "write [[0.5, 0.5], [0.5, 0.5]]")
			return nil, false
		}
		v, ok := listOf[float64](r, at, row, keyPos, p, Float)
		if !ok {
			return nil, false
		}
		if got := v.([]float64); i > 0 && len(got) != len(rows[0]) {
			r.Fail(row.Pos, at, "all rows have the same length", "this row has %d numbers, the first one %d",
				len(got), len(rows[0]))
			return nil, false
		}
		rows = append(rows, v.([]float64))
	}
	return rows, true
}

func (r *Reader) edges(path string, n *Value, keyPos FilePosition, p Param) (any, bool) {
	if n.Shape != List {
		r.WrongKind(path, n, keyPos, p.Kind.String(), "write [[0, 1], [1, 2]]")
		return nil, false
	}
	edges := make([][2]int, 0, len(n.Items))
	for i, item := range n.Items {
		at := fmt.Sprintf("%s[%d]", path, i)
		if item.Shape != List || len(item.Items) != 2 {
			r.WrongKind(at, item, keyPos, "a pair of nodes", "write [0, 1]")
			return nil, false
		}
		v, ok := listOf[int](r, at, item, keyPos, Param{Kind: Ints, Range: AtLeast(0)}, Int)
		if !ok {
			return nil, false
		}
		ends := v.([]int)
		edges = append(edges, [2]int{ends[0], ends[1]})
	}
	return edges, true
}

// Err returns the recorded errors in the order of the file.
func (r *Reader) Err() error {
	slices.SortStableFunc(r.Errs, func(a, b *FileError) int { return cmp.Or(a.Line-b.Line, a.Column-b.Column) })
	for _, e := range r.Errs {
		if r.GridPoint != "" {
			e.Message += " (at the grid point " + r.GridPoint + ")"
		}
	}
	if len(r.Errs) == 1 {
		return r.Errs[0]
	}
	return r.Errs
}

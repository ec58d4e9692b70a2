package platform

import "fmt"

// tally counts assumptions, each kind with its first example.
type tally struct {
	order []string
	kinds map[string]*assumption
}

type assumption struct {
	n         int
	one, many string
	format    string
	args      []any
	example   string
}

func (t *tally) count(format, one, many, example string, args ...any) {
	t.add(1, format, one, many, example, args...)
}

func (t *tally) add(n int, format, one, many, example string, args ...any) {
	if t.kinds == nil {
		t.kinds = map[string]*assumption{}
	}
	if t.kinds[format] == nil {
		t.order = append(t.order, format)
		t.kinds[format] = &assumption{one: one, many: many, format: format, args: args, example: example}
	}
	t.kinds[format].n += n
}

// counted returns a number with its noun.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// notes returns a sentence for each kind.
func (t *tally) notes() []string {
	var all []string
	for _, f := range t.order {
		k := t.kinds[f]
		subject := counted(k.n, k.one, k.many)
		text := fmt.Sprintf(k.format, append([]any{subject}, k.args...)...)
		switch {
		case k.example != "" && k.n == 1:
			text += " (" + clean(k.example) + ")"
		case k.example != "":
			text += " (first: " + clean(k.example) + ")"
		}
		all = append(all, text)
	}
	return all
}

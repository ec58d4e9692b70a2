package platform

import (
	"fmt"
	"strings"
	"unicode"
)

// draft is a graph as read from a file, before anything is assumed.
type draft struct {
	nodes []draftNode
	edges []draftEdge
	notes []string
	index map[string]int // of nodes, by id

	pending []pendingEdge
}

type draftNode struct {
	id    string
	attrs map[string]string // by normalized name; see attribute
	line  int               // 0: unknown
}

type draftEdge struct {
	from, to int
	directed bool
	attrs    map[string]string
	line     int
}

// pendingEdge is an edge whose nodes may come later in the file.
type pendingEdge struct {
	source, target string // ids
	edge           draftEdge
}

// FileError is an error in a file.
type FileError struct {
	Line    int // 0: unknown
	Message string
}

func (e *FileError) Error() string {
	if e.Line == 0 {
		return e.Message
	}
	return fmt.Sprintf("line %d: %s", e.Line, e.Message)
}

func failAt(line int, format string, args ...any) error {
	return &FileError{line, fmt.Sprintf(format, args...)}
}

// Limits of a file: far more than a network needs, and far less than a machine can hold.
const (
	maxFile  = 32_000_000 // bytes
	maxNodes = 100_000
	maxEdges = 1_000_000
)

// node returns the node with the id, which may be new.
func (d *draft) node(id string, line int) (int, error) {
	if i, ok := d.index[id]; ok {
		return i, nil
	}
	if len(d.nodes) == maxNodes {
		return 0, failAt(line, "the file has more than %d nodes; keep the part of the network that you need", maxNodes)
	}
	if d.index == nil {
		d.index = map[string]int{}
	}
	d.index[id] = len(d.nodes)
	d.nodes = append(d.nodes, draftNode{id: id, attrs: map[string]string{}, line: line})
	return len(d.nodes) - 1, nil
}

// newNode adds a node whose id no other node may have.
func (d *draft) newNode(id string, line int) (int, error) {
	if _, twice := d.index[id]; twice {
		return 0, failAt(line, "there are two nodes with the id %s", short(id))
	}
	return d.node(id, line)
}

// pend adds an edge between two nodes that join looks up.
func (d *draft) pend(source, target string, e draftEdge) {
	d.pending = append(d.pending, pendingEdge{source, target, e})
}

// join looks up the nodes of the pending edges.
func (d *draft) join() error {
	for _, p := range d.pending {
		for _, id := range [...]string{p.source, p.target} {
			if _, ok := d.index[id]; !ok {
				return failAt(p.edge.line, "an edge names the node %q, which the file does not have", short(id))
			}
		}
		p.edge.from, p.edge.to = d.index[p.source], d.index[p.target]
		if err := d.edge(p.edge); err != nil {
			return err
		}
	}
	return nil
}

func (d *draft) edge(e draftEdge) error {
	if len(d.edges) == maxEdges {
		return failAt(e.line, "the file has more than %d edges; keep the part of the network that you need", maxEdges)
	}
	d.edges = append(d.edges, e)
	return nil
}

// attribute normalizes the spellings of a name: "Link-Speed (ms)" becomes linkspeedms.
func attribute(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '.' {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// first returns the value and the name of the first attribute that has a value.
func first(attrs map[string]string, names ...string) (value, name string) {
	for _, n := range names {
		if v := strings.TrimSpace(attrs[n]); v != "" && !missing(v) {
			return v, n
		}
	}
	return "", ""
}

// missing reports whether a text means that there is no value.
func missing(text string) bool {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "", "none", "nan", "null", "n/a", "na", "-", "unknown", "?":
		return true
	}
	return false
}

// clean returns a name on one line, without control characters.
func clean(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, name)
	return short(strings.Join(strings.Fields(name), " "))
}

package platform

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
)

// newXML returns a decoder of a text that is UTF-8 already. It knows the entities of HTML, and
// expands no others: what a DOCTYPE declares is an error where it is used.
func newXML(text []byte) *xml.Decoder {
	d := xml.NewDecoder(bytes.NewReader(text))
	d.Entity = xml.HTMLEntity
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	return d
}

// xmlError says what is wrong with a text, and where.
func xmlError(err error, inside []string) error {
	var syntax *xml.SyntaxError
	if !errors.As(err, &syntax) {
		return err
	}
	if strings.Contains(syntax.Msg, "unexpected EOF") {
		where := ""
		if len(inside) > 0 {
			where = " inside <" + inside[len(inside)-1] + ">"
		}
		return failAt(syntax.Line, "the file ends%s: it is cut off; get it again", where)
	}
	return failAt(syntax.Line, "%s", syntax.Msg)
}

// maxDepth bounds how deep elements nest.
const maxDepth = 100

// attr returns an attribute of an element.
func attr(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// graphmlReader reads GraphML (http://graphml.graphdrawing.org): nodes, edges, and their data,
// wherever they nest.
type graphmlReader struct {
	xml    *xml.Decoder
	draft  *draft
	keys   map[string]graphmlKey
	inside []string // elements around

	directed bool // the graph's default
	attrs    map[string]string
	pending  []pendingEdge
	key      string // of the data that is read
	text     strings.Builder
}

type graphmlKey struct {
	domain, name string
	standard     string // the value where an element has none
}

// pendingEdge is an edge whose nodes may come later in the file.
type pendingEdge struct {
	source, target string
	edge           draftEdge
}

func readGraphML(text []byte) (*draft, error) {
	r := &graphmlReader{xml: newXML(text), draft: &draft{}, keys: map[string]graphmlKey{}}
	for {
		token, err := r.xml.Token()
		if errors.Is(err, io.EOF) {
			return r.finish()
		}
		if err != nil {
			return nil, xmlError(err, r.inside)
		}
		switch t := token.(type) {
		case xml.StartElement:
			if err := r.start(t); err != nil {
				return nil, err
			}
		case xml.EndElement:
			r.end(t.Name.Local)
		case xml.CharData:
			if r.key != "" && r.text.Len() < 10_000 {
				r.text.Write(t)
			}
		}
	}
}

func (r *graphmlReader) line() int { line, _ := r.xml.InputPos(); return line }

func (r *graphmlReader) start(e xml.StartElement) error {
	name, line := e.Name.Local, r.line()
	if len(r.inside) == 0 && name != "graphml" {
		return failAt(line, "want <graphml>, got <%s>", short(name))
	}
	if len(r.inside) == maxDepth {
		return failAt(line, "elements nest deeper than %d", maxDepth)
	}
	r.inside = append(r.inside, name)
	switch name {
	case "key":
		k := graphmlKey{domain: attr(e, "for"), name: attr(e, "attr.name")}
		if k.name == "" {
			k.name = attr(e, "id")
		}
		r.keys[attr(e, "id")] = k
		r.key = "key " + attr(e, "id")
	case "graph":
		r.directed = attr(e, "edgedefault") == "directed"
	case "node":
		return r.node(attr(e, "id"), line)
	case "edge":
		return r.edge(e, line)
	case "hyperedge":
		return failAt(line, "a <hyperedge> is not understood; join its nodes by a node of its own")
	case "data":
		r.key = "data " + attr(e, "key")
		r.text.Reset()
	}
	return nil
}

func (r *graphmlReader) node(id string, line int) error {
	if id == "" {
		return failAt(line, "the <node> has no id")
	}
	if _, twice := r.draft.index[id]; twice {
		return failAt(line, "there are two nodes with the id %s", short(id))
	}
	i, err := r.draft.node(id, line)
	if err == nil {
		r.attrs = r.draft.nodes[i].attrs
	}
	return err
}

func (r *graphmlReader) edge(e xml.StartElement, line int) error {
	if len(r.pending) == maxEdges {
		return failAt(line, "the file has more than %d edges; keep the part of the network that you need", maxEdges)
	}
	directed := r.directed
	if d := attr(e, "directed"); d != "" {
		directed = d == "true"
	}
	r.attrs = map[string]string{}
	r.pending = append(r.pending, pendingEdge{attr(e, "source"), attr(e, "target"),
		draftEdge{directed: directed, attrs: r.attrs, line: line}})
	return nil
}

func (r *graphmlReader) end(name string) {
	r.inside = r.inside[:len(r.inside)-1]
	kind, id, _ := strings.Cut(r.key, " ")
	switch name {
	case "default":
		if k, ok := r.keys[id]; ok && kind == "key" {
			k.standard = strings.TrimSpace(r.text.String())
			r.keys[id] = k
		}
	case "key":
		r.key = ""
	case "data":
		if kind == "data" && r.attrs != nil {
			label := id
			if k, ok := r.keys[id]; ok {
				label = k.name
			}
			r.attrs[attribute(label)] = strings.TrimSpace(r.text.String())
		}
		r.key = ""
	case "node", "edge":
		r.attrs = nil
	}
	r.text.Reset()
}

// finish joins the edges to their nodes and fills in the defaults of keys.
func (r *graphmlReader) finish() (*draft, error) {
	if len(r.draft.nodes) == 0 {
		return nil, failAt(r.line(), "the file has no nodes")
	}
	for _, p := range r.pending {
		for _, id := range [...]string{p.source, p.target} {
			if _, ok := r.draft.index[id]; !ok {
				return nil, failAt(p.edge.line, "an edge names the node %q, which the file does not have", short(id))
			}
		}
		p.edge.from, p.edge.to = r.draft.index[p.source], r.draft.index[p.target]
		r.draft.edges = append(r.draft.edges, p.edge)
	}
	for _, id := range slices.Sorted(maps.Keys(r.keys)) {
		if k := r.keys[id]; k.standard != "" {
			r.defaults(k)
		}
	}
	return r.draft, nil
}

func (r *graphmlReader) defaults(k graphmlKey) {
	fill := func(attrs map[string]string) {
		if _, given := attrs[attribute(k.name)]; !given {
			attrs[attribute(k.name)] = k.standard
		}
	}
	if k.domain != "edge" {
		for i := range r.draft.nodes {
			fill(r.draft.nodes[i].attrs)
		}
	}
	if k.domain != "node" {
		for i := range r.draft.edges {
			fill(r.draft.edges[i].attrs)
		}
	}
}

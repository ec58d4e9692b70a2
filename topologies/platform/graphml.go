package platform

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// graphmlReader reads GraphML (http://graphml.graphdrawing.org): nodes, edges, and their data,
// wherever they nest.
type graphmlReader struct {
	xml      *xmlReader
	draft    *draft
	keys     map[string]graphmlKey
	directed bool              // the graph's default
	attrs    map[string]string // of the node or edge around the current element
}

// graphmlKey declares an attribute.
type graphmlKey struct {
	ID      string `xml:"id,attr"`
	Domain  string `xml:"for,attr"`
	Name    string `xml:"attr.name,attr"`
	Default string `xml:"default"`
}

func readGraphML(text []byte) (*draft, error) {
	r := &graphmlReader{xml: newXML(text), draft: &draft{}, keys: map[string]graphmlKey{}}
	err := r.xml.walk(r.start, func(name string) {
		if name == "node" || name == "edge" {
			r.attrs = nil
		}
	})
	if err != nil {
		return nil, err
	}
	return r.finish()
}

func (r *graphmlReader) start(e element) error {
	name := e.Name.Local
	if len(r.xml.inside) == 1 && name != "graphml" {
		return failAt(e.line, "want <graphml>, got <%s>", short(name))
	}
	switch name {
	case "key":
		return r.key(e)
	case "data":
		return r.data(e)
	case "graph":
		r.directed = e.attr("edgedefault") == "directed"
	case "node":
		return r.node(e)
	case "edge":
		r.edge(e)
	case "hyperedge":
		return failAt(e.line, "a <hyperedge> is not understood; join its nodes by a node of its own")
	}
	return nil
}

func (r *graphmlReader) key(e element) error {
	var k graphmlKey
	err := r.xml.content(e, &k)
	k.Name = cmp.Or(k.Name, k.ID)
	k.Default = strings.TrimSpace(k.Default)
	r.keys[k.ID] = k
	return err
}

func (r *graphmlReader) data(e element) error {
	var text struct {
		Value string `xml:",chardata"`
	}
	err := r.xml.content(e, &text)
	if r.attrs != nil {
		id := e.attr("key")
		r.attrs[attribute(cmp.Or(r.keys[id].Name, id))] = strings.TrimSpace(text.Value)
	}
	return err
}

func (r *graphmlReader) node(e element) error {
	id := e.attr("id")
	if id == "" {
		return failAt(e.line, "the <node> has no id")
	}
	i, err := r.draft.newNode(id, e.line)
	if err == nil {
		r.attrs = r.draft.nodes[i].attrs
	}
	return err
}

func (r *graphmlReader) edge(e element) {
	directed := r.directed
	if d := e.attr("directed"); d != "" {
		directed = d == "true"
	}
	r.attrs = map[string]string{}
	r.draft.pend(e.attr("source"), e.attr("target"), draftEdge{directed: directed, attrs: r.attrs, line: e.line})
}

// finish joins edges to their nodes and fills in the defaults of keys.
func (r *graphmlReader) finish() (*draft, error) {
	if len(r.draft.nodes) == 0 {
		return nil, failAt(r.xml.line(), "the file has no nodes")
	}
	if err := r.draft.join(); err != nil {
		return nil, err
	}
	for _, id := range slices.Sorted(maps.Keys(r.keys)) {
		if k := r.keys[id]; k.Default != "" {
			r.defaults(k)
		}
	}
	return r.draft, nil
}

func (r *graphmlReader) defaults(k graphmlKey) {
	fill := func(attrs map[string]string) {
		if _, given := attrs[attribute(k.Name)]; !given {
			attrs[attribute(k.Name)] = k.Default
		}
	}
	if k.Domain != "edge" {
		for i := range r.draft.nodes {
			fill(r.draft.nodes[i].attrs)
		}
	}
	if k.Domain != "node" {
		for i := range r.draft.edges {
			fill(r.draft.edges[i].attrs)
		}
	}
}

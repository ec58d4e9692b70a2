package platform

import (
	"bytes"
	"html"
	"strings"
)

// gmlReader reads GML (Himsolt, GML: a portable graph file format, 1997): keys, each with a number, a text or a
// list in brackets.
type gmlReader struct {
	text     []byte
	line     int
	draft    *draft
	directed bool
}

func readGML(text []byte) (*draft, error) {
	r := &gmlReader{text: text, line: 1, draft: &draft{}}
	if err := r.list("", nil, 0, r.line); err != nil {
		return nil, err
	}
	if len(r.draft.nodes) == 0 {
		return nil, failAt(r.line, "the file has no nodes; want graph [ node [ id 0 ] ... ]")
	}
	for i := range r.draft.pending {
		r.draft.pending[i].edge.directed = r.directed
	}
	return r.draft, r.draft.join()
}

// list reads keys and values up to the closing bracket or, at depth 0, to the end of the file. Scalars go to
// attrs, those of nested lists with the list's key as a prefix, as graphics.x.
func (r *gmlReader) list(prefix string, attrs map[string]string, depth, opened int) error {
	for {
		key, kind, err := r.token()
		switch {
		case err != nil:
			return err
		case kind == 0 && depth == 0, kind == ']' && depth > 0:
			return nil
		case kind == 0:
			return failAt(r.line, "the file ends inside the list of line %d: it is cut off; get it again", opened)
		case kind != 'w':
			return failAt(r.line, "want a key, got %q", short(key))
		}
		if err := r.value(prefix, key, attrs, depth); err != nil {
			return err
		}
	}
}

func (r *gmlReader) value(prefix, key string, attrs map[string]string, depth int) error {
	line := r.line
	value, kind, err := r.token()
	switch {
	case err != nil:
		return err
	case kind == 'w', kind == '"':
		if depth <= 1 && key == "directed" {
			r.directed = value == "1"
		}
		if attrs != nil {
			attrs[attribute(prefix+key)] = value
		}
		return nil
	case kind != '[':
		return failAt(line, "the key %s has no value", short(key))
	case depth == maxDepth:
		return failAt(line, "lists nest deeper than %d", maxDepth)
	}
	switch {
	case depth == 1 && (key == "node" || key == "edge"):
		return r.item(key, depth, line)
	case attrs == nil:
		return r.list("", nil, depth+1, line)
	}
	return r.list(prefix+key+".", attrs, depth+1, line)
}

// item reads a node or an edge.
func (r *gmlReader) item(key string, depth, line int) error {
	attrs := map[string]string{}
	if err := r.list("", attrs, depth+1, line); err != nil {
		return err
	}
	if key == "edge" {
		source, from := attrs["source"]
		target, to := attrs["target"]
		if !from || !to {
			return failAt(line, "the edge has no source or no target")
		}
		r.draft.pend(source, target, draftEdge{attrs: attrs, line: line})
		return nil
	}
	id, ok := attrs["id"]
	if !ok {
		return failAt(line, "the node has no id")
	}
	i, err := r.draft.newNode(id, line)
	if err == nil {
		r.draft.nodes[i].attrs = attrs
	}
	return err
}

// token returns the next bracket, text or word, and its kind: [, ], " or w; 0 at the end. Lines that begin with # are
// comments.
func (r *gmlReader) token() (string, byte, error) {
	r.skip(len(r.text) - len(bytes.TrimLeft(r.text, " \t\r\n")))
	for bytes.HasPrefix(r.text, []byte("#")) {
		r.skip(before(r.text, "\n"))
		r.skip(len(r.text) - len(bytes.TrimLeft(r.text, " \t\r\n")))
	}
	if len(r.text) == 0 {
		return "", 0, nil
	}
	switch c := r.text[0]; c {
	case '[', ']':
		r.skip(1)
		return string(c), c, nil
	case '"':
		end := bytes.IndexByte(r.text[1:], c)
		if end < 0 {
			return "", c, failAt(r.line, "a text begins that does not end: the file is cut off; get it again")
		}
		return html.UnescapeString(r.skip(end + 2)[1 : end+1]), c, nil
	}
	return r.skip(before(r.text, " \t\r\n[]\"")), 'w', nil
}

// skip cuts off the next n bytes of the text.
func (r *gmlReader) skip(n int) string {
	head := string(r.text[:n])
	r.text, r.line = r.text[n:], r.line+strings.Count(head, "\n")
	return head
}

// before returns the number of bytes before the first of some characters.
func before(text []byte, chars string) int {
	if end := bytes.IndexAny(text, chars); end >= 0 {
		return end
	}
	return len(text)
}

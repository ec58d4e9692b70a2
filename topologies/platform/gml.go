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
		case kind == gmlEnd && depth == 0, kind == gmlClose && depth > 0:
			return nil
		case kind == gmlEnd:
			return failAt(r.line, "the file ends inside the list of line %d: it is cut off; get it again", opened)
		case kind != gmlWord:
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
	case kind == gmlWord, kind == gmlText:
		if depth <= 1 && key == "directed" {
			r.directed = value == "1"
		}
		if attrs != nil {
			attrs[attribute(prefix+key)] = value
		}
		return nil
	case kind != gmlOpen:
		return failAt(line, "the key %s has no value", short(key))
	case depth == maxDepth:
		return failAt(line, "lists nest deeper than %d", maxDepth)
	}
	switch {
	case depth == 1 && key == "node":
		return r.node(depth, line)
	case depth == 1 && key == "edge":
		return r.edge(depth, line)
	case attrs == nil:
		return r.list("", nil, depth+1, line)
	}
	return r.list(prefix+key+".", attrs, depth+1, line)
}

func (r *gmlReader) node(depth, line int) error {
	attrs := map[string]string{}
	if err := r.list("", attrs, depth+1, line); err != nil {
		return err
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

func (r *gmlReader) edge(depth, line int) error {
	attrs := map[string]string{}
	if err := r.list("", attrs, depth+1, line); err != nil {
		return err
	}
	source, from := attrs["source"]
	target, to := attrs["target"]
	if !from || !to {
		return failAt(line, "the edge has no source or no target")
	}
	r.draft.pend(source, target, draftEdge{attrs: attrs, line: line})
	return nil
}

type gmlKind uint8

const (
	gmlEnd gmlKind = iota
	gmlWord
	gmlText
	gmlOpen
	gmlClose
)

// token returns the next word, text or bracket. Lines that begin with # are comments.
func (r *gmlReader) token() (string, gmlKind, error) {
	for len(r.text) > 0 {
		switch c := r.text[0]; {
		case c == '\n':
			r.line++
			r.text = r.text[1:]
		case c == ' ' || c == '\t' || c == '\r':
			r.text = r.text[1:]
		case c == '#':
			end := bytes.IndexByte(r.text, '\n')
			if end < 0 {
				end = len(r.text)
			}
			r.text = r.text[end:]
		case c == '[' || c == ']':
			r.text = r.text[1:]
			return string(c), map[bool]gmlKind{true: gmlOpen, false: gmlClose}[c == '['], nil
		case c == '"':
			return r.quoted()
		default:
			end := bytes.IndexAny(r.text, " \t\r\n[]\"")
			if end < 0 {
				end = len(r.text)
			}
			word := string(r.text[:end])
			r.text = r.text[end:]
			return word, gmlWord, nil
		}
	}
	return "", gmlEnd, nil
}

func (r *gmlReader) quoted() (string, gmlKind, error) {
	end := bytes.IndexByte(r.text[1:], '"')
	if end < 0 {
		return "", gmlText, failAt(r.line, "a text begins that does not end: the file is cut off; get it again")
	}
	text := string(r.text[1 : 1+end])
	r.text = r.text[end+2:]
	r.line += strings.Count(text, "\n")
	return html.UnescapeString(text), gmlText, nil
}

package platform

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
)

// maxDepth bounds how deep elements nest.
const maxDepth = 100

// xmlReader reads a text that is UTF-8 already, element by element.
type xmlReader struct {
	*xml.Decoder
	inside []string // the names of the elements around, outermost first, the current one last
}

// newXML returns a reader that knows the entities of HTML and expands no others: what a DOCTYPE declares is an
// error where it is used.
func newXML(text []byte) *xmlReader {
	d := xml.NewDecoder(bytes.NewReader(text))
	d.Entity = xml.HTMLEntity
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	return &xmlReader{Decoder: d}
}

// element is the start of an element, and its line.
type element struct {
	xml.StartElement
	line int
}

// walk calls start and end for each element.
func (r *xmlReader) walk(start func(e element) error, end func(name string)) error {
	for {
		token, err := r.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return r.wrong(err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			if len(r.inside) == maxDepth {
				return failAt(r.line(), "elements nest deeper than %d", maxDepth)
			}
			r.inside = append(r.inside, t.Name.Local)
			if err := start(element{t, r.line()}); err != nil {
				return err
			}
		case xml.EndElement:
			r.inside = r.inside[:len(r.inside)-1]
			end(t.Name.Local)
		}
	}
}

// content decodes the rest of an element that has just started into v.
func (r *xmlReader) content(e element, v any) error {
	if err := r.DecodeElement(v, &e.StartElement); err != nil {
		return r.wrong(err)
	}
	r.inside = r.inside[:len(r.inside)-1]
	return nil
}

// wrong reports an error in the text, with its line.
func (r *xmlReader) wrong(err error) error {
	var syntax *xml.SyntaxError
	if !errors.As(err, &syntax) {
		return err
	}
	if strings.Contains(syntax.Msg, "unexpected EOF") {
		where := ""
		if len(r.inside) > 0 {
			where = " inside <" + r.inside[len(r.inside)-1] + ">"
		}
		return failAt(syntax.Line, "the file ends%s: it is cut off; get it again", where)
	}
	return failAt(syntax.Line, "%s", syntax.Msg)
}

func (r *xmlReader) line() int { line, _ := r.InputPos(); return line }

// attr returns an attribute, "" if there is none.
func (e element) attr(name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

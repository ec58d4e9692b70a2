package keys

import (
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

func (s *Source) token(t *token.Token) FilePosition {
	if t == nil || t.Position == nil {
		return s.At(1, 1)
	}
	return s.At(t.Position.Line, t.Position.Column)
}

// Parse reads the text into a tree. It returns nil if the text holds no value.
func (s *Source) Parse() (n *Value, err *FileError) {
	defer func() {
		// The YAML library is not ours; a panic in it must not take the user's study down.
		if p := recover(); p != nil {
			n, err = nil, s.Fail(s.At(1, 1), "", "", "the YAML reader failed: %v", p)
		}
	}()
	if err := s.checkText(); err != nil {
		return nil, err
	}
	tokens := lexer.Tokenize(s.text)
	if err := s.checkShape(tokens); err != nil {
		return nil, err
	}
	file, perr := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if perr != nil {
		return nil, s.syntaxError(perr)
	}
	var body ast.Node
	for _, d := range file.Docs {
		if d.Body == nil {
			continue
		}
		if _, ok := d.Body.(*ast.DirectiveNode); ok {
			continue
		}
		if body != nil {
			return nil, s.Fail(s.token(first(d.Body)), "", "write one file for each scenario",
				"a second YAML document starts here")
		}
		body = d.Body
	}
	if body == nil {
		return nil, nil
	}
	c := converter{Source: s, anchors: map[string]*Value{}}
	return c.convert(body)
}

// first returns the first token of a. The library's own token of a block map is its first colon.
func first(a ast.Node) *token.Token {
	if m, ok := a.(*ast.MappingNode); ok && len(m.Values) > 0 && !m.IsFlowStyle {
		return m.Values[0].Key.GetToken()
	}
	return a.GetToken()
}

// checkText rejects files that are too large, not UTF-8, or contain control characters.
func (s *Source) checkText() *FileError {
	if len(s.text) > LargestFile {
		return s.Fail(s.At(1, 1), "", "", "the file has %s; at most %s are read", DataSize(len(s.text)),
			DataSize(LargestFile))
	}
	line, column := 1, 1
	for i, r := range s.text {
		if r == utf8.RuneError {
			if _, w := utf8.DecodeRuneInString(s.text[i:]); w == 1 {
				return s.Fail(s.At(line, column), "", "a scenario is a text file in UTF-8",
					"byte 0x%02x is not UTF-8 text", s.text[i])
			}
		}
		if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0x7f {
			return s.Fail(s.At(line, column), "", "a scenario is a text file in UTF-8",
				"control character 0x%02x in the text", r)
		}
		column++
		if r == '\n' || r == '\r' && !strings.HasPrefix(s.text[i+1:], "\n") {
			line, column = line+1, 1
		}
	}
	return nil
}

// checkShape rejects text that would exhaust the parser: nesting so deep that the stack overflows, which recover
// cannot catch, or so many keys that parsing takes minutes. It counts open brackets, dashes on one line ("- - - -"),
// and the indentation, which bounds the depth of blocks.
func (s *Source) checkShape(tokens token.Tokens) *FileError {
	flow, onLine, line := 0, 0, 0
	var blocks []block
	for _, t := range tokens {
		if t.Position.Line != line {
			line, onLine = t.Position.Line, 0
			if flow == 0 {
				if t.Position.Column > 10*maxNesting {
					return s.tooDeep(t)
				}
				if blocks = countKey(blocks, t); len(blocks) > 0 && blocks[len(blocks)-1].keys > maxKeys {
					return s.Fail(s.token(t), "", "", "more than %d keys in one section", maxKeys)
				}
			}
		}
		switch t.Type {
		case token.SequenceStartType, token.MappingStartType:
			flow++
		case token.SequenceEndType, token.MappingEndType:
			flow = max(flow-1, 0)
		case token.SequenceEntryType, token.MappingKeyType, token.TagType, token.AnchorType:
			onLine++
		}
		if flow > maxNesting || onLine > 10*maxNesting || onLine > maxNesting && flow == 0 {
			return s.tooDeep(t)
		}
	}
	return nil
}

// block counts consecutive keys that start in the same column.
type block struct{ column, keys int }

// countKey adds the first token of a line to its block.
func countKey(blocks []block, t *token.Token) []block {
	c := t.Position.Column
	for len(blocks) > 0 && blocks[len(blocks)-1].column > c {
		blocks = blocks[:len(blocks)-1]
	}
	switch {
	case t.Type == token.SequenceEntryType:
	case len(blocks) > 0 && blocks[len(blocks)-1].column == c:
		blocks[len(blocks)-1].keys++
	default:
		blocks = append(blocks, block{c, 1})
	}
	return blocks
}

func (s *Source) tooDeep(t *token.Token) *FileError {
	return s.Fail(s.token(t), "", "", "nested more than %d levels deep", maxNesting)
}

// syntaxError translates an error of the YAML library.
func (s *Source) syntaxError(err error) *FileError {
	for i, l := range s.Lines {
		indent := l[:len(l)-len(strings.TrimLeft(l, " \t"))]
		if k := strings.IndexByte(indent, '\t'); k >= 0 && len(indent) < len(l) {
			return s.Fail(s.At(i+1, k+1), "", "indent with spaces",
				"a tab in the indentation, which YAML does not allow")
		}
	}
	var y yaml.Error
	if errors.As(err, &y) {
		return s.Fail(s.token(y.GetToken()), "", syntaxHint(y.GetMessage()), "not valid YAML: %s", y.GetMessage())
	}
	return s.Fail(s.At(1, 1), "", "", "not valid YAML: %v", err)
}

func syntaxHint(message string) string {
	switch {
	case strings.Contains(message, "mapping value is not allowed"):
		return "a text that contains a colon and a space needs quotes; a key below another is indented further, and " +
			"its parent has no value of its own"
	case strings.Contains(message, "value is not allowed in this context"):
		return "keys of one section start in the same column"
	}
	return ""
}

// converter turns the tree of the library into Values. Scalars keep their text, since their type depends on the key.
type converter struct {
	*Source
	anchors map[string]*Value
	depth   int
}

func (c *converter) convert(a ast.Node) (*Value, *FileError) {
	if c.depth++; c.depth > 4*maxNesting {
		return nil, c.tooDeep(a.GetToken())
	}
	defer func() { c.depth-- }()
	n := &Value{Size: 1}
	if a != nil {
		n.Pos = c.token(a.GetToken())
	}
	switch a := a.(type) {
	case nil, *ast.NullNode:
		return n, nil
	case *ast.StringNode:
		t := a.GetToken().Type
		n.Shape, n.Text = Scalar, a.Value
		n.Quoted = t == token.SingleQuoteType || t == token.DoubleQuoteType
		return n, nil
	case *ast.LiteralNode:
		n.Shape, n.Text, n.Quoted = Scalar, strings.TrimSpace(a.Value.Value), true
		return n, nil
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		n.Shape, n.Text = Scalar, a.GetToken().Value
		return n, nil
	case *ast.SequenceNode:
		n.Shape = List
		for _, v := range a.Values {
			item, err := c.convert(v)
			if err != nil {
				return nil, err
			}
			n.Items = append(n.Items, item)
			n.Size += item.Size
		}
		return n, c.checkSize(n)
	case *ast.MappingNode:
		return c.mapping(n, a.Values)
	case *ast.MappingValueNode:
		return c.mapping(n, []*ast.MappingValueNode{a})
	case *ast.AnchorNode:
		v, err := c.convert(a.Value)
		if err == nil {
			c.anchors[a.Name.GetToken().Value] = v
		}
		return v, err
	case *ast.AliasNode:
		name := a.Value.GetToken().Value
		if v := c.anchors[name]; v != nil {
			return v, nil
		}
		return nil, c.Fail(n.Pos, "", "write &"+name+" before the value that is to be repeated",
			"*%s repeats nothing: no value before it is marked &%s", name, name)
	case *ast.TagNode:
		return nil, c.Fail(n.Pos, "", "leave the tag out: the key determines the type of its value",
			"the YAML tag %s is not used in scenario files", a.GetToken().Value)
	}
	return nil, c.Fail(n.Pos, "", "", "this kind of YAML is not used in scenario files")
}

func (c *converter) checkSize(n *Value) *FileError {
	if n.Size > maxValues {
		return c.Fail(n.Pos, "", "", "more than %d values, counting what aliases repeat", maxValues)
	}
	return nil
}

func (c *converter) mapping(n *Value, values []*ast.MappingValueNode) (*Value, *FileError) {
	n.Shape = Map
	seen := map[string]FilePosition{}
	var merged []*Value
	for i, v := range values {
		keyPos := c.token(v.Key.GetToken())
		if i == 0 && (n.Pos.Line != keyPos.Line || n.Pos.Column > keyPos.Column) {
			n.Pos = keyPos // a block map's own token is its first colon
		}
		value, err := c.convert(v.Value)
		if err != nil {
			return nil, err
		}
		if v.Key.IsMergeKey() {
			ms, err := c.mergeable(keyPos, value)
			if err != nil {
				return nil, err
			}
			merged = append(merged, ms...)
			continue
		}
		key, err := c.key(v.Key)
		if err != nil {
			return nil, err
		}
		if first, ok := seen[key]; ok {
			return nil, c.Fail(keyPos, "", "remove one of the two", "the key %s is given twice, first at %v", key,
				first)
		}
		seen[key] = keyPos
		n.Fields = append(n.Fields, Field{key, keyPos, value})
		n.Size += 1 + value.Size
	}
	for _, m := range merged {
		for _, e := range m.Fields {
			if _, ok := seen[e.Key]; !ok {
				seen[e.Key] = e.KeyPos
				n.Fields = append(n.Fields, e)
				n.Size += 1 + e.Value.Size
			}
		}
	}
	return n, c.checkSize(n)
}

func (c *converter) key(k ast.MapKeyNode) (string, *FileError) {
	switch k := k.(type) {
	case *ast.StringNode:
		return k.Value, nil
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.NullNode, *ast.InfinityNode, *ast.NanNode:
		return k.GetToken().Value, nil
	}
	return "", c.Fail(c.token(k.GetToken()), "", "write it as key: value", "a key must be a single word")
}

// mergeable returns the maps that a merge key (<<) includes.
func (c *converter) mergeable(at FilePosition, v *Value) ([]*Value, *FileError) {
	switch v.Shape {
	case Map:
		return []*Value{v}, nil
	case List:
		for _, m := range v.Items {
			if m.Shape != Map {
				return nil, c.Fail(at, "", "", "<< takes over the keys of a section; want sections only in this list")
			}
		}
		return v.Items, nil
	}
	return nil, c.Fail(at, "", "", "want a section whose keys << takes over, got %s", v.Shape)
}

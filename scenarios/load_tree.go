package scenarios

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// Bounds on what is read, so that a hostile or mistaken file cannot exhaust the
// machine. A list of a million edges fits.
const (
	maxNesting = 100
	maxKeys    = 10000    // of one section; the YAML library takes quadratic time
	maxNodes   = 10 << 20 // scalars, lists and maps, with aliases expanded
)

type nodeKind uint8

const (
	nullNode nodeKind = iota
	scalarNode
	listNode
	mapNode
)

func (k nodeKind) String() string {
	return [...]string{"nothing", "a single value", "a list", "a section of keys"}[k]
}

// node is a value of the file. Nodes are never changed once made: --set and the
// sweep copy the path to the root, so that trees share what they have in common.
type node struct {
	kind    nodeKind
	text    string // of a scalar, without quotes
	quoted  bool
	items   []*node
	entries []entry
	pos     Position
	size    int // nodes below and including this one, aliases expanded
}

// entry is a key of a map and its value.
type entry struct {
	key    string
	keyPos Position
	value  *node
}

// child returns the entry with the given key, or nil.
func (n *node) child(key string) *entry {
	if n == nil || n.kind != mapNode {
		return nil
	}
	for i := range n.entries {
		if n.entries[i].key == key {
			return &n.entries[i]
		}
	}
	return nil
}

// source is the text that is being read: a file, or the value of a --set.
type source struct {
	name  string
	text  string
	lines []string // without their ends
	set   string   // the --set text, or ""
}

func newSource(name string, text []byte) *source {
	s := &source{name: name, text: strings.TrimPrefix(string(text), "\ufeff")}
	s.lines = strings.Split(s.text, "\n")
	for i, l := range s.lines {
		s.lines[i] = strings.TrimSuffix(l, "\r")
	}
	return s
}

// at returns a position, moved into the text where it lies outside.
func (s *source) at(line, column int) Position {
	if s.set != "" {
		return Position{File: s.name, Set: s.set}
	}
	line = min(max(line, 1), len(s.lines))
	column = min(max(column, 1), len(s.lines[line-1])+1) // fail counts characters
	return Position{File: s.name, Line: line, Column: column}
}

func (s *source) token(t *token.Token) Position {
	if t == nil || t.Position == nil {
		return s.at(1, 1)
	}
	return s.at(t.Position.Line, t.Position.Column)
}

// fail returns an error at p with the line that it stands on.
func (s *source) fail(p Position, path, hint, format string, args ...any) *FileError {
	text := fmt.Errorf(format, args...)
	e := &FileError{Position: p, Path: path, Hint: hint, Message: text.Error(), err: errors.Unwrap(text)}
	if p.Set == "" && p.Line >= 1 && p.Line <= len(s.lines) {
		e.Source = s.lines[p.Line-1]
		e.Column = min(p.Column, utf8.RuneCountInString(e.Source)+1)
	}
	return e
}

// parse reads the text into a tree. It returns nil where the text holds no value.
func (s *source) parse() (n *node, err *FileError) {
	defer func() {
		// The YAML library is not ours; a panic in it must not take the user's study down.
		if p := recover(); p != nil {
			n, err = nil, s.fail(s.at(1, 1), "", "", "the YAML reader failed: %v", p)
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
			return nil, s.fail(s.token(first(d.Body)), "", "write one file for each scenario", "a second YAML document starts here")
		}
		body = d.Body
	}
	if body == nil {
		return nil, nil
	}
	c := converter{source: s, anchors: map[string]*node{}}
	return c.convert(body)
}

// first returns the first token of a: a block map's own token is its first colon.
func first(a ast.Node) *token.Token {
	if m, ok := a.(*ast.MappingNode); ok && len(m.Values) > 0 && !m.IsFlowStyle {
		return m.Values[0].Key.GetToken()
	}
	return a.GetToken()
}

// checkText refuses what is no text.
func (s *source) checkText() *FileError {
	if len(s.text) > largestFile {
		return s.fail(s.at(1, 1), "", "", "the file has %s; at most %s are read", Size(len(s.text)), Size(largestFile))
	}
	line, column := 1, 1
	for i, r := range s.text {
		if r == utf8.RuneError {
			if _, w := utf8.DecodeRuneInString(s.text[i:]); w == 1 {
				return s.fail(s.at(line, column), "", "a scenario is a text file in UTF-8", "byte 0x%02x is not UTF-8 text", s.text[i])
			}
		}
		if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0x7f {
			return s.fail(s.at(line, column), "", "a scenario is a text file in UTF-8", "control character 0x%02x in the text", r)
		}
		column++
		if r == '\n' {
			line, column = line+1, 1
		}
	}
	return nil
}

// checkShape refuses text so deeply nested that reading it would overflow the stack,
// which no recover can catch, or with so many keys that it would take minutes. It
// counts open brackets, what is stacked on one line ("- - - -"), and the
// indentation, which bounds the depth of blocks.
func (s *source) checkShape(tokens token.Tokens) *FileError {
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
					return s.fail(s.token(t), "", "", "more than %d keys in one section", maxKeys)
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

// block is a column at which lines start, and how many keys were there in a row.
type block struct{ column, keys int }

// countKey counts the first token of a line to the block that it continues.
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

func (s *source) tooDeep(t *token.Token) *FileError {
	return s.fail(s.token(t), "", "", "nested more than %d levels deep", maxNesting)
}

// syntaxError translates an error of the YAML library.
func (s *source) syntaxError(err error) *FileError {
	for i, l := range s.lines {
		indent := l[:len(l)-len(strings.TrimLeft(l, " \t"))]
		if k := strings.IndexByte(indent, '\t'); k >= 0 && len(indent) < len(l) {
			return s.fail(s.at(i+1, k+1), "", "indent with spaces", "a tab in the indentation, which YAML does not allow")
		}
	}
	var y yaml.Error
	if errors.As(err, &y) {
		return s.fail(s.token(y.GetToken()), "", syntaxHint(y.GetMessage()), "not valid YAML: %s", y.GetMessage())
	}
	return s.fail(s.at(1, 1), "", "", "not valid YAML: %v", err)
}

func syntaxHint(message string) string {
	switch {
	case strings.Contains(message, "mapping value is not allowed"):
		return "a text that contains a colon and a space needs quotes; a key below another is indented further, and its parent has no value of its own"
	case strings.Contains(message, "value is not allowed in this context"):
		return "keys of one section start in the same column"
	}
	return ""
}

// converter turns the library's tree into ours: scalars keep their text, since
// what they mean depends on the key.
type converter struct {
	*source
	anchors map[string]*node
	depth   int
}

func (c *converter) convert(a ast.Node) (*node, *FileError) {
	if c.depth++; c.depth > 4*maxNesting {
		return nil, c.tooDeep(a.GetToken())
	}
	defer func() { c.depth-- }()
	n := &node{size: 1}
	if a != nil {
		n.pos = c.token(a.GetToken())
	}
	switch a := a.(type) {
	case nil, *ast.NullNode:
		return n, nil
	case *ast.StringNode:
		t := a.GetToken().Type
		n.kind, n.text = scalarNode, a.Value
		n.quoted = t == token.SingleQuoteType || t == token.DoubleQuoteType
		return n, nil
	case *ast.LiteralNode:
		n.kind, n.text, n.quoted = scalarNode, strings.TrimSpace(a.Value.Value), true
		return n, nil
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		n.kind, n.text = scalarNode, a.GetToken().Value
		return n, nil
	case *ast.SequenceNode:
		n.kind = listNode
		for _, v := range a.Values {
			item, err := c.convert(v)
			if err != nil {
				return nil, err
			}
			n.items = append(n.items, item)
			n.size += item.size
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
		return nil, c.fail(n.pos, "", "write &"+name+" before the value that is to be repeated", "*%s repeats nothing: no value before it is marked &%s", name, name)
	case *ast.TagNode:
		return nil, c.fail(n.pos, "", "leave the tag out: the key tells what its value must be", "the YAML tag %s is not used in scenario files", a.GetToken().Value)
	}
	return nil, c.fail(n.pos, "", "", "this kind of YAML is not used in scenario files")
}

func (c *converter) checkSize(n *node) *FileError {
	if n.size > maxNodes {
		return c.fail(n.pos, "", "", "more than %d values, counting what aliases repeat", maxNodes)
	}
	return nil
}

func (c *converter) mapping(n *node, values []*ast.MappingValueNode) (*node, *FileError) {
	n.kind = mapNode
	seen := map[string]Position{}
	var merged []*node
	for i, v := range values {
		keyPos := c.token(v.Key.GetToken())
		if i == 0 && (n.pos.Line != keyPos.Line || n.pos.Column > keyPos.Column) {
			n.pos = keyPos // a block map's own token is its first colon
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
			return nil, c.fail(keyPos, "", "remove one of the two", "the key %s is given twice, first at %v", key, first)
		}
		seen[key] = keyPos
		n.entries = append(n.entries, entry{key, keyPos, value})
		n.size += 1 + value.size
	}
	for _, m := range merged {
		for _, e := range m.entries {
			if _, ok := seen[e.key]; !ok {
				seen[e.key] = e.keyPos
				n.entries = append(n.entries, e)
				n.size += 1 + e.value.size
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
	return "", c.fail(c.token(k.GetToken()), "", "write it as key: value", "a key must be a single word")
}

// mergeable returns the maps that a merge key (<<) takes over.
func (c *converter) mergeable(at Position, v *node) ([]*node, *FileError) {
	switch v.kind {
	case mapNode:
		return []*node{v}, nil
	case listNode:
		for _, m := range v.items {
			if m.kind != mapNode {
				return nil, c.fail(at, "", "", "<< takes over the keys of a section; one item of this list is none")
			}
		}
		return v.items, nil
	}
	return nil, c.fail(at, "", "", "<< takes over the keys of a section; this is %s", v.kind)
}

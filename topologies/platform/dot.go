package platform

import (
	"fmt"
	"html"
	"maps"
	"regexp"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/graph/formats/dot"
	"gonum.org/v1/gonum/graph/formats/dot/ast"
)

// maxDOT bounds a DOT file, whose syntax tree takes many times its bytes.
const maxDOT = 8_000_000

// readDOT reads the first graph of a file in the DOT language of Graphviz.
func readDOT(text []byte) (*draft, error) {
	if len(text) > maxDOT {
		return nil, fmt.Errorf("the file has more than %d MB of DOT; keep the part of the network that you need, or "+
			"write it as GraphML", maxDOT/1_000_000)
	}
	file, err := parseDOT(text)
	if err != nil {
		return nil, err
	}
	r := &dotReader{draft: &draft{}, directed: file.Graphs[0].Directed}
	if len(file.Graphs) > 1 {
		r.draft.notes = []string{fmt.Sprintf("the file has %d graphs; the first one is read", len(file.Graphs))}
	}
	if _, err := r.statements(file.Graphs[0].Stmts, dotDefaults{}, 0); err != nil {
		return nil, err
	}
	if len(r.draft.nodes) == 0 {
		return nil, failAt(1, "the file has no nodes")
	}
	if file.Graphs[0].Strict {
		r.collapse()
	}
	return r.draft, nil
}

// collapse merges the edges between two nodes, as a strict graph requires. Later edges add their attributes to
// the first.
func (r *dotReader) collapse() {
	at := map[[2]int]int{}
	var kept []draftEdge
	for _, e := range r.draft.edges {
		ends := [2]int{e.from, e.to}
		if !r.directed {
			ends = [2]int{min(e.from, e.to), max(e.from, e.to)}
		}
		if i, again := at[ends]; again {
			maps.Copy(kept[i].attrs, e.attrs)
			continue
		}
		at[ends] = len(kept)
		kept = append(kept, e)
	}
	r.draft.edges = kept
}

var dotLine = regexp.MustCompile(`(?:line=|Pos\(offset=[0-9]+, line=)([0-9]+)`)

// parseDOT parses a file. The parser's errors contain the line in a long text.
func parseDOT(text []byte) (*ast.File, error) {
	file, err := dot.ParseBytes(text)
	if err != nil {
		line := 0
		if m := dotLine.FindStringSubmatch(err.Error()); m != nil {
			line, _ = strconv.Atoi(m[1])
		}
		return nil, failAt(line, "the file is not in the DOT language of Graphviz: graph { a -- b }")
	}
	if len(file.Graphs) == 0 {
		return nil, failAt(1, "the file has no graph")
	}
	return file, nil
}

type dotReader struct {
	draft    *draft
	directed bool
}

// dotDefaults are the default attributes of nodes and edges.
type dotDefaults struct{ node, edge map[string]string }

// statements reads a graph or subgraph and returns its nodes.
func (r *dotReader) statements(stmts []ast.Stmt, d dotDefaults, depth int) ([]int, error) {
	if depth == maxDepth {
		return nil, failAt(0, "subgraphs nest deeper than %d", maxDepth)
	}
	d = dotDefaults{with(d.node, nil), with(d.edge, nil)}
	var all []int
	for _, stmt := range stmts {
		var found []int
		var err error
		switch s := stmt.(type) {
		case *ast.AttrStmt:
			switch s.Kind {
			case ast.NodeKind:
				d.node = with(d.node, s.Attrs)
			case ast.EdgeKind:
				d.edge = with(d.edge, s.Attrs)
			}
		case *ast.NodeStmt:
			if found, err = r.vertex(s.Node, d, depth); err == nil {
				maps.Copy(r.draft.nodes[found[0]].attrs, with(nil, s.Attrs))
			}
		case *ast.EdgeStmt:
			found, err = r.chain(s, d, depth)
		case *ast.Subgraph:
			found, err = r.statements(s.Stmts, d, depth+1)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// chain reads a -- b -- {c d}, which joins each node of one end to each of the next.
func (r *dotReader) chain(s *ast.EdgeStmt, d dotDefaults, depth int) ([]int, error) {
	left, err := r.vertex(s.From, d, depth)
	if err != nil {
		return nil, err
	}
	all := left
	for e := s.To; e != nil; e = e.To {
		right, err := r.vertex(e.Vertex, d, depth)
		if err != nil {
			return nil, err
		}
		for _, i := range left {
			for _, j := range right {
				attrs := with(d.edge, s.Attrs)
				directed := r.directed && attrs["dir"] != "both"
				if err := r.draft.edge(draftEdge{from: i, to: j, directed: directed, attrs: attrs}); err != nil {
					return nil, err
				}
			}
		}
		all, left = append(all, right...), right
	}
	return all, nil
}

func (r *dotReader) vertex(v ast.Vertex, d dotDefaults, depth int) ([]int, error) {
	switch v := v.(type) {
	case *ast.Node:
		id := dotText(v.ID)
		_, known := r.draft.index[id]
		i, err := r.draft.node(id, 0)
		if err == nil && !known {
			r.draft.nodes[i].attrs = with(d.node, nil)
		}
		return []int{i}, err
	case *ast.Subgraph:
		return r.statements(v.Stmts, d, depth+1)
	}
	return nil, failAt(0, "an end of an edge is neither a node nor a subgraph")
}

// with returns attrs with those of a list, which override them.
func with(attrs map[string]string, list []*ast.Attr) map[string]string {
	all := map[string]string{}
	maps.Copy(all, attrs)
	for _, a := range list {
		all[attribute(dotText(a.Key))] = dotText(a.Val)
	}
	return all
}

// dotText returns an identifier without its quotes.
func dotText(id string) string {
	if len(id) >= 2 && id[0] == '"' && id[len(id)-1] == '"' {
		id = strings.NewReplacer(`\"`, `"`, "\\\n", "", `\n`, " ", `\l`, " ", `\r`, " ").Replace(id[1 : len(id)-1])
	}
	return html.UnescapeString(id)
}

package problems

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"tallynet/scenarios/problems/budget"
)

// largestQuadraticFile is the limit of LoadQuadratic. Reading takes a few times as much memory.
const largestQuadraticFile = 1_000_000_000 // bytes

// LoadQuadratic reads an explicit quadratic problem from a JSON file, a regular one of
// at most 1 GB; see readQuadratic. Errors name the file.
func LoadQuadratic(path string, limit budget.Limit) (*Quadratic, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, fmt.Errorf("quadratic: %w", err)
	case !info.Mode().IsRegular(): // opening a named pipe could block forever
		return nil, fmt.Errorf("%s: not a regular file; want a JSON file", path)
	case info.Size() > largestQuadraticFile:
		return nil, fmt.Errorf("%s: the file has %d bytes; want at most %d", path, info.Size(), largestQuadraticFile)
	}
	need := budget.Need{Bytes: 8 * float64(info.Size())}
	if err := limit.Check("reading "+path, need); err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("quadratic: %w", err)
	}
	defer f.Close()
	spec, err := readQuadratic(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	spec.Name, spec.Budget = filepath.Base(path), limit
	qp, err := NewQuadratic(spec)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return qp, nil
}

// readQuadratic reads
//
//	{"nodes": [{"H": [[...]], "P": [[...]], "q": [...], "A": ..., "B": ..., "C": ..., "a": ..., "c": ...}, ...],
//	 "x0": [...], "y0": [...]}
//
// with the fields of QuadraticNode. Only nodes and H are required. Keys are
// case-sensitive; unknown and repeated keys, null and numbers that are not finite are
// errors. NewQuadratic checks shapes.
func readQuadratic(r io.Reader) (QuadraticSpec, error) {
	var spec QuadraticSpec
	raw, err := io.ReadAll(r)
	if err != nil {
		return spec, err
	}
	top, err := jsonObject("", raw, "nodes", "x0", "y0")
	if err != nil {
		return spec, err
	}
	if top["nodes"] == nil {
		return spec, errors.New("nodes: missing; want a list of nodes with H, P, q, A, B, C, a, c")
	}
	if spec.Nodes, err = jsonList("nodes", top["nodes"], "objects", readQuadraticNode); err != nil {
		return spec, err
	}
	if spec.X0, err = jsonVector("x0", top["x0"]); err != nil {
		return spec, err
	}
	spec.Y0, err = jsonVector("y0", top["y0"])
	return spec, err
}

func readQuadraticNode(path string, raw json.RawMessage) (n QuadraticNode, err error) {
	fields, err := jsonObject(path, raw, "H", "P", "q", "A", "B", "C", "a", "c")
	if err != nil {
		return n, err
	}
	for _, m := range []struct {
		name string
		dst  *[][]float64
	}{{"H", &n.H}, {"P", &n.P}, {"A", &n.A}, {"B", &n.B}, {"C", &n.C}} {
		if *m.dst, err = jsonList(path+"."+m.name, fields[m.name], "rows", jsonVector); err != nil {
			return n, err
		}
	}
	for _, v := range []struct {
		name string
		dst  *[]float64
	}{{"q", &n.LinearG}, {"a", &n.LinearFx}, {"c", &n.LinearFy}} {
		if *v.dst, err = jsonVector(path+"."+v.name, fields[v.name]); err != nil {
			return n, err
		}
	}
	return n, nil
}

// jsonObject splits an object into its fields. A key that is not allowed or that repeats
// is an error. Decoding into a struct would not do: it ignores case, and a and A differ.
func jsonObject(path string, raw []byte, allowed ...string) (map[string]json.RawMessage, error) {
	where := path
	if where == "" {
		where = "the file"
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			line := 1 + bytes.Count(raw[:min(int(syntax.Offset), len(raw))], []byte("\n"))
			return nil, fmt.Errorf("line %d: %s is not valid JSON: %w", line, where, err)
		}
		return nil, fmt.Errorf("%s: want an object, got %s", where, excerpt(raw))
	}
	if fields == nil {
		return nil, fmt.Errorf("%s: want an object, got null", where)
	}
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		if !slices.Contains(allowed, key) {
			return nil, fmt.Errorf("%s: unknown key %q; the keys are %s", where, key, strings.Join(allowed, ", "))
		}
	}
	if key := repeatedKey(raw); key != "" {
		return nil, fmt.Errorf("%s: the key occurs twice; keep one", strings.TrimPrefix(path+"."+key, "."))
	}
	return fields, nil
}

// repeatedKey returns the first key that occurs twice in a JSON object, or "".
func repeatedKey(raw []byte) string {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	_, err := decoder.Token() // the opening brace
	seen := map[string]bool{}
	for err == nil && decoder.More() {
		var token json.Token
		token, err = decoder.Token()
		key, _ := token.(string)
		if seen[key] {
			return key
		}
		seen[key] = true
		if err == nil {
			var value json.RawMessage
			err = decoder.Decode(&value)
		}
	}
	return "" // no error is possible: raw has been parsed before
}

// jsonList reads a list of items; nil becomes nil. what names them.
func jsonList[T any](path string, raw json.RawMessage, what string,
	item func(path string, raw json.RawMessage) (T, error)) ([]T, error) {
	if raw == nil {
		return nil, nil
	}
	var items []json.RawMessage
	if err := json.Unmarshal(raw, &items); err != nil || items == nil {
		return nil, fmt.Errorf("%s: want a list of %s, got %s", path, what, excerpt(raw))
	}
	out := make([]T, len(items))
	for k, raw := range items {
		var err error
		if out[k], err = item(path+"["+strconv.Itoa(k)+"]", raw); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func jsonVector(path string, raw json.RawMessage) ([]float64, error) {
	return jsonList(path, raw, "numbers", func(path string, raw json.RawMessage) (float64, error) {
		var v *float64 // a pointer tells null from 0
		if err := json.Unmarshal(raw, &v); err != nil || v == nil {
			return 0, fmt.Errorf("%s: want a finite number, got %s", path, excerpt(raw))
		}
		return *v, nil
	})
}

// excerpt returns the beginning of raw on one line.
func excerpt(raw []byte) string {
	s := strings.Join(strings.Fields(string(raw)), " ")
	if len(s) > 40 {
		return s[:40] + "..."
	}
	return s
}

package views

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"tallynet/metrics/jsonio"
	"tallynet/metrics/render"
	"tallynet/metrics/result"
)

// compareScenarios lists the keys whose values differ.
func compareScenarios(x, y *result.Report) (render.Table, error) {
	table := render.Table{Title: "Where the scenarios differ", Columns: []render.Column{{Name: "key"}, {Name: "A"},
		{Name: "B"}}}
	a, err := flatten(x.Scenario)
	if err != nil {
		return table, fmt.Errorf("the scenario of A: %w", err)
	}
	b, err := flatten(y.Scenario)
	if err != nil {
		return table, fmt.Errorf("the scenario of B: %w", err)
	}
	row := func(key, in, other string) {
		table.Rows = append(table.Rows, []render.Cell{render.Text(key), render.Text(in), render.Text(other)})
	}
	for _, p := range a {
		if other, ok := lookUp(b, p.key); !ok {
			row(p.key, p.value, "-")
		} else if other != p.value {
			row(p.key, p.value, other)
		}
	}
	for _, p := range b {
		if _, ok := lookUp(a, p.key); !ok {
			row(p.key, "-", p.value)
		}
	}
	if len(table.Rows) == 0 {
		table.Title, table.Columns = "The scenarios are equal.", nil
	}
	if n := len(table.Rows) - maxRows; n > 0 {
		table.Rows = table.Rows[:maxRows]
		table.Notes = append(table.Notes, fmt.Sprintf("%d more keys differ.", n))
	}
	if x.Provenance.Commit != y.Provenance.Commit || x.Provenance.Version != y.Provenance.Version ||
		x.Provenance.Modified || y.Provenance.Modified {
		table.Notes = append(table.Notes, fmt.Sprintf("Made by: A %s, B %s.", maker(x.Provenance), maker(y.Provenance)))
	}
	return table, nil
}

func maker(p result.Provenance) string {
	commit := p.Commit
	if len(commit) > 12 {
		commit = commit[:12]
	}
	text := strings.TrimSpace("version " + p.Version + " " + commit)
	if p.Modified {
		text += " with uncommitted changes"
	}
	return text
}

// leaf is a value of a scenario with the path to it.
type leaf struct{ key, value string }

func lookUp(leaves []leaf, key string) (string, bool) {
	i := slices.IndexFunc(leaves, func(l leaf) bool { return l.key == key })
	if i < 0 {
		return "", false
	}
	return leaves[i].value, true
}

// flatten returns the values of a scenario in order. Algorithms are identified by label,
// other lists are values as a whole.
func flatten(raw json.RawMessage) ([]leaf, error) {
	var leaves []leaf
	var walk func(path string, raw json.RawMessage) error
	walk = func(path string, raw json.RawMessage) error {
		raw = bytes.TrimSpace(raw)
		switch {
		case len(raw) > 0 && raw[0] == '{':
			return jsonio.Each(raw, func(key string, value json.RawMessage) error {
				return walk(strings.TrimPrefix(path+"."+key, "."), value)
			})
		case path == "algorithms":
			var items []json.RawMessage
			if err := json.Unmarshal(raw, &items); err != nil {
				return err
			}
			for _, item := range items {
				var named struct{ Label string }
				if err := json.Unmarshal(item, &named); err != nil {
					return err
				}
				if err := walk(path+"."+named.Label, item); err != nil {
					return err
				}
			}
			return nil
		}
		value := string(raw)
		var text string
		if json.Unmarshal(raw, &text) == nil {
			value = text
		}
		leaves = append(leaves, leaf{path, value})
		return nil
	}
	err := walk("", raw)
	return leaves, err
}

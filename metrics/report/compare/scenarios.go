package compare

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tallynet/metrics/jsonio"
	"tallynet/metrics/report/result"
	"tallynet/metrics/report/table"
)

// Difference is a key of two scenarios whose values differ; "-" where it is missing.
type Difference struct{ Key, A, B string }

// silent are the keys that change no run: descriptions, and what is computed from runs.
var silent = []string{"about", "ask", "claims", "tables", "figures", "settings"}

// Differences lists the keys that change a result and whose values differ between two
// resolved scenarios, in the order of A. A different order of the seeds does not count.
func Differences(a, b json.RawMessage) ([]Difference, error) {
	all, err := differences(a, b)
	return slices.DeleteFunc(all, func(d Difference) bool {
		key, _, _ := strings.Cut(d.Key, ".")
		return slices.Contains(silent, key) || key == "seeds" && sameSeeds(d.A, d.B)
	}), err
}

// shownValue is the length of an excerpt, and shownBefore the part of it before the first difference.
const shownValue, shownBefore = 120, 20

// Shown returns both values; excerpts of long ones begin shortly before the first difference.
func (d Difference) Shown() (a, b string) {
	x, y := []rune(d.A), []rune(d.B)
	same := 0
	for same < min(len(x), len(y)) && x[same] == y[same] {
		same++
	}
	from := 0
	if max(len(x), len(y)) > shownValue {
		from = max(0, same-shownBefore)
	}
	return excerpt(x, from), excerpt(y, from)
}

// excerpt returns at most shownValue characters from an index on, with dots for what is left out.
func excerpt(text []rune, from int) string {
	from = min(from, len(text))
	to := min(from+shownValue, len(text))
	shown := string(text[from:to])
	if from > 0 {
		shown = "…" + shown
	}
	if to < len(text) {
		shown += "…"
	}
	return shown
}

func sameSeeds(a, b string) bool {
	x, y := seedsOf(a), seedsOf(b)
	return x != nil && slices.Equal(x, y)
}

// seedsOf returns the sorted seeds of a scenario: a list, or a number n for 1 to n.
func seedsOf(text string) []uint64 {
	var list []uint64
	if json.Unmarshal([]byte(text), &list) == nil {
		slices.Sort(list)
		return list
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return nil
	}
	for i := range n {
		list = append(list, uint64(i)+1)
	}
	return list
}

func differences(x, y json.RawMessage) (all []Difference, err error) {
	a, err := flatten(x)
	if err != nil {
		return nil, fmt.Errorf("the scenario of A: %w", err)
	}
	b, err := flatten(y)
	if err != nil {
		return nil, fmt.Errorf("the scenario of B: %w", err)
	}
	for _, p := range a {
		if other, ok := lookUp(b, p.key); !ok {
			all = append(all, Difference{p.key, p.value, "-"})
		} else if other != p.value {
			all = append(all, Difference{p.key, p.value, other})
		}
	}
	for _, p := range b {
		if _, ok := lookUp(a, p.key); !ok {
			all = append(all, Difference{p.key, "-", p.value})
		}
	}
	return all, nil
}

// compareScenarios lists the keys whose values differ.
func compareScenarios(x, y *result.Report) (table.Table, error) {
	out := table.Table{Title: "Where the scenarios differ", Columns: table.WordColumns("key", "A", "B")}
	all, err := differences(x.Scenario, y.Scenario)
	if err != nil {
		return out, err
	}
	for _, d := range all {
		a, b := d.Shown()
		out.Rows = append(out.Rows, []table.Cell{table.Text(d.Key), table.Text(a), table.Text(b)})
	}
	if len(out.Rows) == 0 {
		out.Title, out.Columns = "The scenarios are equal.", nil
	}
	const most = 60
	if n := len(out.Rows) - most; n > 0 {
		out.Rows = out.Rows[:most]
		out.Notes = append(out.Notes, fmt.Sprintf("%d more keys differ.", n))
	}
	if x.Provenance.Commit != y.Provenance.Commit || x.Provenance.Version != y.Provenance.Version ||
		x.Provenance.Modified || y.Provenance.Modified {
		out.Notes = append(out.Notes, fmt.Sprintf("Made by: A %s, B %s.", maker(x.Provenance), maker(y.Provenance)))
	}
	return out, nil
}

func maker(p result.Provenance) string {
	text := strings.TrimSpace("version " + p.Version + " " + p.ShortCommit())
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

// flatten returns the values of a scenario in order. It identifies algorithms by label, and keeps other lists whole.
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

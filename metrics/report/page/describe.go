package page

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"tallynet/metrics/report/result"
)

// Describe adds the claims, the provenance and the command that reproduces the results. It returns an error if the
// scenario in the report is invalid.
func (p *Page) Describe(r *result.Report) error {
	var indented bytes.Buffer
	if err := json.Indent(&indented, r.Scenario, "", "  "); err != nil {
		return fmt.Errorf("page: the scenario of the report: %w", err)
	}
	p.Claims, p.Scenario = r.Claims, indented.String()
	p.Command = Shell(r.Provenance.CommandLine)
	p.Provenance = append(facts(&r.Provenance), dataFacts(r.Data)...)
	return nil
}

func facts(v *result.Provenance) []fact {
	var all []fact
	add := func(name, text string) {
		if text != "" {
			all = append(all, fact{name, text})
		}
	}
	add("version", v.Version)
	commit := v.Commit
	if commit != "" && v.Modified {
		commit += ", with changes that were not committed"
	}
	add("commit", commit)
	add("Go", v.GoVersion)
	add("platform", v.Platform)
	add("seeds", seeds(v.Seeds))
	return all
}

// mostNodes limits the nodes whose data are described one by one.
const mostNodes = 20

// dataFacts describes the data of the nodes of the first run.
func dataFacts(nodes []result.NodeData) []fact {
	var all []fact
	for i, d := range nodes {
		if i == mostNodes {
			return append(all, fact{"data", fmt.Sprintf("%d more nodes are in nodes.csv", len(nodes)-mostNodes)})
		}
		text := fmt.Sprintf("%d training samples", d.Train)
		if d.Val > 0 {
			text += fmt.Sprintf(", %d validation samples", d.Val)
		}
		if labels := d.LabelsText(); labels != "" {
			text += "; " + labels
		}
		all = append(all, fact{fmt.Sprintf("data of node %d", d.Node), text})
	}
	return all
}

// seeds lists seeds, and writes three or more consecutive ones as "1 to 10".
func seeds(all []uint64) string {
	var parts []string
	for i := 0; i < len(all); {
		j := i + 1
		for j < len(all) && all[j] == all[j-1]+1 {
			j++
		}
		part := strconv.FormatUint(all[i], 10)
		switch j - i {
		case 1:
		case 2:
			part += ", " + strconv.FormatUint(all[j-1], 10)
		default:
			part += " to " + strconv.FormatUint(all[j-1], 10)
		}
		parts = append(parts, part)
		i = j
	}
	return strings.Join(parts, ", ")
}

// Shell quotes a command for a POSIX shell.
func Shell(arguments []string) string {
	words := make([]string, len(arguments))
	for i, a := range arguments {
		words[i] = a
		plain := func(r rune) bool {
			return r < 128 && (r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' ||
				strings.ContainsRune("-_./=:,@%+", r))
		}
		if a == "" || strings.ContainsFunc(a, func(r rune) bool { return !plain(r) }) {
			words[i] = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
	}
	return strings.Join(words, " ")
}

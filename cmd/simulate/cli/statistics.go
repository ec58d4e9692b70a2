package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"tallynet/metrics/render"
	"tallynet/metrics/result"
	"tallynet/metrics/study"
	"tallynet/scenarios"
	"tallynet/scenarios/keys"
)

// statisticsOf sums up the runs of a study, loading one at a time.
func statisticsOf(s *scenarios.Scenario, runs []result.Run) (*study.Summary, error) {
	o := study.Options{
		Number: func(set result.Setting) (float64, bool) { return keys.Quantity(set.Text()) },
		Seed:   s.Seeds[0],
	}
	o.Targets = s.Targets()
	for _, m := range scenarios.Metrics() {
		if m.More {
			o.More = append(o.More, m.Name)
		}
	}
	collector := study.New(o)
	for i := range runs {
		full, err := runs[i].Full()
		if err != nil {
			return nil, err
		}
		if err := collector.Add(full); err != nil {
			return nil, err
		}
	}
	return collector.Summary(), nil
}

// statisticsFiles are the files of a study's statistics.
func statisticsFiles(s *study.Summary) []result.File {
	files := []result.File{{Name: "summary.json", Write: func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		e.SetIndent("", " ")
		return e.Encode(s)
	}}}
	for _, f := range []tableFile{{"txt", "text"}, {"md", "md"}} {
		files = append(files, result.File{Name: "summary." + f.extension, Write: func(w io.Writer) error {
			if err := writeSentences(w, s); err != nil {
				return err
			}
			return writeTables(w, f.format, cut(s.Tables()))
		}})
	}
	return files
}

// cut shortens tables that nobody would read to the end.
func cut(tables []render.Table) []render.Table {
	const most = 400
	for i := range tables {
		if t := &tables[i]; len(t.Rows) > most {
			t.Notes = append(slices.Clip(t.Notes), fmt.Sprintf("%s more rows are in summary.json.", render.Count(int64(len(t.Rows)-most))))
			t.Rows = t.Rows[:most]
		}
	}
	return tables
}

// writeSentences writes the answer in words.
func writeSentences(w io.Writer, s *study.Summary) error {
	for _, sentence := range s.Sentences {
		if _, err := fmt.Fprintf(w, "- %s\n", sentence); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(w)
	return err
}

package result

import "tallynet/metrics/jsonio"

// PaperTable is a table of a paper, rebuilt from the runs.
type PaperTable struct {
	Name    string     `json:"name"` // of its files
	Title   string     `json:"title"`
	Source  string     `json:"source"`           // where it is printed
	Corner  string     `json:"corner,omitempty"` // the head of the first column
	Columns []string   `json:"columns"`
	Rows    []PaperRow `json:"rows"`
	X       []float64  `json:"x,omitempty"` // of the columns, where it is to be drawn
	XLabel  string     `json:"xlabel,omitempty"`
	YLabel  string     `json:"ylabel,omitempty"`
	Log     bool       `json:"log,omitempty"` // both axes
}

// PaperRow is a row of a Table.
type PaperRow struct {
	Name   string      `json:"name"`
	Cells  []PaperCell `json:"cells"`            // one for each column; nil: there are none, for Reason
	Reason string      `json:"reason,omitempty"` // why cells are missing
}

// PaperCell is a number, with its 95 % confidence interval if it has one, or a text. In JSON a number that is not
// finite is null.
type PaperCell struct {
	Value jsonio.Real `json:"value"`
	Low   jsonio.Real `json:"low"`
	High  jsonio.Real `json:"high"`
	Text  string      `json:"text,omitempty"` // in place of a number
}

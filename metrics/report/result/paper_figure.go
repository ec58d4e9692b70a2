package result

// PaperFigure is a figure of a paper, redrawn from the runs.
type PaperFigure struct {
	Name   string // of its files
	Title  string
	Source string // where it is printed
	Panels []PaperPanel
}

// PaperPanel is a metric over a cost, or the paths of runs in a plane.
type PaperPanel struct {
	Title      string
	X          string // the ID of the cost; of paths, the name of the axis, as is Y
	PerNode    bool   // the cost is divided by the number of nodes
	Y          string // the metric
	LogX, LogY bool
	Target     *float64 // a level that is marked; nil: none
	Paths      bool     // a curve is the path of one run
	Marks      []Mark   // points of the plane, or printed values
	Curves     []PaperCurve
}

// PaperCurve is the median of some runs, with the quartiles if there are several.
type PaperCurve struct {
	Label          string
	Runs           int
	X              []float64
	Mid, Low, High []float64 // Low and High are nil for one run
	Reason         string    // why there is nothing to draw
}

// Mark is a named point of a plane.
type Mark struct {
	Name string
	X, Y float64
}

package result

import (
	"tallynet/metrics/jsonio"
	"tallynet/metrics/list"
)

// Question is what a study asks: which choice costs least, or what an effect is.
type Question struct {
	// Given is true if the scenario states the question. Otherwise it follows from what varies.
	Given bool `json:"given"`
	// Choose lists what is to be decided: swept keys, sections of them, or TheMethod.
	Choose []string `json:"choose,omitempty"`
	// Effect lists keys whose effect on the costs is asked instead. Of is what they act on, in the same form.
	Effect []string `json:"effect,omitempty"`
	Of     []string `json:"of,omitempty"`
	// By lists what decides, by the IDs of costs, "gradients" for those of f and g together, or metrics at the end of the
	// runs. The first decides most.
	By []string `json:"by"`
	// To is the accuracy at which costs count. Without it they are those of whole runs.
	To *Target `json:"to,omitempty"`
	// Along lists what the answer may depend on: keys, sections of them, or TheLevel. A numeric key need not be swept.
	Along []string `json:"along,omitempty"`
}

// What a question may name besides keys.
const (
	TheMethod     = "algorithm"  // the method
	TheParameters = "parameters" // of a tuning
	TheLevel      = "to"         // the accuracy
)

// Answer is the answer to the question of a study. Sentences, tables, charts and files are made from it.
type Answer struct {
	Question   Question    `json:"question"`
	Cells      []Cell      `json:"cells"` // by what decides, then by setting
	Effects    []Effect    `json:"effects,omitempty"`
	Crossovers []Crossover `json:"crossovers,omitempty"`
	Sentences  []string    `json:"sentences"` // the first is the headline
	Chart      Chart       `json:"chart"`
}

// Headline returns the first sentence.
func (a *Answer) Headline() string { return a.Sentences[0] }

// Cell ranks the choices in one setting of what the answer may depend on.
type Cell struct {
	By      string   `json:"by"`              // one of Question.By
	At      Settings `json:"at,omitempty"`    // the values of the setting
	Name    string   `json:"name,omitempty"`  // of the setting, for people
	Level   *Target  `json:"level,omitempty"` // the accuracy, if the answer may depend on it
	Choices []Choice `json:"choices"`         // the best first
	Best    int      `json:"best"`            // how many choices tie for the best; 0: none gets there in half of its runs
}

// BestNames returns the choices that tie for the best.
func (c *Cell) BestNames() []string {
	return list.Map(c.Choices[:c.Best], func(of Choice) string { return of.Name })
}

// Choice is one way to decide, with its cost in a setting.
type Choice struct {
	Name      string   `json:"name"`
	Method    string   `json:"method"`
	Point     Settings `json:"point,omitempty"`
	Runs      int      `json:"runs"`
	Arrived   int      `json:"arrived"` // of the runs: those that got there
	Cost      Interval `json:"cost"`
	Ratio     Interval `json:"ratio"`                // the cost over that of the best, by pairs of equal seeds
	Resolved  float64  `json:"resolved"`             // the relative cost of one recorded step
	Mostly    string   `json:"mostly,omitempty"`     // the largest part of its time
	Share     float64  `json:"share,omitempty"`      // of its time
	OverFloor float64  `json:"over_floor,omitempty"` // the target's level over the value at which its runs end
}

// Interval is a number with its confidence interval, in the unit of its cost. Missing ends are null.
type Interval struct {
	Value jsonio.Real `json:"value"`
	Low   jsonio.Real `json:"low"`
	High  jsonio.Real `json:"high"`
	N     int         `json:"n"` // runs or pairs
}

// Decides reports whether a ratio is decided: its interval excludes 1, or lies within 1 - near and 1 + near. A ratio
// without an interval is, as of a choice that never gets there.
func (i Interval) Decides(near float64) bool {
	low, high := float64(i.Low), float64(i.High)
	return !(low <= 1 && high >= 1) || low >= 1-near && high <= 1+near
}

// Effect is the factor by which a value of a key changes a cost, over the key's first value.
type Effect struct {
	By     string   `json:"by"`
	Key    string   `json:"key"`
	Value  string   `json:"value"`
	Of     string   `json:"of"`           // the choice
	At     Settings `json:"at,omitempty"` // the values of the other keys
	Factor Interval `json:"factor"`
}

// Crossover is a value of a numeric key, or a level of accuracy, at which the best choice changes.
type Crossover struct {
	By    string  `json:"by"`
	Along string  `json:"along"`
	At    string  `json:"at,omitempty"` // the setting of the other keys
	Below string  `json:"below"`        // the best choice at smaller values or, of a level, easier ones
	Above string  `json:"above"`
	Value float64 `json:"value"`
	Unit  string  `json:"unit,omitempty"` // of Value, Low and High: s, bit/s, FLOP/s, B; "" for numbers without one
	// Low and High bracket the value: by runs of opposite order or, over several seeds, as a confidence interval.
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
	Seeds  int     `json:"seeds"`  // at which the order changes
	Of     int     `json:"of"`     // seeds that were examined
	Method string  `json:"method"` // "retimed", "runs", "grid" or "curves"
}

// Chart says what the first picture of the answer shows.
type Chart struct {
	Kind  string `json:"kind"` // "map", "lines", "scatter", "curves" or "bars"
	X     string `json:"x,omitempty"`
	Y     string `json:"y,omitempty"`
	Color string `json:"color,omitempty"`
	Shape string `json:"shape,omitempty"`
}

package claims

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/expr-lang/expr"

	"tallynet/metrics/result"
)

// Outcome is what came of a check.
type Outcome struct {
	Verdict  result.Verdict
	Measured result.Values // both sides of comparisons, as they are written
	Observed result.Settings  // those that are texts, as a status
	Reason   string        // why it is undecided
}

func (c *Check) evaluation(runs []result.Run) *evaluation {
	e := &evaluation{scope: &c.scope, handed: map[*Run]bool{}}
	for i := range runs {
		e.runs = append(e.runs, newRun(&runs[i]))
	}
	return e
}

// Evaluate decides the check over the runs of a study. It is undecided where a run
// that it needs is missing or did not end in a way that answers it, and where a value
// that it needs is not there.
func (c *Check) Evaluate(runs []result.Run) Outcome {
	if reason := c.absent(runs); reason != "" {
		return Outcome{Verdict: result.Undecided, Reason: reason}
	}
	e := c.evaluation(runs)
	env := e.environment()
	e.handOut(c.labels)
	holds, err := expr.Run(c.program, env)
	var o Outcome
	c.measure(&o, env)
	switch {
	case err != nil:
		o.Verdict, o.Reason = result.Undecided, located(err).Error()
	case c.unfinished(e) != "":
		o.Verdict, o.Reason = result.Undecided, c.unfinished(e)
	case len(e.remarks) > 0:
		o.Verdict, o.Reason = result.Undecided, strings.Join(e.remarks, "; ")
	case o.undefined() != "":
		o.Verdict, o.Reason = result.Undecided, o.undefined()+" is no number"
	case holds.(bool):
		o.Verdict = result.Holds
	default:
		o.Verdict = result.Fails
	}
	return o
}

// handOut notes the runs that are called by name.
func (e *evaluation) handOut(labels []string) {
	for _, r := range e.runs {
		if len(e.scope.Points)*len(e.scope.Seeds) == 1 && slices.Contains(labels, r.Label) {
			e.handed[r] = true
		}
	}
}

// absent names a label that has fewer runs than the study makes.
func (c *Check) absent(runs []result.Run) string {
	want := len(c.scope.Points) * len(c.scope.Seeds)
	for _, label := range c.labels {
		got := 0
		for i := range runs {
			if runs[i].Label == label {
				got++
			}
		}
		if got < want {
			return fmt.Sprintf("%d of the %d runs of %s were made", got, want, label)
		}
	}
	return ""
}

// unfinished names a run whose ending does not answer the check. That a run stalls or
// fails answers only what asks for its status; one that diverged has reached what it
// reached, but its end is none.
func (c *Check) unfinished(e *evaluation) string {
	for _, r := range e.runs {
		if !e.handed[r] {
			continue
		}
		level, ok := c.needs[r.Label], true
		switch r.run.Status {
		case result.Completed, result.Reached:
		case result.Diverged:
			ok = level < needEnd
		case result.Stalled, result.Failed:
			ok = level < needSamples
		default:
			ok = false
		}
		if !ok {
			return fmt.Sprintf("%s did not finish: %s: %s", r.Label, r.run.Status, r.run.Reason)
		}
	}
	return ""
}

// measure evaluates the sides of the comparisons.
func (c *Check) measure(o *Outcome, env map[string]any) {
	const most = 6 // numbers of one list; of a longer one, the least and the largest
	for _, s := range c.sides {
		v, err := expr.Run(s.program, env)
		if err != nil {
			continue // the whole check tells
		}
		switch v := v.(type) {
		case string, bool:
			set, err := result.NewSetting(s.text, v)
			if err != nil {
				panic("claims: " + err.Error()) // JSON holds all texts
			}
			o.Observed = append(o.Observed, set)
		case []any:
			x, err := numbers("", v)
			if err != nil {
				continue
			}
			if len(x) > most {
				o.Measured = append(o.Measured, result.Value{Name: "min(" + s.text + ")", Value: slices.Min(x)}, result.Value{Name: "max(" + s.text + ")", Value: slices.Max(x)})
				continue
			}
			for i := range x {
				o.Measured = append(o.Measured, result.Value{Name: fmt.Sprintf("%s[%d]", s.text, i), Value: x[i]})
			}
		default:
			if x, err := numbers("", v); err == nil {
				o.Measured = append(o.Measured, result.Value{Name: s.text, Value: x[0]})
			}
		}
	}
}

// undefined names a measured value that is no number.
func (o *Outcome) undefined() string {
	for _, v := range o.Measured {
		if math.IsNaN(v.Value) {
			return v.Name
		}
	}
	return ""
}

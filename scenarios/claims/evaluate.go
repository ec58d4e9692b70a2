package claims

import (
	"fmt"
	"slices"
	"strings"

	"tallynet/metrics/report/result"
)

// Finding is the result of a check.
type Finding struct {
	Verdict  result.Verdict
	Measured result.Values   // the sides of comparisons, by their text
	Observed result.Settings // sides that are texts, such as a status
	Reason   string          // why it is undecided
}

// Evaluate decides the check over the runs of a study. The check is undecided if a run that it needs is missing or
// ended too early, and if it is about an empty list.
func (c *Check) Evaluate(runs []result.Run) Finding {
	if reason := c.absent(runs); reason != "" {
		return Finding{Verdict: result.Undecided, Reason: reason}
	}
	e := c.evaluation(views(runs))
	value, wrong := e.run()
	var o Finding
	e.report(&o)
	o.Verdict, o.Reason = result.Undecided, e.undecided(wrong)
	holds, ok := value.(bool)
	switch {
	case o.Reason != "":
	case !ok:
		o.Reason = "it came to " + kindOf(value) + ", not to true or false"
	case holds:
		o.Verdict = result.Holds
	default:
		o.Verdict = result.Fails
	}
	return o
}

func views(runs []result.Run) []*runView {
	all := make([]*runView, len(runs))
	for i := range runs {
		r := &runs[i]
		all[i] = &runView{r.Label, r.Seed, r.Point, r}
	}
	return all
}

// undecided returns why an evaluation is undecided. wrong is the error that ended it, or nil.
func (e *evaluation) undecided(wrong *Error) string {
	if reason := e.unfinished(); reason != "" {
		return reason
	}
	if wrong != nil {
		return wrong.Message
	}
	return strings.Join(e.remarks, "; ")
}

// absent returns a message if a label has fewer runs than the study makes.
func (c *Check) absent(runs []result.Run) string {
	got := map[string]int{}
	for i := range runs {
		got[runs[i].Label]++
	}
	for _, label := range c.labels {
		if want := c.scope.sizeOf(label); got[label] < want {
			return fmt.Sprintf("%d of the %d runs of %s were made", got[label], want, label)
		}
	}
	return ""
}

// unfinished returns a message if a run ended too early for the check. Of a stalled or diverged run it is known that
// the target was not reached, and a diverged run has samples. The outcome of a failed or interrupted run is unknown.
func (e *evaluation) unfinished() string {
	for _, r := range e.runs {
		if !e.handed[r] {
			continue
		}
		level, ok := e.check.needs[r.Label], true
		switch r.run.Status {
		case result.Completed, result.Reached:
		case result.Diverged:
			ok = level <= needSamples
		case result.Stalled:
			ok = level <= needReach
		case result.Failed:
			ok = level <= needStatus
		default:
			ok = false
		}
		if !ok {
			return fmt.Sprintf("%s did not finish: %s: %s", r.Label, r.run.Status, r.run.Reason)
		}
	}
	return ""
}

// report records the values of the sides.
func (e *evaluation) report(o *Finding) {
	done := map[string]bool{}
	for _, s := range e.check.sides {
		values := e.values[s.node]
		if done[s.text] || len(values) == 0 {
			continue
		}
		done[s.text] = true
		if s.each {
			o.measure(s.text, values)
		} else {
			o.measure(s.text, values[0])
		}
	}
}

func (o *Finding) measure(text string, value any) {
	const most = 6 // numbers of one list; of a longer one, the least and the largest
	note := func(name string, x float64) { o.Measured = append(o.Measured, result.NamedValue{Name: name, Value: x}) }
	switch v := value.(type) {
	case string, bool:
		set, err := result.NewSetting(text, v)
		if err != nil {
			panic("claims: " + err.Error()) // JSON holds all texts
		}
		o.Observed = append(o.Observed, set)
	case float64:
		note(text, v)
	case Interval:
		note(text+".value", v.Value)
		note(text+".low", v.Low)
		note(text+".high", v.High)
	case []any:
		var x []float64
		var other any
		e := &evaluation{}
		wrong := e.guard(func() { other = e.flatten(&x, v) })
		switch {
		case wrong != nil || other != nil || len(x) == 0:
		case len(x) > most:
			note("min("+text+")", slices.Min(x))
			note("max("+text+")", slices.Max(x))
		default:
			for i := range x {
				note(fmt.Sprintf("%s[%d]", text, i), x[i])
			}
		}
	}
}

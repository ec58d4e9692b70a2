package compare

import (
	"fmt"
	"slices"
	"strings"

	"tallynet/metrics"
	"tallynet/metrics/escape"
	"tallynet/metrics/report/answer"
	"tallynet/metrics/report/result"
)

// told answers what changes from A to B: the effect of the result on the costs of each method at each point.
func (c *comparison) told(a, b *result.Report) (*result.Answer, error) {
	changed, err := changes(a, b)
	if err != nil {
		return nil, err
	}
	equal := equalPairs(c.pairs)
	q := result.Question{Effect: []string{resultKey}, Of: []string{result.TheMethod}}
	for _, k := range c.Keys {
		if k.Name != resultKey {
			q.Of = append(q.Of, k.Name)
		}
	}
	for _, item := range slices.Backward(metrics.Headlines()) {
		q.By = append(q.By, item.ID)
	}
	found := answer.Of(answer.Study{Fold: c.fold, Summary: c.Summary, Question: &q, Main: c.at, OnlyEffects: true})
	switch {
	case equal == len(c.pairs) && equal == 1:
		found.Sentences = []string{"A and B are equal: their runs have one hash."}
	case equal == len(c.pairs):
		found.Sentences = []string{fmt.Sprintf("A and B are equal: all %d pairs of runs have equal hashes.", equal)}
	case equal > 0:
		found.Sentences = append(found.Sentences, fmt.Sprintf("%d of %d pairs of runs are equal, hash for hash.", equal,
			len(c.pairs)))
	}
	found.Sentences = append(found.Sentences, changed...)
	return found, nil
}

// changes returns the differences of the scenarios in words.
func changes(a, b *result.Report) ([]string, error) {
	all, err := Differences(a.Scenario, b.Scenario)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	const most, mostValue = 4, 40
	var words []string
	for _, d := range all[:min(len(all), most)] {
		words = append(words, fmt.Sprintf("%s (%s, then %s)", d.Key, escape.Middle(d.A, mostValue),
			escape.Middle(d.B, mostValue)))
	}
	text := "The scenarios differ in " + answer.Enumerated(words)
	if n := len(all) - most; n > 0 {
		text = fmt.Sprintf("The scenarios differ in %s and %d more keys", strings.Join(words, ", "), n)
	}
	return []string{text + "."}, nil
}

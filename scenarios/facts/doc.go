// Package facts reads the registry of what a paper prints, facts.yaml beside the scenarios of the paper. Scenarios
// refer to its facts by ID, so that a printed value stands in one place.
//
//	facts.yaml ─► Load ─► Registry ─┬─► Fact: ID, place, class, value or relation, margin
//	                                └─► Reading: what the paper leaves open, as changes of keys
package facts

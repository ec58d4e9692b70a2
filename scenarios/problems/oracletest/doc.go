// Package oracletest checks a problem's oracle: that its gradients, products,
// Hessians and Jacobians are derivatives of its values, that batches are means, and
// that it keeps the contract of algorithms.Local (inputs unchanged, destinations
// overwritten, no memory of earlier calls in its results).
//
// Write one test for each new problem:
//
//	if err := oracletest.Check(problem.Local(0), oracletest.Options{}); err != nil {
//		t.Error(err)
//	}
//
// It takes derivatives by central differences, so f and g must be smooth near the
// points where it looks; it refuses nothing silently: a method that is there is checked.
package oracletest

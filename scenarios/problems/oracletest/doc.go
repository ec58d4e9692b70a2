// Package oracletest checks a problem's oracle: that its gradients, products, Hessians
// and Jacobians are derivatives of its values, that batches are means, and that it keeps
// the contract of algorithms.Local (inputs unchanged, destinations overwritten, results
// independent of earlier calls).
//
// Every new problem needs one test:
//
//	if err := oracletest.Check(problem.Local(0), oracletest.Options{}); err != nil {
//		t.Error(err)
//	}
//
// It compares with central differences, so f and g must be smooth near the points that it
// draws. It checks every method, and BlockHVP if the oracle implements it.
package oracletest

// Package execute runs one method on one instance, and reports it as a result.Run: samples, totals, ledgers, timeline,
// and the prediction that the counts are held to. It knows of no other run.
package execute

// Package predict states what the methods of a scenario cost in closed form, without running them: rounds, messages,
// elements, bytes and oracle calls of one iteration and of all.
package predict

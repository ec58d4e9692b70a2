// Package answer answers the question of a study: which choice costs least in each setting, by how much, and what an
// effect is. Everything that speaks of the answer reads the same [result.Answer].
package answer

// Package decision lays out the answer of a study as a map: which choice is best in each setting, and by how much.
package decision

// Package quantity formats counts, bytes, seconds, joules and plain numbers for people.
package quantity

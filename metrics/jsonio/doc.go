// Package jsonio writes JSON objects whose members keep their order, and numbers that JSON lacks: NaN and infinities.
package jsonio

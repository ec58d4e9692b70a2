// Package slow puts off tests that take long, so that the others stay near a minute. It is for tests.
package slow

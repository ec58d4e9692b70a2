// Package python runs problems and methods that are written in Python.
//
//	Go                              a child process, python3 -c tallynet.py
//	Problem, Method  ─── frames ──►  the user's class or generator
//	                 ◄── answers ──
//
// Frames go over the child's standard input and output: a length (u32), an operation (u8) and
// a body of numbers, little endian, float64 where they are elements. The first frame of the
// child has the version of the protocol. tallynet.py, the other side, needs numpy only.
//
// A method in Python is a program like any other (node.Proc): what it sends is encoded,
// counted and timed by the same code, and its oracle is the metered one. Code is run only
// where the user allows it, and what goes wrong in it ends the run with Python's traceback,
// the node and the iteration.
package python

import _ "embed"

// Library is tallynet.py: what a child process runs, and what users import.
//
//go:embed tallynet.py
var Library []byte

// Package build makes a scenario and a seed an [Instance]: the graph is drawn, the network set, the data dealt out and
// the methods made. It checks that these fit together and into memory, and runs nothing.
package build

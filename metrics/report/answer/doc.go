// Package answer puts the statistics of a study into a headline and a few sentences.
package answer

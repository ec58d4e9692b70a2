package data

import (
	"bytes"
	"fmt"
	"math"
	"path/filepath"
	"strings"
)

// Limits of a user's file of mushrooms.
const (
	largestMushroomFile     = 100_000_000 // bytes, unpacked
	largestMushroomFeatures = 10_000
)

// MushroomsIn returns the mushrooms of a user's file, or of the only file of mushrooms in a
// folder. It may have any name and be compressed by gzip. It is either UCI's
// agaricus-lepiota.data, whose inputs are those of this program's table, see parseLetters;
// or in svmlight's format with two labels, the larger of which means poisonous, and features
// of 0 or 1. The data are shared and must not be changed.
func (l *Loader) MushroomsIn(path string) (*Mushrooms, error) {
	return l.mushrooms.get(path, func() (*Mushrooms, error) { return findMushrooms(path) })
}

func findMushrooms(path string) (*Mushrooms, error) {
	files, err := listFolder(path)
	if err != nil {
		return nil, fmt.Errorf("mushroom: %w", err)
	}
	var found []*Mushrooms
	var lines []string
	for _, file := range files {
		name := file
		if rel, err := filepath.Rel(path, file); err == nil && rel != "." {
			name = rel
		}
		m, err := readMushroomFile(file)
		if err != nil {
			lines = append(lines, name+": "+strings.TrimPrefix(err.Error(), file+": "))
			continue
		}
		found = append(found, m)
		lines = append(lines, fmt.Sprintf("%s: %d mushrooms with %d inputs", name, len(m.Labels), m.Features()))
	}
	if len(found) == 1 {
		return found[0], nil
	}
	return nil, fmt.Errorf("mushroom: want one file of mushrooms, as UCI's agaricus-lepiota.data or in svmlight's "+
		"format, but there are %d; %s",
		len(found), foundList(path, lines))
}

func readMushroomFile(path string) (*Mushrooms, error) {
	raw, _, err := readUnpacked(path, largestMushroomFile)
	if err != nil {
		return nil, err
	}
	if separator := lettersSeparator(raw); separator != 0 {
		return parseLetters(raw, separator)
	}
	s, err := ReadSVM(bytes.NewReader(raw), 1)
	if err != nil { // indices may begin with 0
		var err0 error
		if s, err0 = ReadSVM(bytes.NewReader(raw), 0); err0 != nil {
			return nil, fmt.Errorf("neither UCI's letters nor svmlight's format: %w", err)
		}
	}
	return mushroomsOf(s)
}

// mushroomsOf converts samples of two classes with features of 0 or 1.
func mushroomsOf(s *SparseSet) (*Mushrooms, error) {
	switch {
	case len(s.Labels) != 2:
		return nil, fmt.Errorf("the labels are %v; want two, edible and poisonous", s.Labels)
	case s.Features < 1 || s.Features > largestMushroomFeatures:
		return nil, fmt.Errorf("there are %d features; want 1 to %d", s.Features, largestMushroomFeatures)
	case float64(s.Features)*float64(len(s.Samples)) > math.MaxInt32:
		return nil, fmt.Errorf("there are %d samples with %d features; want at most 2 GB of them",
			len(s.Samples), s.Features)
	}
	m := &Mushrooms{Inputs: make([]byte, s.Features*len(s.Samples))}
	for i, sample := range s.Samples {
		m.Labels = append(m.Labels, byte(sample.Class))
		for k, j := range sample.Features {
			if sample.Values[k] != 1 {
				return nil, fmt.Errorf("sample %d: feature %d is %v; want 0 or 1", i+1, j+1, sample.Values[k])
			}
			m.Inputs[i*s.Features+int(j)] = 1
		}
	}
	return m, nil
}

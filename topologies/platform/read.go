package platform

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

// Formats returns the file formats that Read supports, by file name extension.
func Formats() map[string]string {
	return map[string]string{".graphml": "graphml", ".gml": "gml", ".dot": "dot", ".gv": "dot", ".xml": "xml",
		".csv": "csv", ".tsv": "csv"}
}

// Read reads a network from a file: GraphML, GML, DOT or SimGrid XML, recognized by the extension of the name
// and the content. A file has at most 32 MB. Errors in the file name the line; the notes of the platform state
// what was assumed.
func Read(name string, r io.Reader, c GraphConfig) (*Platform, error) {
	text, note, err := readText(r)
	if err != nil {
		return nil, err
	}
	format, err := formatOf(name, text)
	if err != nil {
		return nil, err
	}
	var p *Platform
	if format == "simgrid" {
		p, err = readSimGrid(text)
	} else {
		p, err = readGraph(name, format, text, c)
	}
	if err != nil {
		return nil, err
	}
	if p.Name = filepath.Base(name); note != "" {
		p.Notes = append([]string{note}, p.Notes...)
	}
	return p, nil
}

func readGraph(name, format string, text []byte, c GraphConfig) (*Platform, error) {
	read := map[string]func([]byte) (*draft, error){"graphml": readGraphML, "gml": readGML, "dot": readDOT}[format]
	d, err := read(text)
	if err != nil {
		return nil, err
	}
	return interpret(name, d, c)
}

// formatOf returns the format of a file. Content takes precedence over the name.
func formatOf(name string, text []byte) (string, error) {
	start := bytes.TrimSpace(text[:min(len(text), 4096)])
	switch {
	case len(start) == 0:
		return "", errors.New("the file is empty")
	case bytes.Contains(start, []byte("<graphml")):
		return "graphml", nil
	case bytes.Contains(start, []byte("<platform")):
		return "simgrid", nil
	case start[0] == '<':
		return "", errors.New("the file is XML, but neither GraphML (<graphml>) nor a SimGrid platform (<platform>)")
	}
	switch format := Formats()[strings.ToLower(filepath.Ext(name))]; format {
	case "gml", "dot":
		return format, nil
	case "csv":
		return "", errors.New("the file is a table; kind: regions reads those")
	case "graphml", "xml":
		return "", errors.New("the file is not XML; GraphML begins with <graphml>")
	}
	switch first := strings.ToLower(string(bytes.Fields(start)[0])); {
	case first == "strict" || strings.HasPrefix(first, "graph{") || strings.HasPrefix(first, "digraph"):
		return "dot", nil
	case first == "graph" && bytes.Contains(start, []byte("{")) && !bytes.Contains(start, []byte("node [")):
		return "dot", nil
	case first == "graph" || first == "creator" || first == "#":
		return "gml", nil
	}
	return "", fmt.Errorf("the format of the file is not known; want GraphML (.graphml), GML (.gml), DOT (.dot) or " +
		"SimGrid XML (.xml)")
}

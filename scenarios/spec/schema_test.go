package spec

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tallynet/scenarios/keys"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

func compileSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := Schema(builtin())
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatalf("the schema is no JSON: %v", err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("scenario.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("scenario.json")
	if err != nil {
		t.Fatalf("the schema is not valid: %v", err)
	}
	return s
}

// validate checks a YAML text against the schema, as an editor does.
func validate(s *jsonschema.Schema, text []byte) error {
	tree, ferr := keys.NewSource("x", text).Parse()
	if ferr != nil {
		return ferr
	}
	js := []byte("null")
	if tree != nil {
		var err error
		if js, err = json.Marshal(keys.Plain(tree)); err != nil {
			return err
		}
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(js))
	if err != nil {
		return err
	}
	return s.Validate(v)
}

func TestSchema(t *testing.T) {
	s := compileSchema(t)
	for _, text := range [][]byte{Template(builtin()), []byte(full), []byte(small)} {
		if err := validate(s, text); err != nil {
			t.Errorf("%v\nof\n%s", err, text)
		}
		resolved, err := mustParse(t, string(text)).YAML()
		if err != nil {
			t.Fatal(err)
		}
		if err := validate(s, resolved); err != nil {
			t.Errorf("%v\nof\n%s", err, resolved)
		}
	}
}

// TestShipped checks every shipped scenario against the schema.
func TestShipped(t *testing.T) {
	s := compileSchema(t)
	files, shipped := 0, os.DirFS("..")
	err := keys.EachFile(shipped, func(name string) error {
		files++
		text, err := fs.ReadFile(shipped, name)
		if err != nil {
			return err
		}
		if err := validate(s, text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		return nil
	})
	if err != nil || files < 62 {
		t.Errorf("%d files, %v", files, err)
	}
}

// TestSchemaBroken checks that the schema rejects errors of structure, name, unit or range. The list beyond has what a
// schema cannot express: invalid YAML, numbers that YAML parsers read differently, and rules between keys.
func TestSchemaBroken(t *testing.T) {
	beyond := []string{
		"alias_without_anchor", "binary", "control_character", "deep", "duplicate_key", "indentation", "not_utf8",
		"tab", "two_documents",
		"unclosed", "unquoted_colon", "tag", // not valid YAML here
		"classes_missing", "three_classes", "pool", "unused_key", "parameter_missing", "weights_a_missing",
		// depends on other keys
		"quadratic_without_size", "quadratic_size_and_file", "features_of_a_file", "test_texts_without_texts",
		"jitter_without_mean",
		"contention_without_nic", "nic_without_contention", "link_to_itself", "link_to_nowhere", "link_twice",
		"straggler_node",
		"matrix_ragged", "matrix_size", "ring_of_one", "same_label", "seed_and_seeds", "tune_and_given",
		"tune_unknown_parameter", "tune_value",
		"neumann_warm", "cg_with_step", "back_beyond_inner",
		"tune_without_target", "sweep_bad_value", "sweep_combination", "sweep_label", "sweep_seed", "sweep_unknown_key",
		"digit", "link_without_difference", "machine_without_difference", "nic_node_twice", "sweep_path",
		"points_and_sweep", "points_claims", "points_unknown_key", "small_about", "small_swept", "small_unknown_key",
		"table_columns", "table_name", "table_x", // names of files, lengths of lists
		"small_claim", "table_no_such_run", "table_text", // the meaning of an expression
		"figure_points", "figure_runs",
		"settings_incomplete", "settings_key", "settings_nothing", "settings_reason", "settings_small",
		"claim_differs_without_reason", "claim_reason_of_holds", "claim_swept", "claim_without_check",
		"negative_size", "negative_time", "rate_zero", "time_too_large", "time_too_small", // ranges of quantities
	}
	s := compileSchema(t)
	files, err := filepath.Glob("testdata/broken/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		if slices.Contains(beyond, name) || strings.HasPrefix(name, "check_") { // the meaning of an expression
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if validate(s, text) == nil {
			t.Errorf("%s is valid by the schema", name)
		}
	}
}

// TestSchemaMentionsEveryKey checks that the schema has exactly the keys and kinds that can be used.
func TestSchemaMentionsEveryKey(t *testing.T) {
	text, err := Schema(builtin())
	if err != nil {
		t.Fatal(err)
	}
	now, later := map[string]bool{}, map[string]bool{} // a later key may share the name of another
	eachParam("", Keys(builtin()), func(_ string, _ []keys.Param, p keys.Param) {
		if p.Later != "" {
			later[p.Name] = true
			return
		}
		now[p.Name] = true
		if p.Variants == nil {
			return
		}
		for _, e := range p.Variants.Entries {
			for _, n := range e.Names() {
				if !strings.Contains(string(text), `"`+n+`"`) {
					t.Errorf("the schema does not mention %s", n)
				}
			}
		}
	})
	for name := range later {
		if !now[name] && strings.Contains(string(text), `"`+name+`":`) {
			t.Errorf("the schema mentions %s, which is not there yet", name)
		}
	}
	for name := range now {
		if !strings.Contains(string(text), `"`+name+`":`) {
			t.Errorf("the schema does not mention %s", name)
		}
	}
}

package cli

import (
	"bytes"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// jobSchema has the objects of a Job that the manifest uses, with the types and the required keys that
// Kubernetes publishes for batch/v1 (api/openapi-spec/v3/apis__batch__v1_openapi.json of
// github.com/kubernetes/kubernetes, commit 0021731d: JobSpec, PodTemplateSpec, PodSpec, Container,
// ResourceRequirements, VolumeMount, Volume, PersistentVolumeClaimVolumeSource) and the rules that its
// texts add: a name is a DNS label, the index needs completions, pods of a Job restart on failure or never. Keys
// that are not here are errors.
const jobSchema = `{
  "$defs": {
    "label": {"type": "string", "pattern": "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", "maxLength": 63},
    "quantity": {"type": ["string", "number"], "pattern": "^[0-9]+(\\.[0-9]+)?(m|[KMGT]i?)?$"},
    "mount": {"type": "object", "additionalProperties": false, "required": ["name", "mountPath"], "properties": {
      "name": {"type": "string"}, "mountPath": {"type": "string", "pattern": "^/[^:]*$"}}},
    "container": {"type": "object", "additionalProperties": false, "required": ["name", "image"], "properties": {
      "name": {"$ref": "#/$defs/label"}, "image": {"type": "string", "minLength": 1},
      "command": {"type": "array", "items": {"type": "string"}}, "args": {"type": "array", "items": {"type": "string"}},
      "resources": {"type": "object", "additionalProperties": false, "properties": {
        "requests": {"type": "object", "additionalProperties": {"$ref": "#/$defs/quantity"}}}},
      "volumeMounts": {"type": "array", "items": {"$ref": "#/$defs/mount"}}}},
    "volume": {"type": "object", "additionalProperties": false, "required": ["name"], "properties": {
      "name": {"$ref": "#/$defs/label"},
      "persistentVolumeClaim": {"type": "object", "additionalProperties": false, "required": ["claimName"],
        "properties": {"claimName": {"type": "string"}, "readOnly": {"type": "boolean"}}}}},
    "pod": {"type": "object", "additionalProperties": false, "required": ["containers", "restartPolicy"], "properties": {
      "restartPolicy": {"enum": ["OnFailure", "Never"]},
      "containers": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/container"}},
      "volumes": {"type": "array", "items": {"$ref": "#/$defs/volume"}}}}
  },
  "type": "object", "additionalProperties": false, "required": ["apiVersion", "kind", "metadata", "spec"],
  "properties": {
    "apiVersion": {"const": "batch/v1"}, "kind": {"const": "Job"},
    "metadata": {"type": "object", "additionalProperties": false, "required": ["name"],
      "properties": {"name": {"$ref": "#/$defs/label"}}},
    "spec": {"type": "object", "additionalProperties": false, "required": ["template", "completions"], "properties": {
      "completionMode": {"const": "Indexed"},
      "completions": {"type": "integer", "minimum": 1, "maximum": 2147483647},
      "parallelism": {"type": "integer", "minimum": 0, "maximum": 100000},
      "backoffLimit": {"type": "integer", "minimum": 0, "maximum": 2147483647},
      "template": {"type": "object", "additionalProperties": false, "required": ["spec"],
        "properties": {"spec": {"$ref": "#/$defs/pod"}}}}}
  }
}`

// job reads a manifest as Kubernetes does, and returns it with what the schema says.
func job(t *testing.T, schema *jsonschema.Schema, manifest string) (any, error) {
	t.Helper()
	raw, err := yaml.YAMLToJSON([]byte(manifest))
	if err != nil {
		t.Fatalf("%v\nin\n%s", err, manifest)
	}
	tree, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	return tree, schema.Validate(tree)
}

// TestManifestFitsTheSchema: whatever the scenario and its paths are called.
func TestManifestFitsTheSchema(t *testing.T) {
	rules, err := jsonschema.UnmarshalJSON(strings.NewReader(jobSchema))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("job.json", rules); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("job.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"plain", "My study (2)", "Ünïcødé", "名前", "-", "a: b # c", `quo"te\s`, "it's",
		"two\nlines", "{flow}", "*anchor", "% percent", strings.Repeat("long name ", 40)} {
		s := submission{file: "/data/" + name + ".yaml", out: "/data/results/" + name, name: name, tasks: 20, cpus: 2,
			set: []string{"name=" + name}, image: "registry:5000/t/tallynet:1", volume: "studies"}
		tree, err := job(t, schema, s.manifest())
		if err != nil {
			t.Errorf("%q: %v\n%s", name, err, s.manifest())
			continue
		}
		spec := tree.(map[string]any)["spec"].(map[string]any)["template"].(map[string]any)["spec"].(map[string]any)
		container := spec["containers"].([]any)[0].(map[string]any)
		want := quoted(s.command("simulate")) + ` --share "$((JOB_COMPLETION_INDEX + 1))/20"`
		if got := container["args"].([]any)[0]; got != strings.ReplaceAll(want, "$", "$$") {
			t.Errorf("%q: the command is\n%s\nwant\n%s", name, got, want)
		}
	}
	plain := submission{file: "/d/a.yaml", out: "/d/r", name: "a", tasks: 2, cpus: 1, image: "i", volume: "v"}
	good := plain.manifest()
	for _, wrong := range [][2]string{{"completionMode: Indexed", "completionMode: indexed"},
		{"completions: 2", `completions: "2"`}, {"restartPolicy: OnFailure", "restartPolicy: Always"},
		{"claimName", "name"}, {"mountPath", "path"}, {"parallelism", "paralellism"},
		{"name: tallynet-a", "name: Tallynet_a"}, {"apiVersion: batch/v1", "apiVersion: v1"}} {
		if _, err := job(t, schema, strings.Replace(good, wrong[0], wrong[1], 1)); err == nil {
			t.Errorf("a manifest with %s passes", wrong[1])
		}
	}
}

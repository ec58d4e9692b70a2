// Admit does with the manifest of a Job what an API server of Kubernetes does before it stores one, with its
// own code: strict decoding, defaults, preparation, validation. It fails where the server would refuse or warn,
// and where something of the manifest is not stored as it was written. It prints what would be stored.
package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"reflect"

	batchv1 "k8s.io/api/batch/v1"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/batch"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	"k8s.io/kubernetes/pkg/registry/batch/job"
	"sigs.k8s.io/yaml"
)

func main() {
	if err := admit(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func admit(in io.Reader, out io.Writer) error {
	text, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	scheme := legacyscheme.Scheme
	serializer := func(o json.SerializerOptions) *json.Serializer {
		return json.NewSerializerWithOptions(json.DefaultMetaFactory, scheme, scheme, o)
	}
	object, _, err := serializer(json.SerializerOptions{Yaml: true, Strict: true}).Decode(text, nil, nil)
	if err != nil {
		return fmt.Errorf("decode: %w", err)
	}
	scheme.Default(object)
	internal := new(batch.Job)
	if err := scheme.Convert(object, internal, nil); err != nil {
		return fmt.Errorf("convert: %w", err)
	}
	ctx := request.WithRequestInfo(request.WithNamespace(context.Background(), "default"),
		&request.RequestInfo{APIGroup: "batch", APIVersion: "v1", Resource: "jobs", Namespace: "default"})
	rest.FillObjectMetaSystemFields(internal)
	if err := rest.BeforeCreate(job.Strategy, ctx, internal); err != nil {
		return fmt.Errorf("refused: %w", err)
	}
	if warnings := job.Strategy.WarningsOnCreate(ctx, internal); len(warnings) > 0 {
		return fmt.Errorf("accepted with warnings: %q", warnings)
	}
	stored := new(batchv1.Job)
	if err := scheme.Convert(internal, stored, nil); err != nil {
		return fmt.Errorf("convert back: %w", err)
	}
	stored.SetGroupVersionKind(batchv1.SchemeGroupVersion.WithKind("Job"))
	var printed bytes.Buffer
	if err := serializer(json.SerializerOptions{Pretty: true}).Encode(stored, &printed); err != nil {
		return err
	}
	var want, got any
	if err := yaml.Unmarshal(text, &want); err != nil {
		return err
	}
	if err := yaml.Unmarshal(printed.Bytes(), &got); err != nil {
		return err
	}
	if err := kept("", want, got); err != nil {
		return err
	}
	_, err = printed.WriteTo(out)
	return err
}

// kept says what of a manifest is not stored, or as something else.
func kept(where string, want, got any) error {
	switch want := want.(type) {
	case map[string]any:
		g, _ := got.(map[string]any)
		for key, value := range want {
			if err := kept(where+"."+key, value, g[key]); err != nil {
				return err
			}
		}
		return nil
	case []any:
		g, _ := got.([]any)
		if len(g) != len(want) {
			return fmt.Errorf("%s: %d items were written, %d are stored", where, len(want), len(g))
		}
		for i := range want {
			if err := kept(fmt.Sprintf("%s[%d]", where, i), want[i], g[i]); err != nil {
				return err
			}
		}
		return nil
	}
	if !reflect.DeepEqual(want, got) {
		return fmt.Errorf("%s: %v was written, %v is stored", where, want, got)
	}
	return nil
}

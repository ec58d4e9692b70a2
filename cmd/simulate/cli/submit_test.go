package cli

import (
	"strings"
	"testing"

	"tallynet/scenarios/keys"
)

// TestSubmitScripts: an array of shares, and a job that reports.
func TestSubmitScripts(t *testing.T) {
	s := submission{file: "/data/it's.yaml", out: "/data/out", name: "mine", tasks: 20, cpus: 4, set: []string{"seeds=9"},
		options: []string{"--time=1:00"}, code: true}
	array, report := s.scripts("/bin/simulate")
	const command = `'/bin/simulate' 'run' '/data/it'\''s.yaml' '--out' '/data/out' '--workers' '4' '--quiet' '--set' ` +
		`'seeds=9' '--allow-code'`
	for _, c := range []struct{ script, want string }{
		{array, "exec " + command + " --share \"$SLURM_ARRAY_TASK_ID/20\"\n"}, {report, "exec " + command + "\n"},
		{array, "#SBATCH --time=1:00\n"}, {array, "#SBATCH --requeue\n"}, {array, "#SBATCH --cpus-per-task=4\n"},
	} {
		if !strings.Contains(c.script, c.want) {
			t.Errorf("%s\nwant %s", c.script, c.want)
		}
	}
}

// TestManifest: an Indexed Job that reads as YAML, whose tasks count from 0.
func TestManifest(t *testing.T) {
	s := submission{file: "/data/$(HOME)/$$.yaml", out: "/data/results/mine", name: "My study (2)", tasks: 20, cpus: 2,
		image: "i:1", volume: "v"}
	text := s.manifest()
	tree, err := keys.NewSource("m.yaml", []byte(text)).Parse()
	if err != nil {
		t.Fatal(err)
	}
	spec := tree.Child("spec").Value
	for key, want := range map[string]string{"completionMode": "Indexed", "completions": "20", "parallelism": "20"} {
		if got := spec.Child(key).Value.Text; got != want {
			t.Errorf("%s: %s, want %s", key, got, want)
		}
	}
	if name := tree.Child("metadata").Value.Child("name").Value.Text; name != "tallynet-my-study--2" {
		t.Errorf("name %s", name)
	}
	container := spec.Child("template").Value.Child("spec").Value.Child("containers").Value.Items[0]
	// Kubernetes replaces $(NAME) in arguments, where $$ stands for $ and other text stays.
	got := strings.ReplaceAll(container.Child("args").Value.Items[0].Text, "$$", "\x00")
	if strings.Contains(got, "$") {
		t.Errorf("Kubernetes would replace something in %s", got)
	}
	got = strings.ReplaceAll(got, "\x00", "$")
	if !strings.HasPrefix(got, `'simulate' 'run' '/data/$(HOME)/$$.yaml'`) ||
		!strings.HasSuffix(got, `--share "$((JOB_COMPLETION_INDEX + 1))/20"`) {
		t.Errorf("command %s", got)
	}
	if got := container.Child("volumeMounts").Value.Items[0].Child("mountPath").Value.Text; got != "/data" {
		t.Errorf("mounted at %s", got)
	}
}

// TestOneVolume: results that would end with their pod are refused.
func TestOneVolume(t *testing.T) {
	for out, want := range map[string]string{
		"/data/mine/results": "", "/data/results": "", "/results": "would not keep results in /results: give --out",
	} {
		s := submission{file: "/data/mine/a.yaml", out: out}
		if err := s.oneVolume(); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", out, err, want)
		}
	}
}

func TestParseShare(t *testing.T) {
	if s, err := parseShare("3/20"); err != nil || s.Index != 3 || s.Of != 20 {
		t.Error(s, err)
	}
	for _, bad := range []string{"0/3", "4/3", "1", "a/b", "1/2/3", "-1/3"} {
		if _, err := parseShare(bad); err == nil || !strings.Contains(err.Error(), "from 1/20 to 20/20") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

package cli

import (
	"regexp"
	"strings"
	"testing"

	"tallynet/scenarios/keys"
)

// TestSubmitScripts: an array of shares, and a job that writes the report.
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

// TestManifest reads the Indexed Jobs of studies with unusual names as Kubernetes does. The whole manifest is
// in docs/clusters.md, and .ci/kubernetes sends it to an API server.
func TestManifest(t *testing.T) {
	label := regexp.MustCompile(`^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`)
	for _, name := range []string{"My study (2)", "$(HOME)/$$", "Ünïcødé", "名前", "-", "a: b # c", `quo"te\s`, "it's",
		"two\nlines", "{flow}", "*anchor", "% percent", strings.Repeat("long name ", 40)} {
		s := submission{file: "/data/" + name + ".yaml", out: "/data/results/" + name, name: name, tasks: 20, cpus: 2,
			set: []string{"name=" + name}, image: "registry:5000/t/tallynet:1", volume: "studies"}
		tree, err := keys.NewSource("m.yaml", []byte(s.manifest())).Parse()
		if err != nil {
			t.Fatalf("%q: %v\n%s", name, err, s.manifest())
		}
		if pod := tree.Child("metadata").Value.Child("name").Value.Text; !label.MatchString(pod) {
			t.Errorf("%q: the pod is called %q", name, pod)
		}
		spec := tree.Child("spec").Value.Child("template").Value.Child("spec").Value
		container := spec.Child("containers").Value.Items[0]
		// Kubernetes replaces $(NAME) in arguments and turns $$ into $. The index starts at 0, shares at 1.
		want := quoted(s.command("simulate")) + ` --share "$((JOB_COMPLETION_INDEX + 1))/20"`
		if got := container.Child("args").Value.Items[0].Text; got != strings.ReplaceAll(want, "$", "$$") {
			t.Errorf("%q: the command is\n%s\nwant\n%s", name, got, want)
		}
		mount := container.Child("volumeMounts").Value.Items[0].Child("mountPath").Value.Text
		if !strings.HasPrefix(mount, "/data") {
			t.Errorf("%q: mounted at %s", name, mount)
		}
	}
}

// TestOneVolume: results that would be lost with their pod are refused.
func TestOneVolume(t *testing.T) {
	for out, want := range map[string]string{
		"/data/mine/results": "", "/data/results": "", "/results": "does not contain /results: give --out",
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

package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
)

// submission describes a study that runs on a cluster.
type submission struct {
	file, out, name string
	tasks, cpus     int
	set, options    []string
	code, dry       bool
	image, volume   string
}

func (a *app) submitCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "submit", Short: "Let a cluster run a study: Slurm or Kubernetes",
		Long: `Let the machines of a cluster share a study. Each task runs simulate run --share: it does
its part, helps with what is left, and stores each run as it ends. Tasks that are repeated,
overlap or end early do no harm. The folder of the results must be one that all machines see.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("submit: there is no cluster %q%s", args[0], proposal(args[0], []string{"slurm", "kubernetes"}))
			}
			return errors.New("submit: the cluster is missing: simulate submit slurm FILE or simulate submit kubernetes FILE")
		},
		RunE: func(*cobra.Command, []string) error { return nil },
	}
	c.AddCommand(a.slurmCommand(), a.kubernetesCommand())
	return c
}

func (a *app) slurmCommand() *cobra.Command {
	var s submission
	c := &cobra.Command{
		Use: "slurm FILE [flags]", Short: "Submit a job array, and a job that reports when it has ended",
		Example: "  simulate submit slurm my.yaml --tasks 20 --sbatch=--time=2:00:00 --sbatch=--partition=short",
		Args:    need(1, 1, "a scenario file"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := a.prepareSubmission(&s, args[0]); err != nil {
				return err
			}
			return a.submitSlurm(c.Context(), &s)
		},
	}
	s.flags(c)
	c.Flags().StringArrayVar(&s.options, "sbatch", nil, "an option for sbatch, as in --sbatch=--time=2:00:00")
	c.Flags().BoolVar(&s.dry, "dry-run", false, "write the scripts, and submit nothing")
	return c
}

func (a *app) kubernetesCommand() *cobra.Command {
	var s submission
	c := &cobra.Command{
		Use: "kubernetes FILE [flags]", Short: "Write the manifest of an Indexed Job to standard output",
		Long: `Write the manifest of an Indexed Job. The volume must contain the scenario and the files
that it reads, under the same paths as here, and gets the results. When the job has ended, simulate run
FILE in a pod with the same image and volume finds all runs and reports.`,
		Example: "  simulate submit kubernetes my.yaml --tasks 20 --image registry/tallynet:1 --volume studies | kubectl " +
			"apply -f -",
		Args: need(1, 1, "a scenario file"),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := a.prepareSubmission(&s, args[0]); err != nil {
				return err
			}
			if err := s.oneVolume(); err != nil {
				return err
			}
			_, err := io.WriteString(a.io.Out, s.manifest())
			return err
		},
	}
	s.flags(c)
	c.Flags().StringVar(&s.image, "image", "tallynet:latest", "the image that has simulate")
	c.Flags().StringVar(&s.volume, "volume", "studies", "the PersistentVolumeClaim with the scenario and the results")
	return c
}

func (s *submission) flags(c *cobra.Command) {
	countFlag(c.Flags(), &s.tasks, "tasks", 10, "how many tasks share the study")
	countFlag(c.Flags(), &s.cpus, "cpus", 1, "processors of a task: so many runs go on at the same time")
	c.Flags().StringVar(&s.out, "out", "", "folder for the results, which all machines see")
	c.Flags().StringArrayVar(&s.set, "set", nil, "change a value of the file, as with run")
	c.Flags().BoolVar(&s.code, "allow-code", false, "run the Python code that the scenario names")
}

// prepareSubmission checks the scenario and makes paths absolute, since tasks start in another folder.
func (a *app) prepareSubmission(s *submission, file string) error {
	loaded, err := a.load(file, s.set)
	if err != nil {
		return err
	}
	s.name = folderName(loaded.Name)
	if s.out == "" {
		s.out = filepath.Join("results", s.name)
	}
	if s.file, err = filepath.Abs(file); err == nil {
		s.out, err = filepath.Abs(s.out)
	}
	return err
}

// command returns the command that runs the study, or with more flags a share of it.
func (s *submission) command(program string, more ...string) []string {
	words := []string{program, "run", s.file, "--out", s.out, "--workers", fmt.Sprint(s.cpus), "--quiet"}
	for _, set := range s.set {
		words = append(words, "--set", set)
	}
	if s.code {
		words = append(words, "--allow-code")
	}
	return append(words, more...)
}

// quoted quotes words for a POSIX shell.
func quoted(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
	}
	return strings.Join(out, " ")
}

// scripts returns the batch scripts of the job array and of the job that reports.
func (s *submission) scripts(program string) (array, report string) {
	head := func(kind, log string) string {
		b := fmt.Sprintf("#!/bin/sh\n#SBATCH --job-name=%s-%s\n#SBATCH --cpus-per-task=%d\n#SBATCH --requeue\n#SBATCH "+
			"--output=%s\n",
			s.name, kind, s.cpus, filepath.Join(s.out, "slurm", log))
		for _, o := range s.options {
			b += "#SBATCH " + o + "\n"
		}
		return b
	}
	array = head("share", "share-%a.log") + fmt.Sprintf("exec %s --share \"$SLURM_ARRAY_TASK_ID/%d\"\n",
		quoted(s.command(program)), s.tasks)
	return array, head("report", "report.log") + "exec " + quoted(s.command(program)) + "\n"
}

func (a *app) submitSlurm(ctx context.Context, s *submission) error {
	program, err := os.Executable()
	if err != nil {
		return failed(err)
	}
	folder := filepath.Join(s.out, "slurm")
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return failed(err)
	}
	array, report := s.scripts(program)
	paths := []string{filepath.Join(folder, "share.sh"), filepath.Join(folder, "report.sh")}
	for i, text := range []string{array, report} {
		if err := writeText(paths[i], text); err != nil {
			return failed(err)
		}
	}
	if s.dry {
		_, err := fmt.Fprintf(a.io.Out, "sbatch --parsable --array=1-%d %s\nsbatch --dependency=afterany:ID %s\n", s.tasks,
			paths[0],
			paths[1])
		return err
	}
	id, err := sbatch(ctx, fmt.Sprintf("--array=1-%d", s.tasks), paths[0])
	if err != nil {
		return failed(err)
	}
	last, err := sbatch(ctx, "--dependency=afterany:"+id, paths[1])
	if err != nil {
		return failed(fmt.Errorf("%w; job %s of %d tasks was submitted", err, id, s.tasks))
	}
	_, err = fmt.Fprintf(a.io.Out,
		"job %s: %d tasks; job %s reports into %s when they have ended; simulate status %s says how far "+
			"they are\n", id, s.tasks, last, s.out, s.file)
	return err
}

// sbatch submits a script and returns the number of the job.
func sbatch(ctx context.Context, option, script string) (string, error) {
	var printed bytes.Buffer
	c := exec.CommandContext(ctx, "sbatch", "--parsable", option, script)
	c.Stderr = &printed
	out, err := c.Output()
	if errors.Is(err, exec.ErrNotFound) {
		return "", errors.New("there is no sbatch here: run this where Slurm's commands are, or with --dry-run")
	}
	const scripts = "; the scripts are in %s, and with --dry-run nothing is submitted"
	if err != nil {
		return "", fmt.Errorf("sbatch rejected the job: %w"+scripts+"; it printed\n%s", err, filepath.Dir(script),
			strings.TrimSpace(printed.String()))
	}
	id, _, _ := strings.Cut(strings.TrimSpace(string(out)), ";")
	if id == "" {
		return "", fmt.Errorf("sbatch printed no job number"+scripts, filepath.Dir(script))
	}
	return id, nil
}

// oneVolume returns an error if the volume that holds the scenario would not hold the results.
func (s *submission) oneVolume() error {
	if folder := filepath.Dir(s.file); commonFolder(folder, s.out) == "/" && folder != "/" {
		return fmt.Errorf("the volume is mounted at %s, where the scenario is, and does not contain %s: give --out "+
			"a folder beside or below the scenario", folder, s.out)
	}
	return nil
}

// manifest returns an Indexed Job. JOB_COMPLETION_INDEX is the index of a pod, starting at 0.
func (s *submission) manifest() string {
	command := quoted(s.command("simulate")) + fmt.Sprintf(` --share "$((JOB_COMPLETION_INDEX + 1))/%d"`, s.tasks)
	command = strings.ReplaceAll(command, "$", "$$") // Kubernetes replaces $(NAME), and makes $$ a $
	mount := filepath.Dir(s.file)
	if shared := commonFolder(mount, s.out); shared != "/" { // see oneVolume
		mount = shared
	}
	return fmt.Sprintf(`apiVersion: batch/v1
kind: Job
metadata:
  name: %s
spec:
  completionMode: Indexed
  completions: %d
  parallelism: %d
  backoffLimit: %d
  template:
    spec:
      restartPolicy: OnFailure
      containers:
        - name: simulate
          image: %q
          command: ["/bin/sh", "-c"]
          args:
            - %q
          resources:
            requests: {cpu: "%d"}
          volumeMounts:
            - {name: studies, mountPath: %q}
      volumes:
        - name: studies
          persistentVolumeClaim: {claimName: %q}
`, podName(s.name), s.tasks, s.tasks, 6*s.tasks, s.image, command, s.cpus, mount, s.volume)
}

// commonFolder returns the deepest folder that contains both paths.
func commonFolder(a, b string) string {
	for a != b {
		if len(a) > len(b) {
			a = filepath.Dir(a)
		} else {
			b = filepath.Dir(b)
		}
	}
	return a
}

// podName returns a valid Kubernetes name: at most 50 lower case letters, digits and hyphens.
func podName(name string) string {
	text := strings.Trim(regexp.MustCompile("[^a-z0-9]").ReplaceAllString(strings.ToLower(name), "-"), "-")
	const most = 50
	return strings.Trim("tallynet-"+text[:min(len(text), most-len("tallynet-"))], "-")
}

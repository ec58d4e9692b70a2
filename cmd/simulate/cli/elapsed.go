package cli

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"time"

	"tallynet/metrics/jsonio"
	"tallynet/metrics/report/result"
)

// elapsedFile is where a folder of finished runs keeps how long they took: one command may
// have run some of them, and another the rest.
const elapsedFile = "elapsed.json"

// elapsed is what commands spent on the runs of a folder. It is kept separate from the result,
// so that equal studies have equal results, byte for byte.
type elapsed struct {
	Program  string  `json:"program"` // that made the runs
	Seconds  float64 `json:"seconds"`
	Finished string  `json:"finished,omitempty"` // when the last command ended, as in RFC 3339
}

// stopwatch measures a command; without a clock it measures nothing.
type stopwatch struct {
	now   func() time.Time
	begun time.Time
}

func newStopwatch(now func() time.Time) stopwatch {
	w := stopwatch{now: now}
	if now != nil {
		w.begun = now()
	}
	return w
}

// since returns the time since the beginning.
func (w stopwatch) since() elapsed {
	if w.now == nil {
		return elapsed{}
	}
	end := w.now()
	return elapsed{Seconds: end.Sub(w.begun).Seconds(), Finished: end.UTC().Format(time.RFC3339)}
}

// add adds the time since the beginning to that which earlier commands of the same program
// spent in the folder of finished runs, unless everything was run afresh, and returns the sum.
func (w stopwatch) add(folder, program string, fresh bool) (elapsed, error) {
	total := w.since()
	if w.now == nil {
		return total, nil
	}
	total.Program = program
	// else it says nothing of these runs
	if before, ok := readElapsed(folder); ok && !fresh && before.Program == program {
		total.Seconds += before.Seconds
	}
	path := filepath.Join(folder, elapsedFile)
	return total, result.WriteFile(path, func(out io.Writer) error { return jsonio.Write(out, total) })
}

// readElapsed reads what add wrote.
func readElapsed(folder string) (e elapsed, ok bool) {
	text, err := os.ReadFile(filepath.Join(folder, elapsedFile))
	return e, err == nil && json.Unmarshal(text, &e) == nil
}

// elapsedOf returns how long the runs of a saved result took: results of earlier versions
// say it in their provenance.
func elapsedOf(folder string, report *result.Report) elapsed {
	if p := report.Provenance; p.Finished != "" {
		return elapsed{Seconds: p.Seconds, Finished: p.Finished}
	}
	e, _ := readElapsed(filepath.Join(folder, runsFolder))
	return e
}

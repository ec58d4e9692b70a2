package cli

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"time"

	"tallynet/metrics/jsonio"
	"tallynet/metrics/result"
)

// elapsedFile is where a folder of finished runs keeps how long they took: one command may
// have run some of them, and another the rest.
const elapsedFile = "elapsed.json"

// elapsed is what commands spent on the runs of a folder.
type elapsed struct {
	Program string  `json:"program"` // that made the runs
	Seconds float64 `json:"seconds"`
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

// add adds the time since the beginning to that which earlier commands of the same program
// spent in the folder, unless everything was run afresh, and notes both in the provenance.
func (w stopwatch) add(folder, program string, fresh bool, p *result.Provenance) error {
	if w.now == nil {
		return nil
	}
	w.since(p)
	total := elapsed{Program: program}
	path := filepath.Join(folder, elapsedFile)
	if text, err := os.ReadFile(path); err == nil && !fresh {
		var before elapsed
		if json.Unmarshal(text, &before) == nil && before.Program == program { // else it says nothing of these runs
			total = before
		}
	}
	total.Seconds += p.Seconds
	p.Seconds = total.Seconds
	return result.WriteFile(path, func(out io.Writer) error { return jsonio.Write(out, total) })
}

// since notes the time since the beginning in the provenance.
func (w stopwatch) since(p *result.Provenance) {
	if w.now != nil {
		end := w.now()
		p.Seconds, p.Finished = end.Sub(w.begun).Seconds(), end.UTC().Format(time.RFC3339)
	}
}

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

// elapsedFile stores how long the finished runs of a folder took, since several commands may
// have run them.
const elapsedFile = "elapsed.json"

// elapsed is the time that commands spent on the runs of a folder. It is not part of the result,
// so that equal studies have equal results, byte for byte.
type elapsed struct {
	Program  string  `json:"program"` // ID of the program that ran them
	Seconds  float64 `json:"seconds"`
	Finished string  `json:"finished,omitempty"` // when the last command ended, in RFC 3339
}

// stopwatch returns a function that returns the time since. Without a clock that is nothing.
func stopwatch(now func() time.Time) func() elapsed {
	if now == nil {
		return func() elapsed { return elapsed{} }
	}
	begun := now()
	return func() elapsed {
		end := now()
		return elapsed{Seconds: end.Sub(begun).Seconds(), Finished: end.UTC().Format(time.RFC3339)}
	}
}

// addElapsed adds a time to what earlier commands of the same program spent on the folder of finished runs, and
// returns the sum. If fresh is set, it starts from zero.
func addElapsed(total elapsed, folder, program string, fresh bool) (elapsed, error) {
	if total == (elapsed{}) { // there is no clock
		return total, nil
	}
	total.Program = program
	if before, ok := readElapsed(folder); ok && !fresh && before.Program == program {
		total.Seconds += before.Seconds
	}
	path := filepath.Join(folder, elapsedFile)
	return total, result.WriteFile(path, func(out io.Writer) error { return jsonio.Write(out, total) })
}

// readElapsed reads the file that add wrote.
func readElapsed(folder string) (e elapsed, ok bool) {
	text, err := os.ReadFile(filepath.Join(folder, elapsedFile))
	return e, err == nil && json.Unmarshal(text, &e) == nil
}

// elapsedOf returns how long the runs of a saved result took. Earlier versions stored it in the
// provenance of the result.
func elapsedOf(folder string, report *result.Report) elapsed {
	if p := report.Provenance; p.Finished != "" {
		return elapsed{Seconds: p.Seconds, Finished: p.Finished}
	}
	e, _ := readElapsed(filepath.Join(folder, runsFolder))
	return e
}

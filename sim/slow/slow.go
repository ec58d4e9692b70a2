package slow

import (
	"os"
	"testing"
)

// Variable is the environment variable that makes slow tests run.
const Variable = "TALLYNET_SLOW"

// Skip skips a test that takes long, and says why, unless Variable is set. CI runs each test that was skipped so.
func Skip(t testing.TB, why string) {
	t.Helper()
	if os.Getenv(Variable) == "" {
		t.Skip(Variable + " is not set: " + why)
	}
}

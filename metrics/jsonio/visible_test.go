package jsonio

import (
	"bytes"
	"encoding/json"
	"testing"
)

// TestHiddenCharactersAreEscaped: JSON escapes what a terminal interprets or hides, and the value does not change.
func TestHiddenCharactersAreEscaped(t *testing.T) {
	const odd = "a\u009b31m \u0085 \u007f \u202e \u2066 \ufeff \u200b \x1b \U000e0001 é 漢 <b>"
	const want = `"a\u009b31m \u0085 \u007f \u202e \u2066 \ufeff \u200b \u001b \udb40\udc01 é 漢 <b>"`
	got, err := Marshal(odd)
	if err != nil || string(got) != want {
		t.Errorf("Marshal: %s, %v", got, err)
	}
	nested, err := Marshal(Of("key\u009b", []any{odd}))
	if err != nil || string(nested) != `{"key\u009b":[`+want+`]}` {
		t.Errorf("an object: %s, %v", nested, err)
	}
	var b bytes.Buffer
	if err := Write(&b, odd); err != nil || b.String() != want+"\n" {
		t.Errorf("Write: %s, %v", b.String(), err)
	}
	var back string
	if err := json.Unmarshal(got, &back); err != nil || back != odd {
		t.Errorf("read back as %q, %v", back, err)
	}
}

package escape

import (
	"io"
	"sync"
	"unicode/utf8"
)

// Writer writes text to a terminal, or in its place, as Block does, so that no message, whatever it quotes,
// moves the cursor or changes colours.
type Writer struct {
	// Raw writes without escaping, for a progress bar.
	Raw  io.Writer
	mu   sync.Mutex
	rest []byte // an incomplete character at the end of the last Write
}

// Write escapes and writes p. It returns len(p) unless writing fails.
func (w *Writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	text := append(w.rest, p...)
	whole := len(text)
	for back := 1; back < utf8.UTFMax && back <= len(text); back++ {
		if tail := text[len(text)-back:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRune(tail) {
				whole -= back
			}
			break
		}
	}
	w.rest = append([]byte(nil), text[whole:]...)
	if _, err := io.WriteString(w.Raw, Block(string(text[:whole]))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Flush writes an incomplete character.
func (w *Writer) Flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.rest) == 0 {
		return nil
	}
	_, err := io.WriteString(w.Raw, Block(string(w.rest)))
	w.rest = nil
	return err
}

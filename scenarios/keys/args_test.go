package keys

import "testing"

// TestArgsPanicOnUndeclared checks that a getter panics on a name that is not declared or has another kind.
func TestArgsPanicOnUndeclared(t *testing.T) {
	src := NewSource("x.yaml", []byte("alpha: 0.5"))
	tree, ferr := src.Parse()
	if ferr != nil {
		t.Fatal(ferr)
	}
	r := Reader{Src: src}
	a := r.Section("", "x", tree, src.At(1, 1), []Param{{Name: "alpha", Kind: Float}})
	if got := a.Float("alpha"); got != 0.5 {
		t.Errorf("alpha is %v", got)
	}
	for what, get := range map[string]func(){
		"an undeclared name": func() { a.Float("gamma") },
		"another kind":       func() { a.Int("alpha") },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s does not panic", what)
				}
			}()
			get()
		}()
	}
}

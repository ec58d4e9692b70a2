package papers

import "testing"

// Four panels make a square.
func TestPanelsSideBySide(t *testing.T) {
	for panels, want := range map[int]int{1: 1, 2: 2, 3: 3, 4: 2, 5: 3, 6: 3} {
		if got := columnsOf(panels); got != want {
			t.Errorf("%d panels: %d side by side, want %d", panels, got, want)
		}
	}
}

package list

import (
	"slices"
	"strconv"
	"testing"
)

func TestMap(t *testing.T) {
	if got := Map([]int{3, 1, 3}, strconv.Itoa); !slices.Equal(got, []string{"3", "1", "3"}) {
		t.Errorf("got %q", got)
	}
	if got := Map([]int{}, strconv.Itoa); got != nil {
		t.Errorf("of nothing: %#v", got)
	}
}

func TestAdd(t *testing.T) {
	if got := Add([]int{3, 3}, 1, 3, 1, 2); !slices.Equal(got, []int{3, 3, 1, 2}) {
		t.Errorf("got %v", got)
	}
}

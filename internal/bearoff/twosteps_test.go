package bearoff

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"testing"
)

// TestTwoSidedResume ends the computation again and again, and goes on.
func TestTwoSidedResume(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long, and shares nothing that shorter tests do not")
	}
	const checkers = 4
	want, err := buildTwoSided(t.Context(), checkers, 1, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "two")
	stops, pairs := 0, 0
	for {
		ctx, cancel := context.WithCancel(t.Context())
		calls := 0
		pairs = 0
		got, err := buildTwoSidedInSteps(ctx, path, checkers, 2, 3000, func(n int) {
			pairs += n
			if calls++; calls == 70*(stops+1) {
				cancel()
			}
		})
		cancel()
		if err == nil {
			if !slices.Equal(got.moved, want.moved) {
				t.Error("another database")
			}
			break
		}
		if stops++; !errors.Is(err, context.Canceled) || stops > 5 {
			t.Fatal(err)
		}
	}
	n := Positions(checkers) - 1
	if stops < 2 || pairs != n*n {
		t.Errorf("%d stops, %d pairs of %d", stops, pairs, n*n)
	}
	if got, err := readTwoSided(path, checkers); err != nil || !slices.Equal(got.moved, want.moved) {
		t.Errorf("another file: %v", err)
	}
	if left, _ := filepath.Glob(path + ".*"); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

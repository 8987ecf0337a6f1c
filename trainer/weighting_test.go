package trainer

import (
	"math"
	"testing"

	"bgtrain/dataset"
	"bgtrain/internal/bg"
)

// batchOf returns a batch of one row; a negative se or trials is null in it.
func batchOf(class bg.Class, se float32, trials int32) *dataset.Batch {
	b := &dataset.Batch{Keys: make([]bg.Key, 1), Class: []bg.Class{class}}
	if se >= 0 {
		b.EquitySE = []float32{se}
	}
	if trials >= 0 {
		b.Trials = []int32{trials}
	}
	return b
}

func TestWeighting(t *testing.T) {
	w := Weighting{SE: 0.02, Trials: 100}
	w.Classes[bg.Contact], w.Classes[bg.Crashed] = 1, 0.5
	for _, c := range []struct {
		class  bg.Class
		se     float32
		trials int32
		want   float32
	}{
		{bg.Contact, -1, -1, 1},
		{bg.Contact, 0, -1, 1},
		{bg.Contact, 0.02, -1, 0.5},
		{bg.Crashed, 0.02, -1, 0.25},
		{bg.Contact, -1, 100, 0.5},
		{bg.Contact, -1, 0, 0},
		{bg.Race, 0, 1000, 0},
	} {
		if got := w.Of(batchOf(c.class, c.se, c.trials), 0); math.Abs(float64(got-c.want)) > 1e-6 {
			t.Errorf("class %v, se %v, trials %v: weight %v, want %v", c.class, c.se, c.trials, got, c.want)
		}
	}
	off := Weighting{}
	off.Classes[bg.Race] = 2
	if got := off.Of(batchOf(bg.Race, 0.5, 1), 0); got != 2 {
		t.Errorf("switched off: weight %v, want 2", got)
	}
}

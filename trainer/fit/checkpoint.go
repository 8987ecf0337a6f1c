package fit

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"time"

	"bgtrain/internal/backprop"
	"bgtrain/internal/checkpoint"
	"bgtrain/internal/cpu"
	"bgtrain/internal/identity"
	"bgtrain/internal/nn"
)

// checkpointKind names the checkpoints of this package.
const checkpointKind = "train"

// saved is the section "progress" of a checkpoint, as JSON. The others are those of
// run.slices.
type saved struct {
	Step     int64
	Progress progress
}

// identify returns what the result of the run depends on.
func (r *run) identify(start *nn.Net) identity.ID {
	id := r.s.Identity()
	id["net"] = netDigest(start)
	id["inputs"] = fmt.Sprintf("%s version %d", r.set.Name, r.set.Version)
	id["data"] = r.data.Digest()
	id[cpu.RoundingName] = r.s.Rounding()
	if r.s.Optimizer == "muon" {
		id["muon"] = fmt.Sprintf("version %d", backprop.MuonVersion)
	}
	if r.h.Score != nil {
		id["benchmark"] = r.h.ScoredBy
	} else {
		delete(id, "ScoreEvery")
	}
	return id
}

// netDigest identifies a net.
func netDigest(n *nn.Net) string {
	h := sha256.New()
	for i := range n.Layers {
		l := &n.Layers[i]
		fmt.Fprintf(h, "%d %d %v %v\n", l.In, l.Out, l.Activation, l.Beta)
		h.Write(checkpoint.AppendFloats(checkpoint.AppendFloats(nil, l.Weights), l.Bias))
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:16])
}

// slices are those of the state that a checkpoint keeps, in the stepper's layout.
func (r *run) slices() map[string][]float32 {
	st := &r.stepper.State
	all := map[string][]float32{"weights": st.Weights, "first": st.First, "second": st.Second, "average": st.Average,
		"best": r.best}
	maps.DeleteFunc(all, func(_ string, s []float32) bool { return s == nil })
	return all
}

// save writes the checkpoint, if there is to be one.
func (r *run) save() error {
	r.Seconds += time.Since(r.clock).Seconds()
	r.clock = time.Now()
	r.saved = time.Now()
	if r.h.Checkpoint == "" {
		return nil
	}
	text, err := json.Marshal(saved{Step: r.stepper.Step, Progress: r.progress})
	if err != nil {
		return fmt.Errorf("write checkpoint: %w", err)
	}
	sections := checkpoint.Sections{"progress": text}
	for name, s := range r.slices() {
		sections[name] = checkpoint.AppendFloats(nil, s)
	}
	return checkpoint.Write(r.h.Checkpoint, checkpointKind, r.identity, sections)
}

// resume goes on from the checkpoint, if there is one.
func (r *run) resume() error {
	if r.h.Checkpoint == "" {
		return nil
	}
	sections, err := checkpoint.Read(r.h.Checkpoint, checkpointKind, r.identity)
	if errors.Is(err, identity.ErrOther) {
		return fmt.Errorf("%w; remove it to start from the first step", err)
	}
	if sections == nil {
		return err
	}
	if err := r.restore(sections); err != nil {
		return fmt.Errorf("checkpoint %s: %w", r.h.Checkpoint, err)
	}
	return nil
}

// restore takes over the state that the sections hold.
func (r *run) restore(sections checkpoint.Sections) error {
	var at saved
	if err := json.Unmarshal(sections["progress"], &at); err != nil {
		return fmt.Errorf("progress: %w", err)
	}
	if p := &at.Progress; p.Best < 0 || p.Best >= len(p.Points) || at.Step < 0 || at.Step > r.steps {
		return fmt.Errorf("step %d, best net %d of %d: out of range", at.Step, p.Best, len(p.Points))
	}
	for name, s := range r.slices() {
		if err := checkpoint.ReadFloats(s, sections[name]); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	r.stepper.Step = at.Step
	r.stepper.Restored()
	r.progress, r.resumed = at.Progress, at.Step
	return nil
}

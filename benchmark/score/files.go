package score

import (
	"context"
	"fmt"

	"bgtrain/benchmark/bm"
	"bgtrain/benchmark/opponents"
	"bgtrain/internal/bearoff"
	"bgtrain/internal/bg"
	"bgtrain/internal/nets"
	"bgtrain/internal/player"
)

// Files are benchmark files that players are measured on again and again, as
// while one is trained.
type Files struct {
	files   []*bm.File
	db      *bearoff.DB
	workers int
}

// OpenFiles reads benchmark files. Their players have the default bearoff database.
func OpenFiles(ctx context.Context, names []string, workers int) (*Files, error) {
	b := &Files{workers: workers}
	if len(names) == 0 {
		return b, nil
	}
	for _, name := range names {
		f, err := bm.ReadFile(name, bm.ReadOptions{})
		if err != nil {
			return nil, err
		}
		b.files = append(b.files, f)
	}
	var err error
	b.db, err = bearoff.Open(ctx, bearoff.Options{})
	return b, err
}

// Classes says of which classes there are decisions.
func (b *Files) Classes() map[bg.Class]bool {
	out := map[bg.Class]bool{}
	for _, f := range b.files {
		if len(f.Records) > 0 {
			out[f.Class()] = true
		}
	}
	return out
}

// ER returns the error rate of a player at 0-ply on the files of a class, in
// millipoints a decision.
func (b *Files) ER(ctx context.Context, nets *nets.Set, class bg.Class) (float64, error) {
	p, err := player.New(nets, b.db, player.Options{})
	if err != nil {
		return 0, err
	}
	var total float64
	decisions := 0
	for _, f := range b.files {
		if f.Class() != class || len(f.Records) == 0 {
			continue
		}
		s, err := File(ctx, &opponents.NetPlayer{Net: p, Label: class.String()}, f, Options{Workers: b.workers})
		if err != nil {
			return 0, fmt.Errorf("score: %w", err)
		}
		sum := s.Summary()
		total += sum.Total
		decisions += sum.Decisions
	}
	if decisions == 0 {
		return 0, fmt.Errorf("score: no decisions of class %v", class)
	}
	return total / float64(decisions) * 1000, nil
}

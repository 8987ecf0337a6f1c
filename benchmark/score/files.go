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
	"bgtrain/internal/stats"
)

// Files are benchmark files that players are measured on again and again, as
// while one is trained.
type Files struct {
	files   []*bm.File
	db      *bearoff.DB
	workers int
}

// NewFiles returns the files for players with the default bearoff database.
func NewFiles(ctx context.Context, files []*bm.File, workers int) (*Files, error) {
	b := &Files{files: files, workers: workers}
	var err error
	if len(files) > 0 {
		b.db, err = bearoff.Open(ctx, bearoff.Options{})
	}
	return b, err
}

// Digests are those of the files, each with a space behind it.
func (b *Files) Digests() (text string) {
	for _, f := range b.files {
		text += f.Digest + " "
	}
	return text
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
// millipoints a decision, with its standard error.
func (b *Files) ER(ctx context.Context, nets *nets.Set, class bg.Class) (stats.Stat, error) {
	p, err := player.New(nets, b.db, player.Options{})
	if err != nil {
		return stats.Stat{}, err
	}
	var total float64
	var losses stats.Tally
	for _, f := range b.files {
		if f.Class() != class || len(f.Records) == 0 {
			continue
		}
		s, err := File(ctx, &opponents.NetPlayer{Net: p, Label: class.String()}, f, Options{Workers: b.workers})
		if err != nil {
			return stats.Stat{}, fmt.Errorf("score: %w", err)
		}
		total += s.Summary().Total
		for i := range s.Decisions {
			losses.Add(s.Decisions[i].Loss)
		}
	}
	if losses.N == 0 {
		return stats.Stat{}, fmt.Errorf("score: no decisions of class %v", class)
	}
	return stats.Stat{Mean: total / float64(losses.N) * 1000, SE: 1000 * losses.Stat().SE}, nil
}

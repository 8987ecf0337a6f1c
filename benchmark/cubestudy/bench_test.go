package cubestudy

import (
	"context"
	"fmt"
	"testing"

	"bgtrain/data"
	"bgtrain/internal/bearoff"
	"bgtrain/internal/player"
)

// BenchmarkRecord is the recording of a game by nets that ship, without a cache of
// positions and with one.
func BenchmarkRecord(b *testing.B) {
	db, err := bearoff.Open(context.Background(), bearoff.Options{})
	if err != nil {
		b.Fatal(err)
	}
	for _, name := range []string{"td", "fast"} {
		set, ok, err := data.Net(name)
		if err != nil || !ok {
			b.Fatal(ok, err)
		}
		for _, cache := range []int{0, 256} {
			b.Run(fmt.Sprintf("%s/cache=%d", name, cache), func(b *testing.B) {
				p, err := player.New(set, db, player.Options{CacheMB: cache})
				if err != nil {
					b.Fatal(err)
				}
				r := newRecorder(p, nil, Settings{Seed: 1})
				turns := 0
				for n := 0; b.Loop(); n++ {
					g, err := r.game(n)
					if err != nil {
						b.Fatal(err)
					}
					turns += len(g.Turns)
				}
				b.ReportMetric(float64(turns)/float64(b.N), "turns/game")
			})
		}
	}
}

package selfplay

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"bgtrain/data"
	"bgtrain/internal/bg"
	"bgtrain/internal/identity"
	"bgtrain/internal/player"
	"bgtrain/internal/splitmix"
	"bgtrain/trainer/td"
)

func randomPlayer(t *testing.T) *player.Player {
	t.Helper()
	return playerOf(t, 1, player.Options{CacheMB: 1})
}

// playerOf returns a player with small nets of random weights.
func playerOf(t *testing.T, seed uint64, o player.Options) *player.Player {
	t.Helper()
	s := td.Defaults()
	s.Hidden, s.Seed = []int{4}, seed
	st, err := td.New(s)
	if err != nil {
		t.Fatal(err)
	}
	p, err := player.New(st.Nets, nil, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func settings(workers int) Settings {
	s := Defaults
	s.Workers = workers
	n := 600
	if testing.Short() {
		n = 40
	}
	s.SetQuota(n, DefaultShares)
	return s
}

func generated(t *testing.T, s Settings, h Hooks) []Found {
	t.Helper()
	found, _, err := Generate(context.Background(), randomPlayer(t), s, h)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestQuotasAreFilledWithoutDuplicates(t *testing.T) {
	s := settings(2)
	s.Select = Selectors{All: true, Candidates: true, Replies: true}
	found := generated(t, s, Hooks{})
	seen := map[bg.Key]bool{}
	var count [bg.NumClasses]int
	for _, f := range found {
		if seen[f.Key] {
			t.Fatalf("%s stands twice", f.Key)
		}
		seen[f.Key] = true
		b, err := f.Key.Board()
		if err != nil {
			t.Fatal(err)
		}
		if c := bg.Classify(&b); c != f.Class {
			t.Fatalf("%s is %v, kept as %v", f.Key, c, f.Class)
		}
		count[f.Class]++
	}
	if count != s.Quota {
		t.Errorf("kept %v, wanted %v", count, s.Quota)
	}
}

// Where crashed positions alone are still wanted, games yield those that they did before but for replies to contact
// positions, and nothing else.
func TestFullClassesAreNotLookedFor(t *testing.T) {
	s := settings(1)
	s.Select = Selectors{All: true, Candidates: true, Replies: true}
	g := newGamePlayer(randomPlayer(t), &s)
	kept, less := 0, 0
	for game := range uint64(30) {
		g.open = classes{bg.Contact: true, bg.Crashed: true, bg.Race: true, bg.Bearoff: true}
		all := g.play(game, nil)
		g.open = classes{bg.Crashed: true}
		found := g.play(game, nil)
		for i, f := range all {
			switch {
			case f.Class == bg.Crashed && len(found) > 0 && found[0] == f:
				found = found[1:]
				kept++
			case f.Class == bg.Crashed && f.Source != FromReplies:
				t.Fatalf("game %d: %d, %v, is missing", game, i, f)
			default:
				less++
			}
		}
		if len(found) > 0 {
			t.Errorf("game %d: %d too many", game, len(found))
		}
	}
	if kept == 0 || less == 0 {
		t.Errorf("%d kept, %d left out", kept, less)
	}
	race := bg.Board{Me: bg.Side{0: 1}, Opp: bg.Side{0: 1}}
	if !g.open.later(&bg.Start) || g.open.later(&race) {
		t.Errorf("crashed positions later: at the start %v, in a race %v", g.open.later(&bg.Start), g.open.later(&race))
	}
}

func TestPositionsDoNotDependOnWorkers(t *testing.T) {
	want := generated(t, settings(1), Hooks{})
	for _, workers := range []int{2, 7} {
		if got := generated(t, settings(workers), Hooks{}); !slices.Equal(got, want) {
			t.Errorf("%d workers found other positions than one", workers)
		}
	}
	other := settings(1)
	other.Seed++
	if slices.Equal(generated(t, other, Hooks{}), want) {
		t.Error("another seed found the same positions")
	}
}

// Of two sides that keep their primes whatever it costs neither gives way; still, the game ends.
func TestStyledGamesEnd(t *testing.T) {
	set, err := data.OpenNet("fast")
	if err != nil {
		t.Fatal(err)
	}
	p, err := player.New(set, nil, player.Options{CacheMB: 1})
	if err != nil {
		t.Fatal(err)
	}
	s := settings(1)
	s.Diversity = 1
	g := newGamePlayer(p, &s)
	decisions := 0
	g.visit = func(*Decision) {
		if decisions++; decisions > longest {
			t.Fatalf("%d decisions", decisions)
		}
	}
	const endless = 5108 // the first that went on for ever
	g.play(endless, nil)
	if decisions < styledPlies {
		t.Errorf("%d decisions: not the game that is meant", decisions)
	}
}

func TestExcludedPositionsAreLeftOut(t *testing.T) {
	first := generated(t, settings(2), Hooks{})
	known := map[bg.Key]bool{}
	for _, f := range first {
		known[f.Key] = true
	}
	for _, f := range generated(t, settings(2), Hooks{Exclude: func(k bg.Key) bool { return known[k] }}) {
		if known[f.Key] {
			t.Fatalf("%s is excluded", f.Key)
		}
	}
}

func TestDisagreementsAreKeptInPairs(t *testing.T) {
	s := settings(1)
	s.Select, s.Margin = Selectors{Disagree: true}, 0.01
	filters, err := player.ParseFilters("3/1") // few plays go on to 2-ply, which takes time
	if err != nil {
		t.Fatal(err)
	}
	g := newGamePlayer(playerOf(t, 1, player.Options{CacheMB: 1, Filters: filters}), &s)
	pairs, wanted := 0, 2
	if testing.Short() {
		wanted = 1
	}
	for _, roll := range bg.Rolls {
		if roll.Hi == roll.Lo || pairs == wanted {
			continue
		}
		zero, _ := g.ev.BestPlay(&bg.Start, roll.Hi, roll.Lo, 0)
		two, _ := g.ev.BestPlay(&bg.Start, roll.Hi, roll.Lo, 2)
		found := g.disagreement(&bg.Start, roll.Hi, roll.Lo, zero, nil)
		switch {
		case len(found) == 0: // the same play, or too close
		case len(found) != 2 || zero == two || found[0].Key != zero.Key() || found[1].Key != two.Key():
			t.Fatalf("%d%d: %v found, 0-ply plays %s and 2-ply %s", roll.Hi, roll.Lo, found, zero.Key(), two.Key())
		default:
			pairs++
		}
	}
	if pairs == 0 {
		t.Error("a random net's 0-ply and 2-ply never disagreed on an opening roll")
	}
}

// Of a decision, the replies are the best ones, to one roll, to its candidates in their order.
func TestRepliesAreBestOnes(t *testing.T) {
	s := settings(1)
	s.Select, s.Margin = Selectors{Candidates: true, Replies: true}, 10
	g := newGamePlayer(playerOf(t, 1, player.Options{CacheMB: 1}), &s)
	var plays bg.Plays
	results := plays.Generate(&bg.Start, 3, 1)
	outs := make([]bg.Outputs, len(results))
	g.ev.EvaluateBatch(results, outs)
	for seed := range uint64(20) {
		found := g.candidates(results, outs, splitmix.Rand(seed, 1), nil)
		candidates, replies := found[:5], found[5:]
		if len(replies) != 5 {
			t.Fatalf("%d replies to 5 plays", len(replies))
		}
		fits := func(roll bg.Roll) bool {
			for i := range candidates {
				b, err := candidates[i].Key.Board()
				if err != nil || candidates[i].Source != FromCandidates || replies[i].Source != FromReplies {
					t.Fatalf("%v, %v: %v", candidates[i], replies[i], err)
				}
				if best, _ := g.ev.BestPlay(&b, roll.Hi, roll.Lo, 0); best.Key() != replies[i].Key {
					return false
				}
			}
			return true
		}
		if !slices.ContainsFunc(bg.Rolls[:], fits) {
			t.Errorf("seed %d: no roll has %v as best replies to %v", seed, replies, candidates)
		}
	}
}

func TestDifferingPositionsDiffer(t *testing.T) {
	p, rival := randomPlayer(t), playerOf(t, 2, player.Options{})
	s := settings(2)
	s.Select, s.Margin, s.Rivals = Selectors{Differ: true}, 0.02, []*player.Player{rival}
	apart := func(k bg.Key) float32 {
		b, err := k.Board()
		if err != nil {
			t.Fatal(err)
		}
		mine, theirs := p.NewEvaluator().Evaluate(&b, 0), rival.NewEvaluator().Evaluate(&b, 0)
		return max(mine.Equity()-theirs.Equity(), theirs.Equity()-mine.Equity())
	}
	found, _, err := Generate(context.Background(), p, s, Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		if f.Source != FromDiffer || apart(f.Key) <= s.Margin {
			t.Errorf("%s, %v: %g apart", f.Key, f.Source, apart(f.Key))
		}
	}
	// Some that occur are nearer: the selector has left them out.
	near := 0
	s.Select, s.Rivals = Selectors{All: true}, nil
	all, _, err := Generate(context.Background(), p, s, Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range all {
		if apart(f.Key) <= s.Margin {
			near++
		}
	}
	if near == 0 {
		t.Error("all positions are far apart: this tells nothing")
	}
	s.Select = Selectors{Differ: true}
	if _, _, err := Generate(context.Background(), p, s, Hooks{}); err == nil {
		t.Error("differ without rivals: no error")
	}
}

func TestJournalGoesOn(t *testing.T) {
	s := settings(2)
	want := generated(t, s, Hooks{})
	path := filepath.Join(t.TempDir(), "positions.journal")
	open := func() *Journal {
		t.Helper()
		j, err := OpenJournal(path, identity.ID{"run": "test"})
		if err != nil {
			t.Fatal(err)
		}
		return j
	}
	// Stopped after every round and begun again, with the last record cut off in
	// the middle as by a crash.
	for round := 0; ; round++ {
		j := open()
		ctx, stop := context.WithCancel(context.Background())
		got, _, err := Generate(ctx, randomPlayer(t), s, Hooks{Journal: j, Progress: func(int, int) { stop() }})
		stop()
		if closing := j.Close(); closing != nil {
			t.Fatal(closing)
		}
		if err == nil {
			if !slices.Equal(got, want) {
				t.Error("an interrupted run found other positions than an undisturbed one")
			}
			break
		}
		if !errors.Is(err, context.Canceled) || round > 100 {
			t.Fatalf("round %d: %v", round, err)
		}
		if round == 1 {
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.Truncate(path, info.Size()-3); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := OpenJournal(path, identity.ID{"run": "another"}); !errors.Is(err, identity.ErrOther) {
		t.Errorf("the journal of another run: %v", err)
	}
	if err := open().Remove(); err != nil {
		t.Fatal(err)
	}
}

func TestSettingsAreChecked(t *testing.T) {
	for name, change := range map[string]func(*Settings){
		"no quota":   func(s *Settings) { s.Quota = [bg.NumClasses]int{} },
		"over":       func(s *Settings) { s.Quota[bg.Over] = 1 },
		"nothing":    func(s *Settings) { s.Select = Selectors{} },
		"diversity":  func(s *Settings) { s.Diversity = 1.5 },
		"no density": func(s *Settings) { s.Density = 0 },
	} {
		s := settings(1)
		change(&s)
		if err := s.Check(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func FuzzJournal(f *testing.F) {
	key := bg.Start.Key().String()
	for _, seed := range []string{"64", "64 " + key + " 5 0", "64 " + key + " 5 0 " + key + " 9 9", "0 x 1 1", "-1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, record string) {
		j := &Journal{}
		if err := j.replay(record); err != nil {
			return
		}
		for _, f := range j.found {
			if f.Source >= numSources || f.Class >= bg.NumClasses {
				t.Errorf("%q gives %+v", record, f)
			}
		}
	})
}

package makebm

import (
	"context"
	"errors"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"bgtrain/benchmark/bm"
	"bgtrain/internal/bg"
	"bgtrain/internal/identity"
	"bgtrain/internal/player"
	"bgtrain/rollout"
	"bgtrain/rollout/job"
	"bgtrain/rollout/selfplay"
	"bgtrain/trainer/td"
)

func randomPlayer(t testing.TB) *player.Player {
	t.Helper()
	s := td.Defaults()
	s.Hidden = []int{4}
	st, err := td.New(s)
	if err != nil {
		t.Fatal(err)
	}
	p, err := player.New(st.Nets, nil, player.Options{CacheMB: 1})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func newEngine(t testing.TB, p *player.Player, change func(*rollout.Options)) *rollout.Engine {
	t.Helper()
	o := rollout.DefaultOptions()
	o.Trials, o.Truncate, o.Luck, o.Seed = 12, 2, rollout.LuckNone, 5
	if change != nil {
		change(&o)
	}
	e, err := rollout.NewEngine(p, o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// rollouts rolls candidates out with an engine, a decision at a time.
func rollouts(e *rollout.Engine, workers int) Rollouts {
	const group = maxCandidates
	j := &job.Job{Engine: e, New: func() job.Work { return e.NewCompareWork(group) }, Block: group}
	j.Settings = job.Settings{Kind: job.Compare, Group: group, Rollout: e.Options()}
	j.ID = j.Settings.Identity()
	return Rollouts{Job: j, Runner: job.Local{Workers: workers}, Chunk: 1}
}

// small are settings that a test can afford: candidates by 0-ply.
func small(workers int) Settings {
	s := Defaults
	s.Ply, s.Margin, s.Workers = 0, 0.3, workers
	s.SetQuota(11, Classes)
	return s
}

// smaller are those of a short test.
func smaller(workers int) Settings {
	s := small(workers)
	s.SetQuota(3, Classes)
	return s
}

func openJournal(t testing.TB, path string) *Journal {
	t.Helper()
	j, err := OpenJournal(path, identity.ID{"run": "test"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// made makes a benchmark in one go.
func made(t *testing.T, s Settings, h Hooks) ([]bm.Record, Report) {
	t.Helper()
	h.Journal = openJournal(t, filepath.Join(t.TempDir(), "journal"))
	p := randomPlayer(t)
	records, report, err := Make(context.Background(), p, rollouts(newEngine(t, p, nil), s.Workers), s, h)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Journal.Remove(); err != nil {
		t.Fatal(err)
	}
	return records, report
}

func TestRecordsDoNotDependOnWorkers(t *testing.T) {
	small, n, numbers := small, 11, []int{2, 7}
	classes := map[string]int{"contact": 4, "crashed": 4, "race": 3}
	if testing.Short() {
		small, n, numbers = smaller, 3, []int{3}
		classes = map[string]int{"contact": 1, "crashed": 1, "race": 1}
	}
	want, report := made(t, small(1), Hooks{})
	if len(want) != n || report.Decisions != n || !maps.Equal(report.Classes, classes) {
		t.Errorf("%d records, by class %v", len(want), report.Classes)
	}
	for _, workers := range numbers {
		if got, r := made(t, small(workers), Hooks{}); !reflect.DeepEqual(got, want) || !reflect.DeepEqual(r, report) {
			t.Errorf("%d workers made another file than one", workers)
		}
	}
	other := small(1)
	other.Seed++
	if got, _ := made(t, other, Hooks{}); reflect.DeepEqual(got, want) {
		t.Error("another seed made the same file")
	}
}

func TestFileReadsBackAndIsValid(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long, and shares nothing that shorter tests do not")
	}
	records, _ := made(t, small(2), Hooks{})
	path := filepath.Join(t.TempDir(), "mixed.bm")
	if err := writeRecords(path, records); err != nil {
		t.Fatal(err)
	}
	f, err := bm.ReadFile(path, bm.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if v := bm.Validate(f); v.Counts != [bm.NumProblems]int{} {
		t.Errorf("problems %v, first %v", v.Counts, v.First)
	}
	if len(f.Records) != len(records) || len(f.Loose) != 0 || !f.Checked {
		t.Fatalf("%d records read, %d #R lines for nothing", len(f.Records), len(f.Loose))
	}
	for i := range f.Records {
		r := &f.Records[i]
		if len(r.Candidates) < 2 || r.Seed != 5 || r.Key != records[i].Key || r.Dice != records[i].Dice {
			t.Errorf("record %d: %+v", i, r)
		}
		for k := range r.Candidates {
			c := &r.Candidates[k]
			if !c.RolledOut || math.Abs(c.Loss-records[i].Candidates[k].Loss) > 1e-6 {
				t.Errorf("record %d: %+v, was %+v", i, *c, records[i].Candidates[k])
			}
			// The mover's equity is what the opponent's outputs leave.
			left := equity(&c.Outputs)
			if mine := r.BestEquity - c.Loss; math.Abs(mine+left) > 1e-5 {
				t.Errorf("record %d: candidate worth %v to the mover, %v to the opponent", i, mine, left)
			}
		}
	}
}

// board makes a position; checkers by point from 1, each from the owner's side.
func board(me, opp map[int]uint8) bg.Board {
	var b bg.Board
	for p, n := range me {
		b.Me[p-1] = n
	}
	for p, n := range opp {
		b.Opp[p-1] = n
	}
	return b
}

// TestSides rolls out decisions whose best play anyone sees: with the sides
// mixed up anywhere, it comes out worst.
func TestSides(t *testing.T) {
	for _, c := range []struct {
		name string
		b    bg.Board
		dice [2]int
		best bg.Board // from the mover's side, the mover on roll
		eq   float64
		lose float64 // of the worst candidate
	}{
		{
			"bear both off before the opponent does",
			board(map[int]uint8{5: 1, 2: 1}, map[int]uint8{1: 1}), [2]int{5, 2},
			board(nil, map[int]uint8{1: 1}), 1, 2,
		},
		{
			"bear one off, or be gammoned",
			board(map[int]uint8{1: 13, 6: 1, 7: 1}, map[int]uint8{1: 1}), [2]int{1, 2},
			board(map[int]uint8{1: 12, 5: 1, 6: 1}, map[int]uint8{1: 1}), -1, 1,
		},
	} {
		p := randomPlayer(t)
		s := small(1)
		s.Margin = 10
		f := newFinder(p, &s)
		var plays bg.Plays
		results := plays.Generate(&c.b, c.dice[0], c.dice[1])
		outs := make([]bg.Outputs, len(results))
		f.ev.EvaluateBatch(results, outs)
		if !f.near(&selfplay.Decision{Board: c.b, Dice: c.dice, Results: results, Outputs: outs}) {
			t.Fatalf("%s: no decision", c.name)
		}
		d := decision{c.b.Key(), c.dice, f.candidates(f.plays)}
		roller := newEngine(t, p, func(o *rollout.Options) { o.Truncate = 0 }).NewRoller()
		var rolled []bg.Outputs
		for _, k := range d.Candidates {
			b, err := k.Board()
			if err != nil {
				t.Fatal(err)
			}
			r, err := roller.Rollout(context.Background(), &b)
			if err != nil {
				t.Fatal(err)
			}
			rolled = append(rolled, r.Outputs)
		}
		r := record(&d, rolled, 5)
		best := c.best.Swapped()
		last := r.Candidates[len(r.Candidates)-1]
		if r.Candidates[0].Key != best.Key() || r.BestEquity != c.eq || last.Loss != c.lose {
			t.Errorf("%s: %s worth %v before %s, which loses %v", c.name, r.Candidates[0].Key, r.BestEquity, last.Key,
				last.Loss)
		}
	}
}

func TestCandidates(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long, and shares nothing that shorter tests do not")
	}
	p := randomPlayer(t)
	s := small(1)
	s.Ply, s.Margin, s.Candidates, s.Spread = 1, 0.02, 3, 0
	f := newFinder(p, &s)
	games := 0
	for number := uint64(0); games < 10; number++ {
		f.games.Visit(number, func(d *selfplay.Decision) {
			if games >= 10 || d.Board == bg.Start || !f.near(d) {
				return
			}
			games++
			zero := d.Results[player.Best(d.Outputs)]
			if f.plays[0].result != zero {
				t.Fatalf("%s %v: 0-ply plays %s, first is %s", d.Board.Key(), d.Dice, zero.Key(),
					f.plays[0].result.Key())
			}
			in := len(f.plays)
			keys := f.candidates(f.plays)
			if len(keys) < 2 && in > 1 && keys != nil || len(keys) > 3 {
				t.Fatalf("%d candidates of %d plays", len(keys), in)
			}
			found := keys == nil
			for i, k := range keys {
				found = found || k == zero.Key()
				b, err := k.Board()
				if err != nil {
					t.Fatal(err)
				}
				eq := func(b *bg.Board) float32 { o := f.ev.Evaluate(b, 1); return -o.Equity() }
				if best, err := keys[0].Board(); err != nil || eq(&b) < eq(&best)-0.02-1e-6 && k != zero.Key() {
					t.Errorf("candidate %d is worth %v, the best %v (%v)", i, eq(&b), eq(&best), err)
				}
			}
			if !found {
				t.Errorf("0-ply's choice is not among the candidates")
			}
		})
	}
}

func TestExcludedDecisionsAreLeftOut(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long, and shares nothing that shorter tests do not")
	}
	first, _ := made(t, small(2), Hooks{})
	// One record by its position, one by a candidate.
	known := map[bg.Key]bool{first[0].Key: true, first[1].Candidates[1].Key: true}
	records, _ := made(t, small(2), Hooks{Exclude: func(k bg.Key) bool { return known[k] }})
	for i := range records {
		if known[records[i].Key] || records[i].Find(first[1].Candidates[1].Key) != nil {
			t.Errorf("record %d holds an excluded position", i)
		}
	}
}

// TestGoesOn stops a run again and again, cuts the journal off as a crash does,
// and compares with an undisturbed run.
func TestGoesOn(t *testing.T) {
	least, small := 5, small
	if testing.Short() {
		least, small = 2, smaller
	}
	want, wantReport := made(t, small(2), Hooks{})
	path := filepath.Join(t.TempDir(), "journal")
	p := randomPlayer(t)
	engine := newEngine(t, p, nil)
	for round := 0; ; round++ {
		j := openJournal(t, path)
		ctx, stop := context.WithCancel(context.Background())
		calls := 0
		got, report, err := Make(ctx, p, rollouts(engine, 1+round%3), small(1+round%3),
			Hooks{Journal: j, Progress: func(Stage, int, int) {
				if calls++; calls > 2 {
					stop()
				}
			}})
		stop()
		if closing := j.Close(); closing != nil {
			t.Fatal(closing)
		}
		if err == nil {
			if round < least {
				t.Errorf("done after %d interruptions: this tests nothing", round)
			}
			if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(report, wantReport) {
				t.Error("an interrupted run made another file than an undisturbed one")
			}
			break
		}
		if !errors.Is(err, context.Canceled) || round > 200 {
			t.Fatalf("round %d: %v", round, err)
		}
		if round%2 == 1 {
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.Truncate(path, max(0, info.Size()-int64(7*round%90))); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := OpenJournal(path, identity.ID{"run": "another"}, nil); !errors.Is(err, identity.ErrOther) {
		t.Errorf("the journal of another run: %v", err)
	}
}

func TestSettingsAreChecked(t *testing.T) {
	for name, change := range map[string]func(*Settings){
		"nothing wanted":  func(s *Settings) { s.Quota = [bg.NumClasses]int{} },
		"bearoff":         func(s *Settings) { s.Quota[bg.Bearoff] = 1 },
		"one candidate":   func(s *Settings) { s.Candidates = 1 },
		"many candidates": func(s *Settings) { s.Candidates = 17 },
		"4-ply":           func(s *Settings) { s.Ply = 4 },
		"no margin":       func(s *Settings) { s.Margin = 0 },
		"margin NaN":      func(s *Settings) { s.Margin = float32(math.NaN()) },
		"spread":          func(s *Settings) { s.Spread = 1 },
		"diversity":       func(s *Settings) { s.Diversity = 1.5 },
	} {
		s := small(1)
		change(&s)
		if err := s.Check(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if s := small(1); s.Check() != nil {
		t.Error(s.Check())
	}
}

func TestDecisionsByTheme(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long, and shares nothing that shorter tests do not")
	}
	s := small(2)
	s.SetThemes(7, []bg.Theme{bg.Containments, bg.OtherThemes, bg.DeepBoards})
	records, report := made(t, s, Hooks{})
	count := map[string]int{}
	for i := range records {
		b, err := records[i].Key.Board()
		if err != nil {
			t.Fatal(err)
		}
		if c := bg.Classify(&b); c != bg.Contact && c != bg.Crashed {
			t.Errorf("record %d: a position of class %v", i, c)
		}
		theme, _ := bg.ThemeOf(&b)
		count[theme.String()]++
	}
	want := map[string]int{bg.Containments.String(): 3, bg.OtherThemes.String(): 2, bg.DeepBoards.String(): 2}
	if !maps.Equal(count, want) || !maps.Equal(report.Themes, want) {
		t.Errorf("decisions by theme %v, reported %v; want %v", count, report.Themes, want)
	}
	if got := report.Classes["contact"] + report.Classes["crashed"]; got != 7 {
		t.Errorf("%d decisions by class, want 7", got)
	}
	s.Quota[bg.Race] = 1
	if err := s.Check(); err == nil {
		t.Error("decisions by class and by theme at once are accepted")
	}
}

// writeRecords writes a benchmark file of the records.
func writeRecords(path string, records []bm.Record) error {
	return bm.WriteFile(path, func(bw *bm.Writer) error {
		bw.Settings("test")
		for i := range records {
			bw.Record(&records[i])
		}
		return nil
	})
}

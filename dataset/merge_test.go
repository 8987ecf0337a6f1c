package dataset

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bgtrain/internal/bg"
)

// validRow returns a row that passes CheckRow.
func validRow(rng *rand.Rand) Row {
	for {
		if r := randomRow(rng); CheckRow(&r) == nil {
			return r
		}
	}
}

func TestMergeKeepsTheBest(t *testing.T) {
	t.Parallel()
	base := Row{Key: bg.Start.Key(), Class: bg.Contact}
	with := func(method string, se float32) Row {
		r := base
		r.HasOutputs, r.Outputs, r.Method = true, bg.Outputs{0.5}, method
		if se >= 0 {
			r.HasSE, r.EquitySE = true, se
		}
		return r
	}
	// From the best to the worst.
	ranks := []Row{
		with("exact bearoff", -1),
		with("rollout trials=1296", 0.001),
		with("rollout trials=36", 0.02),
		with("eval ply=2", -1),
		with("eval ply=0", -1),
		with("eval", -1),
		with("import gnubg", -1),
		base,
	}
	dir := t.TempDir()
	for i := range ranks {
		for j := max(i-1, 0); j < min(i+2, len(ranks)); j++ {
			a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
			first, second := ranks[i], ranks[j]
			first.Source, second.Source = "a", "b"
			writeDB(t, a, []Row{first}, Options{})
			writeDB(t, b, []Row{second}, Options{})
			out := filepath.Join(dir, "out")
			report, err := Merge(context.Background(), openAll(t, a, b), out, MergeOptions{})
			if err != nil || report.Rows != 1 || report.Dropped != 1 {
				t.Fatalf("%+v, %v", report, err)
			}
			want := first
			if j < i {
				want = second
			}
			sameRows(t, readDB(t, out, Filter{}), []Row{want})
		}
	}
}

// TestMergeAgainstMap compares with the same thing done by a map in memory.
func TestMergeAgainstMap(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	dir := t.TempDir()
	var pool []bg.Key
	for range 3000 {
		r := validRow(rng)
		pool = append(pool, r.Key)
	}
	var all []Row
	var paths []string
	for p := range 3 {
		var rows []Row
		for range 2000 {
			r := validRow(rng)
			r.Key = pool[rng.IntN(len(pool))]
			b, err := r.Key.Board()
			if err != nil {
				t.Fatal(err)
			}
			r.Class = ClassOf(&b)
			if CheckRow(&r) != nil {
				r = Row{Key: r.Key, Class: r.Class}
			}
			rows = append(rows, r)
		}
		path := filepath.Join(dir, fmt.Sprint(p))
		if p == 1 {
			path += "/"
		}
		writeDB(t, path, rows, Options{})
		paths = append(paths, path)
		all = append(all, rows...)
	}
	ranks := methodRanks{}
	best := map[bg.Key]int{}
	for i := range all {
		j, ok := best[all[i].Key]
		if !ok || ranks.of(&all[i]) < ranks.of(&all[j]) {
			best[all[i].Key] = i
		}
	}
	var want []Row
	for i := range all {
		if best[all[i].Key] == i {
			want = append(want, all[i])
		}
	}
	out := paths[0] // over one of the inputs
	report, err := Merge(context.Background(), openAll(t, paths...), out, MergeOptions{})
	if err != nil || report.Rows != int64(len(want)) || report.Dropped != int64(len(all)-len(want)) {
		t.Fatalf("%+v, %v; want %d rows", report, err, len(want))
	}
	sameRows(t, readDB(t, out, Filter{}), want)
}

func TestMergeRefusesBadRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	rows := []Row{validRow(rng), validRow(rng), validRow(rng)}
	rows[1].HasOutputs, rows[1].Outputs = true, bg.Outputs{1.5}
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in"), filepath.Join(dir, "out")
	writeDB(t, in, rows, Options{})
	_, err := Merge(context.Background(), openAll(t, in), out, MergeOptions{})
	var bad *BadRowsError
	if !errors.As(err, &bad) || !strings.HasPrefix(err.Error(), "merge "+in+": row 2: win is 1.5, not within 0 to 1") {
		t.Errorf("error %v", err)
	}
	if left, _ := filepath.Glob(out + "*"); len(left) != 0 {
		t.Errorf("left %v", left)
	}
	report, err := Merge(context.Background(), openAll(t, in), out, MergeOptions{SkipBad: true})
	if err != nil || report.Bad[BadProbability] != 1 {
		t.Errorf("%+v, %v", report, err)
	}
	sameRows(t, readDB(t, out, Filter{}), slices.Delete(rows, 1, 2))
}

func TestValidate(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	row := validRow(rng)
	board := bg.Start
	over := Row{Key: (&bg.Board{Opp: bg.Side{3: 2}}).Key(), Class: bg.Race}
	wrongClass := Row{Key: board.Key(), Class: bg.Race}
	badSE := validRow(rng)
	badSE.HasSE, badSE.EquitySE = true, -1
	noTrials := validRow(rng)
	noTrials.HasTrials, noTrials.Trials = true, 0
	badKey := Row{Key: bg.Key{0xFF, 0xFF, 0xFF}, Class: bg.Race}
	rows := []Row{row, over, wrongClass, badSE, noTrials, badKey, row, row, row, row}
	path := filepath.Join(t.TempDir(), "db")
	writeDB(t, path, rows, Options{})
	v, err := Validate(context.Background(), openAll(t, path)[0])
	if err != nil {
		t.Fatal(err)
	}
	if got, want := v.Bad.String(), "key 1, over 1, class 1, error 2, duplicate 4"; got != want ||
		v.Rows != int64(len(rows)) {
		t.Errorf("%d rows, bad %s, want %s", v.Rows, got, want)
	}
	if want := 1 + 1 + 1 + 2 + examplesPerKind; len(v.Examples) != want ||
		!strings.Contains(v.Examples[0], path+": row 2: position ") {
		t.Errorf("examples %q", v.Examples)
	}
}

func TestDescribe(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	rows := make([]Row, 1000)
	var contact, trials int64
	var equity float64
	for i := range rows {
		rows[i] = validRow(rng)
		if r := &rows[i]; r.Class == bg.Crashed {
			contact++
			if r.HasOutputs {
				trials++
				equity += float64(r.Outputs.Equity())
			}
		}
	}
	path := filepath.Join(t.TempDir(), "db")
	writeDB(t, path, rows, Options{Meta: Meta{Command: "bgtrain x", Seed: "5", Extra: map[string]string{"ply": "2"}}})
	db, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	info, err := Describe(context.Background(), db)
	if err != nil {
		t.Fatal(err)
	}
	c := info.Classes[1]
	if c.Class != "crashed" || c.Rows != contact || c.WithOutputs != trials || info.Rows != 1000 || !info.Digested {
		t.Errorf("info %+v", info)
	}
	if d := c.MeanEquity - equity/float64(trials); d > 1e-9 || d < -1e-9 {
		t.Errorf("mean equity %v, want %v", c.MeanEquity, equity/float64(trials))
	}
	var sum int64
	for _, v := range info.Sources {
		sum += v.Rows
	}
	if sum != 1000 || len(info.Sources) != 3 {
		t.Errorf("sources %+v", info.Sources)
	}
	var text strings.Builder
	if err := info.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"positions         1000", "bgtrain x", "digests           all row groups agree",
		"crashed", "eval ply=2", "(null)", "ply               2"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
}

// openAll opens databases.
func openAll(t *testing.T, paths ...string) (dbs []*DB) {
	t.Helper()
	for _, path := range paths {
		db, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		dbs = append(dbs, db)
	}
	return dbs
}

package grow

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
	"bgtrain/internal/nets"
	"bgtrain/internal/player"
	"bgtrain/rollout/label"
)

// tiny is a recipe that takes seconds.
const tiny = `nets: {hidden: [6]}
start: {games: 250, max-plies: 100}
prune: {n: 300, epochs: 1, validation: 0.3}
cube: {games: 8, hidden: 2, rounds: 1, pairs: 100}
measure: {positions: 40, trials: 0, decisions: 6, decision-trials: 36, games: 8}
rounds:
  - positions: {n: 120, themes: [containment=0.1]}
    labels: {truncate: 3, whole: 2, whole-themes: [containment]}
    training: {epochs: 1, rows: 1, validation: 0.3}
    races: {epochs: 1, rows: 1, validation: 0.3}
  - labels: {lambda: 0.8}
    training: {renew: 2, epochs: 2}
    races: {renew: 1}
`

// grown grows a recipe and returns the log and the bytes of the best player.
func grown(t *testing.T, text string, o Options) (*Log, []byte) {
	t.Helper()
	log, err := Run(t.Context(), parse(t, text), o)
	if err != nil {
		t.Fatal(err)
	}
	best, err := os.ReadFile(filepath.Join(o.Dir, BestFile))
	if err != nil {
		t.Fatal(err)
	}
	return log, best
}

// readLife returns the nets of the cube that a run made, without what they come from.
func readLife(t *testing.T, dir string) []byte {
	t.Helper()
	f, err := os.ReadFile(filepath.Join(dir, CubeFile))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// A plan knows that games come to some themes much more rarely than to others.
func TestPlanOfThemes(t *testing.T) {
	r := parse(t, "nets: {hidden: [6]}\nstart: {games: 100}\nmeasure: {trials: 0}\n"+
		"rounds:\n  - positions: {n: 1000, themes: [prime against prime=1, containment=1]}\n")
	plan, err := Plan(t.Context(), r, Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	seconds := map[string]float64{}
	for _, p := range plan {
		if s := p.Stage; s.Kind == KindPositions && s.theme != nil {
			seconds[s.theme.String()] = p.Seconds / float64(s.Total)
		} else if s.Kind == KindPositions {
			seconds["all"] = p.Seconds / float64(s.Total)
		}
	}
	rare, common := seconds["prime against prime"], seconds["containment"]
	if rare < 3*seconds["all"] || rare < 2*common || common == 0 {
		t.Errorf("seconds a position: %v", seconds)
	}
}

// made counts the stages that a run makes.
func made(names *[]string) Hooks {
	return Hooks{Stage: func(s *Stage) { *names = append(*names, s.Label()) }}
}

func TestRun(t *testing.T) {
	dir := t.TempDir()
	plan, err := Plan(t.Context(), parse(t, tiny), Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	var planned, first []string
	for _, p := range plan {
		planned = append(planned, p.Stage.Label())
		if p.Seconds <= 0 || p.Made || !strings.HasPrefix(p.Stage.Command, "bgtrain ") {
			t.Errorf("%s: %+v", p.Stage.Label(), p)
		}
	}
	log, best := grown(t, tiny, Options{Dir: dir, Workers: 1, Hooks: made(&first)})
	if !slices.Equal(planned[:9], first[:9]) {
		t.Errorf("planned %q\nmade %q", planned, first)
	}
	if len(log.Rounds) != 2 || log.Rounds[1].Rows == 0 || log.Rounds[1].ERSE == 0 || log.Rounds[0].Against != "start" ||
		log.Rounds[1].Seconds <= log.Rounds[0].Seconds {
		t.Errorf("%+v", log.Rounds)
	}
	read, err := ReadLog(dir)
	if err != nil || len(read.Rounds) != 2 || len(read.Decisions) != len(log.Decisions) ||
		read.Rounds[1].Net != log.Rounds[1].Net {
		t.Errorf("read %+v, %v", read, err)
	}
	picture, err := os.ReadFile(filepath.Join(dir, PlotFile))
	if err != nil || xml.Unmarshal(picture, new(struct{ XMLName xml.Name })) != nil {
		t.Errorf("picture: %v", err)
	}
	life := readLife(t, dir)
	if m, err := cube.ParseModel("learned=" + filepath.Join(dir, CubeFile)); err != nil || !cube.UsesPosition(m) {
		t.Errorf("nets of the cube: %v", err)
	}
	t.Run("again", func(t *testing.T) {
		var again []string
		if _, b := grown(t, tiny, Options{Dir: dir, Workers: 3, Hooks: made(&again)}); !bytes.Equal(b, best) || again != nil {
			t.Errorf("made again: %q", again)
		}
	})
	t.Run("workers and decided recipe", func(t *testing.T) {
		text, err := os.ReadFile(filepath.Join(dir, RecipeFile))
		if err != nil {
			t.Fatal(err)
		}
		other := t.TempDir()
		_, b := grown(t, string(text), Options{Dir: other, Workers: 3})
		if !bytes.Equal(b, best) {
			t.Error("another player")
		}
		if !bytes.Equal(readLife(t, other), life) {
			t.Error("other nets of the cube")
		}
		sameStages(t, dir, other)
	})
	t.Run("another cube", func(t *testing.T) {
		var again []string
		grown(t, strings.Replace(tiny, "hidden: 2,", "hidden: 3,", 1), Options{Dir: dir, Hooks: made(&again)})
		if got := strings.Join(again, "; "); got != "cube" || bytes.Equal(readLife(t, dir), life) {
			t.Errorf("made: %s", got)
		}
	})
	t.Run("a later round changed", func(t *testing.T) {
		var again []string
		grown(t, strings.Replace(tiny, "epochs: 2}", "epochs: 3}", 1), Options{Dir: dir, Hooks: made(&again)})
		if got := strings.Join(again, "; "); got != "round 2, train; "+
			"round 2, renew; round 2, renew; round 2, train; round 2, renew; round 2, train; round 2, measure; games; cube" {
			t.Errorf("made: %s", got)
		}
	})
	if testing.Short() {
		return // for other kernels, to which the rest is the same
	}
	t.Run("other nets from random weights", func(t *testing.T) {
		deep := strings.Replace(tiny, "epochs: 2}",
			"epochs: 2, random: true, hidden: [7, 5], activation: relu, precision: bf16}", 1)
		log, _ := grown(t, deep, Options{Dir: dir})
		set, err := nets.Read(filepath.Join(dir, log.Rounds[1].Net))
		if err != nil {
			t.Fatal(err)
		}
		for role, layers := range map[nets.Role]int{nets.Contact: 3, nets.Crashed: 3, nets.Race: 2} {
			if n := set.Nets[role].Net; len(n.Layers) != layers {
				t.Errorf("%s: %d layers", role, len(n.Layers))
			}
		}
		plan, err := Plan(t.Context(), parse(t, deep+"  - {repeat: 25}\n"), Options{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		last := 0
		for _, p := range plan {
			last = max(last, p.Stage.Round)
		}
		if last != 27 {
			t.Errorf("%d rounds of 27 are planned", last)
		}
		for _, p := range plan {
			if s := p.Stage; s.Kind == KindLabels && s.Round == 3 && s.Total > 10 && s.shape.hidden != "7,5" {
				t.Errorf("%s is planned with %+v", s.Label(), s.shape)
			}
		}
	})
	t.Run("little disk", func(t *testing.T) {
		_, b := grown(t, tiny, Options{Dir: dir, Disk: 1})
		left, err := filepath.Glob(filepath.Join(dir, "stages", "labels-*", "*.parquet"))
		if err != nil || !bytes.Equal(b, best) {
			t.Fatal("another player", err)
		}
		var again []string
		if _, b := grown(t, tiny, Options{Dir: dir, Hooks: made(&again)}); !bytes.Equal(b, best) || again != nil {
			t.Errorf("%d databases left; made again: %q", len(left), again)
		}
		if len(left) != 4 { // of round 2: the pruning nets of another round would learn from them
			t.Errorf("left: %q", left)
		}
		grown(t, strings.Replace(tiny, "races: {epochs: 1", "races: {epochs: 2", 1), Options{Dir: dir, Hooks: made(&again)})
		if again := strings.Join(again, "; "); !strings.HasPrefix(again, "round 1, positions; round 1, labels; round 1, train; ") ||
			!strings.HasSuffix(again, "round 2, measure; games; cube") {
			t.Errorf("made: %s", again)
		}
	})
}

// sameStages fails unless two runs have the same bytes in their databases, nets and
// decisions.
func sameStages(t *testing.T, dir, other string) {
	t.Helper()
	files := 0
	for _, pattern := range []string{"*.parquet", "net.safetensors", "*.bm"} {
		names, err := filepath.Glob(filepath.Join(dir, "stages", "*", pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			rel, _ := filepath.Rel(dir, name)
			a, err1 := os.ReadFile(name)
			b, err2 := os.ReadFile(filepath.Join(other, rel))
			if err1 != nil || err2 != nil || !bytes.Equal(a, b) {
				t.Errorf("%s differs: %v, %v", rel, err1, err2)
			}
			files++
		}
	}
	if files < 10 {
		t.Errorf("%d files", files)
	}
}

func TestInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stages := 0
	_, err := Run(ctx, parse(t, tiny), Options{Dir: t.TempDir(), Hooks: Hooks{Stage: func(*Stage) {
		if stages++; stages == 3 {
			stop()
		}
	}}})
	if !errors.Is(err, context.Canceled) || stages != 3 {
		t.Errorf("%v after %d stages", err, stages)
	}
}

// A player that is there is the start, and another one's values the labels.
func TestStartAndTeacher(t *testing.T) {
	text := `start: {net: td}
teacher: gnubg-size
prune: {n: 200, epochs: 1, validation: 0.2}
steer: false
measure: {positions: 20, trials: 2, decisions: 0, games: 4}
rounds: [{positions: {n: 40}, labels: {truncate: 2}, training: {epochs: 1, validation: 0.3},
          races: {epochs: 1, validation: 0.3}}]
`
	var again []string
	log, _ := grown(t, text, Options{Dir: t.TempDir(), Against: []string{"td"}, Hooks: made(&again)})
	if len(log.Decisions) != 1 || log.End() == nil || len(log.Rounds[0].Others) != 1 || log.Rounds[0].ERSE != 0 ||
		len(log.Rounds[0].Bias) == 0 {
		t.Errorf("%+v", log)
	}
	if again[0] != "start" || strings.Contains(strings.Join(again, " "), "td") {
		t.Errorf("made: %q", again)
	}
}

// Values may be the mean of the newest players', of as many as there are.
func TestMeanOfPlayers(t *testing.T) {
	text := `start: {net: td}
prune: {n: 0}
steer: false
measure: {positions: 20, trials: 0, decisions: 0, games: 300}
rounds: [{positions: {n: 60, share: {contact: 0.7, crashed: 0.3}}, labels: {values: true, mean: 3, whole: 0},
          training: {epochs: 1, validation: 0.3}},
         {positions: {n: 60}}]
`
	dir := t.TempDir()
	log, _ := grown(t, text, Options{Dir: dir})
	files, err := filepath.Glob(filepath.Join(dir, "stages", "labels-*", labelsFile))
	if err != nil {
		t.Fatal(err)
	}
	players := []*nets.Set{}
	starts, err := filepath.Glob(filepath.Join(dir, "stages", "start-*", netFile))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(starts, filepath.Join(dir, log.Rounds[0].Net)) {
		set, err := nets.Read(file)
		if err != nil {
			t.Fatal(err)
		}
		players = append(players, set)
	}
	two, err := player.New(nets.Mean(players...), nil, player.Options{})
	if err != nil {
		t.Fatal(err)
	}
	e := two.NewEvaluator()
	checked := 0
	for _, file := range files {
		db, err := dataset.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(db.Meta().Command, netFile+"+stages/") {
			continue
		}
		for r, err := range db.Rows(t.Context(), dataset.Filter{Classes: []bg.Class{bg.Contact}}) {
			if err != nil {
				t.Fatal(err)
			}
			b, err := r.Key.Board()
			if err != nil {
				t.Fatal(err)
			}
			o := e.Evaluate(&b, 0)
			if d := o.Equity() - r.Outputs.Equity(); d > 1e-5 || d < -1e-5 {
				t.Errorf("%s: %g off the mean of both players", r.Key, d)
			}
			checked++
		}
	}
	if checked == 0 {
		t.Error("no label is of both players")
	}
}

// A teacher may value the positions themselves, races too; themes get whole trials still. A later round's labels may
// be the player's own.
func TestValues(t *testing.T) {
	text := `start: {net: td}
teacher: gnubg-size
prune: {n: 0}
steer: false
measure: {positions: 20, trials: 0, decisions: 0, games: 4}
rounds: [{positions: {n: 200}, labels: {values: true, ply: 1, whole: 2, whole-themes: [containment]},
          training: {epochs: 1, validation: 0.3}, races: {epochs: 1, validation: 0.3}},
         {positions: {n: 20}, labels: {values: false, own: true, truncate: 2, whole: 0}}]
`
	dir := t.TempDir()
	grown(t, text, Options{Dir: dir})
	files, err := filepath.Glob(filepath.Join(dir, "stages", "labels-*", labelsFile))
	if err != nil {
		t.Fatal(err)
	}
	rows, trials, own := 0, 0, 0
	for _, file := range files {
		db, err := dataset.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(db.Meta().Command, " --net stages/") {
			own++
		}
		for r, err := range db.Rows(t.Context(), dataset.Filter{}) {
			switch {
			case err != nil:
				t.Fatal(err)
			case r.Trials > 0:
				trials++
			case r.Method == label.Method(1) || strings.HasPrefix(r.Method, "bearoff"):
				rows++
			}
		}
	}
	if rows != 200 || trials == 0 || own != 2 { // races apart
		t.Errorf("%d rows by look-ahead and %d by trials, %d databases by the player", rows, trials, own)
	}
}

func TestClaim(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	for _, c := range []struct {
		text  string
		force bool
		want  error
	}{{"a", false, nil}, {"a", false, nil}, {"b", false, ErrOtherRecipe}, {"b", true, nil}, {"a", false, ErrOtherRecipe}} {
		if err := Claim(dir, []byte(c.text), c.force); !errors.Is(err, c.want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

func TestBytes(t *testing.T) {
	for text, want := range map[string]Bytes{"0": 0, "7": 7, "1.5kB": 1500, "20GB": 20e9, "2 TB": 2e12} {
		var got, again Bytes
		if err := got.Set(text); got != want || err != nil || again.Set(got.String()) != nil || again != want {
			t.Errorf("%q: %d, %d, %v", text, got, again, err)
		}
	}
	for _, text := range []string{"-1GB", "GB", "x", "1e30", "NaN"} {
		if b := Bytes(5); b.Set(text) == nil || b != 5 {
			t.Errorf("%q: %d", text, b)
		}
	}
}

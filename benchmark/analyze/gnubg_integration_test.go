//go:build integration

package analyze

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"bgtrain/data"
	"bgtrain/dataset/matchfile"
	"bgtrain/internal/bearoff"
	"bgtrain/internal/gnubgtest"
	"bgtrain/internal/player"
)

// careless returns a match of players who choose among the four best plays by chance, double
// by chance and answer by chance: errors of all kinds.
func careless(t *testing.T, p *player.Player, length, games int) *matchfile.Match {
	t.Helper()
	rec, err := matchfile.NewRecorder(&matchfile.Match{Players: [2]string{"a", "b"}, Length: length})
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(7, 8))
	e := p.NewEvaluator()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for n := 0; n < games && rec.Winner() == matchfile.None; n++ {
		must(rec.BeginGame())
		first := true
		for turn := 0; rec.Playing(); turn = 1 - turn {
			if !first && rec.MayDouble(turn) && rng.IntN(8) == 0 {
				must(rec.Double(turn))
				if rng.IntN(5) == 0 {
					must(rec.Drop(1 - turn))
					break
				}
				must(rec.Take(1 - turn))
			}
			b, _, _ := rec.Position()
			d1, d2 := 1+rng.IntN(6), 1+rng.IntN(6)
			for first && d1 == d2 {
				d2 = 1 + rng.IntN(6)
			}
			first = false
			plays := e.Plays(&b, d1, d2, 0)
			must(rec.Roll(turn, d1, d2, plays[rng.IntN(min(4, len(plays)))].Result))
		}
	}
	return rec.Match()
}

// gnubgScript prints what GNU Backgammon finds in a match.
const gnubgScript = `import gnubg, json
for line in ('set lang en', 'set jacoby off', 'set analysis luckanalysis plies 0',
             'set analysis chequerplay evaluation plies 0', 'set analysis cubedecision evaluation plies 0',
             'import mat %s', 'analyse match'):
    gnubg.command(line)
m = gnubg.match(analysis=1, boards=0, statistics=1)
losses = []
for g in m['games']:
    for a in g['game']:
        if a['action'] == 'move' and 'moves' in a['analysis']:
            ms = a['analysis']['moves']
            if len(ms) > 1:
                losses.append(ms[0]['score'] - ms[a['analysis']['imove']]['score'])
print('RESULT ' + json.dumps({'stats': m['stats'], 'losses': losses}, default=str))
`

// gnubgResult is what the script prints: of each player X, the first, and O.
type gnubgResult struct {
	Stats  map[string]map[string]map[string]any
	Losses []float64 // of each play that leaves a choice
}

// number is a number of the statistics.
func (r *gnubgResult) number(who int, group, name string) float64 {
	x, _ := r.Stats[[]string{"X", "O"}[who]][group][name].(float64)
	return x
}

// cubeLoss sums the cube errors of a player up.
func (r *gnubgResult) cubeLoss(who int) (sum float64) {
	for name, v := range r.Stats[[]string{"X", "O"}[who]]["cube"] {
		if x, ok := v.(float64); ok && strings.HasPrefix(name, "err-") && strings.HasSuffix(name, "-skill") {
			sum += math.Abs(x)
		}
	}
	return sum
}

// analyzedByGNUbg lets GNU Backgammon analyze a match at 0-ply.
func analyzedByGNUbg(t *testing.T, m *matchfile.Match) *gnubgResult {
	t.Helper()
	binary := gnubgtest.Binary(t)
	dir := t.TempDir()
	file, script := filepath.Join(dir, "m.mat"), filepath.Join(dir, "analyze.py")
	var text strings.Builder
	if err := matchfile.WriteMat(&text, m); err != nil {
		t.Fatal(err)
	}
	for path, content := range map[string]string{file: text.String(), script: fmt.Sprintf(gnubgScript, file)} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.Command(binary, "-t", "-q", "-r", "-p", script).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	_, line, ok := strings.Cut(string(out), "RESULT ")
	if !ok {
		t.Fatalf("no result:\n%s", out)
	}
	line, _, _ = strings.Cut(line, "\n")
	r := &gnubgResult{}
	if err := json.Unmarshal([]byte(line), r); err != nil {
		t.Fatal(err)
	}
	return r
}

// sameErrors compares the plays one by one: losses differ by little more than slack, and an
// error of one that is more than a tenth of it beyond what counts as one is mostly found by
// the other.
func sameErrors(t *testing.T, a *Analysis, theirs *gnubgResult, slack float64) {
	t.Helper()
	var plays []*Decision
	for i := range a.Decisions {
		if a.Decisions[i].Kind == Play {
			plays = append(plays, &a.Decisions[i])
		}
	}
	if len(plays) != len(theirs.Losses) {
		t.Fatalf("%d plays, GNU Backgammon has %d", len(plays), len(theirs.Losses))
	}
	both, differ := 0, 0
	for i, d := range plays {
		switch {
		case d.Loss >= ErrorFrom && theirs.Losses[i] >= ErrorFrom:
			both++
		case max(d.Loss, theirs.Losses[i]) >= ErrorFrom+slack/10 && min(d.Loss, theirs.Losses[i]) < ErrorFrom:
			differ++
		}
		if math.Abs(d.Loss-theirs.Losses[i]) > slack+0.5*theirs.Losses[i] {
			t.Errorf("game %d move %d: %s loses %.3f, GNU Backgammon has %.3f", d.Game, d.Move, d.Did, d.Loss,
				theirs.Losses[i])
		}
	}
	t.Logf("%d plays, %d errors by both, %d by one", len(plays), both, differ)
	if both < 20 || differ > both/4 {
		t.Errorf("%d plays are errors by both, %d by one", both, differ)
	}
}

// TestBesideGNUbg analyzes matches full of errors beside GNU Backgammon at 0-ply. By its own
// nets there are the same decisions with the same losses; by the net that ships, totals
// differ as far as the nets do.
func TestBesideGNUbg(t *testing.T) {
	db, err := bearoff.Open(t.Context(), bearoff.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ length, games int }{{5, 20}, {0, 4}} {
		_, s := testPlayer(t)
		s.Ply = 0
		for i, net := range []string{gnubgtest.Weights(t), "default"} {
			set, err := data.OpenNet(net)
			if err != nil {
				t.Fatal(err)
			}
			p, err := player.New(set, db, player.Options{})
			if err != nil {
				t.Fatal(err)
			}
			td, _ := testPlayer(t)
			m := careless(t, td, c.length, c.games)
			theirs := analyzedByGNUbg(t, m)
			ours, err := Match(context.Background(), p, m, s)
			if err != nil {
				t.Fatal(err)
			}
			within := []float64{0.01, 0.15}[i]
			sameErrors(t, ours, theirs, []float64{0.005, 0.15}[i])
			for who := range ours.Players {
				o := &ours.Players[who]
				if float64(o.Plays) != theirs.number(who, "moves", "unforced-moves") ||
					float64(o.Cubes) != theirs.number(who, "cube", "total-cube") {
					t.Errorf("%s, match to %d: %d plays, %d cube decisions; GNU Backgammon has %v, %v", net, c.length,
						o.Plays, o.Cubes, theirs.number(who, "moves", "unforced-moves"),
						theirs.number(who, "cube", "total-cube"))
				}
				near := func(what string, got, want float64) {
					t.Logf("%s, match to %d, player %d: %s %.3f, GNU Backgammon %.3f", filepath.Base(net), c.length, who,
						what, got, want)
					if math.Abs(got-want) > within*math.Abs(want)+within {
						t.Errorf("%s, match to %d, player %d: %s %.3f, GNU Backgammon %.3f", net, c.length, who, what, got,
							want)
					}
				}
				near("loss of plays", o.PlayLoss, math.Abs(theirs.number(who, "moves", "error-skill")))
				near("loss of the cube", o.CubeLoss, theirs.cubeLoss(who))
				near("luck", o.Luck, theirs.number(who, "dice", "luck"))
			}
		}
	}
}

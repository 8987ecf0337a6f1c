package matchfile

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bgtrain/dataset"
	"bgtrain/internal/bg"
)

// imported is what Import makes of a file: the class and place of each position, and
// the place of each decision.
type imported struct {
	positions map[bg.Key]string
	decisions map[string]string
	plays     int64
}

func importFile(t *testing.T, path string) imported {
	t.Helper()
	got := imported{positions: map[bg.Key]string{}, decisions: map[string]string{}}
	out := filepath.Join(t.TempDir(), "m.parquet")
	report, err := Import(context.Background(), []string{path}, out, ImportOptions{Source: "match",
		Decision: func(source string, a *Action) error {
			id := fmt.Sprintf("%s %d%d", a.Board.Key(), max(a.Dice[0], a.Dice[1]), min(a.Dice[0], a.Dice[1]))
			got.decisions[id] = fmt.Sprintf("%s %v %s", source, a.Kind, a.After.Key())
			return nil
		}})
	if err != nil {
		t.Fatal(err)
	}
	got.plays = report.Plays
	db, err := dataset.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	for rows, err := range db.Batches(context.Background(), dataset.Filter{Columns: dataset.AllColumns, Partial: true}) {
		if err != nil {
			t.Fatal(err)
		}
		for i := range rows.Len() {
			row := rows.Row(i)
			got.positions[row.Key] = fmt.Sprintf("%v %s", row.Class, row.Source)
		}
	}
	return got
}

// idList writes what a match decides about as a list: every other line a Position ID
// with a Match ID, the others Position IDs, XGIDs where there are dice.
func idList(m *Match) []byte {
	var b bytes.Buffer
	for i := range m.Games {
		m.Games[i].Decisions(func(a *Action) error {
			id := a.Board.Key().PositionID()
			switch {
			case a.Dice == [2]int{}:
				fmt.Fprintln(&b, id)
			case a.Move%2 == 0:
				fmt.Fprintf(&b, "%s:%s\n", id, matchIDOf(a.Dice))
			default:
				fmt.Fprintf(&b, "XGID=%s:0:0:1:%d%d:0:0:0:0:10\n", xgidBoard(&a.Board), a.Dice[0], a.Dice[1])
			}
			return nil
		})
	}
	return b.Bytes()
}

// matchIDOf is a Match ID that has nothing but the dice.
func matchIDOf(dice [2]int) string {
	var k [9]byte
	n := dice[0] | dice[1]<<3 // from bit 15
	k[1], k[2] = byte(n<<7), byte(n>>1)
	return base64.StdEncoding.EncodeToString(k[:])
}

// xgidBoard is the board of an XGID: the opponent's bar, the points as the player on
// roll numbers them, the bar; the player in capitals.
func xgidBoard(b *bg.Board) string {
	text := []byte(strings.Repeat("-", 26))
	for i, n := range b.Me {
		if n > 0 {
			text[i+1] = 'A' + n - 1
		}
	}
	for i, n := range b.Opp {
		if n > 0 {
			text[24-i] = 'a' + n - 1
		}
	}
	return string(text)
}

// TestImportsAgree imports one match in every format: the same positions, classes,
// places and decisions. A list of IDs has no plays and places, so that the positions
// and rolls are all that can agree.
func TestImportsAgree(t *testing.T) {
	m := readBytes(t, "gnubg.mat", fixture(t, "gnubg.mat"))
	dir := t.TempDir()
	var again bytes.Buffer
	if err := WriteMat(&again, m); err != nil {
		t.Fatal(err)
	}
	want := importFile(t, "testdata/gnubg.mat")
	if len(want.positions) < 150 || len(want.decisions) < 100 {
		t.Fatalf("%d positions, %d decisions", len(want.positions), len(want.decisions))
	}
	for name, data := range map[string][]byte{"a.sgf": fixture(t, "gnubg.sgf"), "a.txt": again.Bytes(),
		"new.xg": xgFile(m, 32), "old.xg": xgFile(m, 20), "a.mat.gz": gzipped(t, fixture(t, "gnubg.mat"))} {
		path := filepath.Join(dir, name)
		write(t, path, data)
		got := importFile(t, path)
		if !maps.Equal(got.positions, want.positions) || !maps.Equal(got.decisions, want.decisions) ||
			got.plays != want.plays {
			t.Errorf("%s: %d positions, %d decisions, %d plays; %d, %d, %d expected, or others", name, len(got.positions),
				len(got.decisions), got.plays, len(want.positions), len(want.decisions), want.plays)
		}
	}
	path := filepath.Join(dir, "ids.txt")
	write(t, path, idList(m))
	got := importFile(t, path)
	if len(got.positions) != len(want.positions) || len(got.decisions) != len(want.decisions) {
		t.Errorf("list: %d positions, %d decisions; %d, %d expected", len(got.positions), len(got.decisions),
			len(want.positions), len(want.decisions))
	}
	for key, place := range want.positions {
		class, _, _ := strings.Cut(place, " ")
		if !strings.HasPrefix(got.positions[key], class) {
			t.Errorf("list: %s is %q, %q expected", key, got.positions[key], place)
		}
	}
	for id := range want.decisions {
		if got.decisions[id] == "" {
			t.Errorf("list: no decision %s", id)
		}
	}
}

// matchesEnv names a folder with one match in several formats, which need not be
// ours to give away.
const matchesEnv = "BGTRAIN_MATCHES"

// TestMatchesOfFolder reads all matches of a folder: they have to be the same one, but
// for what a format has no place for.
func TestMatchesOfFolder(t *testing.T) {
	dir := os.Getenv(matchesEnv)
	if dir == "" {
		t.Skipf("%s names no folder with one match in several formats", matchesEnv)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) < 2 {
		t.Fatalf("%s: %d files, %v", dir, len(files), err)
	}
	var want *Match
	var positions imported
	for _, path := range files {
		ms, err := ReadAll(path)
		if errors.Is(err, fs.ErrNotExist) || len(ms) != 1 || err != nil {
			t.Fatalf("%s: %d matches, %v", path, len(ms), err)
		}
		got := importFile(t, path)
		t.Logf("%s: %d games, %d plays, %d positions, %d decisions", filepath.Base(path), len(ms[0].Games), got.plays,
			len(got.positions), len(got.decisions))
		if want == nil {
			want, positions = ms[0], got
			continue
		}
		ms[0].Players = want.Players // spelled as each program does
		if d := firstDifference(ms[0], want); len(ms[0].Games) != len(want.Games) || !strings.HasPrefix(d, "{") {
			t.Errorf("%s: %s", path, d)
		}
		if !maps.Equal(got.positions, positions.positions) || !maps.Equal(got.decisions, positions.decisions) {
			t.Errorf("%s: other positions or decisions than %s", path, files[0])
		}
	}
}

package text

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bgtrain/dataset"
	"bgtrain/internal/bg"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Keys for tests.
var (
	startKey = bg.Start.Key().String()
	// One checker each, on the 1-points.
	bearoffKey = (&bg.Board{Opp: bg.Side{1}, Me: bg.Side{1}}).Key().String()
	// Fifteen checkers each, no contact left.
	raceKey = (&bg.Board{Opp: bg.Side{8: 15}, Me: bg.Side{0: 14, 9: 1}}).Key().String()
	// The player on roll has one checker off.
	offKey  = (&bg.Board{Opp: bg.Side{5: 15}, Me: bg.Side{5: 14}}).Key().String()
	overKey = (&bg.Board{Opp: bg.Side{5: 15}}).Key().String()
)

const openingBZ2 = "QlpoOTFBWSZTWSgLf+UAAARfgAAQSAFiADRAwAAKA4QAIAAhKU0ye1BqG0KZMTIMjKz06Q/jsJsQOQd0NEFGVRfk73PBdyRThQkCgLf+UA=="

// importText imports a text and returns the rows of the database.
func importText(t *testing.T, name, text string, o ImportOptions) ([]dataset.Row, dataset.Report, error) {
	t.Helper()
	dir := t.TempDir()
	db := filepath.Join(dir, "db.parquet")
	report, err := Import(context.Background(), []string{writeFile(t, filepath.Join(dir, name), []byte(text))}, db, o)
	if err != nil {
		if left, _ := filepath.Glob(db + "*"); len(left) != 0 {
			t.Errorf("after %v there is %v", err, left)
		}
		return nil, report, err
	}
	return readDB(t, db, dataset.Filter{}), report, nil
}

// boardLine is the opening position after 31P as Open Sage has it, seen by the player who made the play, with a
// checker of his on the bar in place of one on the 8-point.
const boardLine = "0 -2 0 0 0 2 4 0 1 0 0 0 -5 5 0 0 0 -3 0 -5 0 0 0 0 2 1"

// Boards are those of the player who has just moved: in the database the opponent is on roll, with his outputs.
func TestImportBoards(t *testing.T) {
	text := "# rollouts\n" + boardLine + " 0.5 0.25 -0.004 0.125 0.0625\n"
	want := dataset.Row{Key: (&bg.Board{
		Opp: bg.Side{4: 2, 5: 4, 7: 1, 12: 5, 23: 2, 24: 1}, Me: bg.Side{5: 5, 7: 3, 12: 5, 23: 2}}).Key(),
		Class: bg.Contact, Outputs: bg.Outputs{0.5, 0.125, 0.0625, 0.25, 0}, HasOutputs: true,
		Method: "import board", Source: "back.txt"}
	for _, format := range []Format{FormatAuto, BoardText} {
		rows, _, err := importText(t, "back.txt", text, ImportOptions{Format: format})
		if err != nil {
			t.Fatal(err)
		}
		sameRows(t, rows, []dataset.Row{want})
	}
	for line, message := range map[string]string{
		boardLine + " 0.5 0 0 0":               "found 30 fields",
		boardLine + " 0.5 0 0 0 x":             `field 31 is "x", not a number`,
		boardLine + " 0.5 0 0 0 -0.006":        "no probabilities",
		boardLine + " NaN 0 0 0 0":             "no probabilities",
		"-" + boardLine[1:] + " 0.5 0 0 0 0":   `field 1 is "-", not a number`,
		"0 9" + boardLine[4:] + " 0.5 0 0 0 0": "more than 15 checkers",
		"-1" + boardLine[1:] + " 0.5 0 0 0 0":  "-1 checkers in place 0",
	} {
		_, _, err := importText(t, "bad.txt", text+line+"\n", ImportOptions{Format: BoardText})
		if err == nil || !strings.Contains(err.Error(), "bad.txt:3") || !strings.Contains(err.Error(), message) {
			t.Errorf("%s: error %v, want line 3 and %q", line, err, message)
		}
	}
}

func TestImportGNUbgText(t *testing.T) {
	text := "\xEF\xBB\xBF# GNUbg training data\n\n" +
		startKey + " 0.52518 0.14851 0.00713 0.12419 0.00559\n" +
		"   \n" +
		"\t" + bearoffKey + "\t1\t0 0 0  0 \r\n" +
		raceKey + " 2.5e-1 0 0 .125 0\n"
	rows, report, err := importText(t, "pos.txt", text, ImportOptions{})
	if err != nil {
		t.Fatal(err)
	}
	key := func(s string) bg.Key {
		k, err := bg.ParseKey(s)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	want := []dataset.Row{
		{Key: key(startKey), Class: bg.Contact, Outputs: bg.Outputs{0.52518, 0.14851, 0.00713, 0.12419, 0.00559}},
		{Key: key(bearoffKey), Class: bg.Bearoff, Outputs: bg.Outputs{1}},
		{Key: key(raceKey), Class: bg.Race, Outputs: bg.Outputs{0.25, 0, 0, 0.125}},
	}
	for i := range want {
		want[i].HasOutputs, want[i].Method, want[i].Source = true, "import gnubg", "pos.txt"
	}
	sameRows(t, rows, want)
	if report.Rows != 3 || report.Classes[bg.Bearoff] != 1 || report.Bad.Total() != 0 {
		t.Errorf("report %+v", report)
	}
}

func TestImportWildbgCSV(t *testing.T) {
	want := dataset.Row{Key: bg.Start.Key(), Class: bg.Contact, Outputs: bg.Outputs{0.5, 0.2, 0.01, 0.1, 0.005},
		HasOutputs: true,
		Method:     "import wildbg", Source: "elsewhere"}
	for name, text := range map[string]string{
		"plain":         "position_id,win,win_g,win_bg,lose_g,lose_bg\n4HPwATDgc/ABMA,0.5,0.2,0.01,0.1,0.005\n",
		"CRLF, quotes":  "\xEF\xBB\xBFposition_id,win,win_g,win_bg,lose_g,lose_bg\r\n\"4HPwATDgc/ABMA\",0.5,0.2,\"0.01\",0.1,0.005\r\n\r\n",
		"other order":   "position_id,lose_bg,lose_g,win_bg,win_g,win\n4HPwATDgc/ABMA,0.005,0.1,0.01,0.2,0.5\n",
		"20-letter key": "position_id,win,win_g,win_bg,lose_g,lose_bg\n" + startKey + ",0.5,0.2,0.01,0.1,0.005\n",
	} {
		rows, _, err := importText(t, "x", text, ImportOptions{Source: "elsewhere"})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		sameRows(t, rows, []dataset.Row{want})
	}
}

// TestImportRefuses has a case for each kind of bad input, with the whole message.
func TestImportRefuses(t *testing.T) {
	ok := startKey + " .5 .1 0 .1 0\n"
	header := "position_id,win,win_g,win_bg,lose_g,lose_bg\n"
	for _, c := range []struct {
		text, want string
		kind       dataset.Kind
	}{
		{"\n" + bearoffKey + " 0.5 0 0 0\n", "2: expected a key and 5 numbers, found 5 fields", dataset.BadLine},
		{bearoffKey + " 0.5 0 0 0 0 7 8\n", "1: expected a key and 5 numbers, found 8 fields", dataset.BadLine},
		{bearoffKey + " 0.5 0 zero 0 0\n", `1: win_backgammon is "zero", not a number`, dataset.BadLine},
		{ok + "4HPwATDgc/ABMA .5 .1 0 .1 0\n", `2: position key "4HPwATDgc/ABMA" has 14 characters, expected 20`,
			dataset.BadKey},
		{ok + "OAHDPAABDAOAHDPAABDZ .5 .1 0 .1 0\n",
			`2: position key "OAHDPAABDAOAHDPAABDZ": 'Z' at character 20 is not a letter A to P`, dataset.BadKey},
		{ok + "PPPPPPPPPPPPPPPPPPPP .5 .1 0 .1 0\n",
			`2: position key "PPPPPPPPPPPPPPPPPPPP": player not on roll: more than 15 checkers`, dataset.BadKey},
		{ok + overKey + " 0 0 0 0 0\n", "2: position " + overKey + ": the game is over", dataset.BadOver},
		{ok + bearoffKey + " 1.01 0 0 0 0\n", "2: win is 1.01, not within 0 to 1", dataset.BadProbability},
		{ok + bearoffKey + " 0.5 0 0 -0.2 0\n", "2: lose_gammon is -0.2, not within 0 to 1", dataset.BadProbability},
		{ok + bearoffKey + " NaN 0 0 0 0\n", "2: win is NaN, not within 0 to 1", dataset.BadProbability},
		{ok + bearoffKey + " inf 0 0 0 0\n", "2: win is +Inf, not within 0 to 1", dataset.BadProbability},
		{ok + raceKey + " 0.1 0.3 0 0 0\n", "2: win_gammon 0.3 is more than win 0.1", dataset.BadOrder},
		{ok + raceKey + " 0.5 0.1 0.2 0 0\n", "2: win_backgammon 0.2 is more than win_gammon 0.1", dataset.BadOrder},
		{ok + raceKey + " 0.5 0.1 0 0.1 0.2\n", "2: lose_backgammon 0.2 is more than lose_gammon 0.1",
			dataset.BadOrder},
		{ok + raceKey + " 0.5 0.1 0 0.6 0\n", "2: lose_gammon 0.6 + win 0.5 is more than 1", dataset.BadOrder},
		{ok + offKey + " 0.5 0 0 0.1 0\n", "2: lose_gammon is 0.1, but the player on roll has 1 off",
			dataset.BadGammon},
		{ok + bearoffKey + " 0.5 0.1 0 0 0\n", "2: win_gammon is 0.1, but the opponent has 14 off", dataset.BadGammon},
		{ok + "# again\n" + ok, "3: position " + startKey + " was there before", dataset.BadDuplicate},
		{header + "4HPwATDgc/ABMA,.5,.1,0,.1\n", "2: expected 6 fields, found 5", dataset.BadLine},
		{header + "4HPwATDgc/ABMA,.5,.1,0,.1,0,0,0\n", "2: expected 6 fields, found 8", dataset.BadLine},
		{header + "4HPwATDgc,.5,.1,0,.1,0\n",
			`2: position key "4HPwATDgc": 9 characters, neither 20 letters nor a Position ID of 14`, dataset.BadKey},
		{ok + raceKey + " 0.5 0.125 0 0.1 0.0", "2: the last line has no line end: the file may be cut off",
			dataset.BadLine},
		{ok + raceKey + " 0x1p-1 0 0 0 0\n", `2: win is "0x1p-1", not a number`, dataset.BadLine},
		{ok + raceKey + " 0_1 0 0 0 0\n", `2: win is "0_1", not a number`, dataset.BadLine},
		{"position_id,win,win_g\n", "1: expected the header position_id,win,win_g,win_bg,lose_g,lose_bg",
			dataset.BadLine},
	} {
		_, report, err := importText(t, "contact.txt", c.text, ImportOptions{})
		var bad *dataset.BadRowsError
		if !errors.As(err, &bad) {
			t.Errorf("%q: error %v, want %q", c.text, err, c.want)
			continue
		}
		if bad.First.Kind != c.kind || report.Bad[c.kind] != 1 || report.Rows != 0 {
			t.Errorf("%q: kind %v, report %+v, want %v", c.text, bad.First.Kind, report, c.kind)
		}
		_, line, _ := strings.Cut(err.Error(), "contact.txt:")
		if want := c.want + "; --skip-bad leaves bad rows out"; line != want ||
			!strings.HasPrefix(err.Error(), "import ") {
			t.Errorf("%q:\n%q, want\n%q", c.text, err, want)
		}

		rows, report, err := importText(t, "contact.txt", c.text, ImportOptions{SkipBad: true})
		if strings.HasPrefix(c.text, "position_id,win,win_g\n") {
			continue
		}
		if err != nil || report.Bad[c.kind] != 1 || report.Bad.Total() != 1 || int(report.Rows) != len(rows) {
			t.Errorf("%q skipping bad rows: %+v, %d rows, %v", c.text, report, len(rows), err)
		}
	}
}

func TestImportCountsBadRows(t *testing.T) {
	text := startKey + " .5 .1 0 .1 0\n" + startKey + " .5 .1 0 .1 0\n" + startKey + " .5 .1 0 .1 0\n" +
		bearoffKey + " 2 0 0 0 0\n" + bearoffKey + " 1 0 0 0 0\n"
	_, _, err := importText(t, "a.txt", text, ImportOptions{})
	if err == nil || !strings.HasSuffix(err.Error(),
		"a.txt:2: position "+startKey+" was there before; 3 bad rows in all (probability 1, duplicate 2); "+
			"--skip-bad leaves bad rows out") {
		t.Errorf("error %v", err)
	}
	rows, report, err := importText(t, "a.txt", text, ImportOptions{SkipBad: true})
	if err != nil || len(rows) != 2 || report.Rows != 2 || report.Bad.String() != "probability 1, duplicate 2" {
		t.Errorf("%d rows, %+v, %v", len(rows), report, err)
	}
}

func TestImportCompressed(t *testing.T) {
	text := []byte("# comment\n" + startKey + " .5 .1 0 .1 0\n")
	var gz, zst bytes.Buffer
	g := gzip.NewWriter(&gz)
	g.Write(text)
	g.Close()
	z, _ := zstd.NewWriter(&zst)
	z.Write(text)
	z.Close()
	// "# comment\n" and the opening position, by bzip2.
	bz, err := base64.StdEncoding.DecodeString(openingBZ2)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"gzip": gz.Bytes(), "zstd": zst.Bytes(), "bzip2": bz} {
		rows, _, err := importText(t, "no-extension", string(data), ImportOptions{})
		if err != nil || len(rows) != 1 || rows[0].Key != bg.Start.Key() {
			t.Errorf("%s: %v, %v", name, rows, err)
		}
		for _, cut := range []int{len(data) / 2, len(data) - 3} {
			if _, _, err := importText(t, "cut", string(data[:cut]), ImportOptions{}); err == nil ||
				!strings.Contains(err.Error(), "cut") {
				t.Errorf("%s cut off at %d of %d: %v", name, cut, len(data), err)
			}
		}
	}
}

func TestImportOtherErrors(t *testing.T) {
	for text, want := range map[string]string{
		"s 1 2 3\nm x\n":         "x is a benchmark file",
		"1 2 3\nm x\n":           "x:1: neither a GNUbg training line",
		"# only\nposition,win\n": "x:2: neither a GNUbg training line",
		startKey + strings.Repeat(" ", 1<<18) + "\n": "x:1: a line of more than 131072 bytes",
		"":                                  "x: no positions in it",
		"# only\n\n":                        "x: no positions in it",
		strings.Join(csvHeader, ",") + "\n": "x: no positions in it",
	} {
		_, _, err := importText(t, "x", text, ImportOptions{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.30q: %v, want %q", text, err, want)
		}
	}
	_, err := Import(context.Background(), []string{"testdata/none"}, filepath.Join(t.TempDir(), "db"), ImportOptions{})
	if err == nil || err.Error() != "import testdata/none: no such file or directory" {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	long := writeFile(t, filepath.Join(t.TempDir(), "long"), []byte(strings.Repeat("#\n", 1<<15)))
	if _, err := Import(ctx, []string{long}, filepath.Join(t.TempDir(), "db"), ImportOptions{}); !errors.Is(err,
		context.Canceled) {
		t.Errorf("after a cancel: %v", err)
	}
}

// TestExportImport takes random rows through both text formats and back.
func TestExportImport(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var rows []dataset.Row
	seen := map[bg.Key]bool{}
	n := 2000
	if testing.Short() {
		n = 300
	}
	for len(rows) < n {
		b := randomBoard(rng)
		win := rng.Float32()
		r := dataset.Row{Key: b.Key(), Class: dataset.ClassOf(&b), HasOutputs: true,
			Outputs: bg.Outputs{win, win * rng.Float32() / 2, 0, (1 - win) * rng.Float32(), 0}}
		if seen[r.Key] || dataset.CheckRow(&r) != nil {
			continue
		}
		seen[r.Key] = true
		rows = append(rows, r)
	}
	dir := t.TempDir()
	first := filepath.Join(dir, "db.parquet")
	writeDB(t, first, rows, dataset.Options{})
	db, err := dataset.Open(first)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.txt", "a.csv", "a.txt.gz", "a.csv.zst"} {
		out := filepath.Join(dir, name)
		report, err := Export(context.Background(), db, out, ExportOptions{})
		if err != nil || report.Rows != int64(len(rows)) {
			t.Fatalf("%s: %+v, %v", name, report, err)
		}
		back := filepath.Join(dir, name+".parquet")
		if _, err := Import(context.Background(), []string{out}, back, ImportOptions{Source: "s"}); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want := slices.Clone(rows)
		for i := range want {
			want[i].Source, want[i].Method = "s", "import gnubg"
			if strings.Contains(name, ".csv") {
				want[i].Method = "import wildbg"
			}
		}
		sameRows(t, readDB(t, back, dataset.Filter{}), want)
	}
}

func TestExportText(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "db")
	row := dataset.Row{Key: bg.Start.Key(), Class: bg.Contact, HasOutputs: true,
		Outputs: bg.Outputs{0.5, 0.123456789, 1e-9, 0.1, 0}}
	bare := dataset.Row{Key: offBoardKey(t), Class: bg.Bearoff}
	writeDB(t, path, []dataset.Row{row, bare}, dataset.Options{})
	db, err := dataset.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = Export(context.Background(), db, filepath.Join(dir, "x.txt"), ExportOptions{})
	if err == nil || err.Error() != fmt.Sprintf("export %s: position %v has no outputs; --skip-bad leaves bad "+
		"rows out", path, bare.Key) {
		t.Errorf("error %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "x.txt*")); len(left) != 0 {
		t.Errorf("left %v", left)
	}
	if _, err := Export(context.Background(), db, filepath.Join(dir, "x.bz2"), ExportOptions{}); err == nil {
		t.Error("exported bzip2")
	}
	for f, want := range map[Format]string{
		GNUbgText: startKey + " 0.50000 0.12345679 0.000000001 0.10000 0.00000\n",
		WildbgCSV: "position_id,win,win_g,win_bg,lose_g,lose_bg\n4HPwATDgc/ABMA,0.50000,0.12345679,0.000000001,0.10000,0.00000\n",
	} {
		var out strings.Builder
		report, err := ExportTo(context.Background(), db, &out, ExportOptions{Format: f, SkipBad: true})
		if err != nil || out.String() != want || report.Bad[dataset.BadNull] != 1 {
			t.Errorf("%v: %q, %+v, %v; want %q", f, out.String(), report, err, want)
		}
	}
	var out strings.Builder
	report, err := ExportTo(context.Background(), db, &out, ExportOptions{SkipBad: true,
		Filter: dataset.Filter{Classes: []bg.Class{bg.Race}}})
	if err != nil || out.Len() != 0 || report.Bad.Total() != 0 {
		t.Errorf("of the race class: %q, %+v, %v", out.String(), report, err)
	}
}

func offBoardKey(t *testing.T) bg.Key {
	k, err := bg.ParseKey(offKey)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestValidateCountsBadLines(t *testing.T) {
	path := writeFile(t, filepath.Join(t.TempDir(), "x.txt"), []byte(startKey+" 2 0 0 0 0\n"))
	v, err := Validate(t.Context(), path)
	if err != nil || v.Rows != 1 || v.Bad.String() != "probability 1" ||
		v.Examples[0] != path+":1: win is 2, not within 0 to 1" {
		t.Errorf("%+v, %v", v, err)
	}
}

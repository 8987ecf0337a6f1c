package cube

import (
	"strings"
	"testing"

	"bgtrain/internal/bg"
)

const xgidBoard = "-b----E-C---eE---c-e----B-"

func TestParseXGID(t *testing.T) {
	table := defaultTable(t)
	for fields, want := range map[string]State{
		":0:0:1:00:0:0:0:0:10":  {Cube: 1},
		":0:0:1:00:0:0:1:0:10":  {Cube: 1, Jacoby: true},
		":0:0:1:00:5:9:2:0:10":  {Cube: 1}, // beavers; scores of a session do not matter
		":2:1:1:00:0:0:0:0:10":  {Cube: 4, Owner: Owned},
		":2:1:-1:00:0:0:0:0:10": {Cube: 4, Owner: OpponentOwned},
		":1:-1:1:00:3:2:0:7:10": {Cube: 2, Owner: OpponentOwned, Table: table, Away: 4, Opponent: 5},
		":0:0:-1:00:6:2:1:7:10": {Cube: 1, Table: table, Away: 5, Opponent: 1, Crawford: true},
		":0:0:1:00:6:2:0:7:10":  {Cube: 1, Table: table, Away: 1, Opponent: 5},
		":0:0:1:00:0:0:1:1:10":  {Cube: 1, Table: table, Away: 1, Opponent: 1},
	} {
		for _, prefix := range []string{"XGID=", ""} {
			s, err := ParseXGID(prefix+xgidBoard+fields, table)
			if err != nil || s != want {
				t.Errorf("%s: %+v, %v; %+v expected", fields, s, err, want)
			}
		}
	}
	for fields, want := range map[string]string{
		":0:0:1:00":             "5 fields",
		":a:0:1:00:0:0:0:0:10":  "cube is \"a\"",
		":11:1:1:00:0:0:0:0:10": "2^11",
		":-1:0:1:00:0:0:0:0:10": "2^-1",
		":1:0:1:00:0:0:0:0:10":  "somebody must own it",
		":0:2:1:00:0:0:0:0:10":  "cube owner 2",
		":0:0:0:00:0:0:0:0:10":  "turn 0",
		":0:0:1:00:0:0:4:0:10":  "field 7 (Jacoby) is 4",
		":0:0:1:00:0:0:2:7:10":  "field 7 (Crawford) is 2",
		":0:0:1:00:7:0:0:7:10":  "score of 7 to 0",
		":0:0:1:00:-1:0:0:7:10": "score of -1 to 0",
		":0:0:1:00:3:0:1:7:10":  "one side must be 1 away",
		":0:0:1:00:6:6:1:7:10":  "1 away against 1 away",
		":1:1:1:00:6:3:1:7:10":  "must not be turned",
		":0:0:1:00:0:0:0:65:10": "match of 65 points",
		":0:0:1:00:0:0:0:-7:10": "match of -7 points",
		":0:0:1:D:0:0:0:7:10":   "double has been offered",
	} {
		if s, err := ParseXGID(xgidBoard+fields, table); err == nil || !strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %+v, %v; %q expected", fields, s, err, want)
		}
	}
	if _, err := ParseXGID(xgidBoard+":0:0:1:00:3:2:0:7:10", nil); err == nil {
		t.Error("a match without a table")
	}
}

func TestParseMatchID(t *testing.T) {
	table := defaultTable(t)
	for text, want := range map[string]State{
		"cAgAAAAAAAAA": {Cube: 1, Jacoby: true},
		// Shown by GNU Backgammon 1.07 at 3 to 2 in a match of 7 points: the one with 3
		// on roll, then the other with a cube of 2, its own or not; and a session.
		"MAHgADAAEAAA": {Cube: 1, Table: table, Away: 4, Opponent: 5},
		"UQngADAAEAAE": {Cube: 2, Owner: Owned, Table: table, Away: 5, Opponent: 4},
		"QQngADAAEAAE": {Cube: 2, Owner: OpponentOwned, Table: table, Away: 5, Opponent: 4},
		"cAkAAAAAAAAE": {Cube: 1},
	} {
		s, dice, err := ParseMatchID(text, table)
		if err != nil || s != want || dice != [2]int{} {
			t.Errorf("%s: %+v %v, %v; %+v expected", text, s, dice, err, want)
		}
	}
	if _, dice, err := ParseMatchID("cInpADAAEAAE", table); err != nil || dice != [2]int{3, 2} {
		t.Errorf("dice %v, %v", dice, err)
	}
	for _, text := range []string{"", "cAgAAAAAAAA", "cAgAAAAAAAAAA", "cAg*AAAAAAAA", "//////////AA"} {
		if s, _, err := ParseMatchID(text, table); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %+v, %v", text, s, err)
		}
	}
}

// A position in any form has its board, its dice, and how match and cube stand.
func TestParseID(t *testing.T) {
	start := bg.Start
	table := defaultTable(t)
	match := State{Cube: 2, Owner: Owned, Table: table, Away: 5, Opponent: 4}
	for text, want := range map[string]ID{
		"4HPwATDgc/ABMA":                             {State: Money},
		start.Key().String():                         {State: Money},
		"4HPwATDgc/ABMA:UQngADAAEAAE":                {State: match, Given: true},
		start.Key().String() + ":UQngADAAEAAE":       {State: match, Given: true},
		"XGID=" + xgidBoard + ":1:1:1:00:2:3:0:7:10": {State: match, Given: true},
		xgidBoard + ":1:1:1:31:2:3:0:7:10":           {State: match, Given: true, Dice: [2]int{3, 1}},
	} {
		want.Board = start
		if got, err := ParseID(text, table); err != nil || got != want {
			t.Errorf("%s: %+v, %v; %+v expected", text, got, err, want)
		}
	}
	got, err := ParseID(xgidBoard+":0:0:1:31:9:9:1:7:10", nil)
	if err != nil || got.Problem == nil || got.Given || got.State != Money || got.Dice != [2]int{3, 1} {
		t.Errorf("a score that cannot be: %+v, %v", got, err)
	}
	for _, text := range []string{"", "4HPwATDgc/ABM", "4HPwATDgc/ABM:UQngADAAEAAE", "4HPwATDgc/ABMA:nonsense", ":",
		"XGID=4HPwATDgc/ABMA", xgidBoard + ":0:0:1"} {
		if got, err := ParseID(text, nil); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
}

func FuzzIDs(f *testing.F) {
	f.Add("cAgAAAAAAAAA")
	f.Add("XGID=" + xgidBoard + ":1:-1:1:00:3:2:0:7:10")
	table := defaultTable(f)
	f.Fuzz(func(t *testing.T, text string) {
		check := func(s State, err error) {
			if err == nil && s.Check() != nil {
				t.Fatalf("%q: %+v", text, s)
			}
			if err == nil {
				p := Position{Outputs: bg.Outputs{0.6, 0.2, 0, 0.1, 0}, Class: bg.Contact}
				if d := Decide(GNUbg{}, &p, &s); d.NoDouble != d.NoDouble {
					t.Fatalf("%q: %+v", text, d)
				}
			}
		}
		s, err := ParseXGID(text, table)
		check(s, err)
		s, _, err = ParseMatchID(text, table)
		check(s, err)
	})
}

// TestXGIDKeepsTheState writes states at many scores, cubes and rules and reads them back.
func TestXGIDKeepsTheState(t *testing.T) {
	table := defaultTable(t)
	b := bg.Start
	seen := 0
	for length := range 8 {
		for mine := range max(length, 1) {
			for theirs := range max(length, 1) {
				for i := range 24 {
					s := State{Cube: 1 << (i % 4), Owner: Holder(i / 4 % 3), Crawford: i >= 12 && length > 0,
						Jacoby: i >= 12 && length == 0}
					if length > 0 {
						s.Table, s.Away, s.Opponent = table, length-mine, length-theirs
					}
					if s.Check() != nil {
						continue
					}
					seen++
					text := s.XGID(&b, [2]int{3, 1}, length)
					got, err := ParseXGID(text, table)
					board, dice, boardErr := bg.ParseXGID(text)
					if err != nil || boardErr != nil || got != s || board != b || dice != [2]int{3, 1} {
						t.Fatalf("%s: %+v, %v, %v; %+v expected", text, got, err, boardErr, s)
					}
				}
			}
		}
	}
	if seen < 200 {
		t.Errorf("%d states", seen)
	}
}

package makebm

import (
	"path/filepath"
	"strings"
	"testing"

	"bgtrain/internal/bg"
)

const (
	key        = "[224,115,240,1,48,224,115,240,1,48]"
	roundText  = `{"games":16,"decisions":[{"Key":` + key + `,"Dice":[2,4],"Candidates":[` + key + `,` + key + `]}]}`
	resultText = `{"of":{"Decision":0,"Index":1},` +
		`"result":{"Outputs":[0.5,0.125,0.0078125,0.1,0.01],"SE":0.0046875,"Trials":144}}`
)

func TestJournalKeepsWhatItIsGiven(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	j := openJournal(t, path)
	d := decision{bg.Start.Key(), [2]int{6, 1}, []bg.Key{bg.Start.Key(), bg.Start.Key()}}
	r := result{bg.Outputs{0.1, 1.0 / 3, 1e-9, 0, 1}, 0.1 / 3, 360}
	for _, err := range []error{
		j.addRound(16, nil), j.addRound(32, []decision{d}), j.addResult(candidate{0, 1}, &r), j.Close(),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	j = openJournal(t, path)
	defer j.Close()
	if decisions, candidates := j.Done(); decisions != 1 || candidates != 1 || j.games != 32 {
		t.Fatalf("%d decisions, %d candidates, %d games", decisions, candidates, j.games)
	}
	got := j.decisions[0]
	if got.Key != d.Key || got.Dice != d.Dice || len(got.Candidates) != 2 || got.Candidates[1] != d.Candidates[1] {
		t.Errorf("decision %+v, want %+v", got, d)
	}
	if *j.result(candidate{0, 1}) != r || j.result(candidate{0, 0}) != nil {
		t.Errorf("rollout %+v, want %+v", *j.result(candidate{0, 1}), r)
	}
}

// TestJournalRefusesOtherRecords reads records with good checksums that no run
// can have written.
func TestJournalRefusesOtherRecords(t *testing.T) {
	for name, record := range map[string]string{
		"dice":                 strings.Replace(roundText, "2,4", "2,7", 1),
		"a key":                strings.Replace(roundText, "[224", "[225", 1),
		"one candidate":        strings.Replace(roundText, "["+key+",", "[", 1),
		"no decision":          roundText + " x",
		"an empty decision":    `{"games":32,"decisions":[{}]}`,
		"fewer games":          `{"games":15}`,
		"no games":             `{}`,
		"an unknown decision":  strings.Replace(resultText, `"Decision":0`, `"Decision":1`, 1),
		"an unknown candidate": strings.Replace(resultText, `"Index":1`, `"Index":2`, 1),
		"a negative number":    strings.Replace(resultText, `"Index":1`, `"Index":-1`, 1),
		"no probability":       strings.Replace(resultText, "0.125", "1.25", 1),
		"no number":            strings.Replace(resultText, "0.125", "NaN", 1),
		"a negative error":     strings.Replace(resultText, "0.0046875", "-1", 1),
		"no result":            `{"of":{"Decision":0,"Index":1}}`,
		"an unknown record":    "x",
		"nothing":              "",
	} {
		j := &Journal{results: map[candidate]*result{}}
		for _, good := range []string{roundText, resultText} {
			if err := j.replay(good); err != nil {
				t.Fatal(err)
			}
		}
		if err := j.replay(record); err == nil {
			t.Errorf("%s: no error", name)
		}
		if decisions, candidates := j.Done(); decisions != 1 || candidates != 1 || j.games != 16 {
			t.Errorf("%s: %d decisions, %d candidates, %d games", name, decisions, candidates, j.games)
		}
	}
}

// FuzzJournal reads arbitrary records. What was taken is consistent.
func FuzzJournal(f *testing.F) {
	f.Add("")
	f.Add(roundText + "\n" + resultText)
	f.Add(`{"games":3}` + "\n" + roundText + "\n" + roundText + "\n" + `{"games":1}`)
	f.Fuzz(func(t *testing.T, text string) {
		j := &Journal{results: map[candidate]*result{}}
		for _, record := range strings.Split(text, "\n") {
			if err := j.replay(record); err != nil {
				break
			}
		}
		for _, d := range j.decisions {
			if _, err := d.Key.Board(); err != nil || len(d.Candidates) < 2 || min(d.Dice[0], d.Dice[1]) < 1 {
				t.Fatalf("decision %+v, %v", d, err)
			}
		}
		for c, r := range j.results {
			if c.Decision >= len(j.decisions) || c.Index >= len(j.decisions[c.Decision].Candidates) || !isFinite(r.SE) {
				t.Fatalf("rollout %+v of %+v", *r, c)
			}
		}
	})
}

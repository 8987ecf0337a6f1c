package makebm

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bgtrain/internal/bg"
)

const (
	decisionText = "d OAHDPAABDAOAHDPAABDA 2 4 JIGHPAABDAOAHDPAABDA OAHDOEABCBOAHDPAABDA"
	resultText   = "c 0 1 0.5 0.125 0.0078125 0.1 0.01 0.0046875 144"
)

// journalText is a journal's content after its head: lines with checksums.
func journalText(lines ...string) string {
	text := ""
	for _, l := range lines {
		text += checksum(l) + " " + l + "\n"
	}
	return text
}

func TestJournalKeepsWhatItIsGiven(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	j := openJournal(t, path)
	d := decision{bg.Start.Key(), [2]int{6, 1}, []bg.Key{{1}, {2}}}
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

// TestJournalIsCutBackToWhatCounts opens journals with damage at the end.
func TestJournalIsCutBackToWhatCounts(t *testing.T) {
	good := journalText(decisionText, "g 16", resultText)
	for name, tail := range map[string]string{
		"nothing":                  "",
		"half a line":              good[:20],
		"a decision without games": journalText(strings.Replace(decisionText, "2 4", "2 5", 1)),
		"a wrong checksum":         "00000000 g 32\n",
		"dice":                     journalText(strings.Replace(decisionText, "2 4", "2 7", 1), "g 32"),
		"a key":                    journalText(strings.Replace(decisionText, "JIGH", "PPPP", 1), "g 32"),
		"one candidate":            journalText(decisionText[:45], "g 32"),
		"fewer games":              journalText("g 15"),
		"an unknown decision":      journalText(strings.Replace(resultText, "c 0", "c 1", 1)),
		"an unknown candidate":     journalText(strings.Replace(resultText, "c 0 1", "c 0 2", 1)),
		"a negative number":        journalText(strings.Replace(resultText, "c 0 1", "c 0 -1", 1)),
		"no probability":           journalText(strings.Replace(resultText, "0.125", "1.25", 1)),
		"no number":                journalText(strings.Replace(resultText, "0.125", "NaN", 1)),
		"an infinite error":        journalText(strings.Replace(resultText, "0.0046875", "+Inf", 1)),
		"an unknown line":          journalText("x"),
	} {
		path := filepath.Join(t.TempDir(), "journal")
		head := journalMagic + "test\n"
		if err := os.WriteFile(path, []byte(head+good+tail), 0o644); err != nil {
			t.Fatal(err)
		}
		j := openJournal(t, path)
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		if decisions, candidates := j.Done(); decisions != 1 || candidates != 1 || j.games != 16 {
			t.Errorf("%s: %d decisions, %d candidates, %d games", name, decisions, candidates, j.games)
		}
		if raw, err := os.ReadFile(path); err != nil || string(raw) != head+good {
			t.Errorf("%s: cut to %q, %v", name, raw, err)
		}
	}
}

// FuzzJournal opens journals of arbitrary content. Each line gets a good checksum
// when sums is set, or nothing would come past it. What was read is consistent,
// and reading it again gives the same.
func FuzzJournal(f *testing.F) {
	f.Add("", false)
	f.Add(journalText(decisionText, "g 16", resultText), false)
	f.Add(decisionText+"\ng 16\n"+resultText+"\n", true)
	f.Add("g 3\n"+decisionText+"\n"+decisionText+"\ng 1\n", true)
	f.Add("c 0 0 0 0 0 0 0 0 0\n", true)
	path := filepath.Join(f.TempDir(), "journal")
	f.Fuzz(func(t *testing.T, text string, sums bool) {
		if sums {
			text = journalText(strings.Split(text, "\n")...)
		}
		if err := os.WriteFile(path, []byte(journalMagic+"test\n"+text), 0o644); err != nil {
			t.Fatal(err)
		}
		j := openJournal(t, path)
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		for _, d := range j.decisions {
			if _, err := d.Key.Board(); err != nil || len(d.Candidates) < 2 || min(d.Dice[0], d.Dice[1]) < 1 {
				t.Fatalf("decision %+v, %v", d, err)
			}
		}
		for c, r := range j.results {
			if c.decision >= len(j.decisions) || c.index >= len(j.decisions[c.decision].Candidates) || !isFinite(r.SE) {
				t.Fatalf("rollout %+v of %+v", *r, c)
			}
		}
		again := openJournal(t, path)
		if err := again.Close(); err != nil {
			t.Fatal(err)
		}
		if again.games != j.games || len(again.decisions) != len(j.decisions) || len(again.results) != len(j.results) {
			t.Fatal("reading what was left gives something else")
		}
	})
}

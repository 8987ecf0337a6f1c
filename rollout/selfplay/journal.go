package selfplay

import (
	"fmt"
	"strconv"
	"strings"

	"bgtrain/internal/bg"
	"bgtrain/internal/identity"
	"bgtrain/internal/journal"
)

// Journal keeps the positions of a run on disk while it goes on. A record is
//
//	GAMES KEY CLASS SOURCE KEY CLASS SOURCE …
//
// the number of games played so far and the positions that the last ones added,
// classes and sources as numbers.
type Journal struct {
	j     *journal.Journal
	games int
	found []Found
}

// OpenJournal opens or begins the journal of a run; id is what its positions depend
// on. See journal.Open for its errors.
func OpenJournal(path string, id identity.ID) (*Journal, error) {
	j := &Journal{}
	var err error
	j.j, err = journal.Open(path, "positions", id, j.replay)
	if err != nil {
		return nil, err
	}
	return j, nil
}

// replay takes in a record.
func (j *Journal) replay(record string) error {
	f := strings.Fields(record)
	if len(f)%3 != 1 {
		return fmt.Errorf("record of %d words", len(f))
	}
	games, err := strconv.Atoi(f[0])
	if err != nil || games < j.games {
		return fmt.Errorf("number of games, at least %d, expected: %q", j.games, f[0])
	}
	j.games = games
	for f = f[1:]; len(f) > 0; f = f[3:] {
		key, err := bg.ParseKey(f[0])
		if err != nil {
			return err
		}
		class, err1 := strconv.ParseUint(f[1], 10, 8)
		source, err2 := strconv.ParseUint(f[2], 10, 8)
		if err1 != nil || err2 != nil || class >= uint64(bg.NumClasses) || source >= uint64(numSources) {
			return fmt.Errorf("class and source expected: %q", f[1:3])
		}
		j.found = append(j.found, Found{key, bg.Class(class), Source(source)})
	}
	return nil
}

// Games returns how many games the journal has.
func (j *Journal) Games() int { return j.games }

// add appends a record.
func (j *Journal) add(games int, found []Found) error {
	var text strings.Builder
	text.WriteString(strconv.Itoa(games))
	for _, f := range found {
		fmt.Fprintf(&text, " %s %d %d", f.Key, f.Class, f.Source)
	}
	return j.j.Add(text.String())
}

// Close closes the journal; it stays on disk.
func (j *Journal) Close() error { return j.j.Close() }

// Remove closes the journal and removes it: the run is finished.
func (j *Journal) Remove() error { return j.j.Remove() }

package makebm

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"bgtrain/internal/bg"
)

// Journal keeps the decisions and rollouts of a run on disk while it goes on. It
// is text: a line that says what run it belongs to, then lines that begin with a
// checksum of the rest:
//
//	d KEY die1 die2 KEY KEY …     a decision and its candidates
//	g N                           the decisions of games 0 to N-1 stand before
//	c I K p1 p2 p3 p4 p5 SE N     candidate K of decision I, both from 0: outputs
//	                              with the opponent on roll, standard error of the
//	                              equity, trials
//
// What follows the last whole line, and decisions without their g, are cut off
// when the journal is opened again.
type Journal struct {
	f         *os.File
	games     int
	decisions []decision
	results   map[candidate]*result
	synced    time.Time

	pending []decision // while reading: not yet covered by a g line
}

// candidate names a candidate: the number of its decision and its own there.
type candidate struct{ decision, index int }

// result is the rollout of a candidate.
type result struct {
	Outputs bg.Outputs // as the opponent, who is on roll, sees them
	SE      float64    // of the equity, points; 0 where exact
	Trials  int        // 0 where exact
}

const (
	journalMagic = "bgtrain makebm journal 1 "
	syncEvery    = 5 * time.Second
)

// ErrOtherRun is returned for a journal that another command left.
var ErrOtherRun = errors.New("left by another command")

// OpenJournal opens or makes the journal of a run, which id, one line, tells
// from other runs: it must change with anything that the records depend on.
func OpenJournal(path, id string) (*Journal, error) {
	raw, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read journal: %w", err)
	}
	head := []byte(journalMagic + id + "\n")
	j := &Journal{synced: time.Now(), results: map[candidate]*result{}}
	size := len(head)
	// A head that is cut off was being written when the run was killed.
	if !bytes.HasPrefix(head, raw) {
		if !bytes.HasPrefix(raw, head) {
			return nil, fmt.Errorf("%s: %w; remove it to begin anew", path, ErrOtherRun)
		}
		size += j.replay(raw[len(head):])
	}
	if j.f, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644); err != nil {
		return nil, fmt.Errorf("open journal: %w", err)
	}
	if _, err = j.f.WriteAt(head, 0); err == nil {
		if err = j.f.Truncate(int64(size)); err == nil {
			_, err = j.f.Seek(int64(size), io.SeekStart)
		}
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open journal: %w", err), j.f.Close())
	}
	return j, nil
}

// replay takes in the good lines and returns the length of those that count.
func (j *Journal) replay(raw []byte) int {
	at, good := 0, 0
	for {
		end := bytes.IndexByte(raw[at:], '\n')
		if end < 0 {
			break
		}
		if err := j.readLine(string(raw[at : at+end])); err != nil {
			break
		}
		if at += end + 1; len(j.pending) == 0 {
			good = at
		}
	}
	j.pending = nil
	return good
}

// readLine takes in a line, without its end.
func (j *Journal) readLine(line string) error {
	sum, text, ok := strings.Cut(line, " ")
	if !ok || sum != checksum(text) {
		return errors.New("checksum does not fit")
	}
	return j.readText(text)
}

// readText takes in a line without its checksum.
func (j *Journal) readText(text string) error {
	f := strings.Split(text, " ")
	switch f[0] {
	case "d":
		d, err := parseDecision(f[1:])
		if err == nil {
			j.pending = append(j.pending, d)
		}
		return err
	case "g":
		n, err := parseInts(f[1:], 1)
		if err != nil || n[0] < j.games {
			return fmt.Errorf("number of games, at least %d, expected: %q", j.games, text)
		}
		j.games, j.decisions, j.pending = n[0], append(j.decisions, j.pending...), nil
		return nil
	case "c":
		if len(j.pending) > 0 {
			return errors.New("rollout among decisions")
		}
		return j.readResult(f[1:])
	}
	return fmt.Errorf("unknown line %q", f[0])
}

func parseDecision(f []string) (decision, error) {
	var d decision
	if len(f) < 5 || len(f) > 3+maxCandidates {
		return d, fmt.Errorf("decision of %d fields", len(f))
	}
	var err error
	if d.Key, err = bg.ParseKey(f[0]); err != nil {
		return d, err
	}
	dice, err := parseInts(f[1:3], 2)
	if err != nil || max(dice[0], dice[1]) > 6 || min(dice[0], dice[1]) < 1 {
		return d, fmt.Errorf("dice expected: %q", f[1:3])
	}
	d.Dice = [2]int(dice)
	d.Candidates = make([]bg.Key, len(f)-3)
	for i := range d.Candidates {
		if d.Candidates[i], err = bg.ParseKey(f[3+i]); err != nil {
			return d, err
		}
	}
	return d, nil
}

// readResult takes in the fields of a c line.
func (j *Journal) readResult(f []string) error {
	if len(f) != 2+bg.NumOutputs+2 {
		return fmt.Errorf("rollout of %d fields", len(f))
	}
	at, err := parseInts(f[:2], 2)
	if err != nil {
		return err
	}
	c := candidate{at[0], at[1]}
	if c.decision >= len(j.decisions) || c.index >= len(j.decisions[c.decision].Candidates) {
		return fmt.Errorf("rollout of candidate %d of decision %d, which is not known", c.index, c.decision)
	}
	r := &result{}
	for i := range r.Outputs {
		p, err := strconv.ParseFloat(f[2+i], 32)
		if err != nil || !(p >= 0 && p <= 1) {
			return fmt.Errorf("probability expected: %q", f[2+i])
		}
		r.Outputs[i] = float32(p)
	}
	if r.SE, err = strconv.ParseFloat(f[7], 64); err != nil || !(r.SE >= 0) || !isFinite(r.SE) {
		return fmt.Errorf("standard error expected: %q", f[7])
	}
	trials, err := parseInts(f[8:], 1)
	if err != nil {
		return err
	}
	r.Trials = trials[0]
	j.results[c] = r
	return nil
}

// parseInts parses n numbers that are not negative.
func parseInts(f []string, n int) ([]int, error) {
	if len(f) != n {
		return nil, fmt.Errorf("%d numbers, %d expected", len(f), n)
	}
	out := make([]int, n)
	for i := range f {
		v, err := strconv.Atoi(f[i])
		if err != nil || v < 0 {
			return nil, fmt.Errorf("number expected: %q", f[i])
		}
		out[i] = v
	}
	return out, nil
}

func checksum(text string) string { return fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(text))) }

// Name returns the journal's file name.
func (j *Journal) Name() string { return j.f.Name() }

// Done returns the numbers of decisions and of rolled-out candidates so far.
func (j *Journal) Done() (decisions, candidates int) { return len(j.decisions), len(j.results) }

// result returns what is known of a candidate, or nil.
func (j *Journal) result(c candidate) *result { return j.results[c] }

// addRound adds the decisions found in the games up to number games.
func (j *Journal) addRound(games int, found []decision) error {
	var text []string
	for i := range found {
		d := &found[i]
		line := fmt.Sprintf("d %s %d %d", d.Key, d.Dice[0], d.Dice[1])
		for _, k := range d.Candidates {
			line += " " + k.String()
		}
		text = append(text, line)
	}
	j.games, j.decisions = games, append(j.decisions, found...)
	return j.write(append(text, fmt.Sprintf("g %d", games)))
}

// addResult adds the rollout of a candidate.
func (j *Journal) addResult(c candidate, r *result) error {
	line := fmt.Sprintf("c %d %d", c.decision, c.index)
	for _, p := range r.Outputs {
		line += " " + strconv.FormatFloat(float64(p), 'g', -1, 32)
	}
	line += fmt.Sprintf(" %s %d", strconv.FormatFloat(r.SE, 'g', -1, 64), r.Trials)
	j.results[c] = r
	return j.write([]string{line})
}

// write appends lines with their checksums, in one piece.
func (j *Journal) write(lines []string) error {
	var buf []byte
	for _, l := range lines {
		buf = append(buf, checksum(l)+" "+l+"\n"...)
	}
	if _, err := j.f.Write(buf); err != nil {
		return fmt.Errorf("write journal: %w", err)
	}
	if time.Since(j.synced) < syncEvery {
		return nil
	}
	j.synced = time.Now()
	if err := j.f.Sync(); err != nil {
		return fmt.Errorf("write journal: %w", err)
	}
	return nil
}

// Close closes the journal; it stays on disk.
func (j *Journal) Close() error { return j.f.Close() }

// Remove closes the journal and removes it: the run is finished.
func (j *Journal) Remove() error { return errors.Join(j.f.Close(), os.Remove(j.f.Name())) }

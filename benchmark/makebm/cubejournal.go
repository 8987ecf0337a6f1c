package makebm

import (
	"fmt"
	"strconv"
	"strings"

	"bgtrain/benchmark/bm"
	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
	"bgtrain/internal/cube/met"
	"bgtrain/internal/identity"
	"bgtrain/internal/journal"
)

// cubeJournal keeps the cube decisions and rollouts of a run on disk. Its records:
//
//	g N d KEY away opponent cube d …  the decisions that the games up to number N added
//	c I p1 p2 p3 p4 p5 nodouble doubletake SE gainSE trials
//	                                  decision I, from 0, rolled out
type cubeJournal struct {
	j         *journal.Journal
	games     int
	decisions []cubeDecision
	results   map[int]*bm.CubeRecord
}

// openCubeJournal opens or begins the journal of a run; given are its decisions, nil where
// they are found.
func openCubeJournal(path string, id identity.ID, given []cubeDecision) (j *cubeJournal, err error) {
	j = &cubeJournal{results: map[int]*bm.CubeRecord{}, decisions: given}
	j.j, err = journal.Open(path, "makebm-cube", id, j.replay)
	return j, err
}

// replay takes in a record.
func (j *cubeJournal) replay(record string) error {
	f := strings.Split(record, " ")
	switch f[0] {
	case "g":
		return j.readRound(f[1:])
	case "c":
		return j.readResult(f[1:])
	}
	return fmt.Errorf("unknown record %q", f[0])
}

func (j *cubeJournal) readRound(f []string) error {
	n, err := parseInts(f[:min(len(f), 1)], 1)
	if err != nil || n[0] < j.games || len(f)%5 != 1 {
		return fmt.Errorf("number of games, at least %d, and decisions expected: %q", j.games, f)
	}
	var found []cubeDecision
	for f = f[1:]; len(f) > 0; f = f[5:] {
		key, err := bg.ParseKey(f[1])
		if err != nil {
			return err
		}
		v, err := parseInts(f[2:5], 3)
		if err != nil {
			return err
		}
		d := cubeDecision{key, v[0], v[1], v[2]}
		if s := d.state(nil); f[0] != "d" || max(d.Away, d.Opponent) > met.MaxLength || s.Check() != nil ||
			d.Cube >= cube.MaxCube {
			return fmt.Errorf("decision expected: %q", f[:5])
		}
		found = append(found, d)
	}
	j.games, j.decisions = n[0], append(j.decisions, found...)
	return nil
}

func (j *cubeJournal) readResult(f []string) error {
	const numbers = bg.NumOutputs + 4
	if len(f) != 1+numbers+1 {
		return fmt.Errorf("rollout of %d fields", len(f))
	}
	at, err := parseInts([]string{f[0], f[len(f)-1]}, 2)
	if err != nil {
		return err
	}
	if at[0] >= len(j.decisions) {
		return fmt.Errorf("rollout of decision %d, which is not known", at[0])
	}
	var v [numbers]float64
	for i := range v {
		if v[i], err = strconv.ParseFloat(f[1+i], 64); err != nil || !isFinite(v[i]) {
			return fmt.Errorf("number expected: %q", f[1+i])
		}
	}
	d := j.decisions[at[0]]
	r := &bm.CubeRecord{Key: d.Key, Rolled: &bm.RolledCube{Away: d.Away, Opponent: d.Opponent, Cube: d.Cube,
		NoDouble: v[5], DoubleTake: v[6], SE: v[7], GainSE: v[8], Trials: at[1]}}
	for i := range r.Outputs {
		r.Outputs[i] = float32(v[i])
	}
	j.results[at[0]] = r
	return nil
}

// addRound adds the decisions found in the games up to number games.
func (j *cubeJournal) addRound(games int, found []cubeDecision) error {
	text := fmt.Sprintf("g %d", games)
	for _, d := range found {
		text += fmt.Sprintf(" d %s %d %d %d", d.Key, d.Away, d.Opponent, d.Cube)
	}
	j.games, j.decisions = games, append(j.decisions, found...)
	return j.j.Add(text)
}

// addResult adds the rollout of a decision.
func (j *cubeJournal) addResult(i int, r *bm.CubeRecord) error {
	text := fmt.Sprintf("c %d", i)
	for _, p := range r.Outputs {
		text += " " + strconv.FormatFloat(float64(p), 'g', -1, 32)
	}
	for _, x := range []float64{r.Rolled.NoDouble, r.Rolled.DoubleTake, r.Rolled.SE, r.Rolled.GainSE} {
		text += " " + strconv.FormatFloat(x, 'g', -1, 64)
	}
	j.results[i] = r
	return j.j.Add(fmt.Sprintf("%s %d", text, r.Rolled.Trials))
}

// Close closes the journal; it stays on disk.
func (j *cubeJournal) Close() error { return j.j.Close() }

// Remove closes the journal and removes it: the run is finished.
func (j *cubeJournal) Remove() error { return j.j.Remove() }

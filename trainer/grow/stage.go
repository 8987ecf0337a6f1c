package grow

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"bgtrain/internal/atomicfile"
	"bgtrain/internal/bg"
	"bgtrain/internal/cpu"
	"bgtrain/internal/disk"
	"bgtrain/internal/identity"
	"bgtrain/trainer"
)

// Kind describes what a stage does.
type Kind string

// The kinds of stages.
const (
	KindTD        Kind = "td"        // starting weights by TD games
	KindStart     Kind = "start"     // starting weights by name
	KindPositions Kind = "positions" // by self-play
	KindValues    Kind = "values"    // of positions at 0-ply, for pruning nets
	KindPrune     Kind = "prune"     // pruning nets
	KindLabels    Kind = "labels"    // of the positions of followed trials
	KindRenew     Kind = "renew"     // labels anew, by the values of a newer player
	KindTrain     Kind = "train"     // the main nets
	KindDecisions Kind = "decisions" // rolled out, to be measured on
	KindMeasure   Kind = "measure"   // of a round's player
	KindGames     Kind = "games"     // of the last player, recorded for the nets of the cube
	KindCube      Kind = "cube"      // nets of the cube model learned
)

// Stage is a part of the work. What it makes is in a directory named after Kind and
// the digest of its settings and inputs; it depends on nothing else.
type Stage struct {
	Kind    Kind
	Round   int    // from 1; 0: before the rounds
	Command string // that does the same, its files in the directories of the stages
	Units   string // what Total and progress count
	Total   int
	Rows    int     // labels that it makes or learns from, about
	Work    float64 // what its time goes by, see rates

	shape    shape             // of the player at work, or made: what a unit of Work takes goes by it,
	picks    int               // by the plays a roll that luck is measured on,
	learner  shape             // by the nets that are trained
	training *trainer.Settings // and how
	theme    *bg.Theme         // of the positions, nil for all: games hardly come to some
	ends     bool              // labels can be made anew
	settings []string          // NAME=VALUE, what the result depends on besides the inputs
	inputs   []*Stage
	work     func(ctx context.Context, dir string, progress func(done, total int)) (any, error)

	name string // once Name was asked for
}

// Name names the stage's directory.
func (s *Stage) Name() string {
	if s.name != "" {
		return s.name
	}
	s.name = string(s.Kind) + "-" + s.identity().Digest()
	return s.name
}

// identity is what the stage depends on.
func (s *Stage) identity() identity.ID {
	id := identity.ID{cpu.RoundingName: cpu.Rounding()}
	for i, in := range s.inputs {
		id.Add(fmt.Sprint("input", i), in.Name())
	}
	for i, text := range s.settings {
		id.Add(fmt.Sprint("setting", i), text)
	}
	return id
}

// File is the path of a file of the stage in the run's directory.
func (s *Stage) File(file string) string { return filepath.Join("stages", s.Name(), file) }

// record is what is kept of a finished stage, as stage.json in its directory.
type record struct {
	Kind             Kind            `json:"kind"`
	Settings         []string        `json:"settings"`
	Inputs           []string        `json:"inputs"` // names of stages
	Command          string          `json:"command"`
	Seconds          float64         `json:"seconds"`
	ProcessorSeconds float64         `json:"processor_seconds"`
	Dropped          bool            `json:"dropped,omitempty"` // its files are gone, see store.drop
	Result           json.RawMessage `json:"result,omitempty"`
}

// clock is the time that a stage has taken so far.
type clock struct {
	Seconds          float64 `json:"seconds"`
	ProcessorSeconds float64 `json:"processor_seconds"`
}

const (
	recordFile = "stage.json"
	clockFile  = "clock.json"
)

// clockEvery is how often the time of a stage is kept: what a kill may lose.
const clockEvery = 10 * time.Second

// store holds the finished stages of a directory.
type store struct {
	dir   string // of the run
	hooks *Hooks

	before func() error // before a stage is made; nil for nothing
}

func (st *store) of(s *Stage) string { return filepath.Join(st.dir, "stages", s.Name()) }

// record returns what is kept of a stage; nil: it is not finished.
func (st *store) record(s *Stage) (*record, error) { return readRecord(st.of(s)) }

func readRecord(dir string) (*record, error) {
	r := &record{}
	err := readJSON(filepath.Join(dir, recordFile), r)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return r, err
}

func readJSON(path string, to any) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, to); err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	return nil
}

func writeJSON(path string, from any) error {
	return atomicfile.Write(path, func(w io.Writer) error { return json.NewEncoder(w).Encode(from) })
}

// need makes a stage, and before it what it is made of, unless it is there, with its
// files. Result, if not nil, gets what its work returned.
func (st *store) need(ctx context.Context, s *Stage, result any) error {
	r, err := st.record(s)
	if err != nil {
		return err
	}
	if r == nil || r.Dropped {
		for _, in := range s.inputs {
			if err := st.need(ctx, in, nil); err != nil {
				return err
			}
		}
		if r, err = st.make(ctx, s, r); err != nil {
			return fmt.Errorf("%s: %w", s.Label(), err)
		}
	}
	if result == nil {
		return nil
	}
	if err := json.Unmarshal(r.Result, result); err != nil {
		return fmt.Errorf("result of %s: %w", s.Label(), err)
	}
	return nil
}

// Label names the stage for people.
func (s *Stage) Label() string {
	if s.Round == 0 {
		return string(s.Kind)
	}
	return fmt.Sprintf("round %d, %s", s.Round, s.Kind)
}

// make does the work of a stage whose inputs are there. Before is the record of a
// stage whose files were dropped, or nil.
func (st *store) make(ctx context.Context, s *Stage, before *record) (*record, error) {
	dir := st.of(s)
	if err := disk.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	if st.before != nil {
		if err := st.before(); err != nil {
			return nil, err
		}
	}
	st.hooks.stage(s)
	defer st.hooks.done()
	var had clock
	if err := readJSON(filepath.Join(dir, clockFile), &had); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	begun, processor := time.Now(), processorTime()
	now := func() clock {
		return clock{had.Seconds + time.Since(begun).Seconds(),
			had.ProcessorSeconds + (processorTime() - processor).Seconds()}
	}
	kept := begun
	result, err := s.work(ctx, dir, func(done, total int) {
		st.hooks.progress(done, total)
		if time.Since(kept) > clockEvery {
			kept = time.Now()
			_ = writeJSON(filepath.Join(dir, clockFile), now()) // only the time would be less
		}
	})
	if err != nil {
		_ = writeJSON(filepath.Join(dir, clockFile), now())
		return nil, err
	}
	r := &record{Kind: s.Kind, Settings: s.settings, Command: s.Command}
	if before != nil {
		r.Seconds, r.ProcessorSeconds = before.Seconds, before.ProcessorSeconds
	} else {
		c := now()
		r.Seconds, r.ProcessorSeconds = c.Seconds, c.ProcessorSeconds
	}
	for _, in := range s.inputs {
		r.Inputs = append(r.Inputs, in.Name())
	}
	if r.Result, err = json.Marshal(result); err != nil {
		return nil, err
	}
	if err := writeJSON(filepath.Join(dir, recordFile), r); err != nil {
		return nil, err
	}
	return r, ignoreMissing(disk.Remove(filepath.Join(dir, clockFile)))
}

// time adds up the times of a stage and all that it is made of, each once.
func (st *store) time(c *clock, seen map[string]bool, s *Stage) error {
	if s == nil || seen[s.Name()] {
		return nil
	}
	seen[s.Name()] = true
	r, err := st.record(s)
	if err != nil {
		return err
	}
	if r != nil {
		c.Seconds += r.Seconds
		c.ProcessorSeconds += r.ProcessorSeconds
	}
	for _, in := range s.inputs {
		if err := st.time(c, seen, in); err != nil {
			return err
		}
	}
	return nil
}

// size is how many bytes the files of a stage have.
func (st *store) size(s *Stage) (int64, error) {
	var n int64
	err := filepath.WalkDir(st.of(s), func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			n += info.Size()
		}
		return err
	})
	return n, ignoreMissing(err)
}

// drop removes the databases of a finished stage; what it found stays in its record.
func (st *store) drop(s *Stage) error {
	r, err := st.record(s)
	if err != nil || r == nil || r.Dropped {
		return err
	}
	r.Dropped = true
	if err := writeJSON(filepath.Join(st.of(s), recordFile), r); err != nil {
		return err
	}
	entries, err := os.ReadDir(st.of(s))
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".parquet") {
			if err := disk.Remove(filepath.Join(st.of(s), e.Name())); err != nil {
				return fmt.Errorf("drop %s: %w", s.Label(), err)
			}
		}
	}
	return nil
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

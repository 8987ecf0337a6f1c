package job

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"bgtrain/dataset"
	"bgtrain/internal/cube"
	"bgtrain/internal/cube/met"
	"bgtrain/rollout"
)

// CubeRules are what the cube decisions of a job are rolled out by.
type CubeRules struct {
	Model   cube.Model // both sides' cube
	Table   *met.Table // of the matches
	Beavers bool       // of Trials, see cube.Handling
}

// cubeRulesText is the form in which rules travel: names that every program knows.
type cubeRulesText struct {
	Model   string `json:"model"`
	Table   string `json:"met"`
	Beavers bool   `json:"beavers,omitempty"`
}

// Travel reports what of the rules is of a file, which machines of a farm do not have.
func (r *CubeRules) Travel() error { _, err := r.text(); return err }

func (r *CubeRules) text() (t cubeRulesText, err error) {
	if t.Model = r.Model.String(); isFile(t.Model) {
		return t, fmt.Errorf("cube model %s is of a file, which a farm's workers do not have", t.Model)
	}
	i := slices.IndexFunc(met.Names, func(name string) bool {
		known, err := met.Open(name)
		return err == nil && known.Digest() == r.Table.Digest()
	})
	if i < 0 {
		return t, fmt.Errorf("match equity table %s is of a file, which a farm's workers do not have", r.Table.Name)
	}
	t.Table, t.Beavers = met.Names[i], r.Beavers
	return t, nil
}

func isFile(model string) bool { return strings.HasPrefix(model, "learned=") }

// MarshalJSON writes the rules as names.
func (r *CubeRules) MarshalJSON() ([]byte, error) {
	t, err := r.text()
	if err != nil {
		return nil, err
	}
	return json.Marshal(t)
}

// UnmarshalJSON reads what MarshalJSON wrote. No name leads to a file.
func (r *CubeRules) UnmarshalJSON(text []byte) (err error) {
	var t cubeRulesText
	if err := json.Unmarshal(text, &t); err != nil {
		return err
	}
	if isFile(t.Model) || !slices.Contains(met.Names, t.Table) {
		return fmt.Errorf("cube rules %q: names of no file expected", text)
	}
	r.Beavers = t.Beavers
	if r.Model, err = cube.ParseModel(t.Model); err == nil {
		r.Table, err = met.Open(t.Table)
	}
	return err
}

// CubePlies is how far the cubeless rollouts of cube decisions go, for the outputs.
const CubePlies = 11

// openCubes sets the work of a job of cube decisions: each is rolled out with the cube, and
// without it for the outputs.
func (j *Job) openCubes(o rollout.Options, rules *CubeRules) error {
	with, err := rollout.NewCubeEngine(j.Player, o, cube.Handling{Model: rules.Model})
	if err != nil {
		return err
	}
	o.Truncate = CubePlies
	if j.Engine, err = rollout.NewEngine(j.Player, o); err != nil {
		return err
	}
	j.Check = func(row *dataset.Row) error { _, err := RolledCubeOf(row); return err }
	j.New = func() Work {
		return func(ctx context.Context, rows []dataset.Row) ([]dataset.Row, error) {
			for i := range rows {
				if err := rollCube(ctx, with, j.Engine, &rows[i], rules.Table); err != nil {
					return nil, err
				}
			}
			return rows, nil
		}
	}
	return nil
}

// CubeSource is the source of a row that is a cube decision of the player on roll, by the
// value of the cube and the points away of both, 0 for money.
func CubeSource(value, away, opponent int) string {
	return fmt.Sprintf("cube %d %d:%d", value, away, opponent)
}

// RolledRow is what a cube decision was rolled out to: see rollout.CubeDecision.
type RolledRow struct{ NoDouble, DoubleTake, SE, GainSE float64 }

const rolledForm = "cube %v %v %v %v"

// RolledCubeOf returns what a row of a job of cube decisions says.
func RolledCubeOf(row *dataset.Row) (r RolledRow, err error) {
	_, err = fmt.Sscanf(row.Method, rolledForm, &r.NoDouble, &r.DoubleTake, &r.SE, &r.GainSE)
	if x := r.NoDouble + r.DoubleTake + r.SE + r.GainSE; err == nil && (math.IsNaN(x) || math.IsInf(x, 0)) {
		err = errors.New("finite numbers expected")
	}
	if err != nil {
		err = fmt.Errorf("rollout of %s: %q: %w", row.Key, row.Method, err)
	}
	return r, err
}

func rollCube(ctx context.Context, with *rollout.CubeEngine, without *rollout.Engine, row *dataset.Row,
	t *met.Table) error {
	b, err := row.Key.Board()
	if err != nil {
		return err
	}
	var value, away, opponent int
	if _, err := fmt.Sscanf(row.Source, "cube %d %d:%d", &value, &away, &opponent); err != nil {
		return fmt.Errorf("cube decision %s of %q: %w", row.Key, row.Source, err)
	}
	s := cube.ToDouble(value, away, opponent, t)
	if !s.MayDouble() {
		return errors.New("cube decision " + row.Key.String() + ": the player on roll may not double")
	}
	rolled, err := with.Decide(ctx, &b, &s, rollout.Watch[*rollout.CubeDecision]{Workers: 1})
	if err != nil {
		return err
	}
	plain, err := without.Rollout(ctx, &b, 1, nil)
	if err != nil {
		return err
	}
	row.Class, row.Outputs, row.HasOutputs = dataset.ClassOf(&b), plain.Outputs, true
	row.Trials, row.HasTrials = int32(rolled.Trials), true
	row.Method = fmt.Sprintf(rolledForm, rolled.NoDouble.Mean, rolled.DoubleTake.Mean, rolled.NoDouble.SE, rolled.Gain.SE)
	return nil
}

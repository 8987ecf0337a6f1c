package bm

import (
	"fmt"
	"strconv"
	"strings"

	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
	"bgtrain/internal/cube/met"
)

// RolledCube is a cube decision that was rolled out with the cube in play: the #D line
// after its o record,
//
//	#D KEY SCORE CUBE nodouble doubletake SE gainSE trials
//
// SCORE is money, or points away of the player on roll and the opponent such as 3:5; CUBE
// is 1 in the middle, else the player's on roll. Equities are of the player on roll,
// normalized to the cube before the decision; double and pass is 1. Other programs take the
// line for a comment.
type RolledCube struct {
	Away, Opponent int // 0 for money
	Cube           int
	NoDouble       float64
	DoubleTake     float64
	SE             float64 // of NoDouble
	GainSE         float64 // of DoubleTake less NoDouble
	Trials         int
}

// State returns the state of the cube and of the match; t is not used for money.
func (r *RolledCube) State(t *met.Table) cube.State {
	return cube.ToDouble(r.Cube, r.Away, r.Opponent, t)
}

// Decision is the decision as it was rolled out.
func (r *RolledCube) Decision(t *met.Table) cube.Decision {
	s := r.State(t)
	return cube.Judge(r.NoDouble, r.DoubleTake, 1, &s, true)
}

// score is SCORE of the line.
func (r *RolledCube) score() string {
	if r.Away == 0 {
		return "money"
	}
	return fmt.Sprintf("%d:%d", r.Away, r.Opponent)
}

// parseCube parses the fields of a #D line after its mark.
func parseCube(f [][]byte) (k bg.Key, r *RolledCube, err error) {
	if len(f) != 8 {
		return k, nil, fmt.Errorf("%d fields, key, score, cube, two equities, two standard errors and trials expected",
			len(f))
	}
	if k, err = parseKey(f[0]); err != nil {
		return k, nil, err
	}
	r = &RolledCube{}
	if score := string(f[1]); score != "money" {
		mine, theirs, _ := strings.Cut(score, ":")
		var err1, err2 error
		r.Away, err1 = strconv.Atoi(mine)
		r.Opponent, err2 = strconv.Atoi(theirs)
		if err1 != nil || err2 != nil || min(r.Away, r.Opponent) < 1 || max(r.Away, r.Opponent) > met.MaxLength {
			return k, nil, fmt.Errorf("score %q: money, or points away such as 3:5 expected", clip(score))
		}
	}
	if r.Cube, err = strconv.Atoi(string(f[2])); err != nil {
		return k, nil, fmt.Errorf("cube %q: a number expected", clip(string(f[2])))
	}
	s := r.State(nil)
	if err := s.Check(); err != nil {
		return k, nil, err
	}
	if r.Cube >= cube.MaxCube || r.Away > 0 && r.Away <= r.Cube {
		return k, nil, fmt.Errorf("a cube of %d at %s: the player on roll has no use for it", r.Cube, r.score())
	}
	for i, to := range []*float64{&r.NoDouble, &r.DoubleTake, &r.SE, &r.GainSE} {
		if *to, err = parseNumber(f[3+i]); err != nil {
			return k, nil, err
		}
	}
	if r.SE < 0 || r.GainSE < 0 {
		return k, nil, fmt.Errorf("standard errors %v and %v: 0 or more expected", r.SE, r.GainSE)
	}
	if r.Trials, err = strconv.Atoi(string(f[7])); err != nil || r.Trials < 0 {
		return k, nil, fmt.Errorf("%q trials: a number expected", clip(string(f[7])))
	}
	return k, r, nil
}

// Cube writes a cube decision: its o record and, where it was rolled out with the cube, its
// #D line.
func (w *Writer) Cube(c *CubeRecord) {
	b := append(w.buf[:0], "o "...)
	b = append(b, c.Key.String()...)
	for _, p := range c.Outputs {
		b = appendNumber(append(b, ' '), float64(p))
	}
	b = append(b, '\n')
	if r := c.Rolled; r != nil {
		b = fmt.Appendf(b, "#D %s %s %d", c.Key, r.score(), r.Cube)
		for _, x := range []float64{r.NoDouble, r.DoubleTake, r.SE, r.GainSE} {
			b = appendNumber(append(b, ' '), x)
		}
		b = fmt.Appendf(b, " %d\n", r.Trials)
	}
	w.w.Write(b)
	w.buf = b
}

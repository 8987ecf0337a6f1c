package study

import (
	"fmt"
	"math"

	"bgtrain/benchmark/cube"

	"gonum.org/v1/gonum/mat"
)

// Parabola is the curve of points per game over the number of a model (the cube
// life index, or the jump volatility), fitted by least squares, each point weighed
// by its standard error.
type Parabola struct {
	Kind        string     `json:"kind"`
	X           []float64  `json:"x"`
	Results     []Result   `json:"-"`
	Coefficient [3]float64 `json:"coefficients"` // of 1, x, x²
	// Best is where the curve is highest, Top its value there. BestSE takes the
	// points as independent; they share the games, so that it is too large.
	Best   float64 `json:"best"`
	BestSE float64 `json:"best_se"`
	Top    float64 `json:"top"`
}

// Fit fits a parabola to results of models of one kind with a number each; nil
// where there are fewer than four, or the curve has no top.
func Fit(models []cube.Model, results []Result) *Parabola {
	if len(models) < 4 {
		return nil
	}
	f := &Parabola{Results: results}
	for _, m := range models {
		kind, x, ok := number(m)
		if !ok || f.Kind != "" && f.Kind != kind {
			return nil
		}
		f.Kind, f.X = kind, append(f.X, x)
	}
	normal, right := mat.NewSymDense(3, nil), mat.NewVecDense(3, nil)
	for i, x := range f.X {
		se := math.Max(results[i].Points.SE, 1e-6)
		row := [3]float64{1, x, x * x}
		for a := range row {
			for b := a; b < 3; b++ {
				normal.SetSym(a, b, normal.At(a, b)+row[a]*row[b]/(se*se))
			}
			right.SetVec(a, right.AtVec(a)+row[a]*results[i].Points.Mean/(se*se))
		}
	}
	var c mat.Cholesky
	if !c.Factorize(normal) {
		return nil
	}
	var solution mat.VecDense
	var covariance mat.SymDense
	if c.SolveVecTo(&solution, right) != nil || c.InverseTo(&covariance) != nil {
		return nil
	}
	for i := range f.Coefficient {
		f.Coefficient[i] = solution.AtVec(i)
	}
	b, a := f.Coefficient[1], f.Coefficient[2]
	if a >= 0 {
		return nil
	}
	f.Best = -b / (2 * a)
	f.Top = f.At(f.Best)
	db, da := -1/(2*a), b/(2*a*a)
	f.BestSE = math.Sqrt(max(db*db*covariance.At(1, 1)+2*db*da*covariance.At(1, 2)+da*da*covariance.At(2, 2), 0))
	return f
}

// At is the curve.
func (f *Parabola) At(x float64) float64 {
	return f.Coefficient[0] + x*(f.Coefficient[1]+x*f.Coefficient[2])
}

// number is the kind and the number of a model that has one.
func number(m cube.Model) (kind string, x float64, ok bool) {
	switch m := m.(type) {
	case cube.Janowski:
		return "cube life index", m.Life, m.Life == m.Opponent
	case cube.Jump:
		return fmt.Sprintf("volatility of the jump model (form %d)", m.Form), m.Volatility, !m.Local
	}
	return "", 0, false
}

package cubestudy

import (
	"math"

	"bgtrain/internal/cube"
)

// Parabola is the curve of points per game over the number of a model (the cube
// life index, or the jump volatility), fitted by least squares, each point weighed
// by its standard error.
type Parabola struct {
	Kind        string     `json:"kind"`
	X           []float64  `json:"x"`
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
	f := &Parabola{}
	var ok bool
	if f.Kind, f.X, ok = numbers(models); !ok {
		return nil
	}
	var normal [3][3]float64
	var right [3]float64
	for i, x := range f.X {
		se := math.Max(results[i].Points.SE, 1e-6)
		row := [3]float64{1, x, x * x}
		for a := range row {
			for b := range row {
				normal[a][b] += row[a] * row[b] / (se * se)
			}
			right[a] += row[a] * results[i].Points.Mean / (se * se)
		}
	}
	covariance, ok := inverse(&normal)
	if !ok {
		return nil
	}
	for a, row := range covariance {
		f.Coefficient[a] = row[0]*right[0] + row[1]*right[1] + row[2]*right[2]
	}
	b, a := f.Coefficient[1], f.Coefficient[2]
	if a >= 0 {
		return nil
	}
	f.Best = -b / (2 * a)
	f.Top = f.At(f.Best)
	db, da := -1/(2*a), b/(2*a*a)
	f.BestSE = math.Sqrt(max(db*db*covariance[1][1]+2*db*da*covariance[1][2]+da*da*covariance[2][2], 0))
	return f
}

// numbers returns the kind of models and the number of each; ok is false where they are fewer
// than four, or not of one kind with a number.
func numbers(models []cube.Model) (kind string, xs []float64, ok bool) {
	for _, m := range models {
		k, x, numbered := number(m)
		if !numbered || kind != "" && kind != k {
			return "", nil, false
		}
		kind, xs = k, append(xs, x)
	}
	return kind, xs, len(xs) >= 4
}

// inverse inverts a symmetric matrix by its cofactors; ok is false where it is singular.
func inverse(m *[3][3]float64) (inv [3][3]float64, ok bool) {
	for a := range m {
		for b := range m {
			i, j, k, l := (a+1)%3, (a+2)%3, (b+1)%3, (b+2)%3
			inv[a][b] = m[i][k]*m[j][l] - m[i][l]*m[j][k]
		}
	}
	det := m[0][0]*inv[0][0] + m[0][1]*inv[0][1] + m[0][2]*inv[0][2]
	for a := range inv {
		for b := range inv[a] {
			inv[a][b] /= det
		}
	}
	return inv, det > 1e-12*m[0][0]*m[1][1]*m[2][2]
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
		return "volatility of the jump model", m.Volatility, !m.Local
	}
	return "", 0, false
}

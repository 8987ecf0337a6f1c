package gemm

import "math"

// Tiles and Dots are the kernels of bfloat16 in Go: what those of AMX and those of AVX-512 BF16
// must compute to the bit. They are slow: for tests.
var (
	Tiles = Squares{squares: squares{multiplyTilesGo, roundRowsGo, pairRowsGo, turnTilesGo}}
	Dots  = Squares{squares: squares{multiplyDotsGo, roundRowsGo, pairRowsGo, turnTilesGo}}
)

func multiplyTilesGo(groups, steps int, a []uint16, astep, agroup int, b []uint16, init, c []float32) {
	for g := range groups {
		for i := range Square {
			for j := range Square {
				sum := init[j]
				for k := range steps {
					row := a[g*agroup+k*astep+i*Square:]
					pairs := b[k*SquareSize+j/16*16*Square+j%16*2:]
					var even, odd float32
					for p := range Square / 2 {
						even = multiplyAdd(row[2*p], pairs[p*Square], even)
						odd = multiplyAdd(row[2*p+1], pairs[p*Square+1], odd)
					}
					sum = flush(sum + flush(even+odd))
				}
				c[(g*Square+i)*Panel+j] = sum
			}
		}
	}
}

func multiplyDotsGo(groups, steps int, a []uint16, astep, agroup int, b []uint16, init, c []float32) {
	for g := range groups {
		for at := range SquareSize {
			i, j := at/Panel, at%Panel
			sum := flush(init[j])
			for k := range steps {
				row := a[g*agroup+k*astep+i*Square:]
				pairs := b[k*SquareSize+j/16*16*Square+j%16*2:]
				for p := range Square / 2 {
					sum = multiplyAdd(row[2*p+1], pairs[p*Square+1], sum)
					sum = multiplyAdd(row[2*p], pairs[p*Square], sum)
				}
			}
			c[g*SquareSize+at] = sum
		}
	}
}

// multiplyAdd returns a·b + c, rounded once.
func multiplyAdd(a, b uint16, c float32) float32 {
	x, y := float64(wide(a))*float64(wide(b)), float64(c) // a·b is exact
	s := x + y
	// The error of the sum decides how a number between two float32 is to be rounded.
	t := s - x
	if e := (x - (s - t)) + (y - t); (e > 0 || e < 0) && math.Float64bits(s)&1 == 0 {
		if (e > 0) == (s > 0) {
			s = math.Float64frombits(math.Float64bits(s) + 1)
		} else {
			s = math.Float64frombits(math.Float64bits(s) - 1)
		}
	}
	return flush(float32(s))
}

// wide is the float32 of a bfloat16.
func wide(a uint16) float32 { return flush(math.Float32frombits(uint32(a) << 16)) }

func roundRowsGo(rows int, x []float32, to []uint16, apart int) {
	for i, v := range x[:rows*Panel] {
		bits := math.Float32bits(v)
		to[i/Panel*apart+i%Panel] = uint16((bits + 0x7fff + bits>>16&1) >> 16)
	}
}

func pairRowsGo(n int, from, to []uint16) {
	for i := range n * SquareSize {
		s, r, c := i/SquareSize*SquareSize, i%SquareSize/Square, i%Square
		to[s+c/16*16*Square+r/2*Square+c%16*2+r%2] = from[i]
	}
}

func turnTilesGo(n int, from, to []uint16, apart int) {
	const tile = SquareSize / 2
	for i := range n * SquareSize {
		t, r, c := i/tile, i%tile/Square, i%Square
		to[t/2*apart+t%2*tile+c/2*Square+2*r+c%2] = from[i]
	}
}

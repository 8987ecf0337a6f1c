package main

import (
	"math"
	"math/rand/v2"

	"bgtrain/internal/bg"
)

// place is a position as k-means sees it: the checkers on each place of both sides.
type place [bg.BoardPlaces]float32

func placeOf(b *bg.Board) (p place) {
	one := [1]bg.Board{*b}
	for i, c := range bg.Counts(one[:]) {
		p[i] = float32(c)
	}
	return p
}

func (p *place) distance(q *place) (sum float32) {
	for i := range p {
		d := p[i] - q[i]
		sum += d * d
	}
	return sum
}

// nearest returns the nearest of some centers, and the square of its distance.
func nearest(centers []place, p *place) (best int, distance float32) {
	distance = math.MaxFloat32
	for i := range centers {
		if d := centers[i].distance(p); d < distance {
			best, distance = i, d
		}
	}
	return best, distance
}

// kMeans finds k centers of positions by Lloyd's rounds, beginning with positions
// drawn by k-means++. It returns them and the mean square of the distance to the
// nearest.
func kMeans(rng *rand.Rand, points []place, k, rounds int) (centers []place, spread float64) {
	centers = append(centers, points[rng.IntN(len(points))])
	weights := make([]float64, len(points))
	for len(centers) < k {
		total := 0.0
		for i := range points {
			_, d := nearest(centers, &points[i])
			total += float64(d)
			weights[i] = total
		}
		at, x := 0, rng.Float64()*total
		for at < len(points)-1 && weights[at] <= x {
			at++
		}
		centers = append(centers, points[at])
	}
	for range rounds {
		sums, counts := make([][bg.BoardPlaces]float64, k), make([]int, k)
		spread = 0
		for i := range points {
			c, d := nearest(centers, &points[i])
			spread += float64(d)
			counts[c]++
			for j, x := range points[i] {
				sums[c][j] += float64(x)
			}
		}
		for c := range centers {
			for j := range centers[c] {
				if counts[c] > 0 {
					centers[c][j] = float32(sums[c][j] / float64(counts[c]))
				}
			}
		}
	}
	return centers, spread / float64(len(points))
}

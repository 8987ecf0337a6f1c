// Package splitmix makes unrelated seeds of related numbers: Steele, Lea and
// Flood's SplitMix64 ("Fast splittable pseudorandom number generators", 2014).
package splitmix

import "math/rand/v2"

// Gamma is what the generator's state grows by.
const Gamma = 0x9e3779b97f4a7c15

// Mix is the generator's finishing step, a bijection that scatters close numbers.
func Mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Seed is the generator's first number after the state x: a seed that has
// nothing in common with those of x+1, x+2 and so on.
func Seed(x uint64) uint64 { return Mix(x + Gamma) }

// Rand returns the generator of one stream of a seed's numbers, such as that of a game.
// Neighboring streams give unrelated sequences.
func Rand(seed, stream uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, stream*Gamma+1)) }

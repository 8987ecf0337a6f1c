// Package nn writes the kernels of internal/nn.
package nn

import . "bgtrain/internal/asm/simd"

// maxTile is the largest number of input vectors that a tile kernel takes.
const maxTile = 6

// shapes are the sizes of a tier's kernels.
type shapes struct {
	maxGroups [maxTile + 1]int // of a tile of so many vectors
	dots      []dotShape
	chain     int // groups of units of that kernel
}

// dotShape is the number of input vectors and outputs of a dot kernel.
type dotShape struct{ vectors, outputs int }

func shapesOf(t *Tier) shapes {
	if t.AVX512 {
		return shapes{[...]int{0, 4, 4, 4, 4, 4, 4}, []dotShape{{4, 5}, {1, 5}, {1, 1}}, 8}
	}
	return shapes{[...]int{0, 4, 2, 2, 1, 1, 1}, []dotShape{{1, 5}, {1, 1}}, 4}
}

// Kernels generates those of the tier.
func Kernels() {
	if T.VNNI { // else as AVX-512 or AVX2
		fixed()
		return
	}
	s := shapesOf(T)
	for t := 1; t <= maxTile; t++ {
		index(t)
	}
	for t := 1; t <= maxTile; t++ {
		for b := s.maxGroups[t]; b > 0; b /= 2 {
			tile(t, b)
			more(t, b)
		}
	}
	for _, d := range s.dots {
		dot(d.vectors, d.outputs)
	}
	dotRounded(4)
	dotRounded(1)
	sigmoid()
	sigmoidGNUbg("sigmoidGNUbg", "in the last layer", division)
	sigmoidGNUbg("hiddenGNUbg", "in the layers before", rcpps)
	tanh()
	relu()
	coarseSigmoid()
	coarseSquaredReLU()
	if !T.AVX512 { // good for AVX-512 too
		nearSums(1)
		nearSums(2)
		nearOutputs()
	}
	fixed()
	for t := 1; t <= maxTile; t++ {
		active(t)
	}
	quantize(true)
	quantize(false)
	if !T.AVX512 {
		differ()
	}
	Peak()
}

// fixed generates the kernels of layers in fixed point that multiply.
func fixed() {
	s := shapesOf(T)
	chain(s.chain)
	for t := 1; t <= maxTile; t++ {
		for b := s.maxGroups[t]; b > 0; b /= 2 {
			fixedTile(t, b)
		}
	}
}

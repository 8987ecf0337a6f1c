package nn

// kernels is the arithmetic of one tier. Vectors of a layer's inputs and of its
// sums follow each other without a gap.
type kernels struct {
	// tile is the number of vectors that index and sums take.
	tile int

	// packed says that chain and fixed take the weights as fixedBlock.packed has them.
	packed bool

	// index lists the inputs of a layer with blocks that are not zero in one of
	// n vectors, ascending, and returns their number. Of the first powers of them
	// all values are zero or powers of two, whose products need no rounding.
	index func(l *layer, x []float32, n int, list *inputList) (listed, powers int)

	// sums computes the sums of block b of a layer for a tile's vectors; x begins
	// at the first of them, sums at its first unit of the block, stride from one
	// vector to the next.
	sums func(l *layer, b int, x []float32, t *tile, sums []float32, stride int)

	// more continues the sums of block b of a layer for n vectors, at most tile:
	// with its inputs from first on, which x holds without the others, inputs a
	// vector. The layer does not round.
	more func(l *layer, b, first, inputs int, x []float32, n int, sums []float32)

	// dot computes the sums of a layer without blocks for n vectors.
	dot func(l *layer, x []float32, n int, sums []float32)

	// chain computes block b of a first layer in fixed point, for n vectors as s has
	// them.
	chain func(f *fixed, b int, c *Compiled, s *Scratch, n int, sums []float32, stride int)

	// fixed computes block b of another layer in fixed point for a tile's vectors; x and ones
	// begin at the first of them, sums at its first unit of the block. Pairs of x are of
	// pairs of the tile's rows.
	fixed func(f *fixed, b int, x []uint32, t *tile, ones, sums []float32, stride int)

	// active lists the inputs of n vectors of width values that are not zero in all of them:
	// rows gets first + rowBytes·input, with room for Lanes more, masks a bit for each
	// input. It returns their number.
	active func(x []float32, width, n, first, rowBytes int, rows []uint32, masks []uint8) int

	// quantize sets out to the integers x·2^e, two a word, of some blocks of width
	// values each, stride apart, and returns e, at most most, see quantizeGo.
	quantize func(x []float32, blocks, stride, width, most int, out []uint32) int

	// quantizeActive does so with the values of which masks has a bit, and a zero after an odd number.
	quantizeActive func(x []float32, blocks, stride, width, most int, masks []uint8, out []uint32) int

	// differ sets out to x - y, integers of 16 bits, and reports whether one overflows.
	differ func(x, y, out []uint32) bool

	// activations replace x by the activation of beta·x, or by hiddenGNUbg; len(x)
	// is a multiple of Lanes.
	activations [numFunctions]func(x []float32, beta float32)

	// nearSums computes, for units u of padded width and n vectors v, at most 8,
	// out[NearBlock*u+v], see nearSumsGo.
	nearSums func(c *Near, vectors []byte, n int, s *NearScratch, out []float32)

	// nearOutputs computes out[NearBlock*(nearOuts*b+o)+v] for blocks b, outputs o
	// and vectors v from hidden[NearBlock*(width*b+u)+v].
	nearOutputs func(c *Near, hidden []float32, blocks int, out []float32)
}

// best is what this run uses.
var best = tiers.Best()

package nn

// The kernels of Near are for AVX2: wider registers would be half empty.

func nearSumsAVX2(c *Near, vectors []byte, n int, s *NearScratch, out []float32) {
	_, _, _ = vectors[n*c.places-1], s.lines[c.width*n-1], out[NearBlock*(c.width-1)+7]
	sums := nearSums16AVX2
	if c.width == 8 {
		sums = nearSums8AVX2
	}
	sums(&vectors[0], n, c.places, &s.base[0], &s.old[0], &c.rows[0], &s.sums[0], &s.lines[0], &out[0])
}

func nearOutputsOf(c *Near, hidden []float32, blocks int, out []float32) {
	_, _ = hidden[blocks*NearBlock*c.width-1], out[blocks*NearBlock*nearOuts-1]
	nearOutputsAVX2(&hidden[0], c.width, blocks, &c.w[0], &c.bias[0], &out[0])
}

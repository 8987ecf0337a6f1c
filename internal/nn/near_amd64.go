package nn

import "bgtrain/internal/cpu"

var nearKernelsOf = map[cpu.Tier]*nearKernels{
	cpu.AVX2:   {nearSumsAVX2, nearOutputsOf, &kernelsOf[cpu.AVX2].activations},
	cpu.AVX512: {nearSumsAVX2, nearOutputsOf, &kernelsOf[cpu.AVX512].activations},
}

func nearSumsAVX2(c *Near, vectors [][NearCounts]byte, s *NearScratch, out []float32) {
	_, _ = s.lines[c.width*len(vectors)-1], out[NearBlock*(c.width-1)+7]
	sums := nearSums16AVX2
	if c.width == 8 {
		sums = nearSums8AVX2
	}
	sums(&vectors[0][0], len(vectors), &s.base[0], &s.old[0], &c.rows[0], &s.sums[0], &s.lines[0], &out[0])
}

func nearOutputsOf(c *Near, hidden []float32, blocks int, out []float32) {
	_, _ = hidden[blocks*NearBlock*c.width-1], out[blocks*NearBlock*nearOuts-1]
	nearOutputsAVX2(&hidden[0], c.width, blocks, &c.w[0], &c.bias[0], &out[0])
}

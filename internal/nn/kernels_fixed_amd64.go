package nn

func (a *assembly) chainAll(f *fixed, b int, c *Compiled, s *Scratch, n int, sums []float32, stride int) {
	bl := &f.blocks[b]
	_, _, _, _ = s.x[n*f.words-1], s.lists[n*c.listRoom-1], s.steps[n-1], sums[(n-1)*stride+chainUnits-1]
	for at := 0; at < chainUnits; at += a.groups * Lanes {
		a.chain(&s.steps[0].listed, n, &s.x[0], &s.lists[0], 4*f.words, 4*c.listRoom,
			&bl.w[2*at], &bl.scale[at], &bl.bias[at], &sums[at], 4*stride)
	}
}

func (a *assembly) fixedAll(f *fixed, b int, x []uint32, t *tile, ones, sums []float32, stride int) {
	bl := &f.blocks[b]
	_, _, _ = x[t.n*f.words-1], ones[t.n-1], sums[(t.n-1)*stride+bl.width-1]
	tiles := &a.fixed[t.n]
	for at := 0; at < bl.width; {
		groups := blockUnits / Lanes
		for groups*Lanes > bl.width-at || tiles[groups] == nil {
			groups /= 2
		}
		tiles[groups](&x[0], 4*f.words, &t.rows[0], (t.listed+1)/2,
			&bl.w[at], &ones[0], &bl.scale[at], &bl.bias[at], &sums[at], 4*stride)
		at += groups * Lanes
	}
}

func (a *assembly) quantizeAll(x []float32, blocks, stride, width, most int, out []uint32) int {
	_, _ = x[(blocks-1)*stride+width-1], out[blocks*width/2-1]
	return a.quantize(&x[0], blocks, 4*stride, width/Lanes, most, &out[0])
}

func (a *assembly) activeAll(x []float32, width, n, first, rowBytes int, rows []uint32, masks []uint8) int {
	_, _, _ = x[n*width-1], rows[width+Lanes-1], masks[width/8-1]
	return a.active[n](&x[0], 4*width, width/Lanes, first, rowBytes/4, &rows[0], &masks[0])
}

func (a *assembly) quantizeActiveAll(x []float32, blocks, stride, width, most int, masks []uint8, out []uint32) int {
	_, _, _ = x[(blocks-1)*stride+width-1], masks[blocks*width/8-1], out[blocks*width/2+Lanes-1]
	return a.quantizeActive(&x[0], blocks, 4*stride, width/Lanes, most, &masks[0], &out[0])
}

func differWords(x, y, out []uint32) bool {
	_, _ = y[len(x)-1], out[len(x)-1]
	return differAVX2(&x[0], &y[0], len(x)/8, &out[0])
}

//go:build !amd64

package gemm

import "bgtrain/internal/cpu"

// Other processors never choose a tier with assembly (package cpu).

func tilesOf(cpu.Tier) ([]tile, int) { panic(noKernel) }

const noKernel = "gemm: no kernel for this processor"

func dots5AVX2(rows int, panels int, h *float32, pstride uintptr, w *float32, wstride uintptr, bias *float32, z *float32) {
	panic(noKernel)
}
func columnSumsAVX2(rows int, x *float32, sum *float32) { panic(noKernel) }
func sparseMultiplyAVX2(rows int, ends *uint32, off *uint32, val *float32, w *float32, bias *float32, c *float32) {
	panic(noKernel)
}
func sparseAccumulateAVX2(rows int, ends *uint32, off *uint32, val *float32, d *float32, g *float32) {
	panic(noKernel)
}
func sigmoidAVX2(n int, x *float32)                                              { panic(noKernel) }
func tanhAVX2(n int, x *float32)                                                 { panic(noKernel) }
func reluAVX2(n int, x *float32)                                                 { panic(noKernel) }
func sigmoidGradientAVX2(n int, d *float32, y *float32)                          { panic(noKernel) }
func tanhGradientAVX2(n int, d *float32, y *float32)                             { panic(noKernel) }
func reluGradientAVX2(n int, d *float32, y *float32)                             { panic(noKernel) }
func adamAVX2(n int, w *float32, m *float32, v *float32, g *float32, p *float32) { panic(noKernel) }
func momentumAVX2(n int, w *float32, m *float32, g *float32, p *float32)         { panic(noKernel) }
func averageAVX2(n int, e *float32, w *float32, p *float32)                      { panic(noKernel) }
func dots5AVX512(rows int, panels int, h *float32, pstride uintptr, w *float32, wstride uintptr, bias *float32, z *float32) {
	panic(noKernel)
}
func columnSumsAVX512(rows int, x *float32, sum *float32) { panic(noKernel) }
func sparseMultiplyAVX512(rows int, ends *uint32, off *uint32, val *float32, w *float32, bias *float32, c *float32) {
	panic(noKernel)
}
func sparseAccumulateAVX512(rows int, ends *uint32, off *uint32, val *float32, d *float32, g *float32) {
	panic(noKernel)
}
func compressAVX512(x *float32, n int, first uint32, off *uint32, val *float32) (count int) {
	panic(noKernel)
}
func sigmoidAVX512(n int, x *float32)                                              { panic(noKernel) }
func tanhAVX512(n int, x *float32)                                                 { panic(noKernel) }
func reluAVX512(n int, x *float32)                                                 { panic(noKernel) }
func sigmoidGradientAVX512(n int, d *float32, y *float32)                          { panic(noKernel) }
func tanhGradientAVX512(n int, d *float32, y *float32)                             { panic(noKernel) }
func reluGradientAVX512(n int, d *float32, y *float32)                             { panic(noKernel) }
func adamAVX512(n int, w *float32, m *float32, v *float32, g *float32, p *float32) { panic(noKernel) }
func momentumAVX512(n int, w *float32, m *float32, g *float32, p *float32)         { panic(noKernel) }
func averageAVX512(n int, e *float32, w *float32, p *float32)                      { panic(noKernel) }

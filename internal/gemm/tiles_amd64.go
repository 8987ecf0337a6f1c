package gemm

import "bgtrain/internal/cpu"

//go:generate go run -C ../asm . -kernels gemm -tier avx512 -to ../gemm
//go:generate go run -C ../asm . -kernels gemm -tier avx2 -to ../gemm

var (
	tilesAVX512 = []tile{
		multiply1AVX512, multiply2AVX512, multiply3AVX512, multiply4AVX512,
		multiply5AVX512, multiply6AVX512, multiply7AVX512, multiply8AVX512,
		multiply9AVX512, multiply10AVX512, multiply11AVX512, multiply12AVX512,
		multiply13AVX512, multiply14AVX512,
	}
	tilesAVX2 = []tile{
		multiply1AVX2, multiply2AVX2, multiply3AVX2,
		multiply4AVX2, multiply5AVX2, multiply6AVX2,
	}
)

// tilesOf returns the kernels of a tier by height, and their width in columns.
func tilesOf(t cpu.Tier) (tiles []tile, width int) {
	if t == cpu.AVX2 {
		return tilesAVX2, 16
	}
	return tilesAVX512, 32
}

package cpu

import (
	"github.com/klauspost/cpuid/v2"
	"golang.org/x/sys/cpu"
)

// Detected returns the highest tier of this processor and operating system,
// whatever EnvVar says.
func Detected() Tier {
	x := &cpu.X86
	switch avx2 := x.HasAVX2 && x.HasFMA && x.HasBMI1 && x.HasBMI2; {
	case avx2 && x.HasAVX512F && x.HasAVX512BW && x.HasAVX512DQ && x.HasAVX512VL && x.HasAVX512VNNI:
		return VNNI
	case avx2 && x.HasAVX512F && x.HasAVX512BW && x.HasAVX512DQ && x.HasAVX512VL:
		return AVX512
	case avx2 && hasAVXVNNI():
		return AVXVNNI
	case avx2:
		return AVX2
	}
	return Go
}

func hasAVXVNNI() bool { return cpu.X86.HasAVXVNNI }

// AVX512BF16 reports whether kernels may use the dot products of bfloat16 of AVX-512 BF16, beside
// VNNI, the highest tier: whether the processor has them, and EnvVar does not lower the tier.
func AVX512BF16() bool { return level >= VNNI && cpu.X86.HasAVX512BF16 }

// FastAVX512BF16 reports whether these dot products also take less time than those of float32. Cores of Intel's
// begin as many products a cycle of either.
func FastAVX512BF16() bool { return AVX512BF16() && cpuid.CPU.VendorID != cpuid.Intel }

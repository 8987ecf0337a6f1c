package nets

import (
	"fmt"
	"io"
	"math"

	"bgtrain/internal/atomicfile"
	"bgtrain/internal/nn"
)

// WriteHalf writes a player with weights of 16 bits (IEEE 754 binary16), half the size of float32, to a
// .safetensors file, and returns the player that the file holds: its weights are the nearest of 16 bits, ties to
// even. A number beyond 65504 is an error that names its tensor.
func WriteHalf(path string, s *Set) (*Set, error) {
	rounded, err := s.changed(func(role Role, k int, l *nn.Layer) (err error) {
		if l.Weights, err = roundHalf(l.Weights, tensorName(role, k, "weight")); err == nil {
			l.Bias, err = roundHalf(l.Bias, tensorName(role, k, "bias"))
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return rounded, atomicfile.Write(path, func(w io.Writer) error { return writeSafetensors(w, rounded, dtypeF16) })
}

// roundHalf rounds the numbers of a tensor to 16 bits.
func roundHalf(values []float32, tensor string) ([]float32, error) {
	out := make([]float32, len(values))
	for i, v := range values {
		h, ok := toHalf(v)
		if !ok {
			return nil, fmt.Errorf("tensor %q holds %g: floats of 16 bits end at 65504", tensor, v)
		}
		out[i] = fromHalf(h)
	}
	return out, nil
}

// toHalf returns the float of 16 bits nearest to v, ties to even, and whether there is one.
func toHalf(v float32) (h uint16, ok bool) {
	sign := uint16(math.Float32bits(v)>>16) & 0x8000
	size := math.Abs(float64(v))
	switch {
	case !(size < 65520): // where rounding gives 65536; nor what is no number
		return 0, false
	case size < 0x1p-14: // subnormal, multiples of 2⁻²⁴; the largest may round to the first that is not
		return sign | uint16(math.RoundToEven(size*0x1p24)), true
	}
	b := math.Float32bits(v) & 0x7FFFFFFF
	b += 0xFFF + b>>13&1
	return sign | uint16((b-(127-15)<<23)>>13), true
}

// fromHalf returns a float of 16 bits as float32, which has them all.
func fromHalf(h uint16) float32 {
	sign, exponent, fraction := uint32(h>>15)<<31, uint32(h>>10&31), uint32(h&1023)
	var size uint32 // the bits of its magnitude
	switch exponent {
	case 0:
		size = math.Float32bits(float32(fraction) * 0x1p-24)
	case 31:
		size = 255<<23 | fraction<<13 // infinite, or no number
	default:
		size = (exponent+127-15)<<23 | fraction<<13
	}
	return math.Float32frombits(sign | size)
}

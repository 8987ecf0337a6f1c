package nn

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	. "bgtrain/internal/asm/simd"
)

// dot computes narrow layers: each output is a dot product over the inputs.
func dot(t, o int) {
	Kernel(fmt.Sprintf("dot%dx%d", t, o), "func(x *float32, stride, groups int, w, bias, out *float32)",
		fmt.Sprintf("sets out[v][o] = x[v]·w[o] + bias[v][o] for %d vectors v and %d outputs o,", t, o),
		"each of 16·groups inputs, stride bytes apart: 16 partial sums, each over every",
		"16th input, then halves added together until one is left.")
	x := vectors("x", "stride", t)
	stride, groups := Arg("stride"), Arg("groups")
	w := []reg.Register{Arg("w")}
	for range o - 1 {
		p := GP64()
		LEAQ(Mem{Base: w[len(w)-1], Index: stride, Scale: 1}, p)
		w = append(w, p)
	}
	sums := make([]Lanes, t*o)
	for i := range sums {
		sums[i] = NewLanes().Zero()
	}
	off := Zero()
	Label("loop")
	in := make([]Lanes, t)
	for v := range in {
		in[v] = NewLanes().Load(Mem{Base: x[v], Index: off, Scale: 1})
	}
	for k := range w {
		at := Mem{Base: w[k], Index: off, Scale: 1}
		if t == 1 {
			sums[k].Fma(in[0], at)
			continue
		}
		weights := NewLanes().Load(at)
		for v := range in {
			sums[v*o+k].Fma(in[v], weights)
		}
	}
	ADDQ(Imm(64), off)
	DECQ(groups)
	JNE(LabelRef("loop"))
	bias, out := Arg("bias"), Arg("out")
	for i := 0; i < len(sums); i += 4 {
		if i+4 > len(sums) {
			for ; i < len(sums); i++ {
				s := sum1(sums[i])
				VADDSS(Mem{Base: bias, Disp: 4 * i}, s, s)
				VMOVSS(s, Mem{Base: out, Disp: 4 * i})
			}
			break
		}
		s := sum4(sums[i : i+4])
		VADDPS(Mem{Base: bias, Disp: 4 * i}, s, s)
		VMOVUPS(s, Mem{Base: out, Disp: 4 * i})
	}
	Finish()
}

// dotRounded computes five outputs as GNU Backgammon does: four partial sums for
// each, products rounded. The weights of four inputs for the first four outputs
// lie together, those for the fifth elsewhere.
func dotRounded(t int) {
	Kernel(fmt.Sprintf("dotRounded%dx5", t), "func(x *float32, stride, quads int, w, w5, bias, out *float32)",
		fmt.Sprintf("sets out[v][o] = x[v]·w[o] + bias[o] for %d vectors v and 5 outputs", t),
		"o, each of 4·quads inputs, stride bytes apart: (s0+s1) + (s2+s3) of four partial",
		"sums, each over every 4th input, products rounded. w holds for each four inputs",
		"their weights for the first four outputs, w5 those for the fifth.")
	x := vectors("x", "stride", t)
	quads, w, w5 := Arg("quads"), Arg("w"), Arg("w5")
	sums, fifth := make([]Lanes, t), make([]reg.VecVirtual, t)
	for v := range sums {
		sums[v], fifth[v] = NewLanes().Zero(), XMM()
		VXORPS(fifth[v], fifth[v], fifth[v])
	}
	off := Zero()
	Label("loop")
	for v := range sums {
		in, product := Vector(), XMM()
		from := Mem{Base: x[v], Index: off, Scale: 1}
		if T.AVX512 {
			VBROADCASTF32X4(from, in)
		} else {
			VBROADCASTF128(from, in)
		}
		for i := range sums[v] {
			addRounded(Part(Mem{Base: w, Index: off, Scale: 4}, i), in, sums[v][i])
		}
		VMULPS(Mem{Base: w5, Index: off, Scale: 1}, in.AsX(), product)
		VADDPS(product, fifth[v], fifth[v])
	}
	ADDQ(Imm(16), off)
	DECQ(quads)
	JNE(LabelRef("loop"))
	bias, out := Arg("bias"), Arg("out")
	for v := range sums {
		for o := range 5 {
			s := fifth[v]
			if o < 4 {
				s = quad(sums[v], o)
			}
			s = neighbors(s, s)
			s = neighbors(s, s)
			VADDSS(Mem{Base: bias, Disp: 4 * o}, s, s)
			VMOVSS(s, Mem{Base: out, Disp: 4 * (5*v + o)})
		}
	}
	Finish()
}

// quad returns the i-th four lanes.
func quad(v Lanes, i int) reg.VecVirtual {
	s := XMM()
	switch {
	case T.AVX512:
		VEXTRACTF32X4(U8(i), v[0], s)
	default:
		VEXTRACTF128(U8(i%2), v[i/2], s)
	}
	return s
}

// neighbors returns the sums of neighboring lanes of a, then of b.
func neighbors(a, b reg.VecVirtual) reg.VecVirtual {
	even, odd := XMM(), XMM()
	VSHUFPS(U8(0x88), b, a, even)
	VSHUFPS(U8(0xdd), b, a, odd)
	VADDPS(odd, even, even)
	return even
}

// sum4 adds up the partial sums of four dot products into the lanes of one register.
func sum4(v []Lanes) reg.VecVirtual {
	a, b := v[0].Quarter(), v[1].Quarter()
	ab := neighbors(a, b)
	c, d := v[2].Quarter(), v[3].Quarter()
	return neighbors(ab, neighbors(c, d))
}

// sum1 adds up the partial sums of one dot product, in the same order as sum4.
func sum1(v Lanes) reg.VecVirtual {
	a := v.Quarter()
	a = neighbors(a, a)
	return neighbors(a, a)
}

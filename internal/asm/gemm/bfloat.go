package gemm

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"bgtrain/internal/asm/amx"
	. "bgtrain/internal/asm/simd"
)

// A square of bfloat16, see internal/gemm, is two tiles.
const (
	line   = 64        // bytes of a tile's row
	tile   = 16 * line // bytes of a tile
	square = 2 * tile
)

// bfloat generates the kernels of bfloat16.
func bfloat() {
	multiplyTiles()
	for _, r := range []int{10, 11} {
		multiplyDots(r)
	}
	round()
	pair()
	turn()
}

// multiplyTiles generates the product of squares by AMX: 2×2 tiles of sums, so that every
// tile of A and B that is loaded is used twice.
func multiplyTiles() {
	Kernel("multiplyTiles",
		"func(groups, steps int, a *uint16, astep, agroup uintptr, b *uint16, init, c *float32)",
		"computes groups of 32 rows of a panel, C = Init + A·B, over steps squares",
		"of A, astep bytes apart, and of B. A's squares of the next group are agroup bytes from those of",
		"the one before; Init is a row.")
	config := GLOBL("tileConfig", RODATA|NOPTR)
	DATA(0, U64(1)) // the only palette
	for t := range 8 {
		DATA(16+2*t, U16(line))
	}
	for t := range 8 {
		DATA(48+t, U8(16)) // rows
	}
	DATA(56, U64(0)) // so it is 64 bytes
	a, b, group, groups := reg.RSI, reg.RDI, reg.R11, reg.R8
	pa, pb, steps, left := reg.RAX, reg.RBX, reg.R9, reg.R10
	astep, init, c := reg.RDX, reg.R12, reg.R13
	apart, step := reg.RCX, reg.R15
	LEAQ(config, pa)
	amx.LoadConfig(pa)
	Load(Param("groups"), groups)
	Load(Param("steps"), steps)
	Load(Param("a"), a)
	Load(Param("astep"), astep)
	Load(Param("agroup"), group)
	Load(Param("b"), b)
	Load(Param("init"), init)
	Load(Param("c"), c)
	MOVQ(U32(line), apart)

	Label("group")
	XORQ(step, step)
	for t := range amx.Tile(4) {
		amx.Load(amx.Rows{Base: init, Disp: int32(t%2) * line, Step: step}, t)
	}
	MOVQ(a, pa)
	MOVQ(b, pb)
	MOVQ(steps, left)
	Label("step")
	const a0, a1, b0, b1 = 4, 5, 6, 7
	amx.Load(amx.Rows{Base: pa, Step: apart}, a0)
	amx.Load(amx.Rows{Base: pb, Step: apart}, b0)
	amx.Dot(a0, b0, 0)
	amx.Load(amx.Rows{Base: pb, Disp: tile, Step: apart}, b1)
	amx.Dot(a0, b1, 1)
	amx.Load(amx.Rows{Base: pa, Disp: tile, Step: apart}, a1)
	amx.Dot(a1, b0, 2)
	amx.Dot(a1, b1, 3)
	ADDQ(astep, pa)
	ADDQ(U32(square), pb)
	DECQ(left)
	JNZ(LabelRef("step"))
	MOVQ(U32(row), step)
	for t := range amx.Tile(4) {
		amx.Store(t, amx.Rows{Base: c, Disp: int32(t/2)*16*row + int32(t%2)*line, Step: step})
	}
	ADDQ(group, a)
	ADDQ(U32(panel*row), c)
	DECQ(groups)
	JNZ(LabelRef("group"))
	amx.Release()
	RET()
}

// words generates indices of 16-bit words for VPERMI2W, of which 32 and above choose
// from the second register.
func words(name string, index func(i int) int) reg.VecVirtual {
	at := GLOBL(name, RODATA|NOPTR)
	for i := range 32 {
		DATA(2*i, U16(uint16(index(i))))
	}
	v := ZMM()
	VMOVDQU16(at, v)
	return v
}

// permute returns the words of a and b that index chooses.
func permute(index, a, b reg.VecVirtual) reg.VecVirtual {
	v := ZMM()
	VMOVDQA64(index, v)
	VPERMI2W(b, a, v)
	return v
}

// round generates the rounding of a panel: to the nearest, to even where there are two.
func round() {
	Kernel("roundRows", "func(rows int, x *float32, to *uint16, apart uintptr)",
		"rounds rows of a panel, to rows apart bytes apart.")
	apart, rows, x, to := Arg("apart"), Arg("rows"), Arg("x"), Arg("to")
	high := words("highWords", func(i int) int { return 2*i + 1 })
	one, most := Broadcast(1), Broadcast(0x7fff)
	Label("row")
	var v [2]reg.VecVirtual
	for j := range v {
		odd := ZMM()
		v[j] = ZMM()
		VMOVUPS(Mem{Base: x, Disp: 64 * j}, v[j])
		VPSRLD(U8(16), v[j], odd)
		VPANDD(one, odd, odd)
		VPADDD(most, v[j], v[j])
		VPADDD(odd, v[j], v[j])
	}
	VMOVDQU16(permute(high, v[0], v[1]), Mem{Base: to})
	ADDQ(U32(row), x)
	ADDQ(apart, to)
	DECQ(rows)
	JNZ(LabelRef("row"))
	Finish()
}

// pair generates the way from rows to pairs of rows.
func pair() {
	Kernel("pairRows", "func(squares int, from, to *uint16)", "pairs the rows of squares.")
	n, from, to := Arg("squares"), Arg("from"), Arg("to")
	var mix [2]reg.VecVirtual
	for h, name := range []string{"lowPairs", "highPairs"} {
		mix[h] = words(name, func(i int) int { return 16*h + i/2 + i%2*32 })
	}
	Label("square")
	for i := range 16 {
		even, odd := ZMM(), ZMM()
		VMOVDQU16(Mem{Base: from, Disp: 2 * i * line}, even)
		VMOVDQU16(Mem{Base: from, Disp: (2*i + 1) * line}, odd)
		for h := range mix {
			VMOVDQU16(permute(mix[h], even, odd), Mem{Base: to, Disp: h*tile + i*line})
		}
	}
	ADDQ(U32(square), from)
	ADDQ(U32(square), to)
	DECQ(n)
	JNZ(LabelRef("square"))
	Finish()
}

// turn generates the transposition of tiles of 16×16 pairs.
func turn() {
	Kernel("turnTiles", "func(squares int, from, to *uint16, apart uintptr)",
		"transposes both tiles of squares, as 16 rows of 16 pairs, to squares",
		"apart bytes apart.")
	n, from, to, apart := Arg("squares"), Arg("from"), Arg("to"), Arg("apart")
	Label("square")
	for h := range 2 {
		// Quads[g][k] has, in 128 bits l, column 4l+k of rows 4g to 4g+3.
		var quads [4][4]reg.VecVirtual
		for g := range quads {
			r := Vectors(4)
			for i := range r {
				VMOVUPS(Mem{Base: from, Disp: h*tile + (4*g+i)*line}, r[i])
			}
			low, high := Vectors(2), Vectors(2) // of rows 0 and 1, 2 and 3
			for i := range low {
				VUNPCKLPS(r[2*i+1], r[2*i], low[i])
				VUNPCKHPS(r[2*i+1], r[2*i], high[i])
			}
			for k, v := range [][]reg.VecVirtual{low, high} {
				quads[g][2*k], quads[g][2*k+1] = ZMM(), ZMM()
				VUNPCKLPD(v[1], v[0], quads[g][2*k])
				VUNPCKHPD(v[1], v[0], quads[g][2*k+1])
			}
		}
		for k := range 4 {
			for odd, choice := range []uint8{0x88, 0xdd} {
				x, y := ZMM(), ZMM()
				VSHUFF32X4(U8(choice), quads[1][k], quads[0][k], x)
				VSHUFF32X4(U8(choice), quads[3][k], quads[2][k], y)
				for upper, choice := range []uint8{0x88, 0xdd} {
					v := ZMM()
					VSHUFF32X4(U8(choice), y, x, v)
					VMOVUPS(v, Mem{Base: to, Disp: h*tile + (4*(2*upper+odd)+k)*line})
				}
			}
		}
	}
	ADDQ(U32(square), from)
	ADDQ(apart, to)
	DECQ(n)
	JNZ(LabelRef("square"))
	Finish()
}

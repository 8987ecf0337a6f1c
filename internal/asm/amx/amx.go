// Package amx encodes the instructions of AMX, which neither avo nor Go's assembler
// has, as bytes. Their operands are tiles by number and registers of fixed names:
// bytes are written before avo chooses registers, so a kernel that uses them names all
// of its registers itself.
package amx

import (
	"encoding/binary"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Tile is the number of a tile register, 0 to 7: 16 rows of 64 bytes.
type Tile byte

// Rows is where the rows of a tile are in memory: row i at Base + Disp + i·Step.
type Rows struct {
	Base reg.GPPhysical
	Disp int32
	Step reg.GPPhysical
}

// The prefixes of other encodings, as VEX says them.
const (
	none = 0
	pF3  = 2
	pF2  = 3
)

// LoadConfig shapes the tiles as the 64 bytes at the register say.
func LoadConfig(base reg.GPPhysical) { memory("LDTILECFG", none, 0x49, 0, Rows{Base: base}) }

// Load reads a tile.
func Load(from Rows, t Tile) { memory("TILELOADD", pF2, 0x4b, t, from) }

// Store writes a tile.
func Store(t Tile, to Rows) { memory("TILESTORED", pF3, 0x4b, t, to) }

// Dot adds to row m, column n of c the products of pair k of a's row m and pair n of
// b's row k, for every k.
func Dot(a, b, c Tile) { emit("TDPBF16PS", pF3, 0, 0, byte(b), 0x5c, 0xc0|byte(c)<<3|byte(a)) }

// Release ends the use of tiles.
func Release() { emit("TILERELEASE", none, 0, 0, 0, 0x49, 0xc0) }

// memory writes an instruction on a tile and memory, which takes a SIB byte.
func memory(name string, prefix, opcode byte, t Tile, m Rows) {
	base, index := byte(m.Base.PhysicalIndex()), byte(4) // 4: none
	if m.Step != nil {
		index = byte(m.Step.PhysicalIndex())
	}
	const sib, disp32 = 4, 0x80
	rest := []byte{opcode, disp32 | byte(t)<<3 | sib, index&7<<3 | base&7}
	emit(name, prefix, index, base, 0, binary.LittleEndian.AppendUint32(rest, uint32(m.Disp))...)
}

// emit writes an instruction: a VEX prefix of three bytes for map 0F38, 128 bits, and
// W 0, with the high bits of index and base and all of a third tile, and the rest.
func emit(name string, prefix, index, base, third byte, rest ...byte) {
	build.Comment(name)
	vex := []byte{0xc4, 1<<7 | (1-index>>3)<<6 | (1-base>>3)<<5 | 2, (^third&15)<<3 | prefix}
	for _, b := range append(vex, rest...) {
		build.Instruction(&ir.Instruction{Opcode: "BYTE", Operands: []operand.Op{operand.U8(b)}})
	}
}

package web

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// An assembler for the part of WebAssembly that the kernels need. Instructions are
// written as in its text format, operands first: "local.get $x", "i32.const 4",
// "v128.load 16", the number being the offset in bytes.

// immediate is what follows an instruction's name.
type immediate uint8

const (
	nothing   immediate = iota
	local               // $name of a parameter or local
	label               // $name of a block or loop around
	opens               // $name of the block or loop that begins
	integer             // 32 bits
	float               // 32 bits
	address             // offset in bytes; every access is aligned to 4
	lane                // of four
	laneLoads           // lane of four, from memory
)

// instruction is the encoding of one.
type instruction struct {
	code  []byte
	takes immediate
}

func plain(code byte, takes immediate) instruction { return instruction{[]byte{code}, takes} }

// vector is an instruction on 128 bits.
func vector(code uint64, takes immediate) instruction {
	return instruction{binary.AppendUvarint([]byte{0xfd}, code), takes}
}

var instructions = map[string]instruction{
	"block": plain(0x02, opens), "loop": plain(0x03, opens), "end": plain(0x0b, nothing),
	"br": plain(0x0c, label), "br_if": plain(0x0d, label),
	"local.get": plain(0x20, local), "local.set": plain(0x21, local), "local.tee": plain(0x22, local),
	"i32.load": plain(0x28, address), "f32.load": plain(0x2a, address),
	"i32.store": plain(0x36, address), "f32.store": plain(0x38, address),
	"i32.const": plain(0x41, integer), "f32.const": plain(0x43, float),
	"i32.ge_u": plain(0x4f, nothing), "i32.gt_u": plain(0x4b, nothing), "f32.ne": plain(0x5c, nothing),
	"i32.add": plain(0x6a, nothing), "i32.sub": plain(0x6b, nothing), "i32.mul": plain(0x6c, nothing),
	"i32.shl": plain(0x74, nothing), "i32.shr_u": plain(0x76, nothing), "f32.add": plain(0x92, nothing),
	"v128.load": vector(0, address), "v128.load32_splat": vector(9, address), "v128.store": vector(11, address),
	"i32x4.splat": vector(17, nothing), "f32x4.splat": vector(19, nothing),
	"i32x4.extract_lane": vector(27, lane), "f32x4.extract_lane": vector(31, lane),
	"f32x4.lt": vector(67, nothing), "f32x4.gt": vector(68, nothing),
	"v128.and": vector(78, nothing), "v128.or": vector(80, nothing), "v128.xor": vector(81, nothing),
	"v128.bitselect": vector(82, nothing), "v128.load32_lane": vector(86, laneLoads),
	"i32x4.shl": vector(171, nothing), "i32x4.add": vector(174, nothing),
	"f32x4.abs": vector(224, nothing), "f32x4.neg": vector(225, nothing), "f32x4.add": vector(228, nothing),
	"f32x4.sub": vector(229, nothing), "f32x4.mul": vector(230, nothing), "f32x4.div": vector(231, nothing),
	"f32x4.pmin": vector(234, nothing), "f32x4.pmax": vector(235, nothing),
	"i32x4.trunc_sat_f32x4_s": vector(248, nothing), "f32x4.convert_i32x4_s": vector(250, nothing),
}

// Types of values.
const (
	typeI32  = 0x7f
	typeF32  = 0x7d
	typeV128 = 0x7b
)

// function is one in the making.
type function struct {
	name    string
	params  []byte // types
	results []byte
	locals  []byte
	names   map[string]uint64 // of parameters and locals, by $name
	blocks  []string          // those around, the outermost first
	code    []byte
	err     error // the first
}

// newFunction begins a function of parameters such as "$x:i32", which gives the
// results of those types.
func newFunction(name string, params []string, results ...byte) *function {
	f := &function{name: name, results: results, names: map[string]uint64{}}
	for _, p := range params {
		f.params = append(f.params, f.declare(p))
	}
	return f
}

// declare gives the next number to "$name:type" and returns the type.
func (f *function) declare(s string) byte {
	name, kind, _ := strings.Cut(s, ":")
	f.names[name] = uint64(len(f.names))
	t, ok := map[string]byte{"i32": typeI32, "f32": typeF32, "v128": typeV128}[kind]
	if !ok {
		f.fail("type of %q", s)
	}
	return t
}

// local declares locals, such as "$v:v128".
func (f *function) local(names ...string) {
	for _, s := range names {
		f.locals = append(f.locals, f.declare(s))
	}
}

func (f *function) fail(format string, args ...any) {
	if f.err == nil {
		f.err = fmt.Errorf("function %s: %s", f.name, fmt.Sprintf(format, args...))
	}
}

// do adds instructions, given one a string or several separated by semicolons.
func (f *function) do(text ...string) {
	for _, t := range text {
		for one := range strings.SplitSeq(t, ";") {
			f.add(strings.Fields(one))
		}
	}
}

// add adds an instruction, which is its words.
func (f *function) add(words []string) {
	if len(words) == 0 {
		return
	}
	in, ok := instructions[words[0]]
	if !ok {
		f.fail("unknown instruction %q", words[0])
		return
	}
	f.code = append(f.code, in.code...)
	operand := ""
	if len(words) > 1 {
		operand = words[1]
	}
	if len(words) > 2 || operand == "" && in.takes != nothing && in.takes != address {
		f.fail("operands of %q", words)
		return
	}
	switch in.takes {
	case nothing:
		if words[0] == "end" && len(f.blocks) > 0 {
			f.blocks = f.blocks[:len(f.blocks)-1]
		}
	case local:
		n, ok := f.names[operand]
		if !ok {
			f.fail("no local %s", operand)
		}
		f.code = binary.AppendUvarint(f.code, n)
	case opens:
		f.blocks = append(f.blocks, operand)
		f.code = append(f.code, 0x40) // without a result
	case label:
		f.branch(operand)
	default:
		f.number(in.takes, operand)
	}
}

// branch adds the distance of a label: 0 is the innermost.
func (f *function) branch(name string) {
	for i := range f.blocks {
		if f.blocks[len(f.blocks)-1-i] == name {
			f.code = binary.AppendUvarint(f.code, uint64(i))
			return
		}
	}
	f.fail("no block %s", name)
}

// number adds an immediate that is one.
func (f *function) number(kind immediate, text string) {
	if kind == float {
		v, err := strconv.ParseFloat(text, 32)
		if err != nil {
			f.fail("%v", err)
		}
		f.code = binary.LittleEndian.AppendUint32(f.code, math.Float32bits(float32(v)))
		return
	}
	n := int64(0)
	if text != "" {
		var err error
		if n, err = strconv.ParseInt(text, 0, 32); err != nil {
			f.fail("%v", err)
		}
	}
	const aligned = 2 // to 2^2 bytes
	switch kind {
	case integer:
		f.code = appendSigned(f.code, n)
	case address:
		f.code = binary.AppendUvarint(append(f.code, aligned), uint64(n))
	case lane:
		f.code = append(f.code, byte(n))
	case laneLoads:
		f.code = append(f.code, aligned, 0, byte(n))
	}
}

// appendSigned appends a signed LEB128 number.
func appendSigned(b []byte, n int64) []byte {
	for {
		low := byte(n & 0x7f)
		n >>= 7
		if n == 0 && low&0x40 == 0 || n == -1 && low&0x40 != 0 {
			return append(b, low)
		}
		b = append(b, low|0x80)
	}
}

// module returns a module of functions on the memory env.memory, which is imported;
// all are exported.
func module(functions []*function) ([]byte, error) {
	count := uint64(len(functions))
	types := binary.AppendUvarint(nil, count)
	numbers := binary.AppendUvarint(nil, count)
	exports := binary.AppendUvarint(nil, count)
	bodies := binary.AppendUvarint(nil, count)
	for i, f := range functions {
		if len(f.blocks) > 0 {
			f.fail("%s is not ended", f.blocks)
		}
		if f.err != nil {
			return nil, f.err
		}
		types = append(types, 0x60)
		types = appendBytes(types, f.params)
		types = appendBytes(types, f.results)
		numbers = binary.AppendUvarint(numbers, uint64(i))
		exports = appendBytes(exports, []byte(f.name))
		exports = binary.AppendUvarint(append(exports, 0), uint64(i))
		body := binary.AppendUvarint(nil, uint64(len(f.locals)))
		for _, t := range f.locals {
			body = append(body, 1, t)
		}
		body = append(append(body, f.code...), 0x0b)
		bodies = appendBytes(bodies, body)
	}
	memory := appendBytes(appendBytes([]byte{1}, []byte("env")), []byte("memory"))
	memory = append(memory, 2, 0, 0) // a memory of at least no pages
	m := []byte("\x00asm\x01\x00\x00\x00")
	for _, s := range []struct {
		id   byte
		data []byte
	}{{1, types}, {2, memory}, {3, numbers}, {7, exports}, {10, bodies}} {
		m = appendBytes(append(m, s.id), s.data)
	}
	return m, nil
}

// appendBytes appends the length of data, and data.
func appendBytes(b, data []byte) []byte {
	return append(binary.AppendUvarint(b, uint64(len(data))), data...)
}

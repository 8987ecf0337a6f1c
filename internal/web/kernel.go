package web

import (
	"fmt"
	"math"

	"bgtrain/internal/nn"
)

// The kernels compute the layers of a net in float32. Products are rounded before they
// are added, and the order of the additions is that of package nn, so that layers of
// GNU Backgammon's sigmoid give its bits. page/kernel.js has the same in plain
// JavaScript, for tests and for browsers that do not run WebAssembly; it says what each
// does. Vectors are padded to a multiple of 4 numbers.

// sumsUnits is how many units are added up at once, four to a register.
const sumsUnits = 32

// roundingNumber is added to round to a whole number, which then is in the lowest bits.
const roundingNumber = 3 << 22

// kernels returns the WebAssembly module.
func kernels() ([]byte, error) {
	return module([]*function{listKernel(), sumsKernel(), dotKernel(),
		activationKernel("sigmoid", sigmoidStep), activationKernel("tanh", tanhStep),
		activationKernel("relu", reluStep), activationKernel("squaredReLU", squaredReLUStep),
		activationKernel("gnubg", gnubgStep), activationKernel("gnubgHidden", gnubgHiddenStep)})
}

// listKernel lists the indices of the numbers that are not zero and returns how many.
func listKernel() *function {
	f := newFunction("list", []string{"$x:i32", "$n:i32", "$to:i32"}, typeI32)
	f.local("$i:i32", "$at:i32")
	f.do("local.get $to; local.set $at",
		"block $done; loop $next",
		"local.get $i; local.get $n; i32.ge_u; br_if $done",
		"local.get $at; local.get $i; i32.store", // kept only if $at goes on
		"local.get $at",
		"local.get $x; local.get $i; i32.const 2; i32.shl; i32.add; f32.load; f32.const 0; f32.ne",
		"i32.const 2; i32.shl; i32.add; local.set $at",
		"local.get $i; i32.const 1; i32.add; local.set $i",
		"br $next; end; end",
		"local.get $at; local.get $to; i32.sub; i32.const 2; i32.shr_u")
	return f
}

// sumsKernel adds up the units of a layer: the bias, then the weights of each input
// listed times the input. $width is the bytes of a row of weights.
func sumsKernel() *function {
	f := newFunction("sums", []string{"$list:i32", "$count:i32", "$x:i32", "$w:i32", "$width:i32", "$bias:i32",
		"$out:i32"})
	f.local("$u:i32", "$p:i32", "$end:i32", "$row:i32", "$v:v128")
	for k := range sumsUnits / 4 {
		f.local(fmt.Sprintf("$a%d:v128", k))
	}
	f.do("local.get $list; local.get $count; i32.const 2; i32.shl; i32.add; local.set $end")
	f.sumsOf(sumsUnits / 4)
	f.sumsOf(1)
	return f
}

// sumsOf adds up so many registers of units as long as there are as many.
func (f *function) sumsOf(registers int) {
	f.do("block $done; loop $units",
		fmt.Sprintf("local.get $u; i32.const %d; i32.add; local.get $width; i32.gt_u; br_if $done", 16*registers))
	for k := range registers {
		f.do(fmt.Sprintf("local.get $bias; local.get $u; i32.add; v128.load %d; local.set $a%d", 16*k, k))
	}
	f.do("local.get $list; local.set $p",
		"block $added; loop $inputs",
		"local.get $p; local.get $end; i32.ge_u; br_if $added",
		"local.get $x; local.get $p; i32.load; i32.const 2; i32.shl; i32.add; v128.load32_splat; local.set $v",
		"local.get $w; local.get $u; i32.add; local.get $p; i32.load; local.get $width; i32.mul; i32.add; local.set $row")
	for k := range registers {
		f.do(fmt.Sprintf("local.get $a%d; local.get $v; local.get $row; v128.load %d; f32x4.mul; f32x4.add; local.set $a%d",
			k, 16*k, k))
	}
	f.do("local.get $p; i32.const 4; i32.add; local.set $p", "br $inputs; end; end")
	for k := range registers {
		f.do(fmt.Sprintf("local.get $out; local.get $u; i32.add; local.get $a%d; v128.store %d", k, 16*k))
	}
	f.do(fmt.Sprintf("local.get $u; i32.const %d; i32.add; local.set $u", 16*registers), "br $units; end; end")
}

// dotKernel computes a last layer: for each output a row of $n weights, four partial
// sums that are added in pairs, and the bias.
func dotKernel() *function {
	f := newFunction("dot", []string{"$x:i32", "$n:i32", "$w:i32", "$bias:i32", "$outputs:i32", "$out:i32"})
	f.local("$o:i32", "$i:i32", "$a:v128")
	f.do("local.get $n; i32.const 2; i32.shl; local.set $n",
		"local.get $outputs; i32.const 2; i32.shl; local.set $outputs",
		"block $done; loop $output",
		"local.get $o; local.get $outputs; i32.ge_u; br_if $done",
		"i32.const 0; local.set $i; f32.const 0; f32x4.splat; local.set $a",
		"block $added; loop $inputs",
		"local.get $i; local.get $n; i32.ge_u; br_if $added",
		"local.get $a; local.get $x; local.get $i; i32.add; v128.load; local.get $w; v128.load; f32x4.mul; f32x4.add",
		"local.set $a",
		"local.get $w; i32.const 16; i32.add; local.set $w; local.get $i; i32.const 16; i32.add; local.set $i",
		"br $inputs; end; end",
		"local.get $out; local.get $o; i32.add",
		"local.get $a; f32x4.extract_lane 0; local.get $a; f32x4.extract_lane 1; f32.add",
		"local.get $a; f32x4.extract_lane 2; local.get $a; f32x4.extract_lane 3; f32.add; f32.add",
		"local.get $bias; local.get $o; i32.add; f32.load; f32.add; f32.store",
		"local.get $o; i32.const 4; i32.add; local.set $o",
		"br $output; end; end")
	return f
}

// activationKernel replaces $n numbers by what step makes of beta times each, four at a
// time: step takes $v and leaves its result on the stack. GNU Backgammon's sigmoid reads
// a table at $tangents.
func activationKernel(name string, step func(f *function)) *function {
	f := newFunction(name, []string{"$x:i32", "$n:i32", "$beta:f32", "$tangents:i32"})
	f.local("$end:i32", "$v:v128", "$t:v128", "$r:v128", "$k:v128", "$y:v128")
	f.do("local.get $x; local.get $n; i32.const 2; i32.shl; i32.add; local.set $end",
		"block $done; loop $next",
		"local.get $x; local.get $end; i32.ge_u; br_if $done",
		"local.get $x; v128.load; local.get $beta; f32x4.splat; f32x4.mul; local.set $v",
		"local.get $x")
	step(f)
	f.do("v128.store", "local.get $x; i32.const 16; i32.add; local.set $x", "br $next; end; end")
	return f
}

// four puts a number four times on the stack.
func four(v float32) string { return fmt.Sprintf("f32.const %v; f32x4.splat", v) }

// bits puts four integers on the stack.
func bits(n int32) string { return fmt.Sprintf("i32.const %d; i32x4.splat", n) }

func reluStep(f *function) { f.do(four(0), "local.get $v; f32x4.pmax") }

func squaredReLUStep(f *function) {
	reluStep(f)
	f.do("local.tee $v; local.get $v; f32x4.mul")
}

func sigmoidStep(f *function) {
	f.do("local.get $v; f32x4.neg; local.set $v")
	f.do(four(1), four(1))
	expStep(f)
	f.do("f32x4.add; f32x4.div")
}

// tanhStep is (1-e)/(1+e) with e = e^(-2|v|), and the sign of v.
func tanhStep(f *function) {
	f.do("local.get $v; local.set $y", "local.get $v; f32x4.abs", four(-2), "f32x4.mul; local.set $v")
	expStep(f)
	f.do("local.set $t", four(1), "local.get $t; f32x4.sub", four(1), "local.get $t; f32x4.add; f32x4.div",
		"local.get $y", bits(math.MinInt32), "v128.and; v128.or")
}

// The parts of ln(2): the first has few bits, so that its product with a whole number
// is exact.
const (
	ln2High float32 = 0.693359375
	ln2Low  float32 = -2.12194440e-4
)

// expStep leaves e^v on the stack, v within ±87: 2^n·e^r with |r| at most ln(2)/2.
func expStep(f *function) {
	f.do(four(-87), "local.get $v; f32x4.pmax; local.set $v", four(87), "local.get $v; f32x4.pmin; local.set $v",
		"local.get $v", four(math.Log2E), "f32x4.mul", four(roundingNumber), "f32x4.add; local.tee $t",
		four(roundingNumber), "f32x4.sub; local.set $k",
		"local.get $v; local.get $k", four(ln2High), "f32x4.mul; f32x4.sub",
		"local.get $k", four(ln2Low), "f32x4.mul; f32x4.sub; local.set $r")
	for i, c := range nn.ExpPolynomial() {
		if i > 0 {
			f.do("local.get $r; f32x4.mul")
		}
		f.do(four(c))
		if i > 0 {
			f.do("f32x4.add")
		}
	}
	f.do("local.get $t; i32.const 23; i32x4.shl", bits(127<<23), "i32x4.add; f32x4.mul")
}

func gnubgStep(f *function) {
	f.do(four(1))
	onePlusExpStep(f)
	f.do("f32x4.div")
	reflectStep(f)
}

// gnubgHiddenStep takes the approximate reciprocal of x86 processors, see package nn.
func gnubgHiddenStep(f *function) {
	f.do(four(1))
	onePlusExpStep(f)
	f.do(bits(^4095), "v128.and", bits(2047), "v128.or; f32x4.div", bits(1023), "i32x4.add", bits(^2047), "v128.and")
	reflectStep(f)
}

// onePlusExpStep leaves 1 + e^|v| on the stack, e^|v| by its tangent at the tenth below.
func onePlusExpStep(f *function) {
	f.do(four(100), "local.get $v; f32x4.abs", four(10), "f32x4.mul; f32x4.pmin; local.tee $t",
		"i32x4.trunc_sat_f32x4_s; local.set $k")
	for i := range 4 {
		f.do(fmt.Sprintf("local.get $tangents; local.get $k; i32x4.extract_lane %d; i32.const 2; i32.shl; i32.add", i),
			fmt.Sprintf("local.get $r; v128.load32_lane %d; local.set $r", i))
	}
	f.do(four(1), "local.get $r", four(10), "local.get $k; f32x4.convert_i32x4_s; f32x4.sub; local.get $t; f32x4.add",
		"f32x4.mul; f32x4.add")
}

// reflectStep turns y on the stack, the sigmoid of -|v|, into that of v.
func reflectStep(f *function) {
	f.do("local.set $y", four(1), "local.get $y; f32x4.sub", "local.get $y", "local.get $v", four(0),
		"f32x4.gt; v128.bitselect")
}

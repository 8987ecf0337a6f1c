package web

import (
	"bytes"
	"strings"
	"testing"
)

// What is not right in a kernel is an error when it is assembled.
func TestAssemblerRefuses(t *testing.T) {
	for text, message := range map[string]string{
		"i32.mull":                 "unknown instruction",
		"local.get $y":             "no local $y",
		"local.get":                "operands of",
		"block $a; br $b; end":     "no block $b",
		"loop $a":                  "is not ended",
		"i32.const x":              "invalid syntax",
		"i32.const 5000000000":     "out of range",
		"f32.const 1 2":            "operands of",
		"local.get $x; f32.const ": "operands of",
	} {
		f := newFunction("f", []string{"$x:i32"})
		f.do(text)
		_, err := module([]*function{f})
		if err == nil || !strings.Contains(err.Error(), message) {
			t.Errorf("%s: %v, %q expected", text, err, message)
		}
	}
}

// Signed numbers are in as many bytes as LEB128 needs.
func TestAppendSigned(t *testing.T) {
	for n, want := range map[int64][]byte{0: {0}, 63: {63}, 64: {0xc0, 0}, -1: {0x7f}, -64: {0x40}, -65: {0xbf, 0x7f},
		127 << 23: {0x80, 0x80, 0x80, 0xfc, 3}} {
		if got := appendSigned(nil, n); !bytes.Equal(got, want) {
			t.Errorf("%d: % x, % x expected", n, got, want)
		}
	}
}

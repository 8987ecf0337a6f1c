// Command gen writes the assembly kernels of package nn, one instruction set a
// run: see the go:generate lines in internal/nn/kernels_amd64.go.
package main

import (
	"flag"
	"fmt"
	"os"

	. "github.com/mmcloughlin/avo/build"
)

func main() {
	tier := flag.String("tier", "", "avx512 or avx2")
	flag.Parse() // avo's flags too: -out, -stubs, -pkg
	switch *tier {
	case "avx512":
		isa = avx512
	case "avx2":
		isa = avx2
	default:
		fmt.Fprintln(os.Stderr, "gen: -tier must be avx512 or avx2")
		os.Exit(2)
	}
	ConstraintExpr("amd64")
	for t := 1; t <= maxTile; t++ {
		index(t)
	}
	for t := 1; t <= maxTile; t++ {
		for b := isa.maxGroups[t]; b > 0; b /= 2 {
			tile(t, b)
		}
	}
	for _, d := range isa.dots {
		dot(d.vectors, d.outputs)
	}
	for _, t := range isa.dotRounded {
		dotRounded(t)
	}
	sigmoid()
	sigmoidGNUbg("sigmoidGNUbg", "in the last layer", division)
	sigmoidGNUbg("hiddenGNUbg", "in the layers before", rcpps)
	tanh()
	relu()
	if isa == avx2 { // good for AVX-512 too
		nearSums(1)
		nearSums(2)
		nearOutputs()
	}
	peak()
	Generate()
}

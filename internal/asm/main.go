// Command asm writes the assembly kernels of a package, one instruction set a run:
//
//	go run . -kernels nn -tier avx512 -to ../nn
//
// The go:generate lines beside the kernels' tables call it. It is a module of its
// own, so that the program does not depend on the generator.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	. "github.com/mmcloughlin/avo/build"

	"bgtrain/internal/asm/features"
	"bgtrain/internal/asm/gemm"
	"bgtrain/internal/asm/nn"
	"bgtrain/internal/asm/simd"
)

var packages = map[string]func(){"features": features.Kernels, "gemm": gemm.Kernels, "nn": nn.Kernels}

func main() {
	kernels := flag.String("kernels", "", "whose: features, gemm or nn")
	tier := flag.String("tier", "", "avx512, avx2, for nn vnni or avxvnni, or for gemm bf16")
	to := flag.String("to", ".", "the package's folder")
	flag.Parse()
	generate := packages[*kernels]
	if generate == nil || !simd.Choose(*tier) {
		fmt.Fprintln(os.Stderr, "asm: -kernels must be features, gemm or nn, -tier avx512, avx2, vnni, avxvnni or bf16")
		os.Exit(2)
	}
	file := filepath.Join(*to, *tier+"_amd64")
	for name, value := range map[string]string{"out": file + ".s", "stubs": file + ".go", "pkg": *kernels} {
		if err := flag.Set(name, value); err != nil { // flags of avo
			panic(err)
		}
	}
	ConstraintExpr("amd64")
	generate()
	Generate()
	if *tier == "avxvnni" {
		if err := asVEX(file + ".s"); err != nil {
			fmt.Fprintln(os.Stderr, "asm:", err)
			os.Exit(1)
		}
	}
}

package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"
)

// vpdpwssd is the instruction as avo writes it: the second factor, the first, the sums.
var vpdpwssd = regexp.MustCompile(`(?m)^\tVPDPWSSD +(.*)$`)

// asVEX rewrites an assembly file: VPDPWSSD of AVX-VNNI, which neither avo nor Go's
// assembler has, as bytes in place of that of AVX-512 VNNI. Both are the same but for
// their encoding, and operands must be among the first 16 registers.
func asVEX(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	s := vpdpwssd.ReplaceAllStringFunc(string(text), func(line string) string {
		var second, first, sum byte
		if n, _ := fmt.Sscanf(line, "\tVPDPWSSD Y%d, Y%d, Y%d", &second, &first, &sum); n != 3 || second|first|sum > 15 {
			err = fmt.Errorf("%s: not on registers of AVX: %s", file, line)
			return line
		}
		// VEX.256.66.0F38.W0 50 to 53 /r
		bytes := ""
		for _, b := range []byte{0xc4, (^sum>>3&1)<<7 | 1<<6 | (^second>>3&1)<<5 | 2, (^first&15)<<3 | 1<<2 | 1, 0x52,
			0xc0 | sum&7<<3 | second&7} {
			bytes += fmt.Sprintf("BYTE $0x%02x; ", b)
		}
		return fmt.Sprintf("\t%s// VPDPWSSD Y%d, Y%d, Y%d", bytes, second, first, sum)
	})
	if err != nil {
		return err
	}
	s = strings.ReplaceAll(s, "AVX512VL, AVX512VNNI", "AVXVNNI")
	return os.WriteFile(file, []byte(s), 0o644)
}

package nets

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
)

// Fingerprint identifies what the player computes: 16 hexadecimal digits of a
// SHA-256 over roles, inputs, layers and weights; those of all players of a Mean, with +
// between them. Provenance is left out.
func (s *Set) Fingerprint() string {
	out := s.ownFingerprint()
	for _, other := range s.Others {
		out += "+" + other.Fingerprint()
	}
	return out
}

func (s *Set) ownFingerprint() string {
	h := sha256.New()
	w := bufio.NewWriterSize(h, 1<<16) // writing to a hash cannot fail
	for _, role := range s.roles() {
		e := s.Nets[role]
		fmt.Fprintf(w, "%s %s %d\n", role, e.Inputs, e.InputsVersion)
		for k := range e.Net.Layers {
			l := &e.Net.Layers[k]
			fmt.Fprintf(w, "%d %d %v %x\n", l.In, l.Out, l.Activation, math.Float32bits(l.Beta))
			binary.Write(w, binary.LittleEndian, l.Weights)
			binary.Write(w, binary.LittleEndian, l.Bias)
		}
	}
	w.Flush()
	return hex.EncodeToString(h.Sum(nil)[:8])
}

package nets

import (
	"strings"
	"testing"
)

func TestWildNumbersAreNamed(t *testing.T) {
	s := gnubgPlayer(1, 8)
	for _, e := range s.Nets { // random ones to begin with
		for i := range e.Net.Layers {
			l := &e.Net.Layers[i]
			clear(l.Weights)
			clear(l.Bias)
			l.Beta = 0.1
		}
	}
	if wild := s.Wild(); wild != "" {
		t.Fatal(wild)
	}
	l := &s.Nets[Race].Net.Layers[1]
	l.Weights[3] = -4e37
	if wild := s.Wild(); !strings.Contains(wild, "race net: layer 1: weight 3 is -4e+37") {
		t.Error(wild)
	}
	l.Weights[3], l.Beta = 0, 4e37
	if wild := s.Wild(); !strings.Contains(wild, "race net: layer 1: beta 4e+37") {
		t.Error(wild)
	}
}

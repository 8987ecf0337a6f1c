package nets

import (
	"bytes"
	"testing"

	"bgtrain/internal/nn"
)

// What is read passes Check and survives writing and reading. Run these with
// -fuzzminimizetime 20x: the order of maps makes coverage vary, and minimizing
// for the default minute finds nothing.

func FuzzReadGNUbg(f *testing.F) {
	player := gnubgPlayer(1, 8)
	for _, write := range gnubgForms {
		var b bytes.Buffer
		if err := write(&b, player, "1.00"); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
		f.Add(b.Bytes()[:b.Len()/2])
	}
	f.Add([]byte("GNU Backgammon 1.00\n250 128 5 1 0.1 1\n0.5\n-1e-3\nnan\n"))
	f.Add([]byte("GNU Backgammon 1.01\r\n250 4294967295 5 1 0.1 1\r\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		got, err := ReadGNUbg(bytes.NewReader(raw))
		if err != nil {
			return
		}
		if err := got.Check(); err != nil {
			t.Fatal(err)
		}
		filled := true
		for _, e := range got.Nets {
			filled = filled && e.Net.Layers[0].Out%hiddenMultiple == 0
		}
		for _, write := range gnubgForms {
			var b bytes.Buffer
			if err := write(&b, got, "1.01"); err != nil {
				t.Fatal(err)
			}
			again, err := ReadGNUbg(&b)
			if err != nil {
				t.Fatal(err)
			}
			if filled {
				sameNets(t, again, got)
			}
		}
	})
}

func FuzzReadSafetensors(f *testing.F) {
	for _, p := range []*Set{tesauroPlayer(1, nn.Sigmoid, 1), tesauroPlayer(2, nn.ReLU, 2, 1)} {
		raw := encoded(f, p)
		head, data := parts(raw)
		f.Add(raw)
		f.Add([]byte(container(cutMember(cutMember(head, "digest"), "fingerprint"), data)))
		f.Add(raw[:len(raw)/2])
	}
	half := halfPlayer()
	for _, l := range half.Nets[Contact].Net.Layers {
		clear(l.Weights) // those that fit 16 bits exactly
	}
	var raw bytes.Buffer
	if err := writeSafetensors(&raw, half, dtypeF16); err != nil {
		f.Fatal(err)
	}
	head, data := parts(raw.Bytes())
	f.Add([]byte(container(cutMember(cutMember(head, "digest"), "fingerprint"), data)))
	f.Add([]byte(container(`{"__metadata__":{"format":"bgtrain player 1"}}`, nil)))
	f.Fuzz(func(t *testing.T, raw []byte) {
		got, err := ReadSafetensors(bytes.NewReader(raw))
		if err != nil {
			return
		}
		if err := got.Check(); err != nil {
			t.Fatal(err)
		}
		again, err := ReadSafetensors(bytes.NewReader(encoded(t, got)))
		if err != nil {
			t.Fatal(err)
		}
		sameNets(t, again, got)
	})
}

package trainer

import (
	"math/rand/v2"
	"strings"
	"testing"

	"bgtrain/internal/bg"
	"bgtrain/internal/nets"
	"bgtrain/internal/nn"
)

func tesauroEntry(hidden ...int) *nets.Entry {
	sizes := append(append([]int{196}, hidden...), bg.NumOutputs)
	return &nets.Entry{Net: nets.Random(rand.New(rand.NewPCG(1, 2)), nets.ByInputs, nn.Sigmoid, sizes...),
		Inputs: "tesauro", InputsVersion: 1}
}

// TestStart: nets that are asked for and missing are random, of the inputs and sizes
// asked for; the others are those of the player to start from.
func TestStart(t *testing.T) {
	s := Defaults()
	s.Nets, s.Hidden, s.Activation = []string{"contact", "prune.race"}, []int{7, 6}, "relu"
	from := &nets.Set{Nets: map[nets.Role]*nets.Entry{nets.Race: tesauroEntry(4), nets.Contact: tesauroEntry(5)}}
	player, err := s.start(from)
	if err != nil {
		t.Fatal(err)
	}
	if player.Nets[nets.Contact] != from.Nets[nets.Contact] || player.Nets[nets.Race] != from.Nets[nets.Race] {
		t.Error("nets of the player to start from were replaced")
	}
	crashed, prune := player.Nets[nets.Crashed], player.Nets[nets.PruneRace]
	if crashed == nil || crashed.Inputs != "gnubg-crashed" || len(crashed.Net.Layers) != 3 ||
		crashed.Net.Layers[1].Activation != nn.ReLU {
		t.Errorf("crashed net %+v", crashed)
	}
	if prune == nil || prune.Inputs != "gnubg-prune" || prune.Net.Layers[0].Out != 16 ||
		player.Nets[nets.PruneContact] != nil {
		t.Errorf("pruning net %+v", prune)
	}
	s.Random, s.Inputs = true, "hilton-198"
	if player, err = s.start(from); err != nil {
		t.Fatal(err)
	}
	if e := player.Nets[nets.Contact]; e.Inputs != "hilton-198" || e.Provenance["start"] == "" {
		t.Errorf("contact net on %s", e.Inputs)
	}
	if player.Nets[nets.Race] != from.Nets[nets.Race] {
		t.Error("the race net, which is not trained, was replaced")
	}
	s.Keep = 0.5
	if _, err := s.start(from); err == nil || !strings.Contains(err.Error(), "contact net: keep 0.5: of random weights") {
		t.Errorf("keep of random weights: %v", err)
	}
	s.Keep = 0
	s.Inputs = "nothing"
	if _, err := s.start(nil); err == nil || !strings.Contains(err.Error(), "nothing") {
		t.Errorf("unknown inputs: %v", err)
	}
}

func TestWeightingsRefuse(t *testing.T) {
	for _, c := range []struct{ nets, mix, want string }{
		{"contact", "contact:crashed=0.25", ""},
		{"backgame", "", "backgame"},
		{"", "", "no net"},
		{"contact", "race:contact=1", "not trained"},
		{"contact", "contact:over=1", "over"},
		{"contact", "contact:crashed=-1", "NET:CLASS=WEIGHT"},
		{"contact", "contact", "NET:CLASS=WEIGHT"},
	} {
		s := Defaults()
		s.Nets, s.Mix = strings.Fields(c.nets), strings.Fields(c.mix)
		w, err := s.weightings()
		switch {
		case c.want == "" && (err != nil || w[nets.Contact].Classes[bg.Crashed] != 0.25):
			t.Errorf("%s, %s: %v, %v", c.nets, c.mix, w, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s, %s: error %v, want %q", c.nets, c.mix, err, c.want)
		}
	}
}

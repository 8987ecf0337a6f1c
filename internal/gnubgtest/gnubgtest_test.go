//go:build integration

package gnubgtest

import (
	"math"
	"testing"

	"bgtrain/internal/bg"
)

func TestEvaluate(t *testing.T) {
	e := Evaluate(t, "", []bg.Board{bg.Start}, 0, false)
	if e[0].Class != "contact" || math.Abs(float64(e[0].Outputs[bg.Win])-0.52) > 0.02 {
		t.Errorf("opening position: %+v", e[0])
	}
}

func TestRunReturnsWhatTheScriptWrites(t *testing.T) {
	got := Run(t, "", "import os\nopen(os.environ['OUT'], 'w').write(os.environ['WORD'])", "WORD=doubling")
	if got != "doubling" {
		t.Errorf("%q", got)
	}
}

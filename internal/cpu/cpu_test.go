package cpu

import (
	"os"
	"slices"
	"testing"
)

func TestChoose(t *testing.T) {
	for _, c := range []struct {
		env      string
		detected Tier
		want     Tier
		wantErr  bool
	}{
		{"", AVX512, AVX512, false},
		{"", Go, Go, false},
		{"avx512", AVX512, AVX512, false},
		{"avx512", AVX2, AVX2, false}, // cannot raise
		{"avx2", AVX512, AVX2, false},
		{"avx2", Go, Go, false},
		{"avxvnni", AVX2, AVX2, false},
		{"avxvnni", AVXVNNI, AVXVNNI, false},
		{"avx2", AVXVNNI, AVX2, false},
		{"go", AVX512, Go, false},
		{"AVX2", AVX512, AVX512, true},
		{"sse", AVX2, AVX2, true},
	} {
		got, err := choose(c.env, c.detected)
		if got != c.want || (err != nil) != c.wantErr {
			t.Errorf("choose(%q, %v) = %v, %v; want %v, error %v", c.env, c.detected, got, err, c.want, c.wantErr)
		}
	}
}

func TestTierNames(t *testing.T) {
	for tier := Go; tier < numTiers; tier++ {
		got, err := ParseTier(tier.String())
		if err != nil || got != tier {
			t.Errorf("ParseTier(%q) = %v, %v", tier.String(), got, err)
		}
	}
	if s := Tier(9).String(); s != "tier(9)" {
		t.Errorf("Tier(9) = %q", s)
	}
}

// TestLevelHonorsEnvironment is run by CI once for each value of EnvVar.
func TestLevelHonorsEnvironment(t *testing.T) {
	want, err := choose(os.Getenv(EnvVar), Detected())
	if Level() != want || (err == nil) != (Problem() == nil) {
		t.Errorf("Level() = %v, Problem() = %v; want %v, %v", Level(), Problem(), want, err)
	}
	n := int(Level()) + 1
	if Level() > AVXVNNI && !hasAVXVNNI() {
		n--
	}
	if ts := Tiers(); ts[0] != Go || ts[len(ts)-1] != Level() || len(ts) != n || !slices.IsSorted(ts) {
		t.Errorf("Tiers() = %v at level %v", ts, Level())
	}
}

// Asked for AVX-VNNI, a processor with AVX-512 but without it takes AVX2.
func TestWithoutAVXVNNI(t *testing.T) {
	want := AVX2
	if hasAVXVNNI() {
		want = AVXVNNI
	}
	if got, err := choose("avxvnni", VNNI); got != want || err != nil {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
}

func TestRounding(t *testing.T) {
	for _, c := range []struct {
		tier       Tier
		arch, want string
	}{
		{AVX512, "amd64", "vector"}, {AVX2, "amd64", "vector"}, {Go, "amd64", "portable"}, {Go, "386", "portable"},
		{Go, "arm64", "portable-arm64"},
	} {
		if got := rounding(c.tier, c.arch); got != c.want {
			t.Errorf("%v on %s: %q, want %q", c.tier, c.arch, got, c.want)
		}
	}
	if got := Rounding(); (got == "vector") != (Level() > Go) {
		t.Errorf("Rounding() = %q at level %v", got, Level())
	}
}

// TestAMX: lowering the tier, as CI does, takes AMX away.
func TestAMX(t *testing.T) {
	if AMX() && Level() < VNNI {
		t.Errorf("AMX at level %v", Level())
	}
}

func TestTable(t *testing.T) {
	portable, avx2 := new(int), new(int)
	both := Table[int]{Go: portable, AVX2: avx2}
	one := Table[int]{Go: portable}
	for _, c := range []struct {
		table *Table[int]
		tier  Tier
		want  *int
	}{{&both, Go, portable}, {&both, AVX2, avx2}, {&both, AVX512, avx2}, {&one, AVX512, portable}} {
		if c.table.At(c.tier) != c.want {
			t.Errorf("%v of %v is another entry", c.tier, *c.table)
		}
	}
	if both.Best() != both.At(Level()) {
		t.Error("Best is not that of Level")
	}
}

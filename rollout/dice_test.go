package rollout

import (
	"testing"

	"bgtrain/internal/bg"
)

func TestDiceAreStratified(t *testing.T) {
	d := newDice(1, bg.Start.Key())
	pairs := map[[2]uint8]int{}
	for row := range 72 {
		var first, second [36]int
		for col := range 36 {
			r := d.trial(36*row + col)
			first[r.first]++
			second[r.second]++
			pairs[[2]uint8{r.first, r.second}]++
		}
		for i := range first {
			if first[i] != 1 || second[i] != 1 {
				t.Fatalf("trials %d to %d: roll %d comes %d times first and %d times second", 36*row, 36*row+35, i,
					first[i], second[i])
			}
		}
	}
	for p, n := range pairs {
		if n != 2 {
			t.Fatalf("rolls %v come %d times together in 2 × 1,296 trials", p, n)
		}
	}
}

func TestDiceDependOnSeedPositionAndTrialOnly(t *testing.T) {
	rolls := func(seed uint64, b *bg.Board, order []int) (out [3][6]int) {
		d := newDice(seed, b.Key())
		for _, i := range order {
			r := d.trial(i * 1000)
			for ply := range out[i] {
				out[i][ply] = r.roll(ply)
			}
		}
		return out
	}
	other := bg.Start
	other.Me[5], other.Me[4] = 4, 1
	base := rolls(1, &bg.Start, []int{0, 1, 2})
	if got := rolls(1, &bg.Start, []int{2, 0, 1}); got != base {
		t.Errorf("another order of trials gives %v, not %v", got, base)
	}
	if rolls(2, &bg.Start, []int{0, 1, 2}) == base || rolls(1, &other, []int{0, 1, 2}) == base {
		t.Error("another seed or position gives the same rolls")
	}
}

// The later rolls are fair: chi-squared over the 21 rolls.
func TestDiceAreFair(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long, and shares nothing that shorter tests do not")
	}
	d := newDice(7, bg.Start.Key())
	var n [numRolls]float64
	total := 0.0
	for i := range 3000 {
		r := d.trial(i)
		for ply := 2; ply < 12; ply++ {
			n[r.roll(ply)]++
			total++
		}
	}
	chi2 := 0.0
	for i, r := range bg.Rolls {
		want := total * float64(r.Weight) / 36
		chi2 += (n[i] - want) * (n[i] - want) / want
	}
	if chi2 > 45.3 { // 0.1 % of fair dice, 20 degrees of freedom
		t.Errorf("chi-squared %.1f of 20 degrees of freedom", chi2)
	}
}

package features

import (
	"context"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bgtrain/internal/bearoff"
	"bgtrain/internal/bg"
)

// refRaceRolls returns the inputs of bgtrain-race.
func refRaceRolls(b *bg.Board) []float32 {
	opp, me := refRolls(&b.Opp), refRolls(&b.Me)
	x := refRace(b)
	for _, r := range []rolls{opp, me} {
		x = append(x, r.mean/8, r.variance, r.skew, 1/(1+r.mean), r.firstMean/4, r.firstVariance)
	}
	chances := [3][]float32{
		refChance(opp.mean-me.mean+0.5, me.variance+opp.variance, opp.skew-me.skew),
		{0, -1, -1, 0},
		{0, -1, -1, 0},
	}
	if opp.firstMean > 0 {
		chances[1] = refChance(opp.firstMean-me.mean+0.5, me.variance+opp.firstVariance, -me.skew)
	}
	if me.firstMean > 0 {
		chances[2] = refChance(me.firstMean-opp.mean-0.5, opp.variance+me.firstVariance, -opp.skew)
	}
	for _, c := range chances {
		x = append(x, c...)
	}

	his, mine := refWithin(&b.Opp, opp), refWithin(&b.Me, me)
	for _, w := range []within{his, mine} {
		x = append(append(x, w.off[:6]...), w.safe[:6]...)
	}
	// exactly is the chance that a is done with roll n+1.
	exactly := func(a [horizon]float32, n int) float32 {
		if n == 0 {
			return a[0]
		}
		return a[n] - a[n-1]
	}
	by := func(a, b [horizon]float32, rollsOfB int, normal float32) (p float32) {
		for n := range a {
			not := float32(1)
			if k := n + rollsOfB; k >= 0 {
				not = 1 - b[k]
			}
			p += float32(exactly(a, n) * not)
		}
		return p + float32(float32((1-a[horizon-1])*(1-b[horizon-1]))*normal)
	}
	p := [3]float32{by(mine.off, his.off, -1, chances[0][0])}
	if opp.firstMean > 0 {
		p[1] = by(mine.off, his.safe, -1, chances[1][0])
	}
	if me.firstMean > 0 {
		p[2] = by(his.off, mine.safe, 0, chances[2][0])
	}
	for _, p := range p {
		p = min(max(p, 0), 1)
		x = append(x, p, float32(math.Sqrt(float64(p))), float32(math.Sqrt(float64(1-p))))
	}
	return x
}

// refWithin is within.set that counts positions one by one to number them.
func refWithin(s *bg.Side, r rolls) (w within) {
	normal := func(p *[horizon]float32, mean, variance, skew float32) {
		last := float32(0)
		for n := range p {
			// refChance has mean - N.
			if c := refChance(float32(n)+1.5-mean, variance, -skew); c[1] > -1 {
				last = max(last, c[0])
			}
			p[n] = last
		}
	}
	var home [6]int
	var outside []int
	checkers := 0
	for i, c := range s[:24] {
		checkers += int(c)
		if i < 6 {
			home[i] = int(c)
			continue
		}
		for range c {
			outside = append(outside, i)
		}
	}

	way := slices.IndexFunc(refOutside, func(o []int) bool { return slices.Equal(o, outside) })
	normal(&w.off, r.mean, r.variance, r.skew)
	// Boards of up to that many checkers: none outside, one, two.
	if most := []int{10, 5, 3}; len(outside) < len(most) && checkers-len(outside) <= most[len(outside)] {
		at := refHomeIndex(home)
		for _, o := range refOutside[:way] {
			at += []int{8008, 462, 84}[len(o)]
		}
		for n := range w.off {
			w.off[n] = float32(binary.LittleEndian.Uint16(withinBytes[2*(8*at+n):])) * (1. / 65535)
		}
	}

	switch k := len(outside); {
	case checkers < bg.Checkers:
		w.safe = [horizon]float32{1, 1, 1, 1, 1, 1, 1, 1}
	case k == 0:
		w.safe = [horizon]float32{min(max(2-r.firstMean, 0), 1), 1, 1, 1, 1, 1, 1, 1}
	case k > 4:
		normal(&w.safe, r.firstMean, r.firstVariance, 0)
	default:
		held := 0
		for i, c := range home {
			if c > 0 {
				held += 1 << i
			}
		}
		at := 2 * 8 * (8008 + 18*462 + 171*84)
		for _, o := range refOutside[:way] {
			if len(o) <= 2 {
				at += 64 * 8
			} else {
				at += 32 * 8
			}
		}
		if k > 2 {
			held %= 32
		}
		for n := range w.safe {
			w.safe[n] = float32(withinBytes[at+8*held+n]) * (1. / 255)
		}
	}
	return w
}

var withinBytes = []byte(withinData)

// refOutside lists the ways to have up to four checkers outside: fewer first, then
// by the rearmost, the next, and so on.
var refOutside = func() (ways [][]int) {
	ways = [][]int{{}}
	for k, before := 1, ways; k <= 4; k++ {
		var next [][]int
		for _, o := range before {
			least := 6
			if len(o) > 0 {
				least = o[len(o)-1]
			}
			for p := least; p < 24; p++ {
				next = append(next, append(slices.Clone(o), p))
			}
		}
		slices.SortFunc(next, func(a, b []int) int {
			for j := len(a) - 1; j >= 0; j-- {
				if a[j] != b[j] {
					return a[j] - b[j]
				}
			}
			return 0
		})
		ways, before = append(ways, next...), next
	}
	return ways
}()

var rollsBytes = []byte(rollsData)

// refRolls is rolls.estimate without words of lanes and tables of numbers.
func refRolls(s *bg.Side) (r rolls) {
	data := rollsBytes
	word := func(at int) uint16 { return binary.LittleEndian.Uint16(data[at:]) }
	short := func(at int) int { return int(int16(word(at))) }
	float := func(i int) float32 {
		return math.Float32frombits(binary.LittleEndian.Uint32(data[outputData+4*i:]))
	}

	var home [6]int
	checkers, pips := 0, 0
	for i, c := range s[:24] {
		home[min(i, 5)] += int(c)
		checkers += int(c)
		pips += max(i-5, 0) * int(c)
	}
	id := refHomeIndex(home)
	r.mean = float32(word(6*id)) / 4096
	r.variance = float32(word(6*id+2)) / 16384
	r.skew = float32(short(6*id+4)) / 4096
	if checkers == bg.Checkers {
		r.firstMean = float32(word(firstData+4*(id-firstFifteen))) / 4096
		r.firstVariance = float32(word(firstData+4*(id-firstFifteen)+2)) / 16384
	}
	if pips == 0 {
		return r
	}
	var y [rollsOutputs]float32
	for o := range y {
		y[o] = float(o*(rollsHidden+1) + rollsHidden)
	}
	for k := range rollsHidden {
		sum := short(thresholdData + 2*k)
		for i, c := range s[:24] {
			if c > 0 {
				sum += short(weightData + ((i*16+int(c))*rollsHidden+k)*2)
			}
		}
		x := float32(max(sum, 0))
		x *= x
		for o := range y {
			y[o] += float32(x * (float(o*(rollsHidden+1)+k) / 1024 / 1024))
		}
	}
	more := float32(pips) * (1 / pipsARoll)
	r.mean = max(r.mean+more+y[0], 1)
	r.variance = max(r.variance+float32(more*0.2)+y[1], 0.01)
	r.skew += y[2]
	if checkers == bg.Checkers {
		r.firstMean = max(r.firstMean+more+y[3], 1)
		r.firstVariance = max(r.firstVariance+float32(more*0.2)+y[4], 0.01)
	}
	return r
}

// refHomeIndex counts the home boards before this one.
func refHomeIndex(home [6]int) int {
	id, t := 0, 0
	for j := range 6 {
		t += home[5-j]
		ways := 1 // C(t+j, j+1)
		for k := 1; k <= j+1; k++ {
			ways = ways * (t + k - 1) / k // C(t+k-1, k): whole at every step
		}
		id += ways
	}
	return id
}

func refChance(mean, variance, skew float32) []float32 {
	s := 1 / float32(math.Sqrt(float64(max(variance-1./12, 0.04))))
	z := min(max(mean*s, -4), 4)
	t := (z + 4) * 32
	k := int(t)
	f := t - float32(k)
	p := normal[k].p + float32(f*(normal[k+1].p-normal[k].p))
	third := normal[k].third + float32(f*(normal[k+1].third-normal[k].third))
	p += float32(min(max(skew*s*s*s, -1), 1) * third)
	return []float32{min(max(p, 0), 1), z / 4, min(max(z, -1.5), 1.5) / 1.5, mean / 8}
}

// TestRollsKnown checks sides whose rolls can be counted by hand.
func TestRollsKnown(t *testing.T) {
	for _, c := range []struct {
		name           string
		side           bg.Side
		mean, variance float64
		tolerance      float64
	}{
		{"nobody", bg.Side{}, 0, 0, 0},
		{"two on the 1-point", bg.Side{0: 2}, 1, 0, 0},
		// 27 of 36 rolls bear it off, and any other leaves it where the next will.
		{"one on the 6-point", bg.Side{5: 1}, 1.25, 0.1875, 1e-4},
		// A double, 1 in 6, takes all four; others take two and leave two for the next roll.
		{"four on the 1-point", bg.Side{0: 4}, 1 + 5./6, 5. / 36, 1e-4},
	} {
		var r rolls
		r.estimate(&c.side)
		if math.Abs(float64(r.mean)-c.mean) > c.tolerance || math.Abs(float64(r.variance)-c.variance) > c.tolerance {
			t.Errorf("%s: %v ± √%v rolls, want %v ± √%v", c.name, r.mean, r.variance, c.mean, c.variance)
		}
	}
	// The opening's checkers need about as many rolls as pips, 167 and some waste, at
	// 49/6 a roll.
	var r rolls
	r.estimate(&bg.Start.Me)
	if r.mean < 20.5 || r.mean > 23 {
		t.Errorf("opening: %v rolls", r.mean)
	}
}

// TestRollsOfBearoff holds the table to the database it comes from.
func TestRollsOfBearoff(t *testing.T) {
	if testing.Short() {
		t.Skip("computes a bearoff database where none is cached")
	}
	db, err := bearoff.Open(context.Background(), bearoff.Options{TwoSidedCheckers: -1})
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(7, 8))
	random := func() (s bg.Side) {
		for range 1 + rng.IntN(bg.Checkers) {
			s[rng.IntN(6)]++
		}
		return s
	}
	sum, worst := 0.0, 0.0
	const n = 20_000
	for range n {
		b := bg.Board{Me: random(), Opp: random()}
		me, opp := db.Rolls((*[6]uint8)(b.Me[:6])), db.Rolls((*[6]uint8)(b.Opp[:6]))
		var r rolls
		r.estimate(&b.Me)
		if d := math.Abs(float64(r.mean - me.Mean)); d > 0.6/4096 {
			t.Fatalf("%v: %v rolls, the database says %v", b.Me[:6], r.mean, me.Mean)
		}
		win := 0.0
		for i, p := range me.P {
			win += float64(p * opp.AtLeast[i])
		}
		x := make([]float32, Race.Size)
		Race.Encode(&b, x)
		d := math.Abs(float64(x[brJoint]) - win)
		sum += d * d
		worst = max(worst, d)
	}
	rms := math.Sqrt(sum / n)
	t.Logf("chance of winning: %.5f rms, %.5f at most off the two distributions", rms, worst)
	// Random boards are often so short that the numbers of rolls are far from normal;
	// in races that nets evaluate it is 0.0016.
	if rms > 0.006 || worst > 0.1 {
		t.Errorf("chance of winning is %.5f rms, %.5f at most off the two distributions", rms, worst)
	}
}

// TestRollsOfSides checks that rolls belong to their side, whoever is on roll.
func TestRollsOfSides(t *testing.T) {
	x, y := make([]float32, Race.Size), make([]float32, Race.Size)
	for _, b := range candidates(t, bg.Race) {
		swapped := b.Swapped()
		Race.Encode(&b, x)
		Race.Encode(&swapped, y)
		for i := range brMore {
			if x[brSide+i] != y[brSide+brMore+i] || x[brSide+brMore+i] != y[brSide+i] {
				t.Fatalf("%s: %s is another when the sides are swapped", b.Key(), Race.InputName(brSide+i))
			}
		}
		// One of us wins: at worst the chances of being first with the next roll add.
		if sum := x[brJoint] + y[brJoint]; sum < 0.99 {
			t.Errorf("%s: the player on roll wins %v, the opponent on roll %v", b.Key(), x[brJoint], y[brJoint])
		}
	}
}

// TestRollsFit checks that no sum of a hidden unit can leave its 16 bits, with
// any fifteen checkers.
func TestRollsFit(t *testing.T) {
	if len(rollsData) != rollsSize {
		t.Fatalf("rolls.bin has %d bytes, want %d", len(rollsData), rollsSize)
	}
	short := func(at int) int { return int(int16(uint16(rollsData[at]) | uint16(rollsData[at+1])<<8)) }
	for k := range rollsHidden {
		// best[n] is the greatest sum, then the least, with n checkers placed.
		for _, sign := range []int{1, -1} {
			var best [bg.Checkers + 1]int
			for n := range best {
				best[n] = sign * short(thresholdData+2*k)
			}
			for p := range 24 {
				for n := bg.Checkers; n > 0; n-- {
					for c := 1; c <= n; c++ {
						best[n] = max(best[n], best[n-c]+sign*short(weightData+((p*16+c)*rollsHidden+k)*2))
					}
				}
			}
			if best[bg.Checkers] > math.MaxInt16 {
				t.Errorf("unit %d: a sum of %d", k, sign*best[bg.Checkers])
			}
		}
	}
}

// TestTablesOfAnotherSize: a table of a wrong size is an error, not zeros.
func TestTablesOfAnotherSize(t *testing.T) {
	for _, n := range []int{0, rollsSize - 1, rollsSize + 1} {
		if _, err := unpackRolls(strings.Repeat("x", n)); err == nil {
			t.Errorf("rolls.bin of %d bytes: no error", n)
		}
	}
	for _, n := range []int{0, withinSize - 1, withinSize + 1} {
		if _, err := sizedWithin(strings.Repeat("x", n)); err == nil {
			t.Errorf("within.bin of %d bytes: no error", n)
		}
	}
}

package features

import (
	"math/bits"

	"bgtrain/internal/bg"
)

// GNU Backgammon is compiled so that a division by a constant is a product with
// its reciprocal, rounded to float32 first. The inputs here are the same to the
// bit only if computed likewise: hence no plain divisions in this package.
const (
	per3    float32 = 1. / 3
	per5    float32 = 1. / 5
	per6    float32 = 1. / 6
	per10   float32 = 1. / 10
	per11   float32 = 1. / 11
	per24   float32 = 1. / 24
	per36   float32 = 1. / 36 // rolls
	per100  float32 = 1. / 100
	per167  float32 = 1. / 167
	per294  float32 = 1. / 294 // pips of all 36 rolls
	per400  float32 = 1. / 400
	per432  float32 = 1. / (12 * 36)
	per3600 float32 = 1. / 3600
)

// measure writes the contact inputs of side f against side o, all but the
// checkers borne off. s is f's side of the board.
func measure(f, o *facts, s *bg.Side, d *[contactSide]float32) {
	// front is the opponent's rearmost checker as this side numbers points: -1
	// when it is on the bar, 24 when there is none.
	front := 23 - o.back
	passing(f, s, front, d)
	anchors(f, d)
	hits(f, o, d)
	containment(f, o.back, d)
	d[cMobility] = float32(mobility(f, o, s)) * per3600
	d[cMoment] = float32(moment(f)) * per400
	entering(f, o, d)
	d[cTiming] = float32(timing(f, s, front)) * per100
	d[cBackbone] = backbone(f.made, s)
	backGame(f, d)
}

// passing writes the pips of the checkers that have still to pass the
// opponent's rearmost checker, and of those that have none to pass.
func passing(f *facts, s *bg.Side, front int, d *[contactSide]float32) {
	m := &above[min(front, 24)+1]
	count, sum := sums(f.words[0]&m[0], f.words[1]&m[1], f.words[2]&m[2])
	level := 0 // checkers on the very point: none, but where it is the bar
	if front < bg.Bar {
		count += f.bar
		sum += bg.Bar * f.bar
	}
	if front >= 0 {
		level = int(s[front])
	}
	d[cBreakContact] = float32(sum+count-front*count) * per167
	free := f.pips + f.count - (sum + count) - (front+1)*level
	d[cFreePips] = float32(free) * per100
}

// anchors writes the rearmost checker, the rearmost held point, and the most advanced point held in the opponent's
// home board, or else the rearmost in the outfield beside it.
func anchors(f *facts, d *[contactSide]float32) {
	d[cBackChecker] = float32(f.back) * per24
	d[cBackAnchor] = float32(bits.Len32(f.made)-1) * per24
	from := 0
	if home := f.made >> 18; home != 0 {
		from = 6 - bits.TrailingZeros32(home)
	} else {
		// Without one, 12: the input is 2 then.
		from = 13 - bits.Len32(f.made>>12|1)
	}
	d[cForwardAnchor] = float32(from) * per6
}

// containment writes how hard this side makes it for the opponent's checkers,
// on index back and on points they may be brought down to, to escape.
func containment(f *facts, back int, d *[contactSide]float32) {
	window := f.made >> (24 - max(back, 0)) & 0xfff
	if back < 0 {
		window = 0
	}
	d[cBackEscapes] = float32(escapes[window]) * per36
	d[cBackEscapes1] = float32(escapesBeyond[window]) * per36

	c := float32(36-int(f.fewest[max(back, 14)])) * per36
	d[cContainBack] = c
	d[cContainBack2] = c * c
	c = float32(36-int(f.fewest[23])) * per36
	d[cContain] = c
	d[cContain2] = c * c
}

// mobility sums over the checkers outside the home board: pips to the home
// board times the rolls that let it move freely.
func mobility(f, o *facts, s *bg.Side) int {
	n := 0
	for m := f.occupied >> 6 << 6; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		if i > bg.Bar {
			break
		}
		n += (i - 5) * int(s[i]) * int(escapes[o.made>>(24-i)&0xfff])
	}
	return n
}

// moment is the mean square distance from the mean of the checkers behind the mean, both means rounded up.
func moment(f *facts) int {
	if f.count == 0 {
		return 0
	}
	mean := ceilDiv(f.pips, f.count)
	m := &above[min(mean, 24)+1]
	w0, w1, w2 := f.words[0]&m[0], f.words[1]&m[1], f.words[2]&m[2]
	count, sum := sums(w0, w1, w2)
	squares := squareSum(w0, w1, w2)
	total := squares - 2*mean*sum + mean*mean*count
	if mean < bg.Bar {
		count += f.bar
		total += f.bar * (bg.Bar - mean) * (bg.Bar - mean)
	}
	if count == 0 {
		return 0
	}
	return ceilDiv(total, count)
}

// ceilDiv is n/count rounded up, for n below 69,000 and count from 1 to 15.
func ceilDiv(n, count int) int {
	return (n + count - 1) * reciprocals[count&15] >> 20
}

var reciprocals = func() (t [16]int) {
	for n := 1; n < len(t); n++ {
		t[n] = 1<<20/n + 1
	}
	return t
}()

// squareSum returns the sum of index squared times checkers. With an index 8w + r that is 64w² + 16wr + r², whose
// sums over r fit in 8 bits, or 16 for r².
func squareSum(w0, w1, w2 uint64) int {
	const (
		evenBytes   = 0x00ff00ff00ff00ff
		evenSquares = 2*2<<32 | 4*4<<16 | 6*6
		oddSquares  = 1*1<<48 | 3*3<<32 | 5*5<<16 | 7*7
	)
	all := w0 + w1 + w2
	n := int(all & evenBytes * evenSquares >> 48)
	n += int(all >> 8 & evenBytes * oddSquares >> 48)
	n += 16 * int((w1+2*w2)*byteIndex>>56)
	n += 64 * int((w1+4*w2)*everyByte>>56)
	return n
}

// timing is the number of pips to be played before the home board breaks.
func timing(f *facts, s *bg.Side, front int) int {
	// Behind the opponent's rearmost checker, and outside the home board in any
	// case, a pair is an anchor that stays.
	m := &above[min(max(front, 11), 24)+1]
	twos := func(w uint64) uint64 { return (w + 126*everyByte) & highBits >> 6 }
	const home = 0xffff000000000000 // of the first word, all but points 6 and 7
	spare, pips := sums(
		f.words[0]&home,
		f.words[1]-twos(f.words[1])&m[1],
		f.words[2]-twos(f.words[2])&m[2])
	spare += f.bar
	pips += bg.Bar * f.bar
	// From the 6-point down, what is above two may move, and what is missing
	// from two is filled as long as there are spare checkers.
	missing := 12 - bits.OnesCount32(f.occupied&0x3f) - bits.OnesCount32(f.made&0x3f)
	if spare >= missing {
		return pips + int(f.words[0]&^home*byteIndex>>56) - 2*(1+2+3+4+5)
	}
	for i := 5; i >= 0; i-- {
		n := int(s[i]) - 2
		n &^= (spare + n) >> (bits.UintSize - 1)
		spare += n
		pips += i * n
	}
	return pips
}

// backbone weighs how far the held points lie from the rearmost one.
func backbone(made uint32, s *bg.Side) float32 {
	made &^= 1
	rear := bits.Len32(made) - 1
	if rear < 0 || made&(made-1) == 0 {
		return 0
	}
	// Bit 32-d of others: the point d pips ahead of the rearmost is held.
	others := made << ((31 - rear) & 31) << 1
	weight := 11*bits.OnesCount32(others>>26) + int(farBackbone[others>>21&31])
	// Both sums count the checkers on the rearmost point each time. They cancel out, but for the rounding.
	n := int(s[rear])
	return 1 - float32(n*weight)*per11/float32(n*bits.OnesCount32(others))
}

// farBackbone weighs points 11, 10, 9, 8 and 7 pips ahead, a bit each.
var farBackbone = func() (t [32]uint8) {
	for m := range t {
		for k := range 5 {
			t[m] += uint8(m >> k & 1 * (2 + k))
		}
	}
	return t
}()

// backGame writes the checkers in the opponent's home board and on the bar, by
// whether two points are held there or one.
func backGame(f *facts, d *[contactSide]float32) {
	var two, one float32
	if held := bits.OnesCount32(f.made >> 18); held > 0 {
		n := int(f.words[2]>>16*everyByte>>56) + f.bar
		if held > 1 {
			two = float32(n-3) / 4
		} else {
			one = float32(n) / 8
		}
	}
	d[cBackGame] = two
	d[cBackGame1] = one
}

// entering writes the pips lost to points that the opponent holds in the home
// board, and the chance to stay out with one checker.
func entering(f, o *facts, d *[contactSide]float32) {
	held := o.made & 0x3f
	d[cEnter] = enterLoss[min(f.bar, 2)][held]
	d[cEnter2] = enterChance[held]
}

// enterLoss holds, by checkers on the bar (none, one, more) and points held,
// the pips that do not get played, as a share of those of all rolls.
var enterLoss = func() (t [3][64]float32) {
	for held := range 64 {
		for two := range 2 {
			loss := 0
			for hi := 1; hi <= 6; hi++ {
				for lo := 1; lo <= hi; lo++ {
					loss += enterRoll(held, two == 1, hi, lo)
				}
			}
			t[1+two][held] = float32(loss) * per294
		}
	}
	return t
}()

// enterRoll returns the pips lost with a roll, times the ways to roll it.
func enterRoll(held int, two bool, hi, lo int) int {
	out := func(d int) bool { return held>>(d-1)&1 != 0 }
	switch {
	case hi == lo && out(hi):
		return 4 * hi
	case hi == lo:
		return 0
	case out(hi) && out(lo):
		return 2 * (hi + lo)
	case two && out(hi):
		return 2 * hi
	case two && out(lo):
		return 2 * lo
	}
	return 0
}

// enterChance holds, by points held, the share of rolls that leave a checker on the bar, as GNU Backgammon has it.
var enterChance = func() (t [64]float32) {
	for held := range t {
		open := 6 - bits.OnesCount(uint(held))
		t[held] = float32(36-open*open) * per36
	}
	return t
}()

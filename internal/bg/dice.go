package bg

// Roll is one of the 21 distinct rolls.
type Roll struct {
	Hi, Lo int     // the two dice, Hi >= Lo
	Weight float32 // how many of the 36 ordered rolls it stands for, 1 or 2
}

// Rolls lists the 21 distinct rolls; the weights add up to 36.
var Rolls = func() (r [21]Roll) {
	n := 0
	for hi := 1; hi <= 6; hi++ {
		for lo := 1; lo <= hi; lo++ {
			w := float32(2)
			if hi == lo {
				w = 1
			}
			r[n] = Roll{hi, lo, w}
			n++
		}
	}
	return r
}()

// Package bearoff holds the bearoff databases: the exact distribution of the
// number of rolls one side needs (one-sided), and the exact winning chances of
// small positions (two-sided). Both are computed here, cached on disk and
// rebuilt when damaged.
//
// A position of one side is its home board, six points with up to fifteen
// checkers; positions are numbered by index. The one-sided database plays
// without regard to the opponent, so as to need the fewest rolls on average. The
// two-sided one plays to win.
package bearoff

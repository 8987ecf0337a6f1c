// Package bearoff holds the bearoff databases: the exact distribution of the
// number of rolls one side needs (one-sided), and exact winning chances of
// small positions (two-sided). Both are computed here, cached on disk and
// rebuilt when damaged.
package bearoff

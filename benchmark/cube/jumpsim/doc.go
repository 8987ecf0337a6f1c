// Package jumpsim solves and plays out the jump process of the cube (the jump
// model of package cube) without the approximations of its closed forms: by
// dynamic programming on a grid, and by playing games of it with the strategy
// found.
//
// The process: the chance to win follows a Brownian path that ends at 0 or 1.
// The cube can be turned at the times of the rolls only, and the time from one
// to the next is exponentially distributed, so that away from the ends a roll
// moves the chance by a two-sided exponential jump. Either side may double after
// a jump; a won game counts W points, a lost one L.
package jumpsim

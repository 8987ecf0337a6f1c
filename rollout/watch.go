package rollout

import "context"

// Watch is how what is rolled out as results R is computed and followed. The zero value is usable.
type Watch[R any] struct {
	Workers int // goroutines, 0 one a processor; the result does not depend on it

	// Progress, if not nil, gets how many trials of all are done.
	Progress func(done, total int)

	// Look, if not nil, gets the results of the trials so far, after numbers of trials that do not depend on the
	// machine. Its error ends the rollout and is returned. The results in the end are the same to the bit, but that
	// Options.TargetSE is checked then, too.
	Look func(R) error

	// Trials, if not nil, has trials first to end-1 of every line that a CubeEngine rolls out played elsewhere, as
	// CubeEngine.Trials does, and returns their equities by line.
	Trials func(ctx context.Context, lines, first, end int) ([][]float64, error)
}

// nextLook is the number of trials after which a watched rollout is looked at next, after n:
// 36, and then about an eighth more each time, always a multiple of 36.
func nextLook(n int) int { return (n+n/8)/36*36 + 36 }

package opponents

import "bgtrain/internal/parallel"

// Pool holds one Mover of a player for each of several workers, made when first
// needed.
type Pool struct {
	p   Player
	all []Mover
}

// NewPool returns a Pool for so many workers, 0: one a processor.
func NewPool(p Player, workers int) *Pool {
	return &Pool{p, make([]Mover, parallel.Workers(workers))}
}

// Player returns whose movers these are.
func (m *Pool) Player() Player { return m.p }

// Get returns the mover of a worker; only that worker may call it.
func (m *Pool) Get(worker int) (Mover, error) {
	if m.all[worker] == nil {
		v, err := m.p.NewMover()
		if err != nil {
			return nil, err
		}
		m.all[worker] = v
	}
	return m.all[worker], nil
}

// Close frees the movers.
func (m *Pool) Close() {
	for i := range m.all {
		if c, ok := m.all[i].(Closer); ok {
			c.Close()
		}
		m.all[i] = nil
	}
}

package cpu

// Table holds what does the same work on each tier, nil where a tier has nothing
// of its own. The tier Go always has.
type Table[T any] [numTiers]*T

// At returns the entry of the highest tier up to t that has one.
func (tb *Table[T]) At(t Tier) *T {
	for ; t > Go; t-- {
		if tb[t] != nil {
			return tb[t]
		}
	}
	return tb[Go]
}

// Best is At(Level()): what a run uses.
func (tb *Table[T]) Best() *T { return tb.At(Level()) }

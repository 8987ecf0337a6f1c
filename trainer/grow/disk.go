package grow

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Bytes is a size, as text such as 20GB.
type Bytes int64

// units of a size, each a thousand times the one before.
var byteUnits = []string{"kB", "MB", "GB", "TB"}

// String returns the size in the largest unit that it is a whole number of.
func (b *Bytes) String() string {
	n, unit := int64(*b), ""
	for _, u := range byteUnits {
		if n == 0 || n%1000 != 0 {
			break
		}
		n, unit = n/1000, u
	}
	return strconv.FormatInt(n, 10) + unit
}

// Set reads a size.
func (b *Bytes) Set(text string) error {
	number, scale := text, 1.0
	for i, unit := range byteUnits {
		if n, ok := strings.CutSuffix(text, unit); ok {
			for number = n; i >= 0; i-- {
				scale *= 1000
			}
			break
		}
	}
	x, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || !(x >= 0 && x*scale < 1<<60) {
		return fmt.Errorf("a size such as 20GB expected")
	}
	*b = Bytes(x * scale)
	return nil
}

// makeRoom drops the labels made anew of the rounds before, which no round learns from again,
// and the databases of the oldest stages that no later round learns from,
// until what is kept is within the limit.
func (n *run) makeRoom() error {
	for len(n.renewed) > 0 && n.renewed[0].Round < len(n.rounds) {
		if err := n.st.drop(n.renewed[0]); err != nil {
			return err
		}
		n.renewed = n.renewed[1:]
	}
	if n.o.Disk == 0 {
		return nil
	}
	var order []*Stage // of all stages with databases, oldest first
	kept := map[*Stage]bool{}
	for i, l := range n.labels {
		for _, s := range l.all() {
			order = append(order, s)
			for _, in := range s.inputs {
				if in.Kind == KindPositions {
					order = append(order, in)
				}
			}
			// Rows of the next round: its own and those of Rows-1 of its kind before it, and the newest for its pruning nets.
			last := &n.rounds[len(n.rounds)-1]
			rows := last.Training.Rows
			if slices.Contains(l.races, s) {
				rows = last.Races.Rows
			}
			kept[s] = rows == 0 || i == len(n.labels)-1 || n.age(i) < rows
		}
	}
	var total int64
	for _, s := range order {
		size, err := n.st.size(s)
		if err != nil {
			return err
		}
		total += size
	}
	for _, s := range order {
		if total <= int64(n.o.Disk) {
			break
		}
		if kept[s] {
			continue
		}
		before, err := n.st.size(s)
		if err != nil {
			return err
		}
		if err := n.st.drop(s); err != nil {
			return err
		}
		after, err := n.st.size(s)
		if err != nil {
			return err
		}
		total -= before - after
	}
	return nil
}

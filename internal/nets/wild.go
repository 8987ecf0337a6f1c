package nets

import "fmt"

// largestWeight and largestBeta are far beyond what nets have: GNU Backgammon's
// weights stay below 100, its betas are 0.1 and 1.
const (
	largestWeight = 1e5
	largestBeta   = 100
)

// Wild names the first number of the nets that no trained net has, "" if there is
// none. GNU Backgammon's weights have no checksum: damage that Check does not see
// shows in nothing else.
func (s *Set) Wild() string {
	for _, role := range s.roles() {
		for i := range s.Nets[role].Net.Layers {
			l := &s.Nets[role].Net.Layers[i]
			if l.Beta > largestBeta {
				return fmt.Sprintf("%s net: layer %d: beta %v", role, i, l.Beta)
			}
			for what, numbers := range map[string][]float32{"weight": l.Weights, "threshold": l.Bias} {
				for k, w := range numbers {
					if max(w, -w) > largestWeight {
						return fmt.Sprintf("%s net: layer %d: %s %d is %v", role, i, what, k, w)
					}
				}
			}
		}
	}
	return ""
}

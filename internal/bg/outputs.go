package bg

// Indices into Outputs.
const (
	Win = iota
	WinGammon
	WinBackgammon
	LoseGammon
	LoseBackgammon
	NumOutputs
)

// Outputs are the five cubeless probabilities of the player on roll. A gammon
// includes a backgammon, a win includes both.
type Outputs [NumOutputs]float32

// OutputNames are the outputs in words.
var OutputNames = [NumOutputs]string{"win", "win gammon", "win backgammon", "lose gammon", "lose backgammon"}

// Equity is the cubeless money equity in points per game, from -3 to +3.
func (o *Outputs) Equity() float32 {
	return 2*o[Win] - 1 + o[WinGammon] + o[WinBackgammon] - o[LoseGammon] - o[LoseBackgammon]
}

// Inverted returns the same outputs as the other player sees them.
func (o *Outputs) Inverted() Outputs {
	return Outputs{1 - o[Win], o[LoseGammon], o[LoseBackgammon], o[WinGammon], o[WinBackgammon]}
}

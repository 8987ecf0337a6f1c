package serve

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"bgtrain/internal/player"
)

// boardView is what the page of the board begins with; the rest comes over the HTTP
// interface.
type boardView struct {
	Dice   [2][]dieFace
	Nets   []string
	Plies  []int
	Trials []link
	Method string
}

// dieFace is a button that sets a die.
type dieFace struct{ Die, Number, Face int }

// link is a choice among several.
type link struct {
	Text, URL string
	Here      bool
}

// value is a figure with its name.
type value struct{ Name, Text string }

// board shows a position, its value and the plays of a roll.
func (v *Server) board(*http.Request) (string, any, error) {
	o := v.s.Rollout
	view := &boardView{Nets: v.netNames(), Method: fmt.Sprintf("%d plies, then the net’s value", o.Truncate)}
	if o.Truncate == 0 {
		view.Method = "to the end of the game"
	}
	for die := range view.Dice {
		for face := 1; face <= 6; face++ {
			view.Dice[die] = append(view.Dice[die], dieFace{die, die + 1, face})
		}
	}
	for ply := range player.MaxPly + 1 {
		view.Plies = append(view.Plies, ply)
	}
	trials := []int{324, 1296, 5184}
	if !slices.Contains(trials, o.Trials) {
		trials = append(trials, o.Trials)
		slices.Sort(trials)
	}
	for _, n := range trials {
		view.Trials = append(view.Trials, link{Text: strconv.Itoa(n), Here: n == o.Trials})
	}
	return "Board", view, nil
}

// netNames are the names of the nets that may be chosen.
func (v *Server) netNames() []string {
	var names []string
	for _, n := range v.netList() {
		names = append(names, n.Name)
	}
	return names
}

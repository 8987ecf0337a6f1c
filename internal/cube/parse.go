package cube

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bgtrain/internal/near"
)

// Models is how the models are written, for help and messages.
const Models = "dead, live, janowski=X, janowski=X1:X2, gnubg, jump=V, jump=local, learned or learned=FILE"

// AverageVolatility is the jump volatility that jump=local takes for what
// follows after the next roll.
const AverageVolatility = 0.08

// kinds are the first words of models.
var kinds = []string{"dead", "live", "janowski", "gnubg", "jump", "learned"}

// maxVolatility is up to where the jump model, made for jumps small beside the
// market window, is of use.
const maxVolatility = 0.2

// ParseModel reads the name of a model: dead; live; janowski=X with a cube life
// index of 0 to 1; janowski=X1:X2 with one for the player on roll and one for
// the opponent; gnubg; jump=V with a jump volatility such as 0.08; jump=local.
func ParseModel(text string) (Model, error) {
	kind, value, valued := strings.Cut(text, "=")
	bad := func() (Model, error) {
		question := ""
		if !slices.Contains(kinds, kind) {
			question = near.Ask(kind, "", kinds)
		}
		return nil, fmt.Errorf("cube model %q: %s expected, X from 0 to 1, V above 0 up to %v%s", text, Models,
			maxVolatility, question)
	}
	if !valued {
		switch kind {
		case "dead":
			return Dead{}, nil
		case "live":
			return Live{}, nil
		case "gnubg":
			return GNUbg{}, nil
		case "learned":
			return learned("")
		}
		return bad()
	}
	switch kind {
	case "learned":
		if value == "" {
			return bad()
		}
		m, err := learned(value)
		if err != nil {
			return nil, fmt.Errorf("cube model learned: %w", err)
		}
		return m, nil
	case "janowski":
		a, b, two := strings.Cut(value, ":")
		if !two {
			b = a
		}
		mine, err1 := strconv.ParseFloat(a, 64)
		theirs, err2 := strconv.ParseFloat(b, 64)
		if err1 != nil || err2 != nil || !(mine >= 0 && mine <= 1 && theirs >= 0 && theirs <= 1) {
			return bad()
		}
		return Janowski{mine, theirs}, nil
	case "jump":
		if value == "local" {
			return Jump{Volatility: AverageVolatility, Local: true}, nil
		}
		v, err := strconv.ParseFloat(value, 64)
		if err != nil || !(v > 0 && v <= maxVolatility) {
			return bad()
		}
		return Jump{Volatility: v}, nil
	}
	return bad()
}

// ParsePair reads one model for both players, or two with a comma between, of
// which the second may be a number alone where the kind is the same.
func ParsePair(text string) (pair [2]Model, err error) {
	a, b, two := strings.Cut(text, ",")
	kind, _, valued := strings.Cut(a, "=")
	switch {
	case !two:
		b = a
	case valued && b != "" && strings.Trim(b, "0123456789.:") == "":
		b = kind + "=" + b
	}
	if pair[0], err = ParseModel(a); err != nil {
		return pair, err
	}
	pair[1], err = ParseModel(b)
	return pair, err
}

package player

import "bgtrain/internal/bg"

// makeConsistent corrects a net's outputs as GNU Backgammon does: what the
// position makes certain or impossible, gammons within wins, backgammons within
// gammons, and no gammons below one in ten thousand while there is contact.
func (p *Player) makeConsistent(b *bg.Board, out *bg.Outputs) {
	contact := touching(b)
	if contact {
		if b.Opp.OnBoard() < bg.Checkers {
			out[bg.WinGammon], out[bg.WinBackgammon] = 0, 0
		}
		if b.Me.OnBoard() < bg.Checkers {
			out[bg.LoseGammon], out[bg.LoseBackgammon] = 0, 0
		}
	} else {
		p.certainties(b, out)
	}
	out[bg.WinGammon] = min(out[bg.WinGammon], out[bg.Win])
	out[bg.LoseGammon] = min(out[bg.LoseGammon], 1-out[bg.Win])
	out[bg.WinBackgammon] = min(out[bg.WinBackgammon], out[bg.WinGammon])
	out[bg.LoseBackgammon] = min(out[bg.LoseBackgammon], out[bg.LoseGammon])
	if contact {
		for i := bg.WinGammon; i < bg.NumOutputs; i++ {
			if out[i] < noise {
				out[i] = 0
			}
		}
	}
}

// touching reports whether there is contact. A race here is a position where the
// rearmost checkers have passed, which is one pip stricter than the class.
func touching(b *bg.Board) bool { return b.Me.Back()+b.Opp.Back() >= 24 }

// noise is the least chance of a gammon that counts while there is contact.
const noise = 1 / 10000.0

// certainties settles what a race makes certain or impossible.
func (p *Player) certainties(b *bg.Board, out *bg.Outputs) {
	me, opp := p.crossovers(&b.Me), p.crossovers(&b.Opp)
	myTurns := max(me.maxTurns, 1)
	oppTurns := opp.maxTurns
	// A roll moves at most four checkers, so brings at most four crossovers.
	if opp.toBearOff > 4*(myTurns-1) {
		out[bg.Win] = 1
	}
	switch {
	case opp.checkers < bg.Checkers:
		out[bg.WinGammon], out[bg.WinBackgammon] = 0, 0
	default:
		if me.toBearOff > 8*opp.toSaveGammon {
			out[bg.WinGammon] = 0
		} else if opp.toSaveGammon > 4*(myTurns-1) {
			out[bg.WinGammon] = 1
		}
		if opp.back < 18 {
			out[bg.WinBackgammon] = 0
		}
	}
	if me.toBearOff > 4*oppTurns {
		out[bg.Win] = 0
	}
	switch {
	case me.checkers < bg.Checkers:
		out[bg.LoseGammon], out[bg.LoseBackgammon] = 0, 0
	default:
		if opp.toBearOff > 8*me.toSaveGammon-4 {
			out[bg.LoseGammon] = 0
		} else if me.toSaveGammon > 4*oppTurns {
			out[bg.LoseGammon] = 1
		}
		if me.back < 18 {
			out[bg.LoseBackgammon] = 0
		}
	}
}

// crossing counts the crossovers one side of a race has to make.
type crossing struct {
	checkers     int // on the board
	back         int // index of the rearmost checker
	toBearOff    int // crossovers to bear off everything
	toSaveGammon int // crossovers to bring all home and bear off one checker
	maxTurns     int // no more rolls than that, with any chance to speak of
}

func (p *Player) crossovers(s *bg.Side) crossing {
	c := crossing{back: s.Back(), toSaveGammon: 1}
	for i, n := range s {
		quadrant := i / 6
		c.checkers += int(n)
		c.toBearOff += (quadrant + 1) * int(n)
		c.toSaveGammon += quadrant * int(n)
	}
	if c.back < 6 && p.bearoff != nil {
		c.maxTurns = int(p.bearoff.Rolls((*[6]uint8)(s[:6])).Max)
	} else {
		c.maxTurns = 2 * c.toBearOff
	}
	return c
}

// raceBackgammons replaces a race net's backgammon chance by one computed from
// the bearoff database, for the side that has one.
func (p *Player) raceBackgammons(b *bg.Board, out *bg.Outputs) {
	if p.bearoff == nil {
		return
	}
	switch {
	case b.Opp.Back() >= 18 && b.Opp.OnBoard() == bg.Checkers:
		pr := p.bearoff.RaceBackgammon(b, true)
		out[bg.WinBackgammon] = pr
		out[bg.WinGammon] = max(out[bg.WinGammon], pr)
	case b.Me.Back() >= 18 && b.Me.OnBoard() == bg.Checkers:
		pr := p.bearoff.RaceBackgammon(b, false)
		out[bg.LoseBackgammon] = pr
		out[bg.LoseGammon] = max(out[bg.LoseGammon], pr)
	}
}

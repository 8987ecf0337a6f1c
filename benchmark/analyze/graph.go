package analyze

import (
	"fmt"
	"html"
	"html/template"
	"math"
	"strings"

	"bgtrain/dataset/matchfile"
)

// playerColors distinguish the players, also for color-blind people.
var playerColors = [2]string{"#0072b2", "#d55e00"}

// graph draws what the match was worth to the first player, action by action, with the
// decisions that were errors; once wide and once for a phone, of which the style shows one.
func (a *Analysis) graph() template.HTML {
	if len(a.Turns) < 2 {
		return ""
	}
	return template.HTML(a.drawGraph(980, 260, "wide") + a.drawGraph(400, 280, "narrow"))
}

// drawing is a graph being drawn.
type drawing struct {
	strings.Builder
	left, top, width, height float64
	low, high                float64 // values at the bottom and at the top
	n                        int     // points along the axis
}

func (g *drawing) add(format string, args ...any) { fmt.Fprintf(&g.Builder, format+"\n", args...) }

func (g *drawing) x(i float64) float64 { return g.left + i/float64(max(g.n, 1))*g.width }

func (g *drawing) y(v float64) float64 {
	return g.top + (g.high-v)/(g.high-g.low)*g.height
}

// values are those of the turns, and what the match came to at last.
func (a *Analysis) values() []float64 {
	var vs []float64
	last := math.NaN()
	for i := range a.Turns {
		if a.Turns[i].Known {
			last = a.Turns[i].Value
		}
		vs = append(vs, last)
	}
	score := a.finalScore()
	switch end := float64(score[0] - score[1]); {
	case a.Match.Games[len(a.Match.Games)-1].Winner == matchfile.None:
	case a.Match.Length == 0:
		vs = append(vs, end)
	case score[0] >= a.Match.Length:
		vs = append(vs, 1)
	case score[1] >= a.Match.Length:
		vs = append(vs, 0)
	}
	return vs
}

// drawGraph draws the graph at a size.
func (a *Analysis) drawGraph(width, height float64, class string) string {
	values := a.values()
	g := &drawing{left: 44, top: 26, width: width - 56, height: height - 48, low: 0, high: 1, n: len(values) - 1}
	title := fmt.Sprintf("%s’s chance to win the match", a.Players[0].Name)
	step := 0.25
	if a.Match.Length == 0 {
		title = fmt.Sprintf("%s’s points, won and expected", a.Players[0].Name)
		g.low, g.high = -1, 1
		for _, v := range values {
			if !math.IsNaN(v) {
				g.low, g.high = min(g.low, math.Floor(v)), max(g.high, math.Ceil(v))
			}
		}
		step = math.Max(1, math.Ceil((g.high-g.low)/6))
	}
	title = html.EscapeString(title)
	g.add(`<svg class="graph %s" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %v %v" role="img" aria-label="%s" `+
		`font-family="system-ui, sans-serif" font-size="12"><title>%s</title>`, class, width, height, title, title)
	g.add(`<text x="%.1f" y="12" fill="currentColor" font-weight="600">%s</text>`, g.left, title)
	for v := math.Ceil(g.low/step) * step; v <= g.high+1e-9; v += step {
		text := fmt.Sprintf("%.0f %%", 100*v)
		if a.Match.Length == 0 {
			text = minus(fmt.Sprintf("%+.0f", v))
		}
		g.add(`<path class="grid" d="M%.1f %.1fh%.1f"/><text x="%.1f" y="%.1f" text-anchor="end" `+
			`fill="currentColor">%s</text>`,
			g.left, g.y(v), g.width, g.left-6, g.y(v)+4, text)
	}
	a.drawGames(g, class == "narrow")
	var line strings.Builder
	command := "M"
	for i, v := range values {
		if !math.IsNaN(v) {
			fmt.Fprintf(&line, "%s%.1f %.1f", command, g.x(float64(i)), g.y(v))
			command = "L"
		}
	}
	g.add(`<path d="%s" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linejoin="round"/>`, line.String())
	a.drawErrors(g, values)
	g.add(`</svg>`)
	return g.String()
}

// drawGames marks where games begin, with the score where there is room.
func (a *Analysis) drawGames(g *drawing, narrow bool) {
	free := 0.0 // where the next label fits
	for i := range a.Turns {
		t := &a.Turns[i]
		if i > 0 && t.Game == a.Turns[i-1].Game {
			continue
		}
		x := g.x(float64(i))
		g.add(`<path class="game" d="M%.1f %.1fv%.1f"/>`, x, g.top, g.height)
		game := &a.Match.Games[t.Game]
		label, size := fmt.Sprintf("game %d, %d–%d", game.Number, game.Score[0], game.Score[1]), 92.0
		if narrow {
			label, size = fmt.Sprintf("%d–%d", game.Score[0], game.Score[1]), 32
		}
		if x >= free {
			g.add(`<a href="#g%d"><text x="%.1f" y="%.1f" fill="currentColor">%s</text></a>`, t.Game+1, x+3,
				g.top+g.height+16, label)
			free = x + size
		}
	}
}

// drawErrors marks the turns with errors; a click leads to the decision.
func (a *Analysis) drawErrors(g *drawing, values []float64) {
	for i := range a.Turns {
		for _, k := range a.Turns[i].Decisions {
			d := &a.Decisions[k]
			if d.Loss < ErrorFrom || math.IsNaN(values[i]) {
				continue
			}
			r := 3.2
			if d.Loss >= BlunderFrom {
				r = 5
			}
			text := html.EscapeString(fmt.Sprintf("%s, game %d move %d: %s, best %s, −%.3f", a.Players[d.Player].Name,
				d.Game, d.Move, d.Did, d.Best, d.Loss))
			shape := fmt.Sprintf(`<circle cx="%.1f" cy="%.1f" r="%v"`, g.x(float64(i)), g.y(values[i]), r)
			if d.Player == 1 { // the shape, too, distinguishes the players
				shape = fmt.Sprintf(`<rect x="%.1f" y="%.1f" width="%v" height="%v"`, g.x(float64(i))-0.9*r,
					g.y(values[i])-0.9*r, 1.8*r, 1.8*r)
			}
			g.add(`<a href="#%s">%s fill="%s" stroke="#fff" stroke-width="1"><title>%s</title></%s></a>`, cardID(k), shape,
				playerColors[d.Player], text, []string{"circle", "rect"}[d.Player])
		}
	}
}

package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"bgtrain/internal/nets"
	"bgtrain/trainer/grow"
)

//go:embed page.html
var pageHTML string

//go:embed page.js
var pageJS string

var pageTemplate = template.Must(template.New("page").Parse(pageHTML + FrameHTML + GrownHTML + PlaysHTML))

// pageView is what the template sees: text and pictures, ready to be shown.
type pageView struct {
	Frame
	Made         string
	Player       string // the one the page is about
	Others       string
	Tiles        []tile
	Nets         []netView
	Files        []fileView
	Cubes        []cubeView
	Grown        *Grown
	Curves       []curveView
	Calibrations []calibrationView
	Worst        []classView
	WorstN       int
	WorstPlans   []string // of the worst decisions
	Database     *databaseView
}

// tile is a figure at the head of the page.
type tile struct{ Name, Value, Note string }

// curveView is one run's curves, drawn.
type curveView struct {
	Name  string
	Plots []template.HTML
}

// Write writes the page.
func Write(w io.Writer, in *Input) error {
	v, err := newPageView(in)
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	if err := pageTemplate.Execute(w, v); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

func newPageView(in *Input) (*pageView, error) {
	v := &pageView{Frame: NewFrame(in.Title, in.Command, "", pageJS), WorstN: in.Worst}
	if !in.Made.IsZero() {
		v.Made = in.Made.Format("2 January 2006")
	}
	var others []string
	for i, p := range in.Players {
		if i == 0 {
			v.Player = in.label(p.Name())
		} else {
			others = append(others, in.label(p.Name()))
		}
	}
	v.Others = strings.Join(others, ", ")
	if len(in.Nets) > 0 && len(in.Players) > 0 {
		if t, ok := trainedOn(in.Nets[0].File); ok {
			v.Tiles = append(v.Tiles, t)
		}
	}
	for _, n := range in.Nets {
		v.Nets = append(v.Nets, viewNet(in.label(n.Name), n.File))
	}
	if err := v.addFiles(in); err != nil {
		return nil, err
	}
	for _, c := range in.Cubes {
		v.Cubes = append(v.Cubes, viewCube(in.label(c.Player), c))
	}
	if err := v.addCurves(in); err != nil {
		return nil, err
	}
	v.Calibrations = viewCalibrations(in)
	worst, err := worstDecisions(in)
	if err != nil {
		return nil, err
	}
	v.Worst, v.WorstPlans = worst, plansOf(worst)
	if in.Database != nil {
		v.Database = viewDatabase(in.Database)
		v.Tiles = append(v.Tiles, tile{"positions in the database", thousands(in.Database.Info.Rows),
			filepath.Base(in.Database.Info.Path)})
	}
	return v, nil
}

// addCurves draws the learning curves and the runs of grow.
func (v *pageView) addCurves(in *Input) (err error) {
	if len(in.Grown) > 0 {
		if v.Grown, err = ViewGrown(in.Grown, time.Time{}, grow.Processors, grow.Wall); err != nil {
			return err
		}
	}
	for _, c := range in.Curves {
		cv := curveView{Name: c.Name}
		for _, chart := range c.Charts {
			plot, err := drawChart(c.Name, chart)
			if err != nil {
				return err
			}
			cv.Plots = append(cv.Plots, plot)
		}
		v.Curves = append(v.Curves, cv)
	}
	return nil
}

// label is the name of a player as the page shows it: of a path the last element
// without its suffix, unless two players share that.
func (in *Input) label(name string) string {
	short := shortName(name)
	for _, p := range in.Players {
		if other := p.Name(); other != name && shortName(other) == short {
			return name
		}
	}
	return short
}

// shortName makes "nets/my.safetensors:2" into "my 2-ply"; 0-ply is not said.
func shortName(name string) string {
	base := filepath.Base(name)
	if ply, ok := strings.CutPrefix(name, "gnubg:"); ok { // the running program, not a net file
		return fmt.Sprintf("GNU Backgammon %s-ply", ply)
	}
	if i := strings.LastIndexByte(base, ':'); i > 0 {
		ply, rest, _ := strings.Cut(base[i+1:], " ")
		if n, err := strconv.Atoi(ply); err == nil {
			base = strings.TrimSuffix(base[:i], ".safetensors")
			if n > 0 {
				base += fmt.Sprintf(" %d-ply", n)
			}
			if rest != "" {
				base += " " + rest
			}
		}
	}
	return strings.TrimSuffix(base, ".safetensors")
}

// playerIndex is the place of a player, 0 where there is none of the name.
func (in *Input) playerIndex(name string) int {
	for i, p := range in.Players {
		if p.Name() == name {
			return i
		}
	}
	return 0
}

// thousands writes a count with thin spaces between groups of three digits.
func thousands[T int | int64](n T) string {
	t := fmt.Sprint(n)
	for i := len(t) - 3; i > 0 && t[i-1] != '-'; i -= 3 {
		t = t[:i] + "\u202f" + t[i:]
	}
	return t
}

// percent writes a share; a dash where there is nothing to share.
func percent(part, whole int64) string {
	switch {
	case whole == 0:
		return "–"
	case part == 0:
		return "0"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(whole))
}

// signed writes a difference with a sign that is as wide as a plus.
func signed(x float64, decimals int) string {
	return strings.ReplaceAll(fmt.Sprintf("%+.*f", decimals, x), "-", "−")
}

// positionsInProvenance matches how many positions a net's provenance says it
// learned from.
var positionsInProvenance = regexp.MustCompile(`\b(\d+) positions\b`)

// trainedOn is the tile of the positions that a player's nets learned from, as
// their provenance has it.
func trainedOn(set *nets.Set) (tile, bool) {
	total, n := int64(0), 0
	for _, role := range nets.Main {
		if set.Nets[role] == nil {
			continue
		}
		if m := positionsInProvenance.FindStringSubmatch(set.Nets[role].Provenance["data"]); m != nil {
			if k, err := strconv.ParseInt(m[1], 10, 64); err == nil {
				total, n = total+k, n+1
			}
		}
	}
	return tile{"training positions", thousands(total), fmt.Sprintf("of %d nets, by their provenance", n)}, n > 0
}

// plansOf lists the game plans of decisions, in order.
func plansOf(classes []classView) []string {
	var plans []string
	for _, c := range classes {
		for _, d := range c.Decisions {
			plans = append(plans, d.Plan)
		}
	}
	slices.Sort(plans)
	return slices.Compact(plans)
}

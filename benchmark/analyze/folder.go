package analyze

import (
	"cmp"
	_ "embed"
	"fmt"
	"html"
	"html/template"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"bgtrain/benchmark/report"
	"bgtrain/dataset/matchfile"
	"bgtrain/internal/stats"
)

// Files returns the match files that arguments name: files as they are, and of a
// directory all in it, and below, that are matches by their beginning.
func Files(args []string) ([]string, error) {
	var files []string
	for _, arg := range args {
		info, err := os.Stat(arg)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			files = append(files, arg)
			continue
		}
		before := len(files)
		err = filepath.WalkDir(arg, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			switch format, err := matchfile.DetectFile(path); {
			case err != nil, format == matchfile.Unknown, format == matchfile.IDs: // something else
			default:
				files = append(files, path)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		if len(files) == before {
			return nil, fmt.Errorf("%s: no match files in it", arg)
		}
	}
	return files, nil
}

// Entry is a match among several.
type Entry struct {
	File  string // where it was read from
	Page  string // its page's file name; "": none
	Date  string // as the file has it; "": none
	Title string
	Kind  string

	Players [2]EntryPlayer
}

// EntryPlayer is a player of an Entry.
type EntryPlayer struct {
	Name string
	Won  bool
	Sum
}

// Entry is the analysis as a row among others. page is its page, "" for none.
func (a *Analysis) Entry(file, page string) Entry {
	e := Entry{File: file, Page: page, Date: a.Match.Date, Kind: kindOf(a.Match),
		Title: a.Players[0].Name + " – " + a.Players[1].Name}
	for i := range a.Players {
		e.Players[i] = EntryPlayer{Name: a.Players[i].Name, Sum: a.Players[i].Sum}
	}
	if score := a.finalScore(); score[0] != score[1] {
		winner := 0
		if score[1] > score[0] {
			winner = 1
		}
		if a.Match.Length == 0 || score[winner] >= a.Match.Length {
			e.Players[winner].Won = true
		}
	}
	return e
}

// Folder is several matches, in the order of their dates and then of their files.
type Folder []Entry

// NewFolder sorts matches.
func NewFolder(entries []Entry) Folder {
	slices.SortStableFunc(entries, func(x, y Entry) int {
		return cmp.Or(cmp.Compare(sortable(x.Date), sortable(y.Date)), cmp.Compare(x.File, y.File))
	})
	return entries
}

// sortable makes dates such as 2026.11.21 and 2026-11-21 alike.
func sortable(date string) string { return strings.NewReplacer(".", "-", "/", "-").Replace(date) }

// Career is a player's matches.
type Career struct {
	Name         string
	Matches, Won int
	Sum
	PRs []float64 // of each match in which a decision counts, in order
}

// Careers sums the matches up for each player, who has most matches first.
func (f Folder) Careers() []Career {
	at := map[string]int{}
	var all []Career
	for i := range f {
		for k := range f[i].Players {
			p := &f[i].Players[k]
			n, ok := at[p.Name]
			if !ok {
				n = len(all)
				at[p.Name], all = n, append(all, Career{Name: p.Name})
			}
			c := &all[n]
			c.Matches++
			if p.Won {
				c.Won++
			}
			c.merge(&p.Sum)
			if p.Counted() > 0 {
				c.PRs = append(c.PRs, p.PR())
			}
		}
	}
	slices.SortStableFunc(all, func(x, y Career) int { return cmp.Compare(y.Matches, x.Matches) })
	return all
}

// merge adds other decisions.
func (s *Sum) merge(o *Sum) {
	s.Plays, s.Forced, s.PlayLoss = s.Plays+o.Plays, s.Forced+o.Forced, s.PlayLoss+o.PlayLoss
	s.Cubes, s.Close, s.CubeLoss = s.Cubes+o.Cubes, s.Close+o.Close, s.CubeLoss+o.CubeLoss
	s.Errors, s.Blunders, s.Cost = s.Errors+o.Errors, s.Blunders+o.Blunders, s.Cost+o.Cost
	s.Rolls, s.Luck, s.LuckCost = s.Rolls+o.Rolls, s.Luck+o.Luck, s.LuckCost+o.LuckCost
}

// WriteText writes a line a match, and a line a player.
func (f Folder) WriteText(out io.Writer) error {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "date\tmatch\tto\tfile\tPR\tluck\tPR\tluck\n")
	for i := range f {
		e := &f[i]
		to := strings.TrimPrefix(strings.TrimPrefix(e.Kind, "a match to "), "for ") // there is little room
		fmt.Fprintf(t, "%s\t%s\t%s\t%s", sortable(e.Date), e.Title, to, filepath.Base(e.File))
		for k := range e.Players {
			fmt.Fprintf(t, "\t%s\t%+.3f", orDash(e.Players[k].PR(), 2), e.Players[k].Luck)
		}
		fmt.Fprintln(t)
	}
	fmt.Fprint(t, "\nplayer\tmatches\twon\tPR\tER\terrors\tblunders\tluck\n")
	for _, c := range f.Careers() {
		fmt.Fprintf(t, "%s\t%d\t%d\t%s\t%s\t%d\t%d\t%+.3f\n", c.Name, c.Matches, c.Won, c.rating(), orDash(c.ER(), 2),
			c.Errors, c.Blunders, c.Luck)
	}
	return t.Flush()
}

//go:embed folder.html
var folderHTML string

var folderTemplate = template.Must(template.New("folder").Parse(folderHTML + report.FrameHTML))

// folderView is what the template of the page of several matches sees.
type folderView struct {
	report.Frame
	Matches []folderRow
	Players []careerRow
	Graphs  []template.HTML
}

type folderRow struct {
	Date, Title, Kind, Page, File string
	Sides                         [2]folderSide
}

type folderSide struct {
	Name, Class, PR, Level, Errors, Luck string
	Won                                  bool
}

type careerRow struct {
	Name, PR, Level, ER, Errors, Luck string
	Matches, Won                      int
}

// WritePage writes the page of all matches.
func (f Folder) WritePage(w io.Writer, command string) error {
	v := folderView{Frame: newFrame(stats.Count(len(f), "match", "matches")+" analyzed", command)}
	for i := range f {
		e := &f[i]
		row := folderRow{Date: e.Date, Title: e.Title, Kind: e.Kind, Page: e.Page, File: filepath.Base(e.File)}
		for k := range e.Players {
			p := &e.Players[k]
			row.Sides[k] = folderSide{p.Name, fmt.Sprintf("who%d", k), orDash(p.PR(), 2), Level(p.PR()),
				fmt.Sprintf("%d / %d", p.Errors, p.Blunders), signed(p.Luck), p.Won}
		}
		v.Matches = append(v.Matches, row)
	}
	for _, c := range f.Careers() {
		v.Players = append(v.Players, careerRow{c.Name, orDash(c.PR(), 2), Level(c.PR()), orDash(c.ER(), 2),
			fmt.Sprintf("%d / %d", c.Errors, c.Blunders), signed(c.Luck), c.Matches, c.Won})
		if len(c.PRs) > 1 {
			v.Graphs = append(v.Graphs, template.HTML(c.graph()))
		}
	}
	if err := folderTemplate.Execute(w, &v); err != nil {
		return fmt.Errorf("write the page of all matches: %w", err)
	}
	return nil
}

// graph draws a player's ratings, match by match, with the mean of all so far.
func (c *Career) graph() string {
	top := 5.0
	for _, pr := range c.PRs {
		top = max(top, pr)
	}
	g := &drawing{left: 34, top: 26, width: 354, height: 140, low: 0, high: top * 1.05, n: len(c.PRs) - 1}
	name := html.EscapeString(fmt.Sprintf("%s, PR by match", c.Name))
	g.add(`<svg class="career" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 180" role="img" aria-label="%s" `+
		`font-family="system-ui, sans-serif" font-size="12"><text x="34" y="14" font-weight="bold" `+
		`fill="currentColor">%s</text>`, name, name)
	for v := 0.0; v <= g.high; v += 5 {
		g.add(`<path class="grid" d="M%.1f %.1fh%.1f"/><text x="%.1f" y="%.1f" text-anchor="end" `+
			`fill="currentColor">%.0f</text>`, g.left, g.y(v), g.width, g.left-6, g.y(v)+4, v)
	}
	var line strings.Builder
	sum := 0.0
	for i, pr := range c.PRs {
		sum += pr
		command := "L"
		if i == 0 {
			command = "M"
		}
		fmt.Fprintf(&line, "%s%.1f %.1f", command, g.x(float64(i)), g.y(sum/float64(i+1)))
		g.add(`<circle cx="%.1f" cy="%.1f" r="3.4" fill="%s"><title>%.2f</title></circle>`, g.x(float64(i)), g.y(pr),
			playerColors[0], pr)
	}
	g.add(`<path d="%s" fill="none" stroke="%s" stroke-width="1.6"/></svg>`, line.String(), playerColors[1])
	return g.String()
}

// PageName returns the name of a match's page, which none of taken has, and takes it.
func PageName(file string, taken map[string]bool) string {
	base := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	base = strings.NewReplacer("#", "_", "?", "_", "%", "_").Replace(base) // they mean something in an address
	name := base + ".html"
	for n := 2; taken[name]; n++ {
		name = fmt.Sprintf("%s-%d.html", base, n)
	}
	taken[name] = true
	return name
}

package analyze

import (
	"context"
	"errors"
	"fmt"
	"html"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"bgtrain/dataset/matchfile"
	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
	"bgtrain/internal/stats"
	"bgtrain/rollout"
)

const gnubgMat = "../../dataset/matchfile/testdata/gnubg.mat"

// analyzed is the recorded match as the smallest net judges it at 0-ply.
func analyzed(t *testing.T, change func(s *Settings)) *Analysis {
	t.Helper()
	p, s := testPlayer(t)
	ms, err := matchfile.ReadAll(gnubgMat)
	if err != nil {
		t.Fatal(err)
	}
	change(&s)
	a, err := Match(context.Background(), p, ms[0], s)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func pageOf(t *testing.T, a *Analysis) string {
	t.Helper()
	var b strings.Builder
	if err := a.WritePage(&b, "some/final.mat", "td", "bgtrain analyze final.mat", ""); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var ids = regexp.MustCompile(`<code>(XGID=[^<]*)</code>`)

// TestPageIsRight compares the page with what was found: counts, players, who judged, each
// decision with its position, cube and score.
func TestPageIsRight(t *testing.T) {
	a := analyzed(t, func(s *Settings) { s.Workers = 2 })
	page := html.UnescapeString(pageOf(t, a))
	cards := strings.Split(page, `<article class="card decision"`)[1:]
	n, cubes := 0, 0
	for i := range a.Decisions {
		d := &a.Decisions[i]
		if !d.Wrong() {
			continue
		}
		card := cards[n]
		n++
		m := ids.FindStringSubmatch(card)
		if m == nil {
			t.Fatalf("no XGID:\n%s", card)
		}
		state, err := cube.ParseXGID(m[1], a.Table)
		if err != nil || state != d.State || state.Table == nil {
			t.Errorf("%s: %+v, %v; %+v expected", m[1], state, err, d.State)
		}
		board, dice, err := bg.ParseXGID(m[1])
		if err != nil || board != d.Board || dice != d.Dice {
			t.Errorf("%s: %v, dice %v", m[1], err, dice)
		}
		for _, want := range []string{a.Players[d.Player].Name, fmt.Sprintf("−%.3f", d.Loss), "<svg", `class="cube"`,
			fmt.Sprintf("game %d, move %d", d.Game, d.Move), fmt.Sprintf(`id="%s"`, cardID(i)), "needs"} {
			if !strings.Contains(card, want) {
				t.Errorf("the card of game %d move %d has no %q", d.Game, d.Move, want)
			}
		}
		if d.Kind != Play {
			cubes++
			if !strings.Contains(card, "double/pass") {
				t.Errorf("a cube decision without its actions:\n%s", card)
			}
		}
	}
	if n != len(cards) || n < 10 || cubes == 0 {
		t.Errorf("%d cards, %d decisions cost something, %d of the cube", len(cards), n, cubes)
	}
	for i := range a.Players {
		p := &a.Players[i]
		for _, want := range []string{p.Name, fmt.Sprintf("%.2f <small>PR · %s", p.PR(), Level(p.PR())),
			stats.Count(p.Plays, "play", "plays") + fmt.Sprintf(" · ER %.2f", p.ER())} {
			if !strings.Contains(page, want) {
				t.Errorf("the page has no %q", want)
			}
		}
		classes, _ := p.groups()
		sum := 0
		for _, g := range classes {
			s := p.Score.SummaryOf(g.Include)
			sum += s.Decisions
			if want := fmt.Sprintf("<td>%d</td><td>%.2f</td>", s.Decisions, s.ER.Mean); !strings.Contains(page, want) {
				t.Errorf("%s of %s: the page has no %s", g.Name, p.Name, want)
			}
		}
		if sum != p.Plays {
			t.Errorf("%s: %d plays by class, %d in all", p.Name, sum, p.Plays)
		}
	}
	for _, want := range []string{"Judged by net td at 0-ply, plays by match equity, the cube by model gnubg",
		">" + a.Players[0].Name + "’s chance to win the match</text>"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	for _, wrong := range []string{"as played<", "benchmark’s rollouts", ">ours<", "1 matches", ":0:0:0:0:10"} {
		if strings.Contains(page, wrong) {
			t.Errorf("the page says %q", wrong)
		}
	}
	links := regexp.MustCompile(`href="#([^"]+)"`).FindAllStringSubmatch(page, -1)
	for _, l := range links {
		if !strings.Contains(page, fmt.Sprintf(`id="%s"`, l[1])) {
			t.Errorf("a link to %s, which is not there", l[1])
		}
	}
}

// TestMoneyPage analyzes games for money: points, no chances to win a match.
func TestMoneyPage(t *testing.T) {
	p, s := testPlayer(t)
	e := p.NewEvaluator()
	m := played(t, 0, func(b *bg.Board, d1, d2 int) bg.Board {
		plays := e.Plays(b, d1, d2, 0)
		return plays[min(1, len(plays)-1)].Result
	})
	a, err := Match(context.Background(), p, m, s)
	if err != nil {
		t.Fatal(err)
	}
	page := pageOf(t, a)
	if !strings.Contains(page, "plays by cubeful money equity") || !strings.Contains(page, "points, won and expected") ||
		strings.Contains(page, "win the match") || !strings.Contains(page, "games for money") {
		t.Error("a page for money that is none")
	}
	if last := a.values(); last[len(last)-1] != float64(a.finalScore()[0]-a.finalScore()[1]) {
		t.Errorf("the graph ends at %v", last[len(last)-1])
	}
}

// TestValuesAndLuck: what the match is worth moves with luck and errors alone, and ends at
// the result.
func TestValuesAndLuck(t *testing.T) {
	a := analyzed(t, func(*Settings) {})
	values := a.values()
	if values[0] != 0.5 || values[len(values)-1] != 0 { // the second player won
		t.Errorf("the match begins at %v and ends at %v", values[0], values[len(values)-1])
	}
	// The change from turn to turn is luck less errors, but for the difference between
	// 0-ply values of a position before the roll and the mean of those after it.
	sum, far := 0.0, 0
	for i := range a.Turns[:len(a.Turns)-1] {
		t := &a.Turns[i]
		change := values[i+1] - values[i]
		skill := 0.0
		for _, k := range t.Decisions {
			d := &a.Decisions[k]
			if d.Player == 0 {
				skill -= d.Cost
			} else {
				skill += d.Cost
			}
		}
		luck := t.LuckCost
		if t.Action.Player == 1 {
			luck = -luck
		}
		rest := math.Abs(change - luck - skill)
		sum += rest
		if rest > 0.1 {
			far++
		}
	}
	if mean := sum / float64(len(a.Turns)); mean > 0.02 || far > 3 {
		t.Errorf("%d turns change the value by neither luck nor errors, %.4f on average", far, mean)
	}
}

// TestRollouts rolls out the worst decisions: so many, the same for any number of workers,
// and sums follow.
func TestRollouts(t *testing.T) {
	roll := func(workers int) *Analysis {
		return analyzed(t, func(s *Settings) {
			s.Rollouts, s.Trials, s.Truncate, s.Workers = 3, 36, 1, workers
		})
	}
	plain, one, two := analyzed(t, func(*Settings) {}), roll(1), roll(2)
	if !reflect.DeepEqual(one.Decisions, two.Decisions) {
		t.Error("another result with two workers")
	}
	rolled := 0
	for i := range one.Decisions {
		d := &one.Decisions[i]
		if d.Rolled == "" {
			if d.Loss != plain.Decisions[i].Loss {
				t.Errorf("game %d move %d: another loss without a rollout", d.Game, d.Move)
			}
			continue
		}
		rolled++
		if d.Kind == Play && (!d.Candidates[0].Rolled || d.Candidates[0].Loss != 0) {
			t.Errorf("the best candidate of a rollout: %+v", d.Candidates[0])
		}
	}
	if rolled != 3 {
		t.Errorf("%d decisions rolled out", rolled)
	}
	total := one.Players[0].PlayLoss + one.Players[1].PlayLoss
	if was := plain.Players[0].PlayLoss + plain.Players[1].PlayLoss; total == was {
		t.Errorf("the sums stay at %g", was)
	}
	if page := pageOf(t, one); !strings.Contains(page, "rollout ±") && !strings.Contains(page, "rolled out, ±") ||
		!strings.Contains(page, "by cubeful rollouts (trials=36 truncate=1") || !strings.Contains(page, "cube=gnubg") {
		t.Error("the page does not say what was rolled out")
	}
}

// TestRolloutsWithTheCube: what was rolled out is what the engine with the cube in play
// finds; judged by money equity, plays are rolled out without.
func TestRolloutsWithTheCube(t *testing.T) {
	set := func(s *Settings) {
		if s.Rollouts, s.Trials, s.Truncate = 8, 36, 3; testing.Short() {
			s.Rollouts, s.Trials = 4, 12
		}
	}
	a := analyzed(t, set)
	p, _ := testPlayer(t)
	engine, err := rollout.NewCubeEngine(p, a.rollOptions(), cube.Handling{Model: a.Model})
	if err != nil {
		t.Fatal(err)
	}
	plays, cubes := 0, 0
	for i := range a.Decisions {
		d := &a.Decisions[i]
		switch {
		case d.Rolled == "":
		case d.Kind == Play:
			plays++
			var after []bg.Board
			for _, c := range d.Candidates {
				if c.Rolled {
					after = append(after, c.After)
				}
			}
			rolled, err := engine.Plays(t.Context(), after, &d.State, d.Board.Key(),
				rollout.Watch[[]rollout.CubePlay]{Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			for k := range after {
				if d.Candidates[k].Equity != rolled[k].Equity.Mean || d.Candidates[k].SE != rolled[k].Difference.SE {
					t.Errorf("game %d move %d: %+v, the engine has %+v", d.Game, d.Move, d.Candidates[k], rolled[k])
				}
			}
		default:
			cubes++
			rolled, err := engine.Decide(t.Context(), &d.Board, &d.State,
				rollout.Watch[*rollout.CubeDecision]{Workers: 1})
			if err != nil || d.Cube != rolled.Judged || !(d.SE > 0) {
				t.Errorf("game %d move %d: %+v ± %g, the engine has %+v, %v", d.Game, d.Move, d.Cube, d.SE, rolled, err)
			}
		}
	}
	if plays == 0 || cubes == 0 {
		t.Errorf("%d plays, %d cube decisions rolled out", plays, cubes)
	}
	money := analyzed(t, func(s *Settings) { set(s); s.By = byMoney })
	if page := pageOf(t, money); !strings.Contains(page, "by cubeless rollouts") || strings.Contains(page, "cube=gnubg)") {
		t.Error("plays judged without the cube are not rolled out without it")
	}
}

// TestTextWidth: what is printed has room in 80 columns, and has all of a decision.
func TestTextWidth(t *testing.T) {
	var out strings.Builder
	a := analyzed(t, func(s *Settings) { s.Rollouts, s.Trials, s.Truncate = 2, 36, 1 })
	if err := a.WriteText(&out, 1000); err != nil {
		t.Fatal(err)
	}
	two := 0
	for _, line := range strings.Split(out.String(), "\n") {
		if n := utf8.RuneCountInString(line); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
		if strings.HasPrefix(line, "    best ") || strings.HasPrefix(line, "    right ") {
			two++
		}
	}
	all := strings.Join(strings.Fields(out.String()), " ")
	for i := range a.Decisions {
		if d := &a.Decisions[i]; d.Wrong() && !strings.Contains(all, strings.Join(strings.Fields(d.line()), " ")) {
			t.Errorf("no %s", d.line())
		}
	}
	if two == 0 {
		t.Error("no decision takes two lines")
	}
}

func TestPR(t *testing.T) {
	s := Sum{}
	for _, d := range []Decision{{Kind: Play, Loss: 0.1}, {Kind: Play}, {Kind: Double, Loss: 0.06, Close: true},
		{Kind: Double}} {
		s.add(&d)
	}
	if math.Abs(s.PR()-500*0.16/3) > 1e-9 || s.ER() != 50 || s.Errors != 2 || s.Blunders != 1 || s.Counted() != 3 {
		t.Errorf("%+v: PR %v, ER %v", s, s.PR(), s.ER())
	}
	for pr, want := range map[float64]string{0: "world champion", 2.5: "world class", 7.4: "expert",
		12.5: "intermediate", 100: "distracted", math.NaN(): ""} {
		if got := Level(pr); got != want {
			t.Errorf("PR %v is %q, %q expected", pr, got, want)
		}
	}
	if text := (&Sum{}).rating(); text != "–" {
		t.Errorf("no decision: %s", text)
	}
}

// TestCubeLosses judges every choice at some equities.
func TestCubeLosses(t *testing.T) {
	state := cube.Money
	for _, c := range []struct {
		nd, dt, dp float64
		did        string
		loss       float64
		close      bool
	}{
		{0.5, 0.6, 1, didDouble, 0, true}, {0.5, 0.6, 1, didNoDouble, 0.1, true}, {0.5, 0.6, 1, didPass, 0.4, true},
		{0.5, 0.6, 1, didTake, 0, true}, {0.5, 0.4, 1, didDouble, 0.1, true}, {0.5, 0.4, 1, didNoDouble, 0, true},
		{0.5, 0.1, 1, didNoDouble, 0, false}, {0.9, 1.2, 1, didTake, 0.2, true}, {0.9, 1.2, 1, didPass, 0, true},
		{1.5, 1.2, 1, didDouble, 0.5, true}, {1.5, 1.2, 1, didNoDouble, 0, false},
	} {
		d := Decision{Kind: Double, Did: c.did, State: state}
		d.setCube(cube.Judge(c.nd, c.dt, c.dp, &state, true))
		if math.Abs(d.Loss-c.loss) > 1e-12 || d.Close != c.close || math.Abs(d.Cost-c.loss) > 1e-12 {
			t.Errorf("%+v: loses %v, counts %t", c, d.Loss, d.Close)
		}
	}
}

// TestFolder lists several matches by date, with a page for each name.
func TestFolder(t *testing.T) {
	dir := t.TempDir()
	mat, err := os.ReadFile(gnubgMat)
	if err != nil {
		t.Fatal(err)
	}
	for name, date := range map[string]string{"a.mat": "2026.11.21", "b.mat": "2025.01.02", "deep/a.mat": "2026.12.24"} {
		path := filepath.Join(dir, name)
		text := strings.Replace(string(mat), "2026.11.21", date, 1)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("of no match\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	files, err := Files([]string{dir})
	if err != nil || len(files) != 3 {
		t.Fatalf("%v, %v", files, err)
	}
	if _, err := Files([]string{t.TempDir()}); err == nil || !strings.Contains(err.Error(), "no match files") {
		t.Errorf("an empty folder: %v", err)
	}
	taken := map[string]bool{"index.html": true}
	var entries []Entry
	for _, f := range files {
		ms, err := matchfile.ReadAll(f)
		if err != nil {
			t.Fatal(err)
		}
		p, s := testPlayer(t)
		s.Model = nil
		a, err := Match(context.Background(), p, ms[0], s)
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, a.Entry(f, PageName(f, taken)))
	}
	folder := NewFolder(entries)
	var dates, pages []string
	for _, e := range folder {
		dates, pages = append(dates, e.Date), append(pages, e.Page)
	}
	if !slices.IsSorted(dates) || !slices.Equal(pages, []string{"b.html", "a.html", "a-2.html"}) {
		t.Errorf("%v, pages %v", dates, pages)
	}
	careers := folder.Careers()
	if len(careers) != 2 || careers[1].Name != "root" || careers[1].Won != 3 || len(careers[0].PRs) != 3 {
		t.Errorf("%+v", careers)
	}
	var text, page strings.Builder
	if err := errors.Join(folder.WriteText(&text), folder.WritePage(&page, "bgtrain analyze DIR")); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"3 matches analyzed", `href="a-2.html"`, "root, PR by match", "2025.01.02"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page has no %q", want)
		}
	}
	if !strings.Contains(text.String(), "2025-01-02  gnubg – root  7   b.mat") {
		t.Errorf("%s", text.String())
	}
	for _, line := range strings.Split(text.String(), "\n") {
		if utf8.RuneCountInString(line) > 80 {
			t.Errorf("%q", line)
		}
	}
}

package grow

import (
	"reflect"
	"strconv"
	"strings"
	"testing"

	"bgtrain/data"
)

// good is a recipe that the mistakes below are made in, a line each.
const good = `seed: 3
nets:
  hidden: [16, 8]
  contact: {inputs: tesauro, hidden: 24}
start: {games: 500, alpha: 0.1}
prune: {n: 800, epochs: 3}
stop: {hours: 2, min-gain: 0.01}
measure: {games: 40, every: 2}
rounds:
  - positions: {n: 300, share: {contact: 0.8, race: 0.2}, themes: [back game=0.1]}
    labels: {lambda: 0.8, whole-themes: [containment]}
    training: {epochs: 2, rows: 2, lr: 0.01}
  - repeat: 0
    growth: 1.5
    positions: {n: 400}
cube: {games: 1000, rounds: 2, matches: 0.3}
`

func parse(t *testing.T, text string) *Recipe {
	t.Helper()
	r, err := Parse("r.yaml", "r", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestParse(t *testing.T) {
	r := parse(t, good)
	if r.Seed != 3 || !reflect.DeepEqual(r.startNet("contact"), Net{"tesauro", []int{24}, "relu"}) ||
		!reflect.DeepEqual(r.startNet("race"), Net{"", []int{16, 8}, "relu"}) || r.Start.Games != 500 ||
		r.Prune.Positions != 800 || r.Stop != (Stop{2, 0.01}) || r.Measure.Every != 2 || len(r.Rounds) != 2 {
		t.Errorf("%+v", r)
	}
	n := &run{grower: &grower{r: r}}
	now := r.first()
	var counts []int
	for range 4 {
		if more, err := n.next(&now); !more || err != nil {
			t.Fatal(more, err)
		}
		counts = append(counts, now.Positions.N)
	}
	if !reflect.DeepEqual(counts, []int{300, 400, 600, 900}) {
		t.Errorf("positions of the rounds: %v", counts)
	}
	if now.Labels.Lambda != 0.8 || now.Training.Rows != 2 || now.Training.Rate != 0.01 || now.Labels.Picks != 4 {
		t.Errorf("a round has not what the rounds before it said: %+v", now)
	}
}

// TestLike: a recipe has what the one that it is like has, but for what it says itself, and its
// rounds follow.
func TestLike(t *testing.T) {
	like, hour := parse(t, "seed: 4\nlike: hour\nnets: {contact: {inputs: tesauro}}"), parse(t, "like: hour")
	if like.Seed != 4 || !reflect.DeepEqual(like.startNet("contact"), Net{"tesauro", []int{384, 48}, "relu"}) ||
		like.Start.Games != 25000 || !reflect.DeepEqual(like.startNet("race"), hour.startNet("race")) ||
		!reflect.DeepEqual(like.Rounds, hour.Rounds) {
		t.Errorf("%+v", like)
	}
	all := parse(t, "like: hour\nnets: {hidden: [16], race: {hidden: [8]}}")
	if !reflect.DeepEqual(all.startNet("crashed").Hidden, []int{16}) || !reflect.DeepEqual(all.startNet("race").Hidden, []int{8}) {
		t.Errorf("%+v", all.Nets)
	}
	if r := parse(t, "like: tiny\nstart: {games: 70}"); r.From != "" || r.Start.Games != 70 {
		t.Errorf("starts from %q, %d games", r.From, r.Start.Games)
	}
	// Rounds 4 and 5 of hour are one entry.
	for keep, want := range map[string]int{"4": 4, "5": 4, "6": 5} {
		r := parse(t, "keep: "+keep+"\nlike: hour\nrounds:\n  - positions: {n: 70}")
		n := 0
		for _, spec := range r.Rounds[:len(r.Rounds)-1] {
			n += spec.Repeat
		}
		if len(r.Rounds) != want+1 || strconv.Itoa(n) != keep {
			t.Errorf("keep %s: %d entries, %d rounds and a new one", keep, len(r.Rounds), n)
		}
	}
	if r := parse(t, "like: day\nkeep: 30"); r.Rounds[len(r.Rounds)-1].Repeat == 0 {
		t.Error("keep 30 of day's rounds, which do not end, is without end")
	}
	more := parse(t, "like: hour\nrounds:\n  - positions: {n: 70}")
	if n := len(hour.Rounds); len(more.Rounds) != n+1 || !reflect.DeepEqual(more.Rounds[:n], hour.Rounds) {
		t.Errorf("%+v", more.Rounds)
	}
	n := &run{grower: &grower{r: more}}
	now, before := more.first(), Round{}
	for {
		last := now.clone()
		if more, err := n.next(&now); err != nil {
			t.Fatal(err)
		} else if !more {
			break
		}
		before = last
	}
	if now.Positions.N != 70 || now.Labels.Lambda != before.Labels.Lambda || now.Training.Rate != before.Training.Rate {
		t.Errorf("%+v", now)
	}
}

// Every mistake is told with its line before any work.
func TestMistakes(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"seed: 3", "sead: 3", `r.yaml:1: recipe: unknown key "sead"`},
		{"seed: 3", "seed: three", "r.yaml:1: seed three: a whole number"},
		{"seed: 3", "seed: -1", "r.yaml:1: seed -1"},
		{"seed: 3", "seed:", "r.yaml:1: seed: a value is missing"},
		{"seed: 3", "seed: 3\nseed: 4", "r.yaml:2: recipe: seed is there already"},
		{"seed: 3", "seed: [3", "r.yaml:1: did not find"},
		{"seed: 3", "- seed", "r.yaml:1: "},
		{"seed: 3", "steer: maybe", "r.yaml:1: steer maybe: true or false expected"},
		{"hidden: [16, 8]", "hidden: [16, x]", "r.yaml:3: hidden 16,x: a whole number"},
		{"hidden: [16, 8]", "hidden: [[16]]", "r.yaml:3: hidden: a list of plain values"},
		{"hidden: [16, 8]", "activation: gelu", "r.yaml:3: activation gelu"},
		{"inputs: tesauro", "inputs: tesaura", `r.yaml:4: contact net: unknown inputs "tesaura"`},
		{"contact: {inputs", "kontakt: {inputs", `r.yaml:4: nets: unknown key "kontakt"`},
		{"games: 500", "games: 0", "r.yaml:5: games 0: 1 to 1073741824 expected"},
		{"games: 500", "games: 500, games: 600", "r.yaml:5: start: games is there already"},
		{"alpha: 0.1", "alpha: fast", "r.yaml:5: alpha fast"},
		{"games: 500", "net: td", "r.yaml:5: start: a net to start from, and nothing else"},
		{"epochs: 3", "epochs: 0", "r.yaml:6: epochs 0"},
		{"hours: 2", "hours: -2", "r.yaml:7: hours -2"},
		{"games: 40", "games: 4O", "r.yaml:8: games 4O"},
		{"contact: 0.8", "contakt: 0.8", "r.yaml:10: share contakt"},
		{"contact: 0.8", "contact: -1", "r.yaml:10: share contact=-1"},
		{"back game=0.1", "black game=0.1", "r.yaml:10: themes black game=0.1"},
		{"n: 300", "n: 3e99", "r.yaml:10: n 3e99"},
		{"n: 300", "select: [some]", "r.yaml:10: select some"},
		{"lambda: 0.8", "lambda: 1.8", "r.yaml:11: lambda 1.8: 0 to 1 expected"},
		{"[containment]", "[containers]", "r.yaml:11: whole-themes containers"},
		{"lr: 0.01", "optimizer: newton", "r.yaml:12: optimizer newton"},
		{"lr: 0.01", "optimizer: adam", "r.yaml:12: training: weight decay"},
		{"lr: 0.01", "random: true, keep: 0.5", "r.yaml:12: training: keep 0.5: of random weights"},
		{"repeat: 0", "repeat: 1.5", "r.yaml:13: repeat 1.5"},
		{"repeat: 0", "repeat: &x 0", ""},
		{"stop: {hours: 2, min-gain: 0.01}", "", "r.yaml:13: round: repeat 0 is for the last round, and needs stop"},
		{"games: 1000", "games: 1001", "r.yaml:16: cube: 1001 games: a multiple of 500 expected, or fewer"},
		{"matches: 0.3", "matches: 3", "r.yaml:16: matches 3: 0 to 1 expected"},
		{"matches: 0.3", "workers: 3", `r.yaml:16: cube: unknown key "workers"`},
		{"rounds:", "round:", `r.yaml:9: recipe: unknown key "round"`},
		{good[strings.Index(good, "rounds:"):], "", "r.yaml:1: recipe: no rounds"},
		{"seed: 3", "like: quik", `r.yaml:1: like: no embedded recipe is called "quik"`},
		{"seed: 3", "like: [quick, hour]", `r.yaml:1: like: no embedded recipe is called "quick,hour"`},
		{"seed: 3", "keep: 2", "r.yaml:1: keep: no recipe that this one is like"},
		{"seed: 3", "like: hour\nkeep: 12", "r.yaml:2: keep 12: 1 to 11 expected"},
		{"seed: 3", "like: day", "r.yaml:10: rounds: those of the recipe that this one is like repeat"},
		{good[strings.Index(good, "rounds:"):], "rounds: 3", "r.yaml:9: rounds: a list expected"},
		{good, "", "r.yaml:1: an empty recipe"},
		{good, good + "---\nseed: 4\n", "one recipe expected"},
	} {
		_, err := Parse("r.yaml", "r", []byte(strings.Replace(good, c.old, c.new, 1)))
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q: error %v, want %q", c.new, c.old, err, c.want)
		}
	}
}

// A recipe with nothing left open means the same when it is read again.
func TestTextIsReadAgain(t *testing.T) {
	for _, text := range []string{good, "start: {net: td}\nteacher: default\nrounds: [{positions: {n: 10}}]\n"} {
		r := parse(t, text)
		n := &run{grower: &grower{r: r}}
		now := r.first()
		var rounds []Round
		for range 3 {
			more, err := n.next(&now)
			if err != nil {
				t.Fatal(err)
			}
			if more {
				now.Labels.Lambda = min(1, now.Labels.Lambda+0.01)
				rounds = append(rounds, now.clone())
			}
		}
		written, err := r.Text(rounds)
		if err != nil {
			t.Fatal(err)
		}
		again := parse(t, string(written))
		m := &run{grower: &grower{r: again}}
		then := again.first()
		for i := range rounds {
			if more, err := m.next(&then); err != nil || !more || roundText(&then) != roundText(&rounds[i]) {
				t.Fatalf("round %d: %v, %v\n%s\nwant\n%s", i+1, more, err, roundText(&then), roundText(&rounds[i]))
			}
		}
		if more, err := m.next(&then); more || err != nil {
			t.Errorf("another round, %v", err)
		}
		if again.Steer || again.Teacher != r.Teacher || again.From != r.From || again.Measure != r.Measure ||
			again.Cube != r.Cube ||
			flagLine(again.Prune.list()) != flagLine(r.Prune.list()) ||
			!reflect.DeepEqual(again.startSettings("contact"), r.startSettings("contact")) {
			t.Errorf("%+v\nwant\n%+v", again, r)
		}
	}
}

// roundText is all settings of a round.
func roundText(r *Round) string {
	return flagLine(r.Positions.list()) + flagLine(r.Labels.list()) + flagLine(r.Training.list())
}

func TestEmbeddedRecipes(t *testing.T) {
	names := data.RecipeNames()
	if len(names) == 0 {
		t.Fatal("no recipes")
	}
	for _, name := range names {
		text, _ := data.Recipe(name)
		if _, err := Parse(name, name, text); err != nil {
			t.Error(err)
		}
		if !strings.HasPrefix(string(text), "# "+name+": ") {
			t.Errorf("%s does not begin with what it is", name)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(good))
	f.Add([]byte("a: *a"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if _, err := Parse("r.yaml", "r", text); err != nil && !strings.HasPrefix(err.Error(), "r.yaml:") {
			t.Errorf("%q: error without its line: %v", text, err)
		}
	})
}

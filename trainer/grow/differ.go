package grow

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Difference is a line of recipes that is not the same in all of them.
type Difference struct {
	Where string   // in the recipe, such as "nets" or "round 2, labels"
	Lines []string // of each recipe, "" where it has none
}

// Differences compares recipes line by line, each line with that of the same place,
// such as the same setting of the same round. Comments and empty lines do not count.
func Differences(recipes []string) []Difference {
	lines := map[string][]string{} // by place
	var places []string
	for i, text := range recipes {
		next := 0
		for _, l := range placed(text) {
			at := slices.Index(places, l.where)
			if at < 0 {
				at = next
				places = slices.Insert(places, at, l.where)
				lines[l.where] = make([]string, len(recipes))
			}
			lines[l.where][i] = l.text
			next = at + 1
		}
	}
	var out []Difference
	for _, where := range places {
		of := lines[where]
		if slices.ContainsFunc(of, func(line string) bool { return line != of[0] }) {
			out = append(out, Difference{where, of})
		}
	}
	return out
}

// placedLine is a line of a recipe that has a key, with those after it that have none.
type placedLine struct{ where, text string }

// placed returns the lines of a recipe with their places; of a text that is no YAML
// the number of a line is its place.
func placed(text string) []placedLine {
	where := map[int]string{} // by line
	var doc yaml.Node
	parsed := yaml.Unmarshal([]byte(text), &doc) == nil
	if parsed {
		place(&doc, "", where)
	}
	var out []placedLine
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		w, ok := where[number]
		switch {
		case !parsed:
			out = append(out, placedLine{fmt.Sprint("line ", number), line})
		case ok:
			out = append(out, placedLine{w, strings.TrimLeft(line, "- ")})
		case len(out) > 0:
			out[len(out)-1].text += " " + line
		}
	}
	return out
}

// place gives each line on which a key of n begins the place of its first one.
func place(n *yaml.Node, where string, places map[int]string) {
	inside := func(name string) string {
		if name == "" { // such as a mapping as a key
			name = "?"
		}
		if where == "" || where == "rounds" {
			return name
		}
		return where + ", " + name
	}
	switch n.Kind {
	case yaml.DocumentNode:
		place(n.Content[0], where, places)
	case yaml.SequenceNode:
		for i, item := range n.Content {
			place(item, inside(fmt.Sprint("round ", i+1)), places)
		}
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i]
			if _, ok := places[key.Line]; !ok {
				places[key.Line] = inside(key.Value)
			}
			place(n.Content[i+1], inside(key.Value), places)
		}
	}
}

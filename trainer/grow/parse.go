package grow

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"bgtrain/data"
	"bgtrain/internal/near"
	"bgtrain/internal/nets"
	"bgtrain/internal/setting"
	"bgtrain/trainer/td"

	"go.yaml.in/yaml/v3"
)

// assignment is a value that a recipe gives a setting of a round.
type assignment struct{ section, key, text string }

// parser reads the recipe of a file.
type parser struct {
	file string
	r    *Recipe
}

// Parse reads a recipe; file names it in errors, which begin with FILE:LINE.
func Parse(file, name string, text []byte) (*Recipe, error) {
	p := &parser{file: file, r: newRecipe(name)}
	dec := yaml.NewDecoder(bytes.NewReader(text))
	var doc, more yaml.Node
	if err := dec.Decode(&doc); errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s:1: an empty recipe", file)
	} else if err != nil {
		return nil, p.syntax(err)
	}
	if err := dec.Decode(&more); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s:%d: one recipe expected, and nothing after it", file, max(more.Line, 1))
	}
	if err := p.recipe(doc.Content[0]); err != nil {
		return nil, err
	}
	return p.r, nil
}

// syntax turns an error of the YAML reader, "yaml: line 3: …", into one of ours.
func (p *parser) syntax(err error) error {
	line, rest := 1, strings.TrimPrefix(err.Error(), "yaml: ")
	if _, scanErr := fmt.Sscanf(rest, "line %d:", &line); scanErr == nil {
		_, rest, _ = strings.Cut(rest, ": ")
	}
	return fmt.Errorf("%s:%d: %s", p.file, line, rest)
}

func (p *parser) errorf(n *yaml.Node, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %w", p.file, n.Line, fmt.Errorf(format, args...))
}

// pair is an entry of a mapping.
type pair struct{ key, value *yaml.Node }

// mapping returns the entries of a mapping, whose keys are texts, none of them twice.
func (p *parser) mapping(n *yaml.Node, what string) ([]pair, error) {
	if n.Kind != yaml.MappingNode {
		return nil, p.errorf(n, "%s: lines of 'key: value' expected", what)
	}
	var pairs []pair
	for i := 0; i < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if key.Kind != yaml.ScalarNode {
			return nil, p.errorf(key, "%s: a plain key expected", what)
		}
		if slices.ContainsFunc(pairs, func(o pair) bool { return o.key.Value == key.Value }) {
			return nil, p.errorf(key, "%s: %s is there already", what, key.Value)
		}
		pairs = append(pairs, pair{key, value})
	}
	return pairs, nil
}

// text returns a value as a flag has it: lists with commas, mappings as KEY=VALUE.
func (p *parser) text(key, n *yaml.Node) (string, error) {
	switch n.Kind {
	case yaml.ScalarNode:
		if n.Tag == "!!null" {
			return "", p.errorf(key, "%s: a value is missing", key.Value)
		}
		return n.Value, nil
	case yaml.SequenceNode:
		var parts []string
		for _, item := range n.Content {
			if item.Kind != yaml.ScalarNode {
				return "", p.errorf(item, "%s: a list of plain values expected", key.Value)
			}
			parts = append(parts, item.Value)
		}
		return strings.Join(parts, ","), nil
	case yaml.MappingNode:
		pairs, err := p.mapping(n, key.Value)
		var parts []string
		for _, e := range pairs {
			parts = append(parts, e.key.Value+"="+e.value.Value)
		}
		return strings.Join(parts, ","), err
	}
	return "", p.errorf(n, "%s: a plain value expected", key.Value)
}

// section reads the settings of a list; other handles keys that are none of them and
// reports whether they are known.
func (p *parser) section(n *yaml.Node, what string, l setting.List, check func() error,
	other func(e pair) (bool, error)) error {
	pairs, err := p.mapping(n, what)
	if err != nil {
		return err
	}
	for _, e := range pairs {
		if l.Lookup(e.key.Value) == nil {
			known := false
			if other != nil {
				known, err = other(e)
			}
			if err == nil && !known {
				err = p.unknown(e.key, what, l)
			}
		} else {
			err = p.set(e, l, check)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) unknown(key *yaml.Node, what string, l setting.List) error {
	var names []string
	for _, s := range l {
		names = append(names, s.Name)
	}
	return p.errorf(key, "%s: unknown key %q (known: %s)", what, key.Value, strings.Join(names, ", "))
}

// set gives a setting a value and checks it.
func (p *parser) set(e pair, l setting.List, check func() error) error {
	text, err := p.text(e.key, e.value)
	if err != nil {
		return err
	}
	if err = l.Set(e.key.Value, text); err == nil && check != nil {
		err = check()
	}
	if err != nil {
		return p.errorf(e.key, "%w", err)
	}
	return nil
}

// valueText is the value of a setting as List.Set reads it.
func valueText(s *setting.Setting) string {
	if strings.HasSuffix(s.Type(), "Slice") {
		return strings.TrimSuffix(strings.TrimPrefix(s.Text(), "["), "]")
	}
	return s.Text()
}

// recipe reads the whole.
func (p *parser) recipe(n *yaml.Node) error {
	r := p.r
	top := setting.List{
		{Name: "seed", To: &r.Seed}, {Name: "teacher", To: &r.Teacher}, {Name: "steer", To: &r.Steer},
	}
	if err := p.like(n); err != nil {
		return err
	}
	var rounds *yaml.Node
	err := p.section(n, "recipe", top, nil, func(e pair) (bool, error) {
		switch e.key.Value {
		case "like":
			return true, nil
		case "keep":
			return true, p.keep(e)
		case "nets":
			return true, p.nets(e.value)
		case "start":
			return true, p.start(e.value)
		case "prune":
			err := p.section(e.value, "prune", r.Prune.list(), nil, nil)
			if err == nil && r.Prune.Training.Check() != nil {
				err = p.errorf(e.key, "prune: %w", r.Prune.Training.Check())
			}
			return true, err
		case "cube":
			err := p.section(e.value, "cube", r.Cube.list(), nil, nil)
			if err == nil {
				if games := r.Cube.recorded(1, 0); r.Cube.Games > 0 && games.Check() != nil {
					err = p.errorf(e.key, "cube: %w", games.Check())
				}
			}
			return true, err
		case "stop":
			return true, p.section(e.value, "stop", r.Stop.list(), nil, nil)
		case "rules":
			return true, p.section(e.value, "rules", r.Rules.list(), nil, nil)
		case "measure":
			return true, p.section(e.value, "measure", r.Measure.list(), nil, nil)
		case "rounds":
			rounds = e.value
			return true, nil
		}
		return false, nil
	})
	if err != nil {
		return err
	}
	if rounds != nil {
		return p.rounds(rounds) // last: whether one may go on for ever depends on stop
	}
	if len(r.Rounds) == 0 {
		return p.errorf(n, "recipe: no rounds")
	}
	return nil
}

// like gives the recipe all settings of the embedded one that it names, and its rounds.
func (p *parser) like(n *yaml.Node) error {
	pairs, err := p.mapping(n, "recipe")
	if err != nil {
		return err
	}
	for _, e := range pairs {
		if e.key.Value != "like" {
			continue
		}
		name, err := p.text(e.key, e.value)
		if err != nil {
			return err
		}
		text, ok := data.Recipe(name)
		if !ok {
			return p.errorf(e.value, "like: no embedded recipe is called %q (%s)%s", name,
				strings.Join(data.RecipeNames(), ", "), near.Ask(name, "", data.RecipeNames()))
		}
		before, err := Parse(name, p.r.Name, text)
		if err != nil {
			return p.errorf(e.value, "like: %w", err)
		}
		*p.r = *before
	}
	return nil
}

// keep leaves only the first rounds of the recipe that this one is like.
func (p *parser) keep(e pair) error {
	var keep, rounds int
	for i := range p.r.Rounds {
		if rounds += p.r.Rounds[i].Repeat; p.r.Rounds[i].Repeat == 0 {
			rounds = most
		}
	}
	l := setting.List{{Name: "keep", To: &keep, Range: setting.From(1, float64(rounds))}}
	if rounds == 0 {
		return p.errorf(e.key, "keep: no recipe that this one is like")
	}
	if err := p.set(e, l, nil); err != nil {
		return err
	}
	for i := range p.r.Rounds {
		r := &p.r.Rounds[i]
		if r.Repeat == 0 || r.Repeat >= keep {
			r.Repeat = keep
			p.r.Rounds = p.r.Rounds[:i+1]
			return nil
		}
		keep -= r.Repeat
	}
	return nil
}

// nets reads what the nets are like: all of them, and by role.
func (p *parser) nets(n *yaml.Node) error {
	all := Net{p.r.Start.Inputs, p.r.Start.Hidden, p.r.Start.Activation}
	roles := map[nets.Role]pair{}
	err := p.section(n, "nets", all.list(), nil, func(e pair) (bool, error) {
		role := nets.Role(e.key.Value)
		roles[role] = e
		return slices.Contains(nets.Main[:], role), nil
	})
	if err != nil {
		return err
	}
	p.r.Start.Inputs, p.r.Start.Hidden, p.r.Start.Activation = all.Inputs, all.Hidden, all.Activation
	// Roles that the recipe that this one is like named: what is said of all nets here is said of them.
	pairs, err := p.mapping(n, "nets")
	if err != nil {
		return err
	}
	for role, own := range p.r.Nets {
		for _, e := range pairs {
			if l := own.list(); l.Lookup(e.key.Value) != nil {
				if err := p.set(e, l, nil); err != nil {
					return err
				}
			}
		}
		p.r.Nets[role] = own
	}
	for role, e := range roles {
		own, ok := p.r.Nets[role]
		if !ok {
			own = all
		}
		if err := p.section(e.value, e.key.Value, own.list(), nil, nil); err != nil {
			return err
		}
		p.r.Nets[role] = own
	}
	for _, role := range nets.Main {
		s := p.r.startSettings(role)
		if _, err := td.New(s); err != nil {
			at := n
			if e, ok := roles[role]; ok {
				at = e.key
			}
			return p.errorf(at, "%s net: %w", role, err)
		}
	}
	return nil
}

// start reads the settings of the TD games, or the net to start from instead.
func (p *parser) start(n *yaml.Node) error {
	s := &p.r.Start
	p.r.From = "" // also one of the recipe that this one is like
	l := append(setting.List{{Name: "net", To: &p.r.From}},
		s.List().Without("inputs", "hidden", "activation", "phases", "seed", "workers", "checkpoint-every")...)
	if err := p.section(n, "start", l, nil, nil); err != nil {
		return err
	}
	if err := s.Check(); err != nil {
		return p.errorf(n, "start: %w", err)
	}
	if p.r.From != "" && len(n.Content) > 2 {
		return p.errorf(n, "start: a net to start from, and nothing else, or TD games")
	}
	return nil
}

// rounds reads the rounds.
func (p *parser) rounds(n *yaml.Node) error {
	if n.Kind != yaml.SequenceNode || len(n.Content) == 0 {
		return p.errorf(n, "rounds: a list expected, each beginning with '-'")
	}
	now := newRound()
	for i := range p.r.Rounds {
		if p.r.Rounds[i].Repeat == 0 {
			return p.errorf(n, "rounds: those of the recipe that this one is like repeat until something stops them")
		}
		if err := now.apply(&p.r.Rounds[i]); err != nil {
			return p.errorf(n, "rounds: %w", err)
		}
	}
	for i, item := range n.Content {
		spec, err := p.round(item, &now)
		if err != nil {
			return err
		}
		if endless := spec.Repeat == 0; endless && (i < len(n.Content)-1 || p.r.Stop == Stop{}) {
			return p.errorf(item, "round: repeat 0 is for the last round, and needs stop")
		}
		p.r.Rounds = append(p.r.Rounds, spec)
	}
	return nil
}

// round reads one round into now, the settings of the rounds before it, and returns
// what it changes.
func (p *parser) round(n *yaml.Node, now *Round) (RoundSpec, error) {
	spec := RoundSpec{Repeat: 1, Growth: 1}
	sections := now.sections()
	err := p.section(n, "round", spec.list(), nil, func(e pair) (bool, error) {
		name := e.key.Value
		l, ok := sections[name]
		if !ok {
			return false, nil
		}
		if err := p.section(e.value, name, l, func() error { return now.check(name) }, nil); err != nil {
			return true, err
		}
		for i := 0; i < len(e.value.Content); i += 2 {
			key := e.value.Content[i].Value
			spec.set = append(spec.set, assignment{name, key, valueText(l.Lookup(key))})
		}
		for section, t := range map[string]*Training{"training": &now.Training, "races": &now.Races} {
			if section == name && t.Check() != nil {
				return true, p.errorf(e.key, "%s: %w", name, t.Check())
			}
		}
		return true, nil
	})
	return spec, err
}

// apply gives a round the values of a spec, which were checked when it was read.
func (r *Round) apply(spec *RoundSpec) error {
	sections := r.sections()
	for _, a := range spec.set {
		if err := sections[a.section].Set(a.key, a.text); err != nil {
			return fmt.Errorf("%s: %w", a.section, err)
		}
	}
	return nil
}

package grow

import (
	"bytes"
	"fmt"
	"strings"

	"bgtrain/internal/nets"
	"bgtrain/internal/setting"

	"go.yaml.in/yaml/v3"
)

// Text returns a recipe with nothing left open: every setting with its value, and the
// rounds one by one. Parse of it gives the same results.
func (r *Recipe) Text(rounds []Round) ([]byte, error) {
	doc := newMapping()
	doc.add("seed", scalar(fmt.Sprint(r.Seed)))
	doc.add("steer", scalar("false"))
	if r.Teacher != "" {
		doc.add("teacher", text(r.Teacher))
	}
	start := newMapping()
	if r.From != "" {
		start.add("net", text(r.From))
	} else {
		own := newMapping()
		for _, role := range nets.Main {
			n := r.startNet(role)
			if r.alike() {
				own.settings(n.list())
				break
			}
			of := newMapping()
			of.settings(n.list())
			own.add(string(role), of.node)
		}
		doc.add("nets", own.node)
		s := r.Start
		start.settings(s.List().Without("inputs", "hidden", "activation", "phases", "seed", "workers", "checkpoint-every"))
	}
	doc.add("start", start.node)
	prune, measure := newMapping(), newMapping()
	prune.settings(r.Prune.list())
	doc.add("prune", prune.node)
	measure.settings(r.Measure.list())
	doc.add("measure", measure.node)
	if r.Cube.Games > 0 {
		of := newMapping()
		of.settings(r.Cube.list())
		doc.add("cube", of.node)
	}
	list := &yaml.Node{Kind: yaml.SequenceNode}
	for i := range rounds {
		m := newMapping()
		sections := rounds[i].sections()
		for _, name := range sectionNames {
			of := newMapping()
			of.settings(sections[name])
			m.add(name, of.node)
		}
		list.Content = append(list.Content, m.node)
	}
	doc.add("rounds", list)
	var b bytes.Buffer
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	if err := enc.Encode(doc.node); err != nil {
		return nil, fmt.Errorf("write recipe %s: %w", r.Name, err)
	}
	return b.Bytes(), nil
}

// mapping is a YAML mapping in the making.
type mapping struct{ node *yaml.Node }

func newMapping() mapping { return mapping{&yaml.Node{Kind: yaml.MappingNode}} }

func (m mapping) add(key string, value *yaml.Node) {
	m.node.Content = append(m.node.Content, text(key), value)
}

// settings adds the values of a list, but empty texts, which are defaults.
func (m mapping) settings(l setting.List) {
	for i := range l {
		s := &l[i]
		value, kind := valueText(s), scalar
		if strings.HasPrefix(s.Type(), "string") {
			kind = text
		}
		switch {
		case strings.HasSuffix(s.Type(), "Slice"), s.Type() == "strings":
			seq := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
			for _, item := range strings.FieldsFunc(value, func(r rune) bool { return r == ',' }) {
				seq.Content = append(seq.Content, kind(item))
			}
			m.add(s.Name, seq)
		case value != "":
			m.add(s.Name, kind(value))
		}
	}
}

func scalar(value string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Value: value} }

func text(value string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: value}
}

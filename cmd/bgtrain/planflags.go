package main

import (
	"fmt"
	"strings"

	"bgtrain/internal/bg"

	"github.com/spf13/pflag"
)

// planFilter keeps positions by the game plans of their sides. The zero value keeps all.
type planFilter struct {
	with, without  []string
	wanted, barred map[bg.Plan]bool
}

func (p *planFilter) add(f *pflag.FlagSet) {
	f.StringSliceVar(&p.with, "plans", nil,
		"only positions where one of the sides is after one of these game plans, such as \"back game,containing\"")
	f.StringSliceVar(&p.without, "without-plans", nil, "no positions where one of the sides is after one of these")
}

// parse reads the names that the flags were given.
func (p *planFilter) parse() error {
	read := func(flag string, names []string) (map[bg.Plan]bool, error) {
		plans := map[bg.Plan]bool{}
		for _, name := range names {
			plan, err := bg.ParsePlan(name)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", flag, err)
			}
			plans[plan] = true
		}
		return plans, nil
	}
	var err error
	if p.wanted, err = read("--plans", p.with); err != nil {
		return err
	}
	p.barred, err = read("--without-plans", p.without)
	return err
}

// has tells whether a position is kept.
func (p *planFilter) has(k bg.Key) bool {
	if len(p.wanted)+len(p.barred) == 0 {
		return true
	}
	b, err := k.Board()
	if err != nil {
		return false
	}
	other := b.Swapped()
	mine, theirs := bg.PlanOf(&b), bg.PlanOf(&other)
	return (len(p.wanted) == 0 || p.wanted[mine] || p.wanted[theirs]) && !p.barred[mine] && !p.barred[theirs]
}

// describe returns what is kept, to be appended to other settings.
func (p *planFilter) describe() string {
	text := ""
	if len(p.with) > 0 {
		text += " plans=" + strings.Join(p.with, ",")
	}
	if len(p.without) > 0 {
		text += " without=" + strings.Join(p.without, ",")
	}
	return text
}

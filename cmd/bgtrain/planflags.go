package main

import (
	"strings"

	"bgtrain/internal/bg"

	"github.com/spf13/pflag"
)

// themeNames are the names of all themes, for help texts.
var themeNames = strings.ReplaceAll((bg.Themes(1)<<bg.NumThemes - 1).String(), ",", ", ")

// planFlags choose positions by the game plans of their sides and by theme.
type planFlags struct {
	with, without, themes []string
	bg.PlanFilter         // after parse
}

// add adds the flags; prefix, such as "with --follow: ", may be empty.
func (p *planFlags) add(f *pflag.FlagSet, prefix string) {
	f.StringSliceVar(&p.with, "plans", nil,
		prefix+"only positions where one of the sides is after one of these game plans, such as \"back game,containing\"")
	f.StringSliceVar(&p.without, "without-plans", nil, prefix+"no positions where one of the sides is after one of these")
	f.StringSliceVar(&p.themes, "themes", nil, prefix+"only positions of these themes: "+themeNames)
}

// parse reads the names that the flags were given.
func (p *planFlags) parse() error {
	var err error
	if p.With, err = bg.ParsePlans(p.with); err != nil {
		return usagef("--plans: %v", err)
	}
	if p.Without, err = bg.ParsePlans(p.without); err != nil {
		return usagef("--without-plans: %v", err)
	}
	if p.Themes, err = bg.ParseThemes(p.themes); err != nil {
		return usagef("--themes: %v", err)
	}
	return nil
}

// changed tells whether any of the flags was given.
func (p *planFlags) changed(f *pflag.FlagSet) bool {
	return f.Changed("plans") || f.Changed("without-plans") || f.Changed("themes")
}

// has tells whether a position is kept; one that is no position is not.
func (p *planFlags) has(k bg.Key) bool {
	if p.PlanFilter == (bg.PlanFilter{}) {
		return true
	}
	b, err := k.Board()
	return err == nil && p.Keeps(&b)
}

// describe returns what is kept, to be appended to other settings.
func (p *planFlags) describe() string {
	if text := p.String(); text != "" {
		return " " + text
	}
	return ""
}

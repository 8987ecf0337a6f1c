package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"bgtrain/internal/inspect"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpWidth is the width of what -h prints.
const helpWidth = 80

// sectionKey is the annotation of a flag that names its section.
const sectionKey = "section"

// section puts flags under a heading of the help.
func section(f *pflag.FlagSet, title string, names ...string) {
	for _, name := range names {
		if err := f.SetAnnotation(name, sectionKey, []string{title}); err != nil {
			panic(err) // a name that is none
		}
	}
}

// overview is what bgtrain -h prints.
func overview() string {
	var b strings.Builder
	b.WriteString("bgtrain trains backgammon nets from rollout databases.\n\nUsage: bgtrain COMMAND [flags] " +
		"[arguments]\n")
	for _, g := range groups {
		fmt.Fprintf(&b, "\n%s:\n", g.title)
		for _, c := range g.commands {
			fmt.Fprintf(&b, "  %-10s %s\n", c.name, c.summary)
		}
	}
	b.WriteString("\nOthers:\n  completion shell completion: bash, zsh, fish, powershell\n  man        manual pages\n")
	b.WriteString("\n'bgtrain COMMAND -h' tells about a command and gives an example.\n'bgtrain --version' says " +
		"which program this is.\n")
	return b.String()
}

// help is what the command's -h prints.
func (o *outline) help() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Usage: bgtrain %s\n\n%s\n\nExample:\n  %s\n", o.usage, reflow(o.about), o.example)
	titles, flags := sections(o.flags)
	for i, title := range titles {
		fmt.Fprintf(&b, "\n%s:\n", title)
		for _, f := range flags[i] {
			b.WriteString(flagHelp(f))
		}
	}
	return b.String()
}

// sections returns the flags by section, in the order in which they were added;
// those of no section come first.
func sections(f *pflag.FlagSet) (titles []string, flags [][]*pflag.Flag) {
	f.VisitAll(func(flag *pflag.Flag) {
		if flag.Annotations[sectionKey] == nil && titles == nil {
			titles, flags = []string{"Flags"}, make([][]*pflag.Flag, 1)
		}
	})
	f.VisitAll(func(flag *pflag.Flag) {
		title := "Flags"
		if a := flag.Annotations[sectionKey]; a != nil {
			title = a[0]
		}
		i := slices.Index(titles, title)
		if i < 0 {
			i = len(titles)
			titles, flags = append(titles, title), append(flags, nil)
		}
		flags[i] = append(flags[i], flag)
	})
	return titles, flags
}

// flagColumn is where the help of a flag begins.
const flagColumn = 24

// flagHelp is the help of one flag.
func flagHelp(f *pflag.Flag) string {
	kind, usage := pflag.UnquoteUsage(f)
	if short, ok := kinds[kind]; ok {
		kind = short
	}
	left := "      --" + f.Name
	if f.Shorthand != "" {
		left = "  -" + f.Shorthand + ", --" + f.Name
	}
	if kind != "" {
		left += " " + kind
	}
	if d := defaultText(f); d != "" && !strings.Contains(usage, "(default") {
		usage += " (default " + d + ")"
	}
	lines := wrap(strings.Join(strings.Fields(usage), " "), helpWidth-flagColumn)
	var b strings.Builder
	if n := utf8.RuneCountInString(left); n+2 <= flagColumn {
		fmt.Fprintf(&b, "%s%s%s\n", left, strings.Repeat(" ", flagColumn-n), lines[0])
		lines = lines[1:]
	} else {
		fmt.Fprintln(&b, left)
	}
	for _, l := range lines {
		fmt.Fprintf(&b, "%*s%s\n", flagColumn, "", l)
	}
	return b.String()
}

// kinds are the names of types in the help.
var kinds = map[string]string{
	"int": "N", "int64": "N", "uint": "N", "uint64": "N", "float": "X", "float32": "X", "float64": "X",
	"string": "TEXT", "strings": "A,B,…", "stringArray": "TEXT", "ints": "N,N,…", "float64Slice": "X,X,…",
	"duration": "TIME",
}

// zeros matches the zeros that end a decimal fraction.
var zeros = regexp.MustCompile(`(\d)\.0+\b`)

// defaultText is what a flag is without being set, "" where that has nothing.
func defaultText(f *pflag.Flag) string {
	d := f.DefValue
	if _, ok := f.Value.(pflag.SliceValue); ok {
		d = zeros.ReplaceAllString(strings.Trim(d, "[]"), "$1")
	}
	switch d {
	case "0", "0s", "false", "":
		return ""
	}
	return d
}

// reflow wraps a text of paragraphs; indented lines stay as they are.
func reflow(text string) string {
	var out []string
	for _, paragraph := range strings.Split(text, "\n\n") {
		if strings.HasPrefix(paragraph, " ") {
			out = append(out, paragraph)
			continue
		}
		out = append(out, strings.Join(wrap(strings.Join(strings.Fields(paragraph), " "), helpWidth), "\n"))
	}
	return strings.Join(out, "\n\n")
}

// wrap breaks a text into lines of at most so many characters, where its words
// allow.
func wrap(text string, width int) []string {
	var lines []string
	line, n := "", 0
	for _, word := range strings.Fields(text) {
		w := utf8.RuneCountInString(word)
		if n > 0 && n+1+w > width {
			lines = append(lines, line)
			line, n = "", 0
		}
		if n > 0 {
			line, n = line+" ", n+1
		}
		line, n = line+word, n+w
	}
	return append(lines, line)
}

// labeled is a line that begins with a label and a gap, as in columns of two.
var labeled = regexp.MustCompile(`^( *\S+(?: \S+)*  +)(\S.*)$`)

// printFolded prints a description, for people with its long lines broken at helpWidth, what
// is left under the text after a label, or else two characters deeper. Lines that fit
// stay, and so do tables, which have gaps in them.
func (e *env) printFolded(d inspect.Description, asJSON bool) error {
	if asJSON {
		return e.print(d, true)
	}
	var text strings.Builder
	if err := d.WriteText(&text); err != nil {
		return err
	}
	for line := range strings.Lines(text.String()) {
		if _, err := fmt.Fprintln(e.Stdout, folded(strings.TrimSuffix(line, "\n"))); err != nil {
			return err
		}
	}
	return nil
}

func folded(line string) string {
	if utf8.RuneCountInString(line) <= helpWidth {
		return line
	}
	rest := strings.TrimLeft(line, " ")
	label := line[:len(line)-len(rest)]
	deep := label + "  "
	if m := labeled.FindStringSubmatch(line); m != nil {
		label, rest = m[1], m[2]
		deep = strings.Repeat(" ", len(label))
	}
	if strings.Contains(rest, "  ") {
		return line
	}
	return label + strings.Join(wrap(rest, helpWidth-len(deep)), "\n"+deep)
}

// helpCommand is bgtrain help COMMAND.
func helpCommand(e *env) *cobra.Command {
	return &cobra.Command{Use: "help [COMMAND]", Short: "what a command does", Hidden: true, Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				_, err := fmt.Fprint(e.Stdout, overview())
				return err
			}
			if own := map[string]string{"completion": completionHelp, "man": manHelp}[args[0]]; own != "" {
				_, err := fmt.Fprint(e.Stdout, own)
				return err
			}
			sub := find(args...)
			if sub == nil {
				return unknownCommand(c.Root(), strings.Join(args, " "))
			}
			_, err := fmt.Fprint(e.Stdout, sub.describe().help())
			return err
		}}
}

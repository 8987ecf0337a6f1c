package main

import (
	"fmt"
	"slices"
	"strings"

	"bgtrain/benchmark/opponents"
	"bgtrain/data"

	"github.com/spf13/cobra"
)

// offer is a list of names that a shell completes.
type offer struct {
	names     func() []string
	flags     []string // that take one
	arguments []string // commands with one among their arguments
}

var offers = []offer{
	{data.NetNames, []string{"net", "from", "luck-net", "filter-net", "rivals", "prune", "contact", "crashed", "race"},
		[]string{"info", "engine", "fibs", "play", "net import", "net export", "net join", "net trim", "cube record"}},
	{func() []string { return append(data.NetNames(), opponents.Programs...) }, []string{"against"},
		[]string{"match", "report"}},
	{data.RecipeNames, []string{"print"}, []string{"grow"}},
}

// completeValues gives a shell the names that a command, or one below it, takes, and files.
func completeValues(c *cobra.Command) {
	for _, sub := range c.Commands() {
		completeValues(sub)
	}
	path := strings.TrimPrefix(c.CommandPath(), c.Root().Name()+" ")
	for _, o := range offers {
		complete := func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return o.names(), cobra.ShellCompDirectiveDefault
		}
		for _, name := range o.flags {
			if f := c.Flags().Lookup(name); f != nil && f.Value.Type() != "bool" {
				_ = c.RegisterFlagCompletionFunc(name, complete) // fails for a second time only
			}
		}
		if slices.Contains(o.arguments, path) {
			c.ValidArgsFunction = complete
		}
	}
}

// shells are those that there is completion for.
var shells = []string{"bash", "zsh", "fish", "powershell"}

// completionHelp is the help of completion, of every shell.
const completionHelp = `Usage: bgtrain completion bash|zsh|fish|powershell

Prints a script by which a shell completes commands, flags and names of nets.

Example:
  source <(bgtrain completion bash)
`

// withoutPackage defines what cobra's script for bash takes from the package
// bash-completion, where that is not installed.
const withoutPackage = `if ! declare -F _get_comp_words_by_ref >/dev/null 2>&1; then
_get_comp_words_by_ref() {
    local line="${COMP_LINE:0:$COMP_POINT}"
    read -ra words <<<"$line"
    if [[ -z $line || $line == *[[:space:]] ]]; then words+=(""); fi
    cword=$((${#words[@]} - 1))
    cur="${words[cword]}"
    prev=""
    if ((cword > 0)); then prev="${words[cword - 1]}"; fi
}
fi
if ! declare -F __ltrim_colon_completions >/dev/null 2>&1; then
__ltrim_colon_completions() {
    if [[ $1 != *:* || $COMP_WORDBREAKS != *:* ]]; then return; fi
    local i before="${1%"${1##*:}"}"
    for i in "${!COMPREPLY[@]}"; do COMPREPLY[i]="${COMPREPLY[i]#"$before"}"; done
}
fi
`

// addCompletion adds cobra's command completion, which then has a help of its own, refuses
// other shells, and prints a script for bash that needs nothing else.
func addCompletion(e *env, root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() != "completion" {
			continue
		}
		c.Args = cobra.ArbitraryArgs
		c.RunE = func(_ *cobra.Command, args []string) error { return subExpected(args, shells...) }
		for _, sub := range append(c.Commands(), c) {
			sub.SetHelpFunc(func(*cobra.Command, []string) { fmt.Fprint(e.Stdout, completionHelp) })
			if script := sub.RunE; sub.Name() == shells[0] {
				sub.RunE = func(c *cobra.Command, args []string) error {
					if _, err := fmt.Fprint(e.Stdout, withoutPackage); err != nil {
						return err
					}
					return script(c, args)
				}
			}
		}
	}
}

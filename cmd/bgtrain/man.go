package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

const manHelp = `Usage: bgtrain man DIR

Writes manual pages, one a command, into a directory.

Example:
  bgtrain man man1 && man ./man1/bgtrain-train.1
`

// manCommand is bgtrain man DIR.
func manCommand(e *env) *cobra.Command {
	c := &cobra.Command{Use: "man DIR", Short: "writes manual pages, one a command, into a directory",
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("one directory expected")
			}
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return err
			}
			header := &doc.GenManHeader{Title: "BGTRAIN", Section: "1", Source: "bgtrain " + version(),
				Manual: "bgtrain"}
			if err := doc.GenManTree(c.Root(), header, args[0]); err != nil {
				return fmt.Errorf("write manual pages: %w", err)
			}
			_, err := fmt.Fprintln(e.Stdout, args[0])
			return err
		}}
	c.SetHelpFunc(func(*cobra.Command, []string) { fmt.Fprint(e.Stdout, manHelp) })
	return c
}

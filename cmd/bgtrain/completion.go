package main

import (
	"bgtrain/data"

	"github.com/spf13/cobra"
)

// completeValues tells a shell what the values of some flags may be.
func completeValues(c *cobra.Command) {
	for _, name := range []string{"net", "from", "against", "luck-net", "prune"} {
		if f := c.Flags().Lookup(name); f != nil && f.Value.Type() != "bool" {
			_ = c.RegisterFlagCompletionFunc(name, completeNets) // fails for a second time only
		}
	}
}

// completeNets offers the embedded nets, and files.
func completeNets(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return data.NetNames(), cobra.ShellCompDirectiveDefault
}

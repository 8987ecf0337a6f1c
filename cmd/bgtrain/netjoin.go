package main

import (
	"context"
	"fmt"

	"bgtrain/data"
	"bgtrain/internal/nets"
)

func runNetJoin(_ context.Context, e *env, args []string) error {
	f := newFlags(e, "net join NET [--ROLE OTHER…] -o NET2",
		"Puts a player together from the nets of several: those of NET, but for the roles that are\nnamed, which "+
			"come from other files.",
		"bgtrain net join mine.safetensors --race other.safetensors -o both.safetensors")
	out := f.StringP("output", "o", "", "net file to write")
	from := map[nets.Role]*string{}
	for _, role := range nets.Main {
		from[role] = f.String(string(role), "", fmt.Sprintf("net file or embedded net to take the %s net from", role))
	}
	prune := f.String("prune", "", "net file or embedded net to take the three pruning nets from")
	asJSON := f.Bool("json", false, "print the result as JSON")
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	if err := needOne(f, "a net", *out, "NET2"); err != nil {
		return err
	}
	base, err := data.OpenNet(f.Arg(0))
	if err != nil {
		return err
	}
	player := &nets.Set{Nets: map[nets.Role]*nets.Entry{}, Provenance: map[string]string{
		"command": commandLine("net join", f),
	}}
	for role, entry := range base.Nets {
		player.Nets[role] = entry
	}
	for role, name := range from {
		if *name == "" {
			continue
		}
		other, err := data.OpenNet(*name)
		if err != nil {
			return err
		}
		player.Nets[role] = other.Nets[role]
	}
	if *prune != "" {
		if player, err = withPruning(e, player, *prune); err != nil {
			return err
		}
	}
	if err := nets.Write(*out, player); err != nil {
		return err
	}
	return e.printNet(*out, player, *asJSON)
}

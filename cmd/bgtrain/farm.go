package main

import (
	"context"
	"fmt"
	"time"

	"bgtrain/rollout/farm"
)

func runFarm(ctx context.Context, e *env, args []string) error {
	f := newFlags(e, "farm --store DIR [flags]\n       bgtrain farm key -o FILE --name NAME [flags]\n       "+
		"bgtrain farm accounts KEYS\n       bgtrain farm status --farm URL [flags]",
		`Runs the server that workers and commands with --farm meet at: NATS JetStream, with its
files in DIR. It listens on this machine alone; elsewhere it needs TLS and keys. It may be
stopped, killed or lose its files at any time: runs go on when it is back.`,
		"bgtrain farm --store farm/\n  bgtrain farm --store farm/ --listen 0.0.0.0:4222 --tls-cert farm.crt "+
			"--tls-key farm.pem --keys keys.txt")
	var s farm.ServerSettings
	f.StringVar(&s.Listen, "listen", "127.0.0.1:4222", "HOST:PORT to listen at; port 0 takes a free one")
	f.StringVar(&s.Store, "store", "", "directory of the server's files")
	f.StringVar(&s.TLSCert, "tls-cert", "", "file with the server's certificate (PEM)")
	f.StringVar(&s.TLSKey, "tls-key", "", "file with the key of the certificate (PEM)")
	keys := f.String("keys", "", "file with the public keys that may come in, one 'ROLE NAME KEY' a line (default: "+
		"everybody)")
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	if f.NArg() > 0 {
		return subExpected(f.Args(), "key", "accounts", "status")
	}
	if s.Store == "" {
		return usagef("--store DIR is missing")
	}
	if *keys != "" {
		var err error
		if s.Keys, err = farm.ReadKeys(*keys); err != nil {
			return err
		}
		if len(s.Keys) == 0 {
			return fmt.Errorf("read keys: %s has none", *keys)
		}
	}
	if err := s.Check(); err != nil {
		return usageError{err}
	}
	s.Log = farmLog(e)
	server, err := farm.StartServer(ctx, s)
	if err != nil {
		return err
	}
	fmt.Fprintf(e.Stdout, "%s\n", server.URL())
	<-ctx.Done()
	server.Stop()
	return nil
}

func runFarmKey(_ context.Context, e *env, args []string) error {
	f := newFlags(e, "farm key -o FILE --name NAME [flags]",
		`Makes a key: its secret half goes to FILE, for --key of a worker or of a command with
--farm; the public half is printed as a line for the farm's --keys file.`,
		"bgtrain farm key --name oak -o oak.key >> keys.txt")
	out := f.StringP("output", "o", "", "file for the secret half, which only its owner can read")
	name := f.String("name", "", "whose it is: letters, digits, dots, lines and underscores")
	role := f.String("role", string(farm.WorkerRole),
		"what its owner may do: worker (compute chunks) or submitter (rollout, label, makebm, status)")
	asJSON := f.Bool("json", false, "print the public half as JSON")
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	if *out == "" || *name == "" || f.NArg() > 0 {
		return usagef("-o FILE and --name NAME expected, and no arguments")
	}
	k, err := farm.NewKey(farm.Role(*role), *name, *out)
	if err != nil {
		return err
	}
	return e.printf(struct {
		Output string `json:"output"`
		Line   string `json:"line"` // for the farm's --keys file
	}{*out, fmt.Sprint(k)}, *asJSON, "%v\n", k)
}

func runFarmAccounts(_ context.Context, e *env, args []string) error {
	f := newFlags(e, "farm accounts KEYS",
		`Prints the accounts that let the keys of a keys file into a NATS cluster, as part of the
configuration of its servers: one for commands and the farm's streams, and one for each
worker, from which nothing else can be reached. 'bgtrain farm --keys' has the same.`,
		"bgtrain farm accounts keys.txt > accounts.conf")
	asJSON := f.Bool("json", false, "print the configuration as the text of a JSON object")
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	if f.NArg() != 1 {
		return usagef("one file of keys expected")
	}
	keys, err := farm.ReadKeys(f.Arg(0))
	if err != nil {
		return err
	}
	text := farm.Accounts(keys)
	return e.printf(struct {
		Accounts string `json:"accounts"`
	}{text}, *asJSON, "%s", text)
}

func runFarmStatus(ctx context.Context, e *env, args []string) error {
	f := newFlags(e, "farm status --farm URL [flags]",
		"Prints the runs at a farm and its workers.", "bgtrain farm status --farm nats://127.0.0.1:4222 --watch")
	var a farm.Address
	a.List().AddFlags(f)
	asJSON := f.Bool("json", false, "as JSON, one object each time")
	watch := f.Bool("watch", false, "again every two seconds")
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	if f.NArg() > 0 {
		return usagef("no arguments expected")
	}
	if err := checkFarm(&a, true); err != nil {
		return err
	}
	for {
		s, err := farm.ReadStatus(ctx, a, farmLog(e))
		if err != nil {
			return err
		}
		if err := e.print(s, *asJSON); err != nil {
			return err
		}
		if !*watch {
			return nil
		}
		select {
		case <-time.After(2 * time.Second):
		case <-ctx.Done():
			return nil
		}
	}
}

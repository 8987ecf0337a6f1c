package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"bgtrain/rollout/farm"
)

func runFarm(ctx context.Context, e *env, args []string) error {
	f := newFlags(e, "farm --store DIR [flags]\n       bgtrain farm key -o FILE --name NAME [flags]\n       "+
		"bgtrain farm status --farm URL [flags]",
		`Runs the engine that workers and commands with --farm meet at: NATS JetStream, with its
files in DIR. It listens on this machine alone; elsewhere it needs TLS and keys. It may be
stopped, killed or lose its files at any time: runs go on when it is back.`,
		"bgtrain farm --store farm/\n  bgtrain farm --store farm/ --listen 0.0.0.0:4222 --tls-cert farm.crt "+
			"--tls-key farm.pem --keys keys.txt")
	var s farm.EngineSettings
	f.StringVar(&s.Listen, "listen", "127.0.0.1:4222", "HOST:PORT to listen at; port 0 takes a free one")
	f.StringVar(&s.Store, "store", "", "directory of the engine's files")
	f.StringVar(&s.TLSCert, "tls-cert", "", "file with the engine's certificate (PEM)")
	f.StringVar(&s.TLSKey, "tls-key", "", "file with the key of the certificate (PEM)")
	keys := f.String("keys", "", "file with the public keys that may come in, one 'ROLE NAME KEY' a line (default: "+
		"everybody)")
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	if s.Store == "" || f.NArg() > 0 {
		return usagef("--store DIR expected, and no arguments")
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
	engine, err := farm.StartEngine(ctx, s)
	if err != nil {
		return err
	}
	fmt.Fprintf(e.Stdout, "%s\n", engine.URL())
	<-ctx.Done()
	engine.Stop()
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
	if *asJSON {
		return json.NewEncoder(e.Stdout).Encode(struct {
			Output string `json:"output"`
			Line   string `json:"line"` // for the farm's --keys file
		}{*out, fmt.Sprint(k)})
	}
	_, err = fmt.Fprintln(e.Stdout, k)
	return err
}

func runFarmStatus(ctx context.Context, e *env, args []string) error {
	f := newFlags(e, "farm status --farm URL [flags]",
		"Prints the runs at a farm and its workers.", "bgtrain farm status --farm nats://127.0.0.1:4222 --watch")
	var a addressFlags
	a.add(f)
	asJSON := f.Bool("json", false, "as JSON, one object each time")
	watch := f.Bool("watch", false, "again every two seconds")
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	if f.NArg() > 0 {
		return usagef("no arguments expected")
	}
	if err := a.check(true); err != nil {
		return err
	}
	for {
		s, err := farm.ReadStatus(ctx, a.Address, farmLog(e))
		if err != nil {
			return err
		}
		if *asJSON {
			if err := json.NewEncoder(e.Stdout).Encode(s); err != nil {
				return err
			}
		} else {
			printFarm(e, s)
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

// printFarm prints a farm's status for people.
func printFarm(e *env, s *farm.Status) {
	fmt.Fprintf(e.Stdout, "%d runs\n", len(s.Runs))
	for _, r := range s.Runs {
		left := ""
		if r.Left >= 0 {
			left = fmt.Sprintf(", %v left", time.Duration(r.Left)*time.Second)
		}
		fmt.Fprintf(e.Stdout, "  %.8s  %s\n            %d of %d chunks done, %d running, %d waiting, %d to be "+
			"taken, %d failed, %d audited; %s a second%s\n",
			r.Run, r.Name, r.Done, r.Chunks, r.Running, r.Waiting, r.Parts, r.Failed, r.Audited, rateText(r.Rate), left)
		if r.Silent > 30 {
			fmt.Fprintf(e.Stdout, "            its command has been silent for %s\n",
				time.Duration(r.Silent)*time.Second)
		}
	}
	fmt.Fprintf(e.Stdout, "%d workers\n", len(s.Workers))
	for _, w := range s.Workers {
		fmt.Fprintf(e.Stdout, "  %-40s %-7s %d of %d slots busy, %d chunks, %s a second\n", w.Worker, w.Tier,
			w.Busy, w.Slots, w.Done, rateText(w.Rate))
		for run, why := range w.Refused {
			fmt.Fprintf(e.Stdout, "            not run %.8s: %s\n", run, why)
		}
	}
}

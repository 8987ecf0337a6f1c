package farm

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bgtrain/rollout/job"
)

// Credentials that do not fit end every party at once, with what is wrong and without a word before.
func TestWrongCredentials(t *testing.T) {
	t.Parallel()
	g := newGuarded(t)
	plain := startServer(t, nil).URL()
	nats := strings.Replace(g.url, "tls:", "nats:", 1)
	empty := filepath.Join(t.TempDir(), "empty.crt")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		a     Address
		roles string // s: status, r: a run, w: a worker
		want  string
	}{
		"a worker's key":             {g.address(g.oak), "sr", "oak.key is a worker's"},
		"a submitter's key":          {g.address(g.boss), "w", "boss.key is no worker's"},
		"an unknown key":             {g.address(g.unknown), "srw", "does not let in the key of"},
		"no key":                     {Address{URLs: g.url, CA: g.ca}, "srw", "--key FILE expected"},
		"no CA":                      {Address{URLs: g.url, Key: g.boss}, "srw", "--ca FILE expected"},
		"nats:// without a CA":       {Address{URLs: nats, Key: g.boss}, "srw", "--ca FILE expected"},
		"another CA":                 {Address{URLs: g.url, Key: g.boss, CA: otherAuthority(t)}, "srw", "unknown authority"},
		"a CA that is not there":     {Address{URLs: g.url, Key: g.boss, CA: "nowhere.crt"}, "srw", "nowhere.crt"},
		"a CA that is none":          {Address{URLs: g.url, Key: g.boss, CA: empty}, "srw", "empty.crt has none"},
		"a key that is not there":    {g.address("nowhere.key"), "srw", "nowhere.key"},
		"tls:// where there is none": {Address{URLs: strings.Replace(plain, "nats:", "tls:", 1)}, "srw", "it has no TLS"},
		"a CA where there is no TLS": {Address{URLs: plain, CA: g.ca}, "srw", "it has no TLS"},
		"a key where none is asked":  {Address{URLs: plain, Key: g.oak}, "srw", "leave --key out"},
	} {
		for _, role := range c.roles {
			var lines log
			ended := make(chan error, 1)
			ctx, stop := context.WithCancel(t.Context())
			go func() { ended <- play(ctx, t, role, c.a, lines.add) }()
			select {
			case err := <-ended:
				if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
					t.Errorf("%s, %c: %v; want %s", name, role, err, c.want)
				}
			case <-time.After(waitsTooLong):
				t.Errorf("%s, %c: it waits", name, role)
			}
			stop()
			if lines.String() != "" {
				t.Errorf("%s, %c: %s", name, role, &lines)
			}
		}
	}
}

// otherAuthority returns a file with a certificate that no farm has.
func otherAuthority(t *testing.T) string {
	t.Helper()
	cert, _ := certificate(t, t.TempDir())
	return cert
}

// play plays a party until it ends.
func play(ctx context.Context, t *testing.T, role rune, a Address, log func(string)) error {
	switch role {
	case 's':
		_, err := ReadStatus(ctx, a, log)
		return err
	case 'w':
		return Worker{Address: a, Version: testVersion, Slots: 1, Cache: t.TempDir(), Log: log}.Run(ctx)
	}
	var k taken
	r := testRunner(t, "")
	r.Address, r.Log = a, log
	return r.Run(ctx, k.task(markJob(0, nil), testPositions(1, 10), 10))
}

// A key that a farm knew until it was started again ends its worker and its command.
func TestKeyIsShutOut(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	keys := map[Role]Key{}
	path := func(r Role) string { return filepath.Join(dir, string(r)) }
	for _, r := range []Role{WorkerRole, SubmitterRole} {
		k, err := NewKey(r, string(r), path(r))
		if err != nil {
			t.Fatal(err)
		}
		keys[r] = k
	}
	other, err := NewKey(WorkerRole, "other", path("other"))
	if err != nil {
		t.Fatal(err)
	}
	s := ServerSettings{Listen: freeAddress(t), Store: dir, Keys: []Key{keys[WorkerRole], keys[SubmitterRole], other}}
	e, err := StartServer(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	url := e.URL()
	ended := make(chan error, 2)
	var lines log
	begun := make(chan struct{}, 1)
	j := markJob(0, nil)
	wait := j.New
	j.New = func() job.Work {
		poke(begun)
		return wait()
	}
	go func() {
		ended <- Worker{Address: Address{URLs: url, Key: path(WorkerRole)}, Version: testVersion, Slots: 1, Cache: dir,
			Log: lines.add, Open: func(context.Context, job.Settings, job.Nets, int) (*job.Job, error) { return j, nil },
		}.Run(t.Context())
	}()
	go func() {
		var k taken
		r := testRunner(t, url)
		r.Address.Key, r.Log = path(SubmitterRole), lines.add
		ended <- r.Run(t.Context(), k.task(markJob(0, nil), testPositions(1, 20000), 1))
	}()
	<-begun
	e.Stop()
	s.Keys = []Key{other}
	if e, err = StartServer(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	defer e.Stop()
	for range 2 {
		select {
		case err := <-ended:
			if err == nil || !strings.Contains(err.Error(), "does not let in the key of") {
				t.Errorf("%v", err)
			}
		case <-time.After(waitsTooLong):
			t.Fatalf("it waits: %s", &lines)
		}
	}
}

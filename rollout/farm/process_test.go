package farm

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/rollout/job"

	"github.com/nats-io/nats-server/v2/server"
)

// roleVar names the part that a process of this test program plays. Servers,
// workers and submitters of the tests with faults are processes of their own.
const roleVar = "BGTRAIN_TEST_FARM"

// script describes what a process is to do.
type script struct {
	Role    string
	Server  ServerSettings
	Cluster *cluster // of a server; nil: it is alone
	URL     string
	Version string
	Dir     string        // with in.parquet; of a worker: its cache
	Out     string        // of a submitter
	Wait    time.Duration // that a chunk takes
	Wrong   bool          // a worker whose bits are others
	Poison  string        // key of a position that ends any worker's chunk
	Audit   float64
	Replica int
}

// cluster makes a server a node of several.
type cluster struct {
	Name   string   // of this node
	Listen string   // HOST:PORT for the other nodes
	Routes []string // URLs of the other nodes, nats://HOST:PORT
}

// join sets the options of a node.
func (c *cluster) join(o *server.Options) error {
	host, port, err := net.SplitHostPort(c.Listen)
	if err != nil {
		return err
	}
	if o.Cluster.Port, err = strconv.Atoi(port); err != nil {
		return err
	}
	o.ServerName, o.Cluster.Name, o.Cluster.Host = c.Name, "bgtrain", host
	for _, r := range c.Routes {
		u, err := parseURL(r)
		if err != nil {
			return err
		}
		o.Routes = append(o.Routes, u)
	}
	return nil
}

const processLease = 1500 * time.Millisecond

func TestMain(m *testing.M) {
	text := os.Getenv(roleVar)
	if text == "" {
		flag.Parse()
		// More at once than there are processors: most wait for a farm.
		if err := flag.Set("test.parallel", "6"); err != nil {
			panic(err)
		}
		os.Exit(m.Run())
	}
	var s script
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := s.play(ctx); err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintf(os.Stderr, "%s: %v\n", s.Role, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func (s *script) log(line string) { fmt.Fprintf(os.Stderr, "%s: %s\n", s.Role, line) }

// job returns what the processes compute.
func (s *script) job() *job.Job {
	return markJob(s.Wait, func(rows []dataset.Row) error {
		for i := range rows {
			if rows[i].Key.String() == s.Poison {
				return errors.New("poison")
			}
			if s.Wrong {
				rows[i].Outputs[bg.Win] /= 2
			}
		}
		return nil
	})
}

func (s *script) play(ctx context.Context) error {
	switch s.Role {
	case "server":
		s.Server.Log = s.log
		o, err := s.Server.options()
		if err == nil && s.Cluster != nil {
			err = s.Cluster.join(o)
		}
		if err != nil {
			return err
		}
		e, err := s.Server.start(ctx, o)
		if err != nil {
			return err
		}
		fmt.Println("ready")
		<-ctx.Done()
		e.Stop()
		return nil
	case "worker":
		fmt.Println("ready")
		return Worker{
			Address: Address{URLs: s.URL}, Version: s.Version, Slots: 1, Cache: s.Dir, Look: 300 * time.Millisecond, Log: s.log,
			Open: func(context.Context, job.Settings, job.Nets, int) (*job.Job, error) { return s.job(), nil },
		}.Run(ctx)
	case "submitter":
		db, err := dataset.Open(filepath.Join(s.Dir, "in.parquet"))
		if err != nil {
			return err
		}
		fmt.Println("ready")
		r := Runner{
			Address: Address{URLs: s.URL}, Version: s.Version, Place: s.Out, Audit: s.Audit, Replicas: s.Replica,
			Lease: processLease, AuditWait: 3 * time.Second, Tick: 200 * time.Millisecond, Log: s.log,
		}
		d := job.Database{Input: db, Output: s.Out, Chunk: 10, Command: "test"}
		_, err = d.Make(ctx, s.job(), r, job.Hooks{})
		return err
	}
	return fmt.Errorf("role %q", s.Role)
}

// child is a process of a script.
type child struct {
	t     testing.TB
	s     script
	cmd   *exec.Cmd
	log   *bytes.Buffer
	ended chan struct{}
	err   error // once ended
}

// start starts a process and waits until it is ready.
func start(t testing.TB, s script) *child {
	t.Helper()
	c := &child{t: t, s: s, log: &bytes.Buffer{}, ended: make(chan struct{})}
	c.cmd = exec.Command(os.Args[0], "-test.run=^$")
	c.cmd.Env = append(os.Environ(), roleVar+"="+string(mustJSON(&s)))
	c.cmd.Stderr = c.log
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		_ = c.cmd.Wait()
		t.Fatalf("a process of role %s did not start: %s", s.Role, c.log)
	}
	go func() {
		for lines.Scan() {
		}
		c.err = c.cmd.Wait()
		close(c.ended)
	}()
	t.Cleanup(func() { c.kill(syscall.SIGKILL) })
	return c
}

// kill sends a signal; SIGKILL and SIGTERM are waited for.
func (c *child) kill(sig syscall.Signal) {
	_ = c.cmd.Process.Signal(sig) // it may have ended
	if sig == syscall.SIGKILL || sig == syscall.SIGTERM {
		<-c.ended
	}
}

// restart starts the same again.
func (c *child) restart() *child { return start(c.t, c.s) }

// done reports whether the process ended.
func (c *child) done() bool {
	select {
	case <-c.ended:
		return true
	default:
		return false
	}
}

var addresses sync.Map // that freeAddress gave

// freeAddress returns an address on loopback that is free, also for a server that comes back
// to it: no system gives its port to an outgoing connection.
func freeAddress(t testing.TB) string {
	t.Helper()
	for range 1000 {
		address := fmt.Sprint("127.0.0.1:", 20000+rand.IntN(12000))
		if _, given := addresses.LoadOrStore(address, true); given {
			continue // and the server there may be about to start again
		}
		if l, err := net.Listen("tcp", address); err == nil {
			l.Close()
			return address
		}
	}
	t.Fatal("no port is free")
	return ""
}

// writeInput writes a database of positions and, with a local run, what must come
// of it; it returns the positions.
func writeInput(t testing.TB, dir string, n int) []bg.Key {
	t.Helper()
	in := testPositions(7, n)
	w, err := dataset.Create(filepath.Join(dir, "in.parquet"), dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range in {
		b, err := k.Board()
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(&dataset.Row{Key: k, Class: dataset.ClassOf(&b), Source: "test"}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := dataset.Open(filepath.Join(dir, "in.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	d := job.Database{Input: db, Output: filepath.Join(dir, "want"), Chunk: 10, Command: "test"}
	if _, err := d.Make(t.Context(), markJob(0, nil), job.Local{}, job.Hooks{}); err != nil {
		t.Fatal(err)
	}
	return in
}

// sameParts fails unless the directories have the same files with the same bytes,
// but for parts that are named in without, which must not be there.
func sameParts(t testing.TB, got, want string, without ...string) {
	t.Helper()
	files := func(dir string) map[string]string {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		out := map[string]string{}
		for _, e := range entries {
			raw, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil {
				t.Fatal(err)
			}
			out[e.Name()] = string(raw)
		}
		return out
	}
	g, w := files(got), files(want)
	for _, name := range without {
		delete(w, name)
	}
	if len(g) != len(w) {
		t.Errorf("%d files, %d expected", len(g), len(w))
	}
	for name := range w {
		if g[name] != w[name] {
			t.Errorf("%s differs (%d bytes, %d expected)", name, len(g[name]), len(w[name]))
		}
	}
}

// await waits for a process that ends by itself.
func await(t testing.TB, c *child) {
	t.Helper()
	select {
	case <-c.ended:
	case <-time.After(waitsTooLong):
		t.Fatalf("the %s has not ended:\n%s", c.s.Role, tail(c.log.String(), 4000))
	}
}

func tail(s string, n int) string { return s[max(0, len(s)-n):] }

// site is a server, workers and a submitter that work on a database.
type site struct {
	t         testing.TB
	dir       string
	server    *child
	workers   []*child
	submitter *child
	faults    map[string]int
}

// newSite starts a server and workers.
func newSite(t testing.TB, rows, workers int, wait time.Duration) *site {
	dir := t.TempDir()
	writeInput(t, dir, rows)
	address := freeAddress(t)
	s := &site{t: t, dir: dir, faults: map[string]int{}}
	s.server = start(t, script{Role: "server", Server: ServerSettings{Listen: address,
		Store: filepath.Join(dir, "store")}})
	for i := range workers {
		s.workers = append(s.workers, start(t, script{
			Role: "worker", URL: "nats://" + address, Version: testVersion, Dir: filepath.Join(dir,
				fmt.Sprint("cache", i)), Wait: wait,
		}))
	}
	return s
}

// submit starts the submitter of a run.
func (s *site) submit(change func(*script)) {
	sc := script{
		Role: "submitter", URL: s.workers[0].s.URL, Version: testVersion, Dir: s.dir, Out: filepath.Join(s.dir, "out"),
		Wait: s.workers[0].s.Wait,
	}
	if change != nil {
		change(&sc)
	}
	s.submitter = start(s.t, sc)
}

// finish waits for the submitter, which is started again where it was killed, and
// compares the parts with those of a local run.
func (s *site) finish() {
	s.t.Helper()
	await(s.t, s.submitter)
	if s.submitter.err != nil {
		s.t.Fatalf("the submitter: %v\n%s", s.submitter.err, tail(s.submitter.log.String(), 4000))
	}
	sameParts(s.t, filepath.Join(s.dir, "out"), filepath.Join(s.dir, "want"))
}

// fault does something bad, by number.
func (s *site) fault(kind, i int) {
	w := i % len(s.workers)
	name := ""
	switch kind {
	case 0:
		name = "kill -9 of a worker"
		s.workers[w].kill(syscall.SIGKILL)
		s.workers[w] = s.workers[w].restart()
	case 1:
		name = "SIGSTOP of a worker past its lease, then SIGCONT"
		s.workers[w].kill(syscall.SIGSTOP)
		time.Sleep(processLease + 300*time.Millisecond)
		s.workers[w].kill(syscall.SIGCONT)
	case 2:
		name = "kill -9 of the farm"
		s.server.kill(syscall.SIGKILL)
		s.server = s.server.restart()
	case 3:
		name = "kill -9 of the submitter"
		s.submitter.kill(syscall.SIGKILL)
		s.submitter = s.submitter.restart()
	case 4:
		name = "kill -9 of farm and submitter"
		s.server.kill(syscall.SIGKILL)
		s.submitter.kill(syscall.SIGKILL)
		s.submitter = s.submitter.restart()
		time.Sleep(100 * time.Millisecond)
		s.server = s.server.restart()
	case 5:
		name = "the store wiped while a run is under way"
		s.server.kill(syscall.SIGKILL)
		if err := os.RemoveAll(s.server.s.Server.Store); err != nil {
			s.t.Fatal(err)
		}
		s.server = s.server.restart()
	case 6:
		name = "a worker leaves by SIGTERM and comes back"
		s.workers[w].kill(syscall.SIGTERM)
		if s.workers[w].err != nil {
			s.t.Errorf("a worker that was told to leave: %v\n%s", s.workers[w].err,
				tail(s.workers[w].log.String(), 2000))
		}
		s.workers[w] = s.workers[w].restart()
	case 7:
		name = "a worker of another version"
		other := s.workers[w].s
		other.Version, other.Wrong = "other", true
		c := start(s.t, other)
		time.Sleep(200 * time.Millisecond)
		c.kill(syscall.SIGKILL)
	}
	s.faults[name]++
}

const faultKinds = 8

// campaign does faults of all kinds, from a number on, while runs are computed, and begins another
// run whenever one is done.
func campaign(t *testing.T, from, faults, rows int, between time.Duration) *site {
	s := newSite(t, rows, 3, 30*time.Millisecond)
	s.submit(nil)
	runs := 0
	for i := from; i < from+faults; i++ {
		if s.submitter.done() {
			s.finish()
			runs++
			if err := os.RemoveAll(filepath.Join(s.dir, "out")); err != nil {
				t.Fatal(err)
			}
			s.submitter = s.submitter.restart()
		}
		// Not always at the same moment of a chunk.
		time.Sleep(between/2 + time.Duration(i*37%100)*between/100)
		s.fault((i*5+i/faultKinds)%faultKinds, i)
	}
	s.finish()
	t.Logf("%d runs; faults: %s", runs+1, strings.ReplaceAll(string(mustJSON(s.faults)), `"`, ""))
	return s
}

// The short form of TestCampaign, which is an integration test.
func TestFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many processes")
	}
	t.Parallel()
	campaign(t, 0, faultKinds, 400, 200*time.Millisecond)
}

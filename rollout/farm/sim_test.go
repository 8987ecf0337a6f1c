package farm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/rollout/job"
)

// simulation is a farm with commands and workers in a bubble, all of them the code that
// users run, on a simFarm, with clocks that jump. The seed decides what happens.
type simulation struct {
	t    *testing.T
	seed uint64
	rng  *rand.Rand // of what befalls all
	f    *simFarm
	in   []bg.Key
	good *job.Job

	only    int  // this kind of fault, 0 all
	quiet   bool // no fault at all
	poison  bool // a position fails everywhere
	hostile bool
	audit   float64

	ctx      context.Context // of the workers
	wg       sync.WaitGroup
	workers  []*simParty
	commands []*simCommand

	mu    sync.Mutex
	trace strings.Builder
	said  hashText
	bad   []string
	calm  time.Time     // when the last fault was over
	took  time.Duration // from then to the end
}

// hashText is a digest of all lines so far.
type hashText struct{ sum uint64 }

func (h *hashText) add(line string) {
	f := fnv.New64a()
	fmt.Fprintf(f, "%x %s", h.sum, line)
	h.sum = f.Sum64()
}

// simParty is a worker, or what a command is at the moment.
type simParty struct {
	name, key string
	lives     int
	stop      context.CancelFunc
	hub       *simHub
	offset    time.Duration // of its clock
	job       *job.Job      // that it computes instead of what it should; nil: none
}

// simCommand is a command that its user starts again after a fault.
type simCommand struct {
	simParty
	k       taken
	failed  bool // it ended with an error that says why
	stopped bool // by a fault
}

const (
	simChunk  = 3
	simLease  = 2 * time.Second
	simFaults = 12
	simLimit  = 3 * time.Hour // of simulated time
	simSteps  = 400_000       // a hostile key that is let in until the end asks some 80,000 times
)

// steadySource is a source for several goroutines.
type steadySource struct {
	mu sync.Mutex
	s  *rand.PCG
}

// Uint64 makes it a source.
func (s *steadySource) Uint64() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.s.Uint64()
}

// log notes what happens.
func (s *simulation) log(who string) func(string) {
	return func(line string) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.said.add(who + line)
		fmt.Fprintf(&s.trace, "%11v %-12s %s\n", time.Since(simEpoch).Round(time.Millisecond), who, line)
	}
}

// simEpoch is when the clock of a bubble begins.
var simEpoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

func (s *simulation) wrong(format string, args ...any) {
	s.log("WRONG")(fmt.Sprintf(format, args...))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bad = append(s.bad, fmt.Sprintf(format, args...))
}

// begin makes a party's next life.
func (s *simulation) begin(p *simParty, parent context.Context) (context.Context, world) {
	p.lives++
	name := fmt.Sprint(p.name, p.lives)
	ctx, stop := context.WithCancel(parent)
	hub := s.f.hub(name, p.key)
	s.f.mu.Lock()
	p.stop, p.hub = stop, hub
	s.f.mu.Unlock()
	h := fnv.New64a()
	_, _ = h.Write([]byte(name))
	return ctx, world{hub, func() time.Time {
		s.f.mu.Lock()
		defer s.f.mu.Unlock()
		return time.Now().Round(0).Add(p.offset)
	}, rand.New(&steadySource{s: rand.NewPCG(s.seed, h.Sum64())})}
}

// kill ends a party's life at once.
func (s *simulation) kill(p *simParty) {
	s.f.mu.Lock()
	p.hub.dead = true
	stop := p.stop
	s.f.mu.Unlock()
	stop()
}

// work begins a worker's life.
func (s *simulation) work(p *simParty) {
	ctx, there := s.begin(p, s.ctx)
	w := &Worker{
		Version: testVersion, Slots: 1, Cache: "/dev/null/cache", Look: 3 * time.Second, Log: s.log(p.name),
		Open: func(context.Context, job.Settings, job.Nets, int) (*job.Job, error) {
			return cmp.Or(p.job, s.good), nil
		},
	}
	s.wg.Go(func() {
		if err := w.work(ctx, there, p.key, p.name, 1); !errors.Is(err, context.Canceled) {
			s.wrong("worker %s ended: %v", p.name, err)
		}
	})
}

// command runs a command until it is done, or ends with an error for good.
func (s *simulation) command(c *simCommand) {
	task := c.k.task(s.good, s.in, simChunk)
	r := &Runner{
		Version: testVersion, Place: c.name, Audit: s.audit, Lease: simLease, AuditWait: 3 * time.Second,
		Tick: time.Second, Log: s.log(c.name),
	}
	put, done := task.Put, task.Done
	for {
		ctx, there := s.begin(&c.simParty, s.ctx)
		hub := there.hub.(*simHub)
		alive := func() bool {
			s.f.mu.Lock()
			defer s.f.mu.Unlock()
			return !hub.dead
		}
		task.Put = func(i int, rows [][]dataset.Row) error {
			if !alive() {
				return errors.New("killed")
			}
			return put(i, rows)
		}
		task.Done = func(n int64) {
			if alive() {
				done(n)
			}
		}
		sub, err := newSubmission(ctx, r, task)
		if err == nil && sub.left > 0 {
			err = sub.run(ctx, there)
		}
		s.f.mu.Lock()
		stopped := c.stopped
		c.stopped = false
		s.f.mu.Unlock()
		s.log(c.name)(fmt.Sprintf("ends: %v", err))
		if err == nil || s.over(c, err, stopped) {
			return
		}
		if rest(s.ctx, time.Second) != nil {
			return
		}
		for i := range task.Todo {
			task.Todo[i] = c.k.parts[i] == nil
		}
	}
}

// over reports whether a command's error is the end of it.
func (s *simulation) over(c *simCommand, err error, stopped bool) bool {
	var failed *job.FailedError
	switch {
	case stopped:
		return false
	case s.ctx.Err() != nil:
		return true
	case errors.As(err, &failed) && s.poison && len(failed.Chunks) == 1 && failed.Chunks[0].Err == "poison":
		c.failed = true
		return true
	case strings.HasPrefix(err.Error(), "farm "): // it was not set up in time, and the user tries again
		return false
	}
	s.wrong("command %s: %v", c.name, err)
	c.failed = true
	return true
}

// check compares what a command wrote with a local run.
func (s *simulation) check(c *simCommand) {
	for i := range (len(s.in) + simChunk - 1) / simChunk {
		got := c.k.parts[i]
		if got == nil {
			if !c.failed || i > 0 {
				s.wrong("command %s: chunk %d is missing", c.name, i+1)
			}
			continue
		}
		keys := s.in[i*simChunk : min((i+1)*simChunk, len(s.in))]
		if len(got) != len(keys) {
			s.wrong("command %s: chunk %d has %d rows", c.name, i+1, len(got))
			continue
		}
		for n, k := range keys {
			if want := (dataset.Row{Key: k}); markRow(&want) != nil || got[n] != want {
				s.wrong("command %s: row %d of chunk %d is %+v", c.name, n+1, i+1, got[n])
			}
		}
	}
}

// simPositions are those of all simulations.
var simPositions = testPositions(20, 60)

// newSimulation returns what a seed wants.
func newSimulation(t *testing.T, seed uint64) *simulation {
	rng := rand.New(rand.NewPCG(seed, 33))
	s := &simulation{t: t, seed: seed, rng: rng, f: newSimFarm(seed)}
	s.in = simPositions[:1+rng.IntN(24)]
	s.poison, s.hostile = rng.IntN(20) == 0, rng.IntN(3) == 0
	s.audit = []float64{0, 0.3, 1}[rng.IntN(3)]
	if s.hostile {
		s.audit = 1 // else false rows may pass, as they may
	}
	takes := time.Duration(1+rng.IntN(3000)) * time.Millisecond
	s.good = markJob(takes, func(rows []dataset.Row) error {
		if s.poison && rows[0].Key == s.in[0] {
			return errors.New("poison")
		}
		return nil
	})
	return s
}

// run simulates until all commands have ended.
func (s *simulation) run() {
	ctx, stop := context.WithTimeout(s.t.Context(), simLimit)
	s.ctx, s.f.exhausted = ctx, stop
	for i := range 1 + s.rng.IntN(3) {
		p := &simParty{name: fmt.Sprint("worker", i), key: fmt.Sprint("KEY", i)}
		time.Sleep(time.Millisecond) // one after the other
		s.workers = append(s.workers, p)
		s.work(p)
	}
	if s.hostile {
		s.wg.Go(func() { s.attack(rand.New(rand.NewPCG(s.seed, 34))) })
	}
	n := 1
	if s.rng.IntN(5) == 0 {
		n = 2
	}
	var commands sync.WaitGroup
	for i := range n {
		c := &simCommand{simParty: simParty{name: fmt.Sprint("command", i), key: "BOSS"}}
		s.commands = append(s.commands, c)
		time.Sleep(time.Millisecond)
		commands.Go(func() { s.command(c) })
	}
	time.Sleep(time.Millisecond)
	s.wg.Go(s.faults)
	commands.Wait()
	if ctx.Err() != nil || s.f.steps >= simSteps {
		s.wrong("it does not end: %v, %d steps", ctx.Err(), s.f.steps)
	}
	if !s.calm.IsZero() {
		s.took = time.Since(s.calm)
	}
	stop()
	s.wg.Wait()
	for _, c := range s.commands {
		s.check(c)
	}
}

// simVar is how many simulations TestSimulation does, or FROM+MANY, and simTrace whether
// what happens is printed.
const (
	simVar   = "BGTRAIN_SIMULATIONS"
	simTrace = "BGTRAIN_SIMULATION_TRACE"
)

// simTime is about how long TestSimulation goes on where nobody says how many.
const simTime = 5 * time.Second

// simFailed are seeds of simulations that failed once: without renewals of a queue that is
// stuck, with all that came in taken for a sign of life, with blobs that were not compared,
// and with an audit by the name of a process instead of its key.
var simFailed = []uint64{13, 47, 55, 65, 70, 108}

// simTally is what became of many simulations.
type simTally struct {
	mu                  sync.Mutex
	done, steps, failed int
	longest             time.Duration // after the last fault
	longestSeed         uint64
}

// add notes a simulation.
func (a *simTally) add(t *testing.T, s *simulation) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.done++
	a.steps += s.f.steps
	if s.took > a.longest {
		a.longest, a.longestSeed = s.took, s.seed
	}
	if len(s.bad) > 0 {
		a.failed++
		t.Errorf("seed %d: %s", s.seed, strings.Join(s.bad[:min(3, len(s.bad))], "; "))
	}
	if os.Getenv(simTrace) != "" {
		t.Logf("seed %d:\n%s", s.seed, &s.trace)
	}
}

// simSeeds returns the first seed and how many there are, and whether somebody asked for them.
func simSeeds(t *testing.T) (from, many uint64, asked bool) {
	text := os.Getenv(simVar)
	switch {
	case text != "":
	case testing.Short():
		return 1, 100, false
	default:
		return 1, 10000, false
	}
	first, rest, ok := strings.Cut(text, "+")
	if !ok {
		first, rest = "1", text
	}
	var errs [2]error
	from, errs[0] = strconv.ParseUint(first, 10, 64)
	many, errs[1] = strconv.ParseUint(rest, 10, 64)
	if err := errors.Join(errs[:]...); err != nil {
		t.Fatalf("%s: %v", simVar, err)
	}
	return from, many, true
}

// A farm on which everything goes wrong that may, by seed: every command ends with what a
// local run has, or with an error that says why, in a bounded number of steps.
func TestSimulation(t *testing.T) {
	t.Parallel()
	from, many, asked := simSeeds(t)
	begun, next := time.Now(), atomic.Int64{}
	var tally simTally
	known := len(simFailed)
	t.Run("seeds", func(t *testing.T) {
		for range runtime.GOMAXPROCS(0) { // in a bubble one thing happens after the other
			t.Run("", func(t *testing.T) {
				t.Parallel()
				for {
					i := int(next.Add(1) - 1)
					if i >= known+int(many) || i > 50 && !asked && time.Since(begun) > simTime {
						return
					}
					seed := from + uint64(i-known)
					if i < known {
						seed = simFailed[i]
					}
					tally.add(t, inBubble(t, seed, nil))
				}
			})
		}
	})
	t.Logf("%d simulations, %d requests, %d failed, %v; the longest after its last fault %v, seed %d", tally.done,
		tally.steps, tally.failed, time.Since(begun).Round(time.Second), tally.longest, tally.longestSeed)
}

// inBubble simulates in time that passes only while everybody waits.
func inBubble(t *testing.T, seed uint64, change func(*simulation)) (s *simulation) {
	pack(nil) // makes its channels outside
	synctest.Test(t, func(t *testing.T) {
		s = newSimulation(t, seed)
		if change != nil {
			change(s)
		}
		s.run()
	})
	return s
}

// The same seed is the same story.
func TestSimulationRepeats(t *testing.T) {
	for seed := range uint64(20) {
		a, b := inBubble(t, seed, nil), inBubble(t, seed, nil)
		if a.said != b.said || a.f.steps != b.f.steps {
			t.Errorf("seed %d: %d and %d requests\n%s\n\n%s", seed, a.f.steps, b.f.steps, &a.trace, &b.trace)
		}
	}
}

// What power cuts take from the streams that are not synced, and what they bring back, is
// queued again, or computed again, or left alone.
func TestSimulatedPowerCuts(t *testing.T) {
	again := 0
	for seed := range uint64(40) {
		s := inBubble(t, seed, func(s *simulation) { s.only, s.poison, s.hostile = powerCutKind, false, false })
		if len(s.bad) > 0 {
			t.Errorf("seed %d: %s\n%s", seed, s.bad[0], &s.trace)
		}
		again += strings.Count(s.trace.String(), "they are queued again")
	}
	if again == 0 {
		t.Error("nothing was lost")
	}
}

// A command whose acknowledgements were lost still removes its run.
func TestLostAcknowledgementLeavesNothing(t *testing.T) {
	for seed := range uint64(5) {
		s := inBubble(t, seed, func(s *simulation) {
			s.quiet, s.poison, s.hostile, s.f.deaf = true, false, false, true
		})
		for _, stream := range []string{streamRuns, streamBlobs} {
			if left := len(s.f.streams[stream].msgs); left > 0 || len(s.bad) > 0 {
				t.Errorf("seed %d: %d messages of %s are left; %v\n%s", seed, left, stream, s.bad, &s.trace)
			}
		}
	}
}

package barrage

import (
	"errors"
	"fmt"
	"math/bits"
	"os"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

const (
	batch     = 1000 // executions that share a *testing.T, and so its temporary folders
	poolSize  = 256  // mutated inputs kept for more mutations
	maxDepth  = 6    // how often an input is mutated and kept: further ones are noise
	minCap    = 4096 // inputs may grow to this, or to twice the largest seed
	keepOneIn = 64
)

// hangLimit is how long one execution may take; tests shorten it.
var hangLimit = 20 * time.Second

// kept is a mutated input, and how many inputs lie between it and a seed.
type kept struct {
	e     entry
	depth int
}

// A loop is a barrage on one target.
type loop struct {
	name, label string
	types       []reflect.Type
	call        func(t *testing.T)
	limit       int64
	time        time.Duration
	seeds       []entry
	pool        []kept
	mutator
	stop atomic.Bool

	mu    sync.Mutex // what the watchdog reads
	count int64
	input entry // of the execution under way; its memory is that of the next
}

func newLoop(fn any, seeds [][]any, o *options, seed uint64) (*loop, error) {
	f := reflect.TypeOf(fn)
	if f == nil || f.Kind() != reflect.Func || f.NumIn() < 2 {
		return nil, fmt.Errorf("barrage: a %T is no body of a fuzz target", fn)
	}
	l := &loop{limit: o.execs, time: o.time, mutator: mutator{rng: rng{state: seed}}}
	for i := 1; i < f.NumIn(); i++ {
		l.types = append(l.types, f.In(i))
	}
	l.input = make(entry, len(l.types))
	for _, args := range seeds {
		if len(args) != len(l.types) {
			return nil, errors.New("barrage: a seed of another number of arguments")
		}
		e := make(entry, len(args))
		for i, arg := range args {
			var err error
			if e[i], err = valueOf(arg); err != nil {
				return nil, err
			}
		}
		l.addSeed(e)
	}
	switch fn := fn.(type) { // most bodies, at less than reflection costs
	case func(*testing.T, []byte):
		l.call = func(t *testing.T) { fn(t, l.input[0].b) }
	case func(*testing.T, string):
		l.call = func(t *testing.T) { fn(t, string(l.input[0].b)) }
	default:
		body, args := reflect.ValueOf(fn), make([]reflect.Value, f.NumIn())
		l.call = func(t *testing.T) {
			args[0] = reflect.ValueOf(t)
			for i, typ := range l.types {
				args[1+i] = l.input[i].as(typ)
			}
			body.Call(args)
		}
	}
	return l, nil
}

// load adds the corpus files of a folder to the seeds.
func (l *loop) load(dir string) error {
	all, err := readCorpus(dir, l.types)
	for _, e := range all {
		l.addSeed(e)
	}
	return err
}

func (l *loop) addSeed(e entry) {
	l.seeds = append(l.seeds, e)
	l.max = max(l.max, minCap)
	for _, v := range e {
		l.max = max(l.max, 2*len(v.b))
	}
}

// run executes the body until the limit or a failure.
func (l *loop) run(t *testing.T) {
	start := time.Now()
	done := make(chan struct{})
	defer close(done)
	go l.watch(done, l.name, hangLimit)
	if l.time > 0 {
		defer time.AfterFunc(l.time, func() { l.stop.Store(true) }).Stop()
	}
	for l.count < l.limit && !l.stop.Load() && !t.Failed() {
		t.Run("barrage", l.batch) // one after the other; a skip ends one early
	}
	seconds := time.Since(start).Seconds()
	fmt.Fprintf(os.Stdout, "barrage: %s: %d executions in %.1f s, %.0f a second, pool %d\n",
		l.label, l.count, seconds, float64(l.count)/seconds, len(l.seeds)+len(l.pool))
}

// batch runs some executions. A body may end its goroutine: by a panic, which
// goes its way, by a failure, or by a skip, which ends the batch but not the loop.
func (l *loop) batch(t *testing.T) {
	finished := false
	defer func() {
		if !finished && (t.Failed() || !t.Skipped()) {
			l.report(t)
		}
	}()
	for range batch {
		if l.count >= l.limit || l.stop.Load() {
			break
		}
		l.next()
		l.call(t)
		if t.Failed() {
			return
		}
	}
	finished = true
}

// report writes the input that failed.
func (l *loop) report(t *testing.T) {
	path, err := writeCrash(l.name, l.types, l.input)
	if err != nil {
		t.Errorf("execution %d: %v", l.count, err)
		return
	}
	// Printed at once: a panic leaves what a test logs unsaid.
	fmt.Fprintf(os.Stdout, "barrage: %s: execution %d fails\n%s\n", l.label, l.count, again(l.name, path))
}

// again says how to repeat a failure.
func again(name, path string) string {
	return fmt.Sprintf("its input is %s; to repeat: go test -run '^%s$/^%s$'", path, name, filepath.Base(path))
}

// watch ends the process when one execution takes longer than the limit.
func (l *loop) watch(done <-chan struct{}, name string, limit time.Duration) {
	tick := time.NewTicker(limit / 20)
	defer tick.Stop()
	last, since := int64(0), time.Now()
	for {
		select {
		case <-done:
			return
		case <-tick.C:
		}
		l.mu.Lock()
		if l.count != last {
			last, since = l.count, time.Now()
		} else if time.Since(since) > limit {
			path, err := writeCrash(name, l.types, l.input)
			debug.SetTraceback("all")
			panic(fmt.Sprintf("barrage: %s: execution %d takes more than %v\n%s (%v)",
				l.label, l.count, limit, again(name, path), err))
		}
		l.mu.Unlock()
	}
}

// next makes the input of the next execution.
func (l *loop) next() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.count++
	base := kept{e: l.seeds[l.below(len(l.seeds))]}
	if len(l.pool) > 0 && l.below(3) == 0 {
		base = l.pool[l.below(len(l.pool))]
	}
	for i := range l.input {
		l.input[i] = value{b: append(l.input[i].b[:0], base.e[i].b...), n: base.e[i].n}
	}
	r := l.next64()
	times := 1 + bits.TrailingZeros64(r|1<<16) // mostly one or two
	if r>>61 == 0 {
		times = 1 << l.below(6)
	}
	for range times {
		i := l.below(len(l.input))
		if v := &l.input[i]; isText(l.types[i]) {
			other := l.seeds[l.below(len(l.seeds))]
			v.b = l.mutate(v.b, other[l.textOf(i)].b)
		} else {
			v.n = l.mutateNumber(v.n, l.types[i].Bits())
		}
	}
	if base.depth < maxDepth && l.below(keepOneIn) == 0 {
		k := kept{e: slices.Clone(l.input), depth: base.depth + 1}
		for i := range k.e {
			k.e[i].b = slices.Clone(k.e[i].b)
		}
		if len(l.pool) < poolSize {
			l.pool = append(l.pool, k)
		} else {
			l.pool[l.below(poolSize)] = k
		}
	}
}

// textOf returns the argument that text of argument i may come from: mostly i.
func (l *loop) textOf(i int) int {
	if j := l.below(len(l.types)); isText(l.types[j]) && l.below(4) == 0 {
		return j
	}
	return i
}

func isText(t reflect.Type) bool { return t.Kind() == reflect.String || t.Kind() == reflect.Slice }

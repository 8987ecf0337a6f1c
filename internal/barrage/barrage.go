// Package barrage runs fuzz targets many times in one process: without coverage
// and worker processes, most bodies run ten to a hundred times as often as under
// go test -fuzz. What coverage has found (Go's cached corpus) it starts from.
//
// A target wraps its *testing.F by New and is otherwise as always. The barrage
// begins where one of these variables is set, and the target is run as a test:
//
//	BGTRAIN_FUZZ_EXECS  end after so many executions
//	BGTRAIN_FUZZ_TIME   end after this time, such as 60s
//	BGTRAIN_FUZZ_SEED   another seed than 1: other inputs
package barrage

import (
	"flag"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

// F is a *testing.F whose Fuzz can be a barrage.
type F struct {
	*testing.F
	pkg   string // import path
	seeds [][]any
}

// New wraps f. A fuzz target calls it itself: the package is read off the caller.
func New(f *testing.F) *F {
	pkg := ""
	if pc, _, _, ok := runtime.Caller(1); ok {
		name := runtime.FuncForPC(pc).Name() // path/package.FuzzTarget
		slash := strings.LastIndexByte(name, '/') + 1
		base, _, _ := strings.Cut(name[slash:], ".")
		pkg = name[:slash] + strings.TrimSuffix(base, "_test")
	}
	return &F{F: f, pkg: pkg}
}

// Add adds a seed, as that of testing.F.
func (f *F) Add(args ...any) {
	f.Helper()
	f.F.Add(args...)
	f.seeds = append(f.seeds, args)
}

// Fuzz is that of testing.F; where a barrage is asked for, the first seed's test
// runs it.
func (f *F) Fuzz(fn any) {
	f.Helper()
	o, err := readOptions(os.Getenv)
	if err != nil {
		f.Fatal(err)
	}
	if fuzzing := flag.Lookup("test.fuzz"); o == nil || fuzzing != nil && fuzzing.Value.String() != "" {
		f.F.Fuzz(fn)
		return
	}
	h := fnv.New64a() // targets of the same seed get their own inputs
	fmt.Fprint(h, f.pkg, f.Name())
	l, err := newLoop(fn, f.seeds, o, o.seed^h.Sum64())
	if err != nil {
		f.Fatal(err)
	}
	l.name, l.label = f.Name(), f.pkg+" "+f.Name()
	for _, dir := range []string{crashDir(f.Name()), cachedCorpus(f.pkg, f.Name())} {
		if err := l.load(dir); err != nil {
			f.Fatal(err)
		}
	}
	if len(f.seeds) == 0 {
		f.Fatal("barrage: a target without a seed")
	}

	// Only f.Fuzz hands out a *testing.T.
	body, begun := reflect.ValueOf(fn), false
	f.F.Fuzz(reflect.MakeFunc(body.Type(), func(args []reflect.Value) []reflect.Value {
		if !begun {
			begun = true
			l.run(args[0].Interface().(*testing.T))
		}
		return body.Call(args)
	}).Interface())
}

// options says how long a barrage lasts.
type options struct {
	execs int64
	time  time.Duration
	seed  uint64
}

// readOptions reads the environment; nil where no barrage is asked for.
func readOptions(getenv func(string) string) (*options, error) {
	o := &options{execs: math.MaxInt64, seed: 1}
	execs, limit, seed := getenv("BGTRAIN_FUZZ_EXECS"), getenv("BGTRAIN_FUZZ_TIME"), getenv("BGTRAIN_FUZZ_SEED")
	var err error
	if execs != "" {
		if o.execs, err = strconv.ParseInt(execs, 10, 64); err != nil || o.execs < 1 {
			return nil, fmt.Errorf("barrage: BGTRAIN_FUZZ_EXECS is %q, a number of executions expected", execs)
		}
	}
	if limit != "" {
		if o.time, err = time.ParseDuration(limit); err != nil || o.time <= 0 {
			return nil, fmt.Errorf("barrage: BGTRAIN_FUZZ_TIME is %q, a time such as 60s expected", limit)
		}
	}
	if seed != "" {
		if o.seed, err = strconv.ParseUint(seed, 10, 64); err != nil {
			return nil, fmt.Errorf("barrage: BGTRAIN_FUZZ_SEED is %q, a number expected", seed)
		}
	}
	if execs == "" && limit == "" {
		return nil, nil
	}
	return o, nil
}

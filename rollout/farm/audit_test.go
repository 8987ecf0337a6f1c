package farm

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
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

	"github.com/nats-io/nats.go"
)

// log gathers lines.
type log struct {
	mu    sync.Mutex
	lines strings.Builder
}

func (l *log) add(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines.WriteString(line + "\n")
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lines.String()
}

// A worker whose results are others than they should be, on all chunks or some, is
// found out by audits, and nothing of what its key made stays, even where it comes as
// two processes that agree.
func TestAuditFindsWrongWorker(t *testing.T) {
	g := newGuarded(t)
	in := testPositions(8, 600)
	good := markJob(5*time.Millisecond, nil)
	var spoiled atomic.Int64
	bad := markJob(5*time.Millisecond, func(rows []dataset.Row) error {
		if rows[0].Key[3]%2 == 0 {
			return nil // sometimes it is right
		}
		spoiled.Add(1)
		rows[0].Outputs[bg.Win] = rows[0].Outputs[bg.Win]/2 + 1e-6
		return nil
	})
	for _, w := range []struct {
		key string
		job *job.Job
	}{{g.oak, good}, {g.elm, bad}, {g.elm, bad}} {
		startWorker(t, g.url, w.job, func(worker *Worker) { worker.Address = g.address(w.key) })
	}
	var lines log
	r := testRunner(t, g.url)
	r.Address, r.Audit, r.Log = g.address(g.boss), 0.5, lines.add
	var k taken
	if err := r.Run(t.Context(), k.task(good, in, 10)); err != nil {
		t.Fatal(err)
	}
	k.check(t, in, 10)
	if spoiled.Load() == 0 || !strings.Contains(lines.String(), "computes something else") {
		t.Errorf("%d chunks spoiled; %s", spoiled.Load(), &lines)
	}
}

// With one key, however many its processes, the command itself computes what is to be
// compared.
func TestAuditWithOneKey(t *testing.T) {
	for name, c := range map[string]struct {
		processes int
		change    func(rows []dataset.Row) error
	}{
		"right":          {1, nil},
		"wrong":          {1, func(rows []dataset.Row) error { rows[0].Outputs[bg.Win] /= 2; return nil }},
		"two of one key": {2, func(rows []dataset.Row) error { rows[0].Outputs[bg.Win] /= 2; return nil }},
	} {
		g := newGuarded(t)
		in := testPositions(9, 100)
		good := markJob(0, nil)
		for range c.processes {
			startWorker(t, g.url, markJob(0, c.change), func(w *Worker) { w.Address = g.address(g.elm) })
		}
		var lines log
		r := testRunner(t, g.url)
		r.Address, r.Audit, r.Log, r.AuditWait = g.address(g.boss), 1, lines.add, 500*time.Millisecond
		var k taken
		ended := make(chan error, 1)
		go func() { ended <- r.Run(t.Context(), k.task(good, in, 10)) }()
		found := func() bool { return strings.Contains(lines.String(), "computes something else") }
		if c.change != nil {
			if !soon(found) {
				t.Errorf("%s: nobody noticed", name)
			}
			startWorker(t, g.url, good, func(w *Worker) { w.Address = g.address(g.oak) })
		}
		if err := <-ended; err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		k.check(t, in, 10)
		if found() != (c.change != nil) {
			t.Errorf("%s: %s", name, &lines)
		}
	}
}

// Whom a command has refused, the same command refuses when it is started again.
func TestRefusedStaysRefused(t *testing.T) {
	g := newGuarded(t)
	in := testPositions(9, 100)
	good := markJob(0, nil)
	bad := markJob(0, func(rows []dataset.Row) error { rows[0].Outputs[bg.Win] /= 2; return nil })
	leave := startWorker(t, g.url, bad, func(w *Worker) { w.Address = g.address(g.elm) })
	var lines log
	r := testRunner(t, g.url)
	r.Address, r.Audit, r.Log = g.address(g.boss), 1, lines.add
	boss, err := connect(t.Context(), r.Address, "test", false, testLog(t))
	if err != nil {
		t.Fatal(err)
	}
	defer boss.close()
	ctx, stop := context.WithCancel(t.Context())
	var k taken
	task := k.task(good, in, 10)
	name := subjectRun + runName(task.Run, r.Version, r.Place)
	ended := make(chan error, 1)
	go func() { ended <- r.Run(ctx, task) }()
	refused := func() bool {
		text, err := boss.last(t.Context(), streamRuns, name)
		return err == nil && strings.Contains(string(text), `"refused":["`+g.names["elm"].Public+`"]`)
	}
	if !soon(refused) {
		t.Fatalf("nobody noticed: %s", &lines)
	}
	stop()
	<-ended
	leave()
	before := k.parts
	task = k.task(good, in, 10)
	for i := range task.Todo {
		task.Todo[i] = before[i] == nil
	}
	if err := boss.purge(t.Context(), streamWork, ">"); err != nil {
		t.Fatal(err)
	}
	r.Audit = 0
	go func() { ended <- r.Run(t.Context(), task) }()
	if !soon(func() bool {
		there, err := boss.subjects(t.Context(), streamWork, ">")
		return err == nil && len(there) > 0
	}) {
		t.Fatal("the run does not begin")
	}
	if !refused() {
		t.Error("who was refused is trusted again")
	}
	startWorker(t, g.url, bad, func(w *Worker) { w.Address = g.address(g.elm) }) // nor is it when it comes again
	startWorker(t, g.url, good, func(w *Worker) { w.Address = g.address(g.oak) })
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	for i, rows := range k.parts {
		want := dataset.Row{Key: in[10*i]}
		if err := markRow(&want); err != nil || rows[0] != want {
			t.Errorf("chunk %d is a refused worker's", i+1)
		}
	}
}

// A worker that falsifies k chunks goes unnoticed with a chance of (1 − a)^k, or, where
// its accomplices have keys too, (1 − a/4)^k, where a is the share of the audit: by rows,
// one in a thousand of a million in chunks of 256, k is about 880 and the chances are
// 0.00014 and 0.11 with 1 %.
func TestAuditedShare(t *testing.T) {
	for _, share := range []float64{0, 0.01, 0.2, 1} {
		s := &submission{r: &Runner{Audit: share}, world: world{rng: dice}}
		const n = 200_000
		var audited, here float64
		for range n {
			if a, h := s.drawAudit(); a {
				audited++
				if h {
					here++
				}
			}
		}
		for _, x := range [][2]float64{{audited / n, share}, {here / n, share / 4}} {
			if math.Abs(x[0]-x[1]) > 6*math.Sqrt(x[1]/n) {
				t.Errorf("%g of the chunks where %g are wanted", x[0], x[1])
			}
		}
	}
	unnoticed := func(a float64) float64 {
		const rows, chunk = 1_000_000, 256
		return math.Pow(1-a*(1-math.Pow(0.999, chunk)), rows/chunk)
	}
	if p, q := unnoticed(0.01), unnoticed(0.0025); p > 1.5e-4 || q > 0.12 {
		t.Errorf("chances %g and %g", p, q)
	}
}

// As many runs as TestAuditedShare reckons with take k false chunks without a word, where
// workers agree on what is false: a second process of one key does not help them, a second key does.
func TestAuditChances(t *testing.T) {
	const share, k = 0.1, 10
	runs := uint64(300)
	if testing.Short() {
		runs = 50
	}
	for name, c := range map[string]struct {
		keys []string
		want float64
	}{
		"one process":           {[]string{"A"}, math.Pow(1-share, k)},
		"two processes of one":  {[]string{"A", "A"}, math.Pow(1-share, k)},
		"two keys that collude": {[]string{"A", "B"}, math.Pow(1-share/4, k)},
	} {
		unnoticed := 0.0
		for seed := range runs {
			if !noticed(t, seed, c.keys, share, k) {
				unnoticed++
			}
		}
		if got := unnoticed / float64(runs); math.Abs(got-c.want) > 4*math.Sqrt(c.want*(1-c.want)/float64(runs)) {
			t.Errorf("%s: %g of the runs, %g expected", name, got, c.want)
		}
	}
}

// noticed simulates a run whose workers, one for each key, falsify k of its chunks, and
// reports whether its command says so before it ends.
func noticed(t *testing.T, seed uint64, keys []string, share float64, k int) (found bool) {
	pack(nil) // makes its channels outside
	synctest.Test(t, func(t *testing.T) {
		s := newSimulation(t, seed)
		s.in, s.poison = simPositions, false
		wrong := map[bg.Key]bool{}
		for i := range k {
			wrong[s.in[i*simChunk]] = true
		}
		lies := markJob(time.Millisecond, func(rows []dataset.Row) error {
			if wrong[rows[0].Key] {
				rows[0].Outputs[bg.Win] /= 2
			}
			return nil
		})
		s.good = markJob(time.Millisecond, nil)
		ctx, stop := context.WithCancel(t.Context())
		s.ctx, s.f.exhausted = ctx, stop
		for i, key := range keys {
			time.Sleep(time.Millisecond)
			s.work(&simParty{name: fmt.Sprint("liar", i), key: key, job: lies})
		}
		r := &Runner{Version: testVersion, Audit: share, Lease: simLease, AuditWait: time.Hour, Tick: time.Second,
			Log: func(line string) {
				if strings.Contains(line, "computes something else") {
					found = true
					stop()
				}
			}}
		var got taken
		sub, err := newSubmission(ctx, r, got.task(s.good, s.in, simChunk))
		if err == nil {
			_, there := s.begin(&simParty{name: "command", key: "BOSS"}, ctx)
			err = sub.run(ctx, there)
		}
		stop()
		s.wg.Wait()
		if !found && (err != nil || len(got.parts) != len(s.in)/simChunk || sub.state.Done != len(got.parts)) {
			t.Errorf("seed %d: %v, %d parts", seed, err, len(got.parts))
		}
	})
	return found
}

// Workers of another program, or with other bits, leave a run alone and say why.
func TestStrangersAreRefused(t *testing.T) {
	e := startServer(t, nil)
	in := testPositions(10, 40)
	j := markJob(0, nil)
	startWorker(t, e.URL(), j, func(w *Worker) { w.Version = "other" })
	var k taken
	ended := make(chan error, 1)
	go func() { ended <- testRunner(t, e.URL()).Run(t.Context(), k.task(j, in, 10)) }()
	var status *Status
	if !soon(func() bool {
		var err error
		status, err = ReadStatus(t.Context(), Address{URLs: e.URL()}, testLog(t))
		return err == nil && len(status.Workers) == 1 && len(status.Workers[0].Refused) == 1 && len(status.Runs) == 1
	}) {
		t.Fatalf("status %+v", status)
	}
	for run, why := range status.Workers[0].Refused {
		if run != status.Runs[0].Run || !strings.Contains(why, "version") {
			t.Errorf("run %s is refused because %s", run, why)
		}
	}
	if r := status.Runs[0]; r.Chunks != 4 || r.Done != 0 {
		t.Errorf("%+v", r)
	}
	startWorker(t, e.URL(), j, nil)
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	k.check(t, in, 10)
}

// Parts that are damaged on their way, forged, of other positions, impossible, or
// of chunks that there are not, are not taken.
func TestBadPartsAreNotTaken(t *testing.T) {
	e := startServer(t, nil)
	in := testPositions(11, 40)
	j := markJob(0, nil)
	var k taken
	task := k.task(j, in, 10)
	r := testRunner(t, e.URL())
	p, err := newPlan(t.Context(), task, r.Version, r.Place)
	if err != nil {
		t.Fatal(err)
	}
	l, err := connect(t.Context(), Address{URLs: e.URL()}, "test", false, testLog(t))
	if err != nil {
		t.Fatal(err)
	}
	defer l.nc.Close()
	if err := l.makeStreams(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	rows := func(first int, change func(rows []dataset.Row)) []dataset.Row {
		var out []dataset.Row
		for _, k := range in[first:][:10] {
			row := dataset.Row{Key: k}
			if err := markRow(&row); err != nil {
				t.Fatal(err)
			}
			out = append(out, row)
		}
		if change != nil {
			change(out)
		}
		return out
	}
	put := func(p2 part, change func(m *nats.Msg)) {
		t.Helper()
		messages, err := p2.messages(subjectPart + p.m.Run + ".anonymous.forger")
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range messages {
			if change != nil {
				change(m)
			}
			if _, err := l.js.PublishMsg(t.Context(), m); err != nil {
				t.Fatal(err)
			}
		}
	}
	one := part{chunk: 1, version: testVersion, rows: rows(10, nil)}
	put(one, func(m *nats.Msg) { m.Data[len(m.Data)/2] ^= 4 })
	put(one, func(m *nats.Msg) { m.Data = m.Data[:len(m.Data)/2] })
	put(one, func(m *nats.Msg) { m.Header.Set(headerDigest, hex.EncodeToString(make([]byte, 32))) })
	put(one, func(m *nats.Msg) { m.Header.Del(headerChunk) })
	put(one, func(m *nats.Msg) { m.Header.Set(headerPiece, "0/9999999") })
	put(part{chunk: 3, version: testVersion, rows: rows(30, nil)}, func(m *nats.Msg) { m.Header.Set(headerPiece, "1/2") })
	put(part{chunk: 99, version: testVersion, rows: rows(10, nil)}, nil)
	put(part{chunk: 2, version: "other", rows: rows(20, nil)}, nil)
	put(part{chunk: 2, version: testVersion, rows: rows(10, nil)}, nil)
	put(part{chunk: 2, version: testVersion, rows: rows(20, nil)[:9]}, nil)
	put(part{chunk: 3, version: testVersion, rows: rows(30, func(r []dataset.Row) { r[4].Outputs[bg.Win] = 1.5 })}, nil)
	put(part{chunk: 3, version: testVersion, rows: rows(30, func(r []dataset.Row) { r[4].HasOutputs = false })}, nil)
	put(part{chunk: 3, version: testVersion, rows: rows(30, func(r []dataset.Row) { r[4], r[5] = r[5], r[4] })}, nil)
	startWorker(t, e.URL(), j, nil)
	if err := r.Run(t.Context(), task); err != nil {
		t.Fatal(err)
	}
	k.check(t, in, 10)
	if k.twice > 0 {
		t.Errorf("%d parts were put twice", k.twice)
	}
}

// Rows come back as they were, and equal rows have equal bytes.
func FuzzDecodeRows(f *testing.F) {
	rows := []dataset.Row{
		{Key: bg.Start.Key(), Class: bg.Contact, HasOutputs: true, Outputs: bg.Outputs{0.5, 0.1, 0, 0.1, 0},
			Method: "a", Source: "b"},
		{Key: bg.Start.Key(), Class: bg.Race, HasSE: true, EquitySE: 0.1, HasTrials: true, Trials: 36},
	}
	raw, err := encodeRows(rows)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(raw)
	f.Add(raw[:len(raw)-1])
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, raw []byte) {
		rows, err := decodeRows(raw)
		if err != nil {
			return
		}
		again, err := encodeRows(rows)
		if err != nil {
			t.Fatal(err)
		}
		back, err := decodeRows(again)
		if err != nil || len(back) != len(rows) {
			t.Fatalf("%d rows became %d, %v", len(rows), len(back), err)
		}
	})
}

// A win by a gammon against checkers that are off is refused, whatever is computed.
func TestImpossibleGammonIsRefused(t *testing.T) {
	b := bg.Start
	b.Opp = bg.Side{5: 10}
	b.Me = bg.Side{5: 15}
	r := dataset.Row{Key: b.Key(), Class: dataset.ClassOf(&b), HasOutputs: true,
		Outputs: bg.Outputs{bg.Win: 0.5, bg.WinGammon: 0.1}}
	if err := checkPart([]dataset.Row{r}, []bg.Key{r.Key}, false); err == nil {
		t.Error("it is taken")
	}
	r.Outputs[bg.WinGammon] = 0
	if err := checkPart([]dataset.Row{r}, []bg.Key{r.Key}, false); err != nil {
		t.Error(err)
	}
}

// A part is checked by its job too, against what was to be done.
func TestJobChecksParts(t *testing.T) {
	j := &job.Job{Check: func(row *dataset.Row) error {
		if row.Method != "good" {
			return errors.New("no good")
		}
		return nil
	}}
	row := dataset.Row{Key: bg.Start.Key(), Class: bg.Contact, HasOutputs: true, Source: "b", Method: "good"}
	p := &plan{m: Manifest{Rows: 2, Chunk: 1}, keys: []bg.Key{row.Key, row.Key}, sources: []string{"a", "b"}}
	check := func(chunk int) error { return p.check(j, &part{chunk: chunk, rows: []dataset.Row{row}}) }
	if err := check(1); err != nil {
		t.Error(err)
	}
	if check(0) == nil {
		t.Error("what another chunk was to be is taken")
	}
	if row.Method = "junk"; check(1) == nil {
		t.Error("junk is taken")
	}
}

// What one worker hands in takes bounded memory: bombs are not unpacked, and pieces
// under ever new digests push its older ones out, but nobody else's.
func TestPartsTakeBoundedMemory(t *testing.T) {
	const rows = 256
	a := assembly{most: func(chunk int) int {
		if chunk > 5 {
			return -1
		}
		return mostBytes(rows, true)
	}}
	head := func(chunk int, digest string, i, n int) nats.Header {
		return nats.Header{headerChunk: {fmt.Sprint(chunk)}, headerDigest: {digest}, headerPiece: {fmt.Sprintf("%d/%d", i, n)}}
	}
	bomb := pack(make([]byte, 256<<20))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	p, err := a.add(subjectPart+"run.elm.x", head(1, "x", 0, 1), bomb)
	runtime.ReadMemStats(&after)
	if p == nil || err == nil || after.TotalAlloc-before.TotalAlloc > 2*uint64(a.most(1)) {
		t.Errorf("a part of 256 MiB: %v, %d bytes allocated", err, after.TotalAlloc-before.TotalAlloc)
	}
	if p, err := a.add(subjectPart+"run.elm.x", head(6, "x", 0, 1), nil); p != nil || err == nil {
		t.Error("a part of a chunk that is not there")
	}
	if _, err := a.add(subjectPart+"run.oak.x", head(2, "good", 0, 2), []byte("begun")); err != nil {
		t.Error(err)
	}
	dropped := 0
	piece := make([]byte, pieceSize)
	for i := range 2000 {
		if _, err := a.add(fmt.Sprintf("%srun.elm.%d", subjectPart, i%7), head(1, fmt.Sprint(i), 0, 4), piece); err != nil {
			dropped++
		}
		if a.held["elm"] > heldBytes+pieceSize {
			t.Fatalf("%d bytes held after %d pieces", a.held["elm"], i+1)
		}
	}
	if dropped == 0 || a.have[partKey{"oak.x", 2, "good", 2}] == nil || len(a.order) != len(a.have) {
		t.Errorf("dropped %d times, %d and %d unfinished parts", dropped, len(a.order), len(a.have))
	}
}

// What a submitter is told by messages never ends it.
func FuzzAssembly(f *testing.F) {
	f.Add("0", "0/1", "", "d", []byte{})
	f.Add("1", "1/2", strings.Repeat("x", failureBytes+1), "", []byte("abc"))
	f.Add("1", "1/2", strconv.Quote(strings.Repeat("x", failureBytes+1)), "", []byte("abc"))
	f.Add("1", "0/2", "", "", []byte("abc"))
	f.Fuzz(func(t *testing.T, chunk, piece, failure, digest string, data []byte) {
		a := assembly{most: func(int) int { return mostBytes(10, false) }}
		for range 2 {
			h := nats.Header{headerChunk: {chunk}, headerPiece: {piece}, headerError: {failure}, headerDigest: {digest}}
			if p, err := a.add(subjectPart+"run.key.process", h, data); p != nil && err == nil && p.failure == "" &&
				p.rows == nil && len(data) == 0 {
				t.Fatal("a part of nothing")
			} else if p != nil && len(p.failure) > failureBytes {
				t.Fatalf("%d bytes of a failure", len(p.failure))
			}
		}
	})
}

// A manifest is what it was after a trip, or is refused.
func FuzzManifest(f *testing.F) {
	var k taken
	p, err := newPlan(context.Background(), k.task(markJob(0, nil), testPositions(1, 20), 3), testVersion, "x")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(mustJSON(&p.m))
	f.Add([]byte("{}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := parseManifest(text)
		if err != nil {
			return
		}
		if m.chunkRows(m.Chunks-1) < 1 || m.PageChunks < 1 {
			t.Errorf("%+v", m)
		}
	})
}

// A worker that fails at everything does not keep a run from its end: what failed often is
// computed by the command.
func TestFailingWorker(t *testing.T) {
	e := startServer(t, nil)
	in := testPositions(14, 30)
	startWorker(t, e.URL(), markJob(0, func([]dataset.Row) error { return errors.New("out of memory") }), nil)
	var k taken
	if err := testRunner(t, e.URL()).Run(t.Context(), k.task(markJob(0, nil), in, 10)); err != nil {
		t.Fatal(err)
	}
	k.check(t, in, 10)
}

package farm

import (
	"context"
	"encoding/hex"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"bgtrain/dataset"
	"bgtrain/internal/barrage"
	"bgtrain/internal/bg"

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
// found out by audits, and nothing of what it made stays.
func TestAuditFindsWrongWorker(t *testing.T) {
	e := startEngine(t, nil)
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
	startWorker(t, e.URL(), good, nil)
	startWorker(t, e.URL(), bad, nil)
	var lines log
	r := testRunner(t, e.URL())
	r.Audit, r.Log = 0.5, lines.add
	var k taken
	if err := r.Run(t.Context(), k.task(good, in, 10)); err != nil {
		t.Fatal(err)
	}
	k.check(t, in, 10)
	if spoiled.Load() == 0 || !strings.Contains(lines.String(), "computes something else") {
		t.Errorf("%d chunks spoiled; %s", spoiled.Load(), &lines)
	}
}

// With one worker the command itself computes what is to be compared.
func TestAuditWithOneWorker(t *testing.T) {
	for name, change := range map[string]func(rows []dataset.Row) error{
		"right": nil,
		"wrong": func(rows []dataset.Row) error { rows[0].Outputs[bg.Win] /= 2; return nil },
	} {
		e := startEngine(t, nil)
		in := testPositions(9, 50)
		good := markJob(0, nil)
		startWorker(t, e.URL(), markJob(0, change), nil)
		var lines log
		r := testRunner(t, e.URL())
		r.Audit, r.Log, r.AuditWait = 1, lines.add, 500*time.Millisecond
		var k taken
		task := k.task(good, in, 10)
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- r.Run(ctx, task) }()
		if name == "wrong" {
			if !soon(func() bool { return strings.Contains(lines.String(), "computes something else") }) &&
				len(lines.String()) == 0 {
				t.Error("nobody noticed")
			}
			startWorker(t, e.URL(), good, nil)
		}
		if err := <-ended; err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		stop()
		k.check(t, in, 10)
		if found := strings.Contains(lines.String(), "computes something else"); found != (name == "wrong") {
			t.Errorf("%s: %s", name, &lines)
		}
	}
}

// About the share of the chunks that was asked for is audited, always the same.
func TestAuditedShare(t *testing.T) {
	for _, share := range []float64{0, 0.01, 0.2, 1} {
		s := &submission{r: &Runner{Audit: share}, plan: &plan{}}
		n := 0
		for i := range 20000 {
			if s.audited(i) {
				n++
			}
		}
		if got := float64(n) / 20000; got < share*0.8-0.0001 || got > share*1.2 {
			t.Errorf("%g of the chunks where %g are wanted", got, share)
		}
	}
}

// Workers of another program, or with other bits, leave a run alone and say why.
func TestStrangersAreRefused(t *testing.T) {
	e := startEngine(t, nil)
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
	e := startEngine(t, nil)
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
	if err := ensureStreams(t.Context(), l, 1); err != nil {
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
	put(one, func(m *nats.Msg) { m.Header.Set(headerPiece, "1/2") }) // the other one never comes
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
func FuzzDecodeRows(tf *testing.F) {
	f := barrage.New(tf)
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

// What a submitter is told by messages never ends it.
func FuzzAssembly(tf *testing.F) {
	f := barrage.New(tf)
	f.Add("0", "0/1", "", "d", []byte{})
	f.Add("1", "1/2", "x", "", []byte("abc"))
	f.Add("1", "0/2", "", "", []byte("abc"))
	f.Fuzz(func(t *testing.T, chunk, piece, failure, digest string, data []byte) {
		var a assembly
		for range 2 {
			h := nats.Header{headerChunk: {chunk}, headerPiece: {piece}, headerError: {failure}, headerDigest: {digest}}
			if p, err := a.add(subjectPart+"run.key.process", h, data); p != nil && err == nil && p.failure == "" &&
				p.rows == nil && len(data) == 0 {
				t.Fatal("a part of nothing")
			}
		}
	})
}

// A manifest is what it was after a trip, or is refused.
func FuzzManifest(tf *testing.F) {
	f := barrage.New(tf)
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

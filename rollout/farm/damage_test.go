package farm

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"bgtrain/dataset"

	"github.com/nats-io/nats.go/jetstream"
)

// A manifest, a net or positions at the farm that are something else than they should be
// are published again, and status leaves such a run out.
func TestDamagedRunIsMended(t *testing.T) {
	for _, what := range []string{"manifest", "blobs", "both"} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			damagedRun(t, what)
		})
	}
}

func damagedRun(t *testing.T, what string) {
	e := startServer(t, nil)
	in := testPositions(12, 200)
	j := markJob(0, nil)
	var k taken
	task := k.task(j, in, 10)
	r := testRunner(t, e.URL())
	if what != "manifest" { // which is looked at; blobs only where no part comes
		r.Lease = 200 * time.Millisecond
	}
	var lines log
	r.Log = lines.add
	p, err := newPlan(t.Context(), task, r.Version, r.Place)
	if err != nil {
		t.Fatal(err)
	}
	l, err := connect(t.Context(), r.Address, "test", false, testLog(t))
	if err != nil {
		t.Fatal(err)
	}
	defer l.nc.Close()
	ended := make(chan error, 1)
	go func() { ended <- r.Run(t.Context(), task) }()
	run := subjectRun + p.m.Run
	if !soon(func() bool { _, err := l.last(t.Context(), streamRuns, run); return err == nil }) {
		t.Fatal("no run")
	}
	if what != "manifest" {
		for i := range p.blobs {
			if _, err := l.js.Publish(t.Context(), blobSubject(p.m.Run, &p.blobs[i].Blob, 0), []byte("x")); err != nil {
				t.Fatal(err)
			}
		}
	}
	if what != "blobs" {
		if _, err := l.js.Publish(t.Context(), run, []byte(`{"run":"x"}`)); err != nil {
			t.Fatal(err)
		}
		if _, err := l.js.Publish(t.Context(), subjectRun+"other", []byte("junk")); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadStatus(t.Context(), r.Address, lines.add); err != nil ||
			!strings.Contains(lines.String(), "bgtrain.run.other is left out") {
			t.Errorf("status: %v; %s", err, &lines)
		}
	}
	startWorker(t, e.URL(), j, nil)
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	k.check(t, in, 10)
}

// A run whose streams are all deleted, again and again, is set up again and ends with what it
// should.
func TestDeletedStreams(t *testing.T) {
	t.Parallel()
	e := startServer(t, nil)
	in := testPositions(16, 200)
	var begun atomic.Int32
	reached := make(chan struct{})
	j := markJob(0, func([]dataset.Row) error {
		if begun.Add(1)%10 == 0 {
			reached <- struct{}{} // others go on meanwhile
		}
		return nil
	})
	var k taken
	var lines log
	r := testRunner(t, e.URL())
	r.Lease, r.Log = 500*time.Millisecond, lines.add
	ended := make(chan error, 1)
	go func() { ended <- r.Run(t.Context(), k.task(j, in, 5)) }()
	startWorker(t, e.URL(), j, nil)
	l, err := connect(t.Context(), r.Address, "test", false, testLog(t))
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	const deletions = 3
	for n := 0; ; {
		select {
		case <-reached:
			if n++; n > deletions {
				continue
			}
			for _, stream := range streams {
				if err := l.dropStream(t.Context(), stream); err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
					t.Fatal(err)
				}
			}
		case err := <-ended:
			if err != nil || n < deletions {
				t.Fatalf("%d deletions: %v: %s", n, err, &lines)
			}
			k.check(t, in, 5)
			if text := lines.String(); !strings.Contains(text, "set up again") && !strings.Contains(text, "made anew") {
				t.Errorf("nothing was lost: %s", text)
			}
			return
		}
	}
}

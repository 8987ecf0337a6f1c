package farm

import (
	"strings"
	"testing"
	"time"
)

// A manifest, a net or positions at the farm that are something else than they should be
// are published again, and status leaves such a run out.
func TestDamagedRunIsMended(t *testing.T) {
	for _, what := range []string{"manifest", "blobs", "both"} {
		e := startServer(t, nil)
		in := testPositions(12, 200)
		j := markJob(0, nil)
		var k taken
		task := k.task(j, in, 10)
		r := testRunner(t, e.URL())
		r.Lease = 200 * time.Millisecond
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
			t.Fatalf("%s: %v", what, err)
		}
		k.check(t, in, 10)
	}
}

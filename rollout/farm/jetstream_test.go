package farm

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
)

// relay passes bytes on to a server, or what clients write to nobody.
type relay struct {
	net.Listener
	mute  atomic.Bool
	lost  atomic.Int64 // writes with requests while it was mute
	mu    sync.Mutex
	conns []net.Conn
}

func newRelay(t *testing.T, to string) *relay {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &relay{Listener: l}
	t.Cleanup(func() {
		_ = l.Close()
		r.cut()
	})
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", to)
			if err != nil {
				_ = in.Close()
				continue
			}
			r.mu.Lock()
			r.conns = append(r.conns, in, out)
			r.mu.Unlock()
			go func() { _, _ = io.Copy(in, out) }()
			go func() {
				buf := make([]byte, 1<<16)
				for {
					n, err := in.Read(buf)
					if err != nil {
						return
					}
					if r.mute.Load() {
						if bytes.Contains(buf[:n], []byte("PUB ")) { // no ping
							r.lost.Add(1)
						}
						continue
					}
					_, _ = out.Write(buf[:n])
				}
			}()
		}
	}()
	return r
}

// cut ends all connections.
func (r *relay) cut() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.conns {
		_ = c.Close()
	}
	r.conns = nil
}

// A request that was lost with the connection is an error at once, not after all the time
// that there is, and the next one is answered.
func TestLostRequestEnds(t *testing.T) {
	t.Parallel()
	e := startServer(t, nil)
	r := newRelay(t, strings.TrimPrefix(e.URL(), "nats://"))
	l, err := connect(t.Context(), Address{URLs: "nats://" + r.Addr().String()}, "test", false, testLog(t))
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	if err := l.makeStreams(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	// In this order: "last" wants what "publish" left, and "purge" removes it.
	for _, request := range []struct {
		name string
		ask  func(ctx context.Context) error
	}{
		{"publish", func(ctx context.Context) error { return l.publish(ctx, &nats.Msg{Subject: subjectRun + "x"}) }},
		{"last", func(ctx context.Context) error {
			_, err := l.last(ctx, streamRuns, subjectRun+"x")
			return err
		}},
		{"subjects", func(ctx context.Context) error {
			_, err := l.subjects(ctx, streamRuns, ">")
			return err
		}},
		{"streams", func(ctx context.Context) error { return l.makeStreams(ctx, 1) }},
		{"queue", func(ctx context.Context) error {
			_, err := l.makeQueue(ctx, streamWork, "x", subjectWork+"x", time.Second)
			return err
		}},
		{"purge", func(ctx context.Context) error { return l.purge(ctx, streamWork, subjectWork+"x") }},
	} {
		name, ask := request.name, request.ask
		r.mute.Store(true)
		ctx, stop := context.WithCancel(t.Context())
		ended, lost := make(chan error, 1), r.lost.Load()
		go func() { ended <- ask(ctx) }()
		if !soon(func() bool { return r.lost.Load() > lost }) {
			t.Fatalf("%s: nothing is asked", name)
		}
		r.cut()
		r.mute.Store(false)
		select {
		case err := <-ended:
			if !errors.Is(err, errCut) {
				t.Errorf("%s: %v", name, err)
			}
		case <-time.After(waitsTooLong):
			t.Errorf("%s: it waits", name)
		}
		stop()
		if !soon(func() bool { return ask(t.Context()) == nil }) {
			t.Errorf("%s: no answer after that", name)
		}
	}
}

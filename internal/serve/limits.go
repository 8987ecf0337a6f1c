package serve

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// Limits of what clients can make the server hold and do at once.
const (
	maxPages   = 4   // pages made at once; others wait
	maxStreams = 256 // pages that wait for changes
	maxWaiting = 16  // rollouts that wait for their turn
	maxKept    = 8   // results of files that are kept, see cache
	maxHeader  = 1 << 16

	headerTime = 10 * time.Second // for a request to come in whole
	writeTime  = 30 * time.Second // for an answer, or an event of a stream, to be taken
)

// limits count what is under way.
type limits struct {
	work    chan struct{} // one heavy computation at a time
	pages   chan struct{}
	reading chan struct{} // and one row group of a database decoded
	rolling chan struct{} // and one rollout
	waiting atomic.Int32
	streams atomic.Int32

	mu     sync.Mutex // of the state of the files
	looked time.Time
	state  string
}

func newLimits() limits {
	return limits{work: make(chan struct{}, 1), pages: make(chan struct{}, maxPages), reading: make(chan struct{}, 1),
		rolling: make(chan struct{}, 1)}
}

// turn waits for a place among those who do something; done gives it back.
func turn(ctx context.Context, places chan struct{}) (done func(), err error) {
	select {
	case places <- struct{}{}:
		return func() { <-places }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// heavy waits for its turn to compute much; done gives the turn back.
func (v *Server) heavy(ctx context.Context) (done func(), err error) { return turn(ctx, v.limits.work) }

// rollTurn waits for the turn of a rollout, where not too many wait already.
func (v *Server) rollTurn(ctx context.Context) (done func(), err error) {
	defer v.limits.waiting.Add(-1)
	if v.limits.waiting.Add(1) > maxWaiting {
		return nil, busyf("%d rollouts wait for their turn", maxWaiting)
	}
	return turn(ctx, v.limits.rolling)
}

// follow takes one of the places of those that wait for changes; done gives it back.
func (v *Server) follow() (done func(), ok bool) {
	if v.limits.streams.Add(1) > maxStreams {
		v.limits.streams.Add(-1)
		return nil, false
	}
	return func() { v.limits.streams.Add(-1) }, true
}

// state is a digest of the files, not older than the time between looks at them, however
// many ask.
func (v *Server) state() string {
	l := &v.limits
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.state == "" || time.Since(l.looked) >= v.s.Refresh {
		l.state, l.looked = v.look(), time.Now()
	}
	return l.state
}

// Serve answers on a listener until the context ends. Connections on which nothing
// happens, requests that do not come in, and answers that nobody takes are closed.
func (v *Server) Serve(ctx context.Context, l net.Listener) error {
	h := &http.Server{Handler: v.Handler(), ReadHeaderTimeout: min(headerTime, v.s.Idle), IdleTimeout: v.s.Idle,
		WriteTimeout: writeTime, MaxHeaderBytes: maxHeader,
		BaseContext: func(net.Listener) context.Context { return ctx }}
	stopped := context.AfterFunc(ctx, func() {
		last, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		if h.Shutdown(last) != nil {
			_ = h.Close() // what is still open after that is cut off
		}
	})
	defer stopped()
	if err := h.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve: %w", err)
	}
	return nil
}

// refuseBody lets nobody hold a connection by a body that nobody reads.
func (v *Server) refuseBody(w http.ResponseWriter, r *http.Request) (refused bool) {
	if r.ContentLength == 0 {
		return false
	}
	w.Header().Set("Connection", "close")
	// A recorder in a test has none.
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(min(headerTime, v.s.Idle)))
	http.Error(w, "a request without a body is expected", http.StatusBadRequest)
	return true
}

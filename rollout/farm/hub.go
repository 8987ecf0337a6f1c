package farm

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/nats-io/nats.go"
)

// hub is what commands and workers need of a server: messages that it keeps, queues of
// them, and calls that it does not keep. link is the one over NATS; tests have one that
// breaks in every way. Errors about what is not there wrap errNoBlob,
// jetstream.ErrStreamNotFound or jetstream.ErrConsumerNotFound; errDamaged is that of a
// queue whose files the server can neither read nor replace.
type hub interface {
	// publish returns once a message is kept.
	publish(ctx context.Context, m *nats.Msg) error
	// publishAsync does not wait, and nothing is said of what does not arrive.
	publishAsync(subject string, data []byte)
	// published is closed once all is there that publishAsync has sent so far.
	published() <-chan struct{}
	// last returns the last message of a subject.
	last(ctx context.Context, stream, subject string) ([]byte, error)
	// subjects returns how many messages a stream has of each subject that matches.
	subjects(ctx context.Context, stream, filter string) (map[string]uint64, error)
	// purge removes the messages of a subject.
	purge(ctx context.Context, stream, subject string) error

	// makeStreams makes the streams that are not there.
	makeStreams(ctx context.Context, replicas int) error
	dropStream(ctx context.Context, stream string) error
	// makeQueue makes or changes the queue of a run's messages in a stream: who takes one
	// and neither acknowledges it nor is heard of for a lease loses it to others.
	makeQueue(ctx context.Context, stream, run, filter string, lease time.Duration) (queue, error)
	queue(ctx context.Context, stream, run string) (queue, error)
	dropQueue(ctx context.Context, stream, run string) error

	// call reaches those who listen just now, perhaps.
	call(subject string, data []byte)
	listen(subject string, heard func()) error
}

var errDamaged = errors.New("its store is damaged")

// queue hands out messages.
type queue interface {
	// fetch gives up to n messages to take, which come within a time, until it returns
	// false. It is an error that the server does not answer.
	fetch(n int, within time.Duration, take func(message) bool) error
	// count returns how many messages wait, and how many are out.
	count(ctx context.Context) (waiting, out int, err error)
	lease() time.Duration
}

// message is one of a queue. What its methods say to the server may be lost.
type message interface {
	Subject() string
	Headers() nats.Header
	Data() []byte
	Ack() error                       // done
	Term() error                      // nonsense
	Nak() error                       // somebody else shall have it at once,
	NakWithDelay(time.Duration) error // or later
	InProgress() error                // the lease begins anew
}

// world is where a party lives: its server, its clock and its dice.
type world struct {
	hub
	now func() time.Time
	rng *rand.Rand
}

// dice are those that nobody can foretell.
var dice = rand.New(source{})

type source struct{}

// Uint64 makes a source of package rand's own one.
func (source) Uint64() uint64 { return rand.Uint64() }

// upTo returns a time by chance.
func (w *world) upTo(most time.Duration) time.Duration {
	return time.Duration(w.rng.Int64N(int64(most)))
}

// pause waits a back-off. It is false where ctx ended.
func (w *world) pause(ctx context.Context, tries int) bool {
	select {
	case <-time.After(backOff(w.rng, tries)):
		return true
	case <-ctx.Done():
		return false
	}
}

// backOff returns how long to wait after a number of tries: twice as long each
// time, up to some seconds, and by chance, so that a thousand workers do not come
// back at once.
func backOff(rng *rand.Rand, tries int) time.Duration {
	most := min(100*time.Millisecond<<min(tries, 10), 8*time.Second)
	return most/2 + time.Duration(rng.Int64N(int64(most/2)))
}

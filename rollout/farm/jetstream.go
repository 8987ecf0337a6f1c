package farm

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// answerWithin is how long a server may take to answer. A store that is damaged does not.
const answerWithin = 10 * time.Second

var (
	errSilent = errors.New("the farm does not answer")
	errCut    = errors.New("the connection was lost before the answer")
)

// ask lets f make requests, which end when the connection is lost: their answers would
// never come.
func (l *link) ask(ctx context.Context, f func(context.Context) error) error {
	step, stop := context.WithTimeoutCause(ctx, answerWithin, errSilent)
	defer stop()
	step, cut := context.WithCancelCause(step)
	defer cut(nil)
	defer context.AfterFunc(l.connected.Load(), func() { cut(errCut) })()
	err := f(step)
	if err != nil && step.Err() != nil && ctx.Err() == nil {
		return context.Cause(step)
	}
	return err
}

// makeQueue implements hub.
func (l *link) makeQueue(ctx context.Context, stream, run, filter string, lease time.Duration) (queue, error) {
	c := jetstream.ConsumerConfig{
		Durable: run, FilterSubject: filter, AckPolicy: jetstream.AckExplicitPolicy, AckWait: lease,
		// A limit would leave a chunk in the queue for ever after its last delivery.
		MaxDeliver: -1, MaxAckPending: -1,
	}
	if stream == streamWork {
		c.MaxWaiting = 1 << 16
	}
	q, err := l.consumer(ctx, func(ctx context.Context) (jetstream.Consumer, error) {
		return l.js.CreateOrUpdateConsumer(ctx, stream, c)
	})
	var failed *jetstream.APIError
	if errors.As(err, &failed) && failed.ErrorCode == storeFailed {
		return nil, errDamaged
	}
	return q, err
}

// storeFailed is the code of JetStream's error where the files of a queue cannot be read.
const storeFailed = 10012

// queue implements hub.
func (l *link) queue(ctx context.Context, stream, run string) (queue, error) {
	return l.consumer(ctx, func(ctx context.Context) (jetstream.Consumer, error) {
		return l.js.Consumer(ctx, stream, run)
	})
}

func (l *link) consumer(ctx context.Context, get func(context.Context) (jetstream.Consumer, error)) (queue, error) {
	c := consumer{l: l}
	err := l.ask(ctx, func(ctx context.Context) (err error) {
		c.Consumer, err = get(ctx)
		return err
	})
	return c, err
}

// dropQueue implements hub.
func (l *link) dropQueue(ctx context.Context, stream, run string) error {
	return l.ask(ctx, func(ctx context.Context) error { return l.js.DeleteConsumer(ctx, stream, run) })
}

// dropStream implements hub.
func (l *link) dropStream(ctx context.Context, stream string) error {
	return l.ask(ctx, func(ctx context.Context) error { return l.js.DeleteStream(ctx, stream) })
}

// consumer is a queue of JetStream's.
type consumer struct {
	jetstream.Consumer
	l *link
}

// fetch implements queue.
func (c consumer) fetch(n int, within time.Duration, take func(message) bool) error {
	batch, err := c.Fetch(n, jetstream.FetchMaxWait(within))
	if err != nil {
		return err
	}
	some := false
	for m := range batch.Messages() {
		if some = true; !take(m) {
			return nil
		}
	}
	if err := batch.Error(); !some && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return nil
}

// count implements queue.
func (c consumer) count(ctx context.Context) (waiting, out int, err error) {
	err = c.l.ask(ctx, func(ctx context.Context) error {
		info, err := c.Info(ctx)
		if err == nil {
			waiting, out = int(info.NumPending), info.NumAckPending
		}
		return err
	})
	return waiting, out, err
}

// lease implements queue.
func (c consumer) lease() time.Duration { return c.CachedInfo().Config.AckWait }

// publish implements hub.
func (l *link) publish(ctx context.Context, m *nats.Msg) error {
	return l.ask(ctx, func(ctx context.Context) error {
		_, err := l.js.PublishMsg(ctx, m)
		return err
	})
}

// publishAsync implements hub.
func (l *link) publishAsync(subject string, data []byte) { _, _ = l.js.PublishAsync(subject, data) }

// published implements hub.
func (l *link) published() <-chan struct{} { return l.js.PublishAsyncComplete() }

// call implements hub.
func (l *link) call(subject string, data []byte) { _ = l.nc.Publish(subject, data) }

// listen implements hub.
func (l *link) listen(subject string, heard func()) error {
	_, err := l.nc.Subscribe(subject, func(*nats.Msg) { heard() })
	return err
}

// last implements hub: any replica of a stream answers.
func (l *link) last(ctx context.Context, stream, subject string) (data []byte, err error) {
	err = l.ask(ctx, func(ctx context.Context) error {
		m, err := l.nc.RequestWithContext(ctx, l.api+".DIRECT.GET."+stream+"."+subject, nil)
		switch {
		case err != nil:
			return err
		case m.Header.Get("Status") == "404":
			return errNoBlob
		case m.Header.Get("Status") != "":
			return errors.New(m.Header.Get("Description"))
		}
		data = m.Data
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("fetch %s: %w", subject, err)
	}
	return data, nil
}

// subjects implements hub.
func (l *link) subjects(ctx context.Context, stream, filter string) (there map[string]uint64, err error) {
	err = l.ask(ctx, func(ctx context.Context) error {
		s, err := l.js.Stream(ctx, stream)
		if err != nil {
			return err
		}
		info, err := s.Info(ctx, jetstream.WithSubjectFilter(filter))
		if err == nil {
			there = info.State.Subjects
		}
		return err
	})
	return there, err
}

// purge implements hub.
func (l *link) purge(ctx context.Context, stream, subject string) error {
	return l.ask(ctx, func(ctx context.Context) error {
		s, err := l.js.Stream(ctx, stream)
		if err != nil {
			return err
		}
		return s.Purge(ctx, jetstream.WithPurgeSubject(subject))
	})
}

package farm

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// aliveFor is how long a worker that says nothing more counts as there.
const aliveFor = 20 * time.Second

// ensureStreams makes the streams that are not there. Their settings, but for the
// number of replicas, are ours alone.
func ensureStreams(ctx context.Context, l *link, replicas int) error {
	base := jetstream.StreamConfig{
		Storage: jetstream.FileStorage, Replicas: max(replicas, 1), AllowDirect: true, Discard: jetstream.DiscardNew,
	}
	for _, name := range streams {
		c := base
		c.Name = name
		switch name {
		case streamRuns:
			c.Subjects, c.MaxMsgsPerSubject, c.Discard = []string{subjectRun + "*",
				subjectState + "*"}, 1, jetstream.DiscardOld
		case streamBlobs:
			c.Subjects, c.MaxMsgsPerSubject, c.Discard = []string{subjectBlob + ">"}, 1, jetstream.DiscardOld
		case streamWork:
			c.Subjects, c.Retention = []string{subjectWork + "*"}, jetstream.WorkQueuePolicy
		case streamParts:
			c.Subjects, c.Retention = []string{subjectPart + ">"}, jetstream.WorkQueuePolicy
		case streamAlive:
			c.Subjects, c.MaxMsgsPerSubject, c.Discard = []string{subjectAlive + ">"}, 1, jetstream.DiscardOld
			c.Storage, c.MaxAge = jetstream.MemoryStorage, aliveFor
		}
		if c.Retention == jetstream.WorkQueuePolicy && c.Replicas == 1 {
			// A power cut may lose chunks and parts of the last two minutes, which the
			// submitter notices. To sync each of them costs half of the throughput.
			c.PersistMode = jetstream.AsyncPersistMode
		}
		_, err := l.js.CreateStream(ctx, c)
		if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
			_, err = l.js.Stream(ctx, name) // of other replicas: leave it
		}
		if err != nil {
			return fmt.Errorf("stream %s: %w", name, err)
		}
	}
	return nil
}

// ensureConsumers makes those of a run: of its chunks, which workers share, and of
// its parts.
func ensureConsumers(ctx context.Context, l *link, run string, lease time.Duration) (work, parts jetstream.Consumer,
	err error) {
	work, err = l.js.CreateOrUpdateConsumer(ctx, streamWork, jetstream.ConsumerConfig{
		Durable: run, FilterSubject: subjectWork + run, AckPolicy: jetstream.AckExplicitPolicy, AckWait: lease,
		// A limit would leave a chunk in the queue for ever after its last delivery.
		MaxDeliver: -1, MaxAckPending: -1, MaxWaiting: 1 << 16,
	})
	if err != nil {
		return nil, nil, fmt.Errorf("consumer of chunks: %w", err)
	}
	parts, err = l.js.CreateOrUpdateConsumer(ctx, streamParts, jetstream.ConsumerConfig{
		Durable: run, FilterSubject: subjectPart + run + ".>", AckPolicy: jetstream.AckExplicitPolicy,
		AckWait: partsAckWait, MaxDeliver: -1, MaxAckPending: -1,
	})
	if err != nil {
		return nil, nil, fmt.Errorf("consumer of parts: %w", err)
	}
	return work, parts, nil
}

// partsAckWait is how long a submitter may take to write the parts that it holds.
const partsAckWait = 2 * time.Minute

// forget removes all that a run has at the engine.
func forget(ctx context.Context, l *link, run string) error {
	var errs []error
	for stream, subject := range map[string]string{
		streamRuns: subjectRun + run, streamWork: subjectWork + run,
		streamParts: subjectPart + run + ".>", streamBlobs: subjectBlob + run + ".>",
	} {
		s, err := l.js.Stream(ctx, stream)
		if err == nil {
			err = s.Purge(ctx, jetstream.WithPurgeSubject(subject))
		}
		errs = append(errs, err)
	}
	if s, err := l.js.Stream(ctx, streamRuns); err == nil {
		errs = append(errs, s.Purge(ctx, jetstream.WithPurgeSubject(subjectState+run)))
	}
	for _, stream := range []string{streamWork, streamParts} {
		if err := l.js.DeleteConsumer(ctx, stream, run); !errors.Is(err, jetstream.ErrConsumerNotFound) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

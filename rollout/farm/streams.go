package farm

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// aliveFor is how long a silent worker counts as there.
const aliveFor = 20 * time.Second

// What workers can make a server hold: bytes of a part's headers or of a sign of life, and of all of these.
const (
	headBytes  = 64 << 10
	aliveBytes = 16 << 20
)

// makeStreams implements hub. The settings of streams, but for the number of replicas,
// are ours alone.
func (l *link) makeStreams(ctx context.Context, replicas int) error {
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
			c.MaxMsgSize = pieceSize + headBytes
		case streamAlive:
			c.Subjects, c.MaxMsgsPerSubject, c.Discard = []string{subjectAlive + ">"}, 1, jetstream.DiscardOld
			c.Storage, c.MaxAge, c.MaxMsgSize, c.MaxBytes = jetstream.MemoryStorage, aliveFor, headBytes, aliveBytes
		}
		if c.Retention == jetstream.WorkQueuePolicy && c.Replicas == 1 {
			// A power cut may lose chunks and parts of the last two minutes, which the
			// submitter notices. To sync each of them costs half of the throughput.
			c.PersistMode = jetstream.AsyncPersistMode
		}
		err := l.ask(ctx, func(ctx context.Context) error {
			_, err := l.js.CreateStream(ctx, c)
			if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
				_, err = l.js.Stream(ctx, name) // of other replicas: leave it
			}
			return err
		})
		if err != nil {
			return fmt.Errorf("stream %s: %w", name, err)
		}
	}
	return nil
}

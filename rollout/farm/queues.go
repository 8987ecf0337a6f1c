package farm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// partsAckWait is how long a submitter may take to write the parts that it holds.
const partsAckWait = 2 * time.Minute

// makeQueues makes those of a run: of its chunks, which workers share, and of its parts.
func makeQueues(ctx context.Context, h hub, run string, lease time.Duration) (work, parts queue, err error) {
	if work, err = makeQueue(ctx, h, streamWork, run, subjectWork+run, lease); err != nil {
		return nil, nil, fmt.Errorf("queue of chunks: %w", err)
	}
	if parts, err = makeQueue(ctx, h, streamParts, run, subjectPart+run+".>", partsAckWait); err != nil {
		return nil, nil, fmt.Errorf("queue of parts: %w", err)
	}
	return work, parts, nil
}

// makeQueue disposes of a stream with a damaged store, with the queues of all runs, which
// their commands make again.
func makeQueue(ctx context.Context, h hub, stream, run, filter string, lease time.Duration) (queue, error) {
	q, err := h.makeQueue(ctx, stream, run, filter, lease)
	if errors.Is(err, errDamaged) {
		err = errors.Join(fmt.Errorf("%w: %s is set aside and made again", err, stream), h.dropStream(ctx, stream))
	}
	return q, err
}

// clearWithin is how long a command tries to remove its run from the farm.
const clearWithin = 20 * time.Second

// finish removes the run from the farm, also where ctx ends, as nobody would later. What is
// left there does no harm.
func (s *submission) finish(ctx context.Context) {
	select { // what is on its way would stay; an acknowledgement that was lost never comes
	case <-s.published():
	case <-time.After(2 * time.Second):
	case <-ctx.Done():
	}
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), clearWithin)
	defer stop()
	for try := 0; ; try++ { // workers would go on asking for it
		err := cmp.Or(forget(ctx, s, s.plan.m.Run), sweep(ctx, s))
		if err == nil {
			return
		}
		if !s.pause(ctx, try) {
			s.r.Log(fmt.Sprintf("clear the run: %v", err))
			return
		}
	}
}

// forget removes all that a run has at the server.
func forget(ctx context.Context, h hub, run string) error {
	var errs []error
	for _, x := range [][2]string{
		{streamRuns, subjectRun + run}, {streamWork, subjectWork + run}, {streamParts, subjectPart + run + ".>"},
		{streamBlobs, subjectBlob + run + ".>"}, {streamRuns, subjectState + run},
	} {
		if err := h.purge(ctx, x[0], x[1]); !errors.Is(err, jetstream.ErrStreamNotFound) {
			errs = append(errs, err)
		}
	}
	for _, stream := range []string{streamWork, streamParts} {
		err := h.dropQueue(ctx, stream, run)
		if !errors.Is(err, jetstream.ErrConsumerNotFound) && !errors.Is(err, jetstream.ErrStreamNotFound) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// sweep removes chunks and parts of runs that are not there, which nobody else would: a part
// may come in after its run has ended.
func sweep(ctx context.Context, h hub) error {
	var found [3]map[string]uint64
	// Manifests last: that of a run comes before its chunks and parts.
	for i, x := range [3][2]string{{streamWork, subjectWork + "*"}, {streamParts, subjectPart + ">"},
		{streamRuns, subjectRun + "*"}} {
		var err error
		if found[i], err = h.subjects(ctx, x[0], x[1]); errors.Is(err, jetstream.ErrStreamNotFound) {
			return nil
		} else if err != nil {
			return err
		}
	}
	work, parts, runs := found[0], found[1], found[2]
	for _, x := range []struct {
		there        map[string]uint64
		stream, head string
	}{{work, streamWork, subjectWork}, {parts, streamParts, subjectPart}} {
		done := map[string]bool{}
		for _, subject := range slices.Sorted(maps.Keys(x.there)) {
			run, worker, _ := strings.Cut(strings.TrimPrefix(subject, x.head), ".")
			filter := x.head + run
			if x.stream == streamParts {
				filter += ".>"
			}
			if strings.ContainsAny(run, "*>") { // would match the parts of others
				key, _, _ := strings.Cut(worker, ".")
				filter = x.head + "*." + key + ".>"
			}
			if runs[subjectRun+run] > 0 || done[filter] {
				continue
			}
			done[filter] = true
			if err := h.purge(ctx, x.stream, filter); err != nil {
				return err
			}
		}
	}
	return nil
}

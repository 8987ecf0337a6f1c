package bearoff

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"time"

	"bgtrain/internal/atomicfile"
	"bgtrain/internal/disk"
	"bgtrain/internal/identity"
	"bgtrain/internal/journal"
)

// steps keeps the finished steps of a long computation on disk, so that one that was killed goes on: their bytes
// in a file, one after the other, and the length and the checksum of each in a journal.
type steps struct {
	journal *journal.Journal
	data    disk.File
	sums    []stepSum
	size    int64
}

type stepSum struct {
	length int
	sum    uint32
}

// Names of what is there while PATH is being computed, and a while after a kill.
const (
	stepsSuffix   = ".steps"
	journalSuffix = ".journal"
)

// openSteps opens the finished steps of the computation of path, or none, and gives their bytes to replay in
// order; the slice is valid until replay returns. What is damaged or of another computation than id is removed.
// While another process computes path, it waits.
func openSteps(ctx context.Context, path string, id identity.ID, replay func(step []byte) error) (*steps, error) {
	for {
		s, err := tryOpenSteps(path, id)
		if errors.Is(err, atomicfile.ErrLocked) {
			select {
			case <-ctx.Done():
				return nil, ctx.Err()
			case <-time.After(time.Second):
			}
			continue
		}
		if errors.Is(err, identity.ErrOther) {
			if err = disk.Remove(path + journalSuffix); err == nil {
				s, err = tryOpenSteps(path, id)
			}
		}
		if err != nil {
			return nil, err
		}
		if err := s.check(); err != nil { // after a power cut
			if err := s.remove(); err != nil {
				return nil, err
			}
			continue
		}
		if err := s.each(replay); err != nil {
			return nil, errors.Join(err, s.close())
		}
		return s, nil
	}
}

func tryOpenSteps(path string, id identity.ID) (*steps, error) {
	s := &steps{}
	j, err := journal.Open(path+journalSuffix, "bearoff-steps", id, func(record string) error {
		var step stepSum
		if _, err := fmt.Sscanf(record, "%d %08x", &step.length, &step.sum); err != nil || step.length < 0 {
			return fmt.Errorf("length and checksum of a step expected: %q", record)
		}
		s.sums = append(s.sums, step)
		s.size += int64(step.length)
		return nil
	})
	if err != nil {
		return nil, err
	}
	s.journal = j
	if s.data, err = disk.OpenFile(path+stepsSuffix, os.O_RDWR|os.O_CREATE, 0o666); err != nil {
		return nil, errors.Join(err, j.Close())
	}
	return s, nil
}

// check returns an error unless all steps are in the file, and cuts off what follows.
func (s *steps) check() error {
	if err := s.each(func([]byte) error { return nil }); err != nil {
		return err
	}
	return s.data.Truncate(s.size)
}

// each gives the bytes of every step to f, in order; the slice is valid until f returns.
func (s *steps) each(f func(step []byte) error) error {
	file, err := os.Open(s.data.Name())
	if err != nil {
		return err
	}
	defer file.Close()
	in := bufio.NewReaderSize(file, 1<<20)
	var buf []byte
	for i, step := range s.sums {
		if cap(buf) < step.length {
			info, err := file.Stat()
			if err != nil || info.Size() < s.size {
				return fmt.Errorf("read %s: %w: cut off", file.Name(), errDamaged)
			}
			buf = make([]byte, step.length)
		}
		buf = buf[:step.length]
		if _, err := io.ReadFull(in, buf); err != nil {
			return fmt.Errorf("read %s: step %d: %w", file.Name(), i, err)
		}
		if sum := crc32.Checksum(buf, castagnoli); sum != step.sum {
			return fmt.Errorf("read %s: step %d: %w: checksum %08x, expected %08x", file.Name(), i, errDamaged, sum,
				step.sum)
		}
		if err := f(buf); err != nil {
			return fmt.Errorf("read %s: step %d: %w", file.Name(), i, err)
		}
	}
	return nil
}

// add keeps a finished step.
func (s *steps) add(step []byte) error {
	if _, err := s.data.WriteAt(step, s.size); err != nil {
		return err
	}
	sum := stepSum{len(step), crc32.Checksum(step, castagnoli)}
	if err := s.journal.Add(fmt.Sprintf("%d %08x", sum.length, sum.sum)); err != nil {
		return err
	}
	s.sums = append(s.sums, sum)
	s.size += int64(len(step))
	return nil
}

// close leaves the steps on disk.
func (s *steps) close() error { return errors.Join(s.data.Close(), s.journal.Close()) }

// remove removes the steps: the computation is finished.
func (s *steps) remove() error {
	err := errors.Join(s.data.Close(), disk.Remove(s.data.Name()))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return errors.Join(err, s.journal.Remove())
}

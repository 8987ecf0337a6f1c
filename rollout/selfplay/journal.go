package selfplay

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"time"

	"bgtrain/internal/bg"
)

// Journal keeps the positions of a run on disk while it goes on. It is a text
// line that says what run it belongs to, then records: games played so far,
// positions, and a checksum over both. What follows the last whole record is
// cut off when it is opened again.
type Journal struct {
	f      *os.File
	games  int
	found  []Found
	synced time.Time
}

const (
	journalMagic = "bgtrain positions 1 "
	foundBytes   = len(bg.Key{}) + 2
	syncEvery    = 5 * time.Second
)

// ErrOtherRun is returned for a journal that another command left.
var ErrOtherRun = errors.New("left by another command")

// OpenJournal opens or makes the journal of a run, which id tells from other
// runs: it must change with anything that the positions depend on.
func OpenJournal(path, id string) (*Journal, error) {
	raw, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read journal: %w", err)
	}
	head := []byte(journalMagic + id + "\n")
	j := &Journal{synced: time.Now()}
	size := len(head)
	// A head that is cut off was being written when the run was killed.
	if !bytes.HasPrefix(head, raw) {
		if !bytes.HasPrefix(raw, head) {
			return nil, fmt.Errorf("%s: %w; remove it to begin anew", path, ErrOtherRun)
		}
		size += j.replay(raw[len(head):])
	}
	if j.f, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644); err != nil {
		return nil, fmt.Errorf("open journal: %w", err)
	}
	if _, err = j.f.WriteAt(head, 0); err == nil {
		if err = j.f.Truncate(int64(size)); err == nil {
			_, err = j.f.Seek(int64(size), io.SeekStart)
		}
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open journal: %w", err), j.f.Close())
	}
	return j, nil
}

// replay reads the whole records and returns their length.
func (j *Journal) replay(raw []byte) int {
	at := 0
	for len(raw)-at >= 12 {
		games := binary.LittleEndian.Uint64(raw[at:])
		n := int(binary.LittleEndian.Uint32(raw[at+8:]))
		end := at + 12 + n*foundBytes
		if n > len(raw) || end+4 > len(raw) || crc32.ChecksumIEEE(raw[at:end]) != binary.LittleEndian.Uint32(raw[end:]) {
			break
		}
		for p := at + 12; p < end; p += foundBytes {
			j.found = append(j.found, Found{bg.Key(raw[p : p+10]), bg.Class(raw[p+10]), Source(raw[p+11])})
		}
		j.games, at = int(games), end+4
	}
	return at
}

// Games returns how many games the journal knows of.
func (j *Journal) Games() int { return j.games }

// add appends a record.
func (j *Journal) add(games int, found []Found) error {
	buf := binary.LittleEndian.AppendUint64(nil, uint64(games))
	buf = binary.LittleEndian.AppendUint32(buf, uint32(len(found)))
	for _, f := range found {
		buf = append(buf, f.Key[:]...)
		buf = append(buf, byte(f.Class), byte(f.Source))
	}
	buf = binary.LittleEndian.AppendUint32(buf, crc32.ChecksumIEEE(buf))
	w := bufio.NewWriter(j.f)
	if _, err := w.Write(buf); err != nil {
		return fmt.Errorf("write journal: %w", err)
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("write journal: %w", err)
	}
	if time.Since(j.synced) < syncEvery {
		return nil
	}
	j.synced = time.Now()
	return j.f.Sync()
}

// Close closes the journal; it stays on disk.
func (j *Journal) Close() error { return j.f.Close() }

// Remove closes the journal and removes it: the run is finished.
func (j *Journal) Remove() error { return errors.Join(j.f.Close(), os.Remove(j.f.Name())) }

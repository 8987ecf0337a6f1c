// Package journal keeps the finished work of a run on disk while it goes on, so
// that the same command, killed at any moment, goes on from there.
//
// A journal is text. Its first line is what is in it and the run it belongs to; every further line is a record:
//
//	bgtrain KIND 3 IDENTITY
//	CHECKSUM RECORD
//	CHECKSUM RECORD
//
// A checksum is the CRC-32C of all lines before, without their own checksums,
// and of the record, in eight hexadecimal digits. So a record is good only where
// it was written, after the records that were written before it.
package journal

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"bgtrain/internal/atomicfile"
	"bgtrain/internal/disk"
	"bgtrain/internal/identity"
)

// version is that of the file format, in the first line.
const version = "3"

// syncEvery is how much work, in time, a power cut may cost. A killed process loses no record.
const syncEvery = 5 * time.Second

// Journal is an open journal. It is not safe for use by several goroutines at once.
type Journal struct {
	f      disk.File
	unlock func()
	size   int64  // of what is good in the file
	sum    uint32 // over it
	cut    int64
	synced time.Time
}

var table = crc32.MakeTable(crc32.Castagnoli)

// Open opens or begins the journal of a run and gives every record that it holds to replay, in order. Kind, one
// word, names what the records are and in which form; id is what they depend on. A journal of another run, or of
// another version of the format, is an identity.ErrOther, and another file is left as it is. The journal is locked
// until it is closed.
//
// Lines from the first one that is cut off or fails its checksum are removed: Cut returns how many bytes that was.
// A record that replay refuses, although its checksum is good, is an error that names its line.
func Open(path, kind string, id identity.ID, replay func(record string) error) (*Journal, error) {
	head := "bgtrain " + kind + " " + version + " " + id.String() + "\n"
	unlock, err := atomicfile.Lock(path)
	if err != nil {
		return nil, err
	}
	j := &Journal{sum: crc32.Checksum([]byte(head), table), synced: time.Now(), unlock: unlock}
	if err := j.open(path, head, id, replay); err != nil {
		unlock()
		return nil, err
	}
	return j, nil
}

// open takes in what is in the file, and leaves it ready to be added to.
func (j *Journal) open(path, head string, id identity.ID, replay func(record string) error) error {
	raw, found, err := read(path)
	if err != nil {
		return fmt.Errorf("open journal: %w", err)
	}
	begun := !strings.HasPrefix(head, string(raw)) // or killed while it wrote the head
	if begun {
		if err := checkHead(path, head, id, raw); err != nil {
			return err
		}
		if err := j.replay(path, raw, len(head), replay); err != nil {
			return err
		}
	}
	if j.f, err = disk.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666); err != nil {
		return fmt.Errorf("open journal: %w", err)
	}
	if err := j.prepare(head, begun, found); err != nil {
		return errors.Join(fmt.Errorf("open journal: %w", err), j.f.Close())
	}
	return nil
}

// read returns what is in the file and whether it is there.
func read(path string) (raw []byte, found bool, err error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, false, nil
	case err != nil:
		return nil, false, err
	case !info.Mode().IsRegular():
		return nil, false, fmt.Errorf("%s is not a regular file", path)
	}
	raw, err = os.ReadFile(path)
	return raw, true, err
}

// checkHead returns an error unless the file begins with head, of a run.
func checkHead(path, head string, id identity.ID, raw []byte) error {
	if bytes.HasPrefix(raw, []byte(head)) {
		return nil
	}
	want := strings.SplitN(head, " ", 4) // bgtrain KIND VERSION IDENTITY
	line, _, _ := strings.Cut(string(raw[:min(len(raw), 1<<16)]), "\n")
	got := strings.SplitN(line, " ", 4)
	if len(got) < 4 || got[0] != want[0] || got[1] != want[1] {
		return fmt.Errorf("%s: not a journal of this kind: it begins with %.60q, %q expected", path, line,
			strings.Join(want[:3], " "))
	}
	err := fmt.Errorf("%w: its format is %s, here %s", identity.ErrOther, got[2], want[2])
	if got[2] == want[2] {
		there, e := identity.Parse(got[3])
		if err = e; e == nil {
			err = id.Check(there)
		}
	}
	return fmt.Errorf("%s: %w; remove it to start over", path, err)
}

// replay takes in the good lines after the head.
func (j *Journal) replay(path string, raw []byte, head int, replay func(string) error) error {
	at := head
	for line := 2; ; line++ {
		end := bytes.IndexByte(raw[at:], '\n')
		if end < 0 {
			break
		}
		text := raw[at : at+end+1]
		if len(text) < 10 {
			break
		}
		sum := crc32.Update(j.sum, table, text[9:])
		if string(text[:9]) != fmt.Sprintf("%08x ", sum) {
			break
		}
		if err := replay(string(text[9:end])); err != nil {
			return fmt.Errorf("%s:%d: %w", path, line, err)
		}
		j.sum, at = sum, at+end+1
	}
	j.size, j.cut = int64(at), int64(len(raw)-at)
	return nil
}

// prepare leaves the file with its head and what is good in it.
func (j *Journal) prepare(head string, begun, found bool) error {
	if begun {
		if j.cut == 0 {
			return nil
		}
		if err := j.f.Truncate(j.size); err != nil {
			return err
		}
		return j.f.Sync()
	}
	if err := j.f.Truncate(0); err != nil {
		return err
	}
	if _, err := j.f.WriteAt([]byte(head), 0); err != nil {
		return err
	}
	j.size = int64(len(head))
	if err := j.f.Sync(); err != nil || found {
		return err
	}
	return disk.SyncDir(filepath.Dir(j.f.Name()))
}

// Cut returns how many bytes at the end were removed when the journal was opened: a record that was being written
// when the run was killed, or damage and all that followed it.
func (j *Journal) Cut() int64 { return j.cut }

// Name returns the journal's file name.
func (j *Journal) Name() string { return j.f.Name() }

// Add appends records, each one line of text without its end, in one write. They outlast the process at once and a
// power cut after some seconds. After an error none of them is in the journal.
func (j *Journal) Add(records ...string) error {
	var buf []byte
	sum := j.sum
	for _, r := range records {
		if strings.ContainsRune(r, '\n') {
			return fmt.Errorf("write journal %s: a record of more than one line: %q", j.Name(), r)
		}
		sum = crc32.Update(crc32.Update(sum, table, []byte(r)), table, []byte{'\n'})
		buf = fmt.Appendf(buf, "%08x %s\n", sum, r)
	}
	if _, err := j.f.WriteAt(buf, j.size); err != nil {
		// A part of it must not stand before what may follow.
		return errors.Join(fmt.Errorf("write journal: %w", err), j.f.Truncate(j.size))
	}
	j.size, j.sum = j.size+int64(len(buf)), sum
	if time.Since(j.synced) < syncEvery {
		return nil
	}
	return j.Sync()
}

// Sync makes what was added outlast a power cut.
func (j *Journal) Sync() error {
	j.synced = time.Now()
	if err := j.f.Sync(); err != nil {
		return fmt.Errorf("write journal: %w", err)
	}
	return nil
}

// Close closes the journal; it stays on disk.
func (j *Journal) Close() error {
	defer j.unlock()
	return errors.Join(j.Sync(), j.f.Close())
}

// Remove closes the journal and removes it: the run is finished.
func (j *Journal) Remove() error {
	defer j.unlock()
	return errors.Join(j.f.Close(), disk.Remove(j.Name()))
}

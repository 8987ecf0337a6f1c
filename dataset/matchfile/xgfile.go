package matchfile

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// The container of .xg and .xgp files, as eXtreme Gammon's author documents it (extremegammon.com/XGformat.aspx):
// a "rich game" header, perhaps a picture, and an archive of zlib streams with a directory and checksums at its
// end. All numbers are little-endian.
const (
	xgMagic      = "RGMH"
	xgHeaderSize = 8232
	xgTailSize   = 36  // of the archive: checksum, files, version, sizes
	xgEntrySize  = 532 // of a file in the directory
	xgGameFile   = "temp.xg"

	maxXGFile = 64 << 20  // of a file
	maxXGData = 512 << 20 // of the records in it
	maxXGRate = 1100      // zlib cannot do better than about 1032 to 1
)

// xgRecords reads an .xg file and returns a reader of the records of its games,
// which fails in place of io.EOF where their checksum is wrong, and their size.
func xgRecords(r io.Reader) (io.Reader, int64, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxXGFile+1))
	switch {
	case err != nil:
		return nil, 0, err
	case len(data) > maxXGFile:
		return nil, 0, fmt.Errorf("more than %d bytes", maxXGFile)
	case len(data) < xgHeaderSize+xgTailSize || string(data[:4]) != xgMagic:
		return nil, 0, fmt.Errorf("%d bytes, no header of an .xg file: cut off?", len(data))
	}
	le := binary.LittleEndian
	headerSize, picture := uint64(le.Uint32(data[8:])), uint64(le.Uint32(data[20:]))
	begin := headerSize + picture

	tailAt := uint64(len(data) - xgTailSize)
	tail := data[tailAt:]
	sum, files := le.Uint32(tail), le.Uint32(tail[4:])
	directory, size, packed := uint64(le.Uint32(tail[12:])), uint64(le.Uint32(tail[16:])), le.Uint32(tail[20:]) != 0
	if headerSize < xgHeaderSize || size+directory > tailAt || tailAt-directory-size < begin {
		return nil, 0, errors.New("header and archive do not fit the size of the file: it is cut off or damaged")
	}
	archive := data[tailAt-directory-size : tailAt]
	if got := crc32.ChecksumIEEE(archive); got != sum {
		return nil, 0, fmt.Errorf("checksum of the archive %08x, %08x expected: the file is damaged", got, sum)
	}
	entries, err := xgDirectory(archive[size:], packed, files)
	if err != nil {
		return nil, 0, fmt.Errorf("directory of the archive: %w", err)
	}
	for ; len(entries) >= xgEntrySize; entries = entries[xgEntrySize:] {
		if shortString(entries[:256]) == xgGameFile {
			return xgEntry(archive[:size], entries[512:])
		}
	}
	return nil, 0, fmt.Errorf("the archive has no %s", xgGameFile)
}

// xgDirectory returns the entries of the archive's directory.
func xgDirectory(data []byte, packed bool, files uint32) ([]byte, error) {
	const most = 64
	if files > most {
		return nil, fmt.Errorf("%d files, at most %d expected", files, most)
	}
	want := int(files) * xgEntrySize
	if !packed {
		if len(data) < want {
			return nil, io.ErrUnexpectedEOF
		}
		return data[:want], nil
	}
	z, err := zlib.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	entries := make([]byte, want)
	_, err = io.ReadFull(z, entries)
	return entries, err
}

// xgEntry opens a file of the archive from the numbers of its entry: size,
// compressed size, start, checksum, and whether it is stored as it is.
func xgEntry(archive, numbers []byte) (io.Reader, int64, error) {
	le := binary.LittleEndian
	size, packedSize, start := int64(le.Uint32(numbers)), int64(le.Uint32(numbers[4:])), int64(le.Uint32(numbers[8:]))
	sum, stored := le.Uint32(numbers[12:]), numbers[16] != 0
	switch {
	case start+packedSize > int64(len(archive)):
		return nil, 0, fmt.Errorf("%s lies outside the archive", xgGameFile)
	case size > maxXGData || size > maxXGRate*packedSize+1<<16:
		return nil, 0, fmt.Errorf("%s has %d bytes", xgGameFile, size)
	case size%xgRecordSize != 0 || size == 0:
		return nil, 0, fmt.Errorf("%s has %d bytes, a multiple of %d expected", xgGameFile, size, xgRecordSize)
	}
	var body io.Reader = bytes.NewReader(archive[start : start+packedSize])
	if !stored {
		z, err := zlib.NewReader(body)
		if err != nil {
			return nil, 0, fmt.Errorf("%s: %w", xgGameFile, err)
		}
		body = z
	}
	return &summed{r: io.LimitReader(body, size), want: sum, left: size}, size, nil
}

// summed is a reader that checks length and CRC-32 of what it reads.
type summed struct {
	r    io.Reader
	sum  uint32
	want uint32
	left int64
}

// Read is that of the reader inside; at the end of it, a wrong length or checksum is an error.
func (s *summed) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	s.sum = crc32.Update(s.sum, crc32.IEEETable, p[:n])
	s.left -= int64(n)
	if errors.Is(err, io.EOF) {
		switch {
		case s.left > 0:
			return n, fmt.Errorf("%s: %w", xgGameFile, io.ErrUnexpectedEOF)
		case s.sum != s.want:
			return n, fmt.Errorf("%s: checksum %08x, %08x expected", xgGameFile, s.sum, s.want)
		}
	}
	return n, err
}

// shortString reads a Pascal string: its length, then Latin-1.
func shortString(b []byte) string {
	n := min(int(b[0]), len(b)-1)
	return toUTF8(b[1 : 1+n])
}

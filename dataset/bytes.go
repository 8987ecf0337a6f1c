package dataset

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/zeebo/xxh3"
)

// metaBytes is the entry of the footer's metadata with a digest of all bytes of the file: the XXH3-128, in
// hexadecimal, of the file with zeros in the place of that digest. It finds what the digests of the rows cannot
// see, since no row depends on it. The name is outside metaPrefix, so that older programs pass over it; older
// files have none.
const metaBytes = "bgtrain-bytes"

// sealedBy is the value of metaSealed.
const sealedBy = "xxh3-128"

// noBytesDigest stands in the place of the digest while it is computed.
var noBytesDigest = strings.Repeat("0", 32)

// hexDigest writes a digest of 128 bits.
func hexDigest(h *xxh3.Hasher) string {
	sum := h.Sum128().Bytes()
	return fmt.Sprintf("%x", sum[:])
}

// sealBytes writes the digest of all bytes into the file, which is complete but for it.
func (w *fileWriter) sealBytes() error {
	at := bytes.Index(w.sink.tail.Bytes(), []byte(noBytesDigest))
	if at < 0 || bytes.Contains(w.sink.tail.Bytes()[at+1:], []byte(noBytesDigest)) {
		return errors.New("the place of the digest is not to be found in the footer")
	}
	digest := hexDigest(&w.sink.hash)
	_, err := w.out.WriteAt([]byte(digest), w.sink.size-int64(w.sink.tail.Len()-at))
	return err
}

// CheckBytes compares all bytes of the database's files with the digests in their
// footers; files without one pass. Damage is a DamageError.
func (db *DB) CheckBytes(ctx context.Context) error {
	for _, p := range db.parts {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := p.checkBytes(); err != nil {
			return err
		}
	}
	return nil
}

func (p *part) checkBytes() error {
	want := ""
	pairs := p.footer.KeyValueMetadata()
	for i, k := range pairs.Keys() {
		if k == metaBytes {
			want = pairs.Values()[i]
		}
	}
	switch {
	case !p.sealed:
		return nil
	case want == "":
		return &DamageError{p.path, -1, fmt.Errorf("no %s in the metadata", metaBytes)}
	}
	f, err := p.open()
	if err != nil {
		return fmt.Errorf("open database: %w", err)
	}
	defer f.Close()
	at, err := placeOf(f, p.size, want)
	if err != nil {
		return &DamageError{p.path, -1, err}
	}
	h := xxh3.New()
	zeros := int64(len(noBytesDigest))
	for _, r := range []io.Reader{io.NewSectionReader(f, 0, at), strings.NewReader(noBytesDigest),
		io.NewSectionReader(f, at+zeros, p.size-at-zeros)} {
		if _, err := io.Copy(h, r); err != nil {
			return fmt.Errorf("read database %s: %w", p.path, err)
		}
	}
	if got := hexDigest(h); got != want {
		return &DamageError{p.path, -1, fmt.Errorf("its bytes have digest %s, %s says %q", got, metaBytes, want)}
	}
	return nil
}

// placeOf finds the digest in the footer of a file: the bytes before the last eight,
// which are the footer's length and the magic number.
func placeOf(f io.ReaderAt, size int64, digest string) (int64, error) {
	var end [8]byte
	if _, err := f.ReadAt(end[:], size-8); err != nil {
		return 0, err
	}
	n := int64(binary.LittleEndian.Uint32(end[:]))
	if n > size-8 || len(digest) != len(noBytesDigest) {
		return 0, fmt.Errorf("%s says %q in a footer of %d bytes", metaBytes, digest, n)
	}
	footer := make([]byte, n)
	if _, err := f.ReadAt(footer, size-8-n); err != nil {
		return 0, err
	}
	at := bytes.Index(footer, []byte(digest))
	if at < 0 {
		return 0, fmt.Errorf("%s is not in the footer", metaBytes)
	}
	return size - 8 - n + int64(at), nil
}

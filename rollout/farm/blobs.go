package farm

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"bgtrain/internal/atomicfile"

	"github.com/klauspost/compress/zstd"
	"github.com/nats-io/nats.go"
)

// Blob names content by its digest: nets and positions, which a worker fetches
// once.
type Blob struct {
	SHA256 string `json:"sha256"` // of the content
	Size   int    `json:"size"`   // of the content, compressed
}

// pieceSize is the size of the pieces in which blobs and parts travel: well below
// what a server takes by default, 1 MiB. (JetStream's own object store has lost
// large objects on replicas.)
const pieceSize = 256 << 10

func pieces(size int) int { return max(1, (size+pieceSize-1)/pieceSize) }

// piece returns one of a text's pieces.
func piece(data []byte, i int) []byte { return data[i*pieceSize : min((i+1)*pieceSize, len(data))] }

var packer, _ = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithEncoderConcurrency(1))

func pack(data []byte) []byte { return packer.EncodeAll(data, nil) }

// unpack is the inverse of pack for what must not have more than so many bytes.
func unpack(data []byte, most int) ([]byte, error) {
	r, err := zstd.NewReader(nil, zstd.WithDecoderMaxMemory(uint64(max(most, 1))), zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	out, err := r.DecodeAll(data, nil)
	if err == nil && len(out) > most {
		err = zstd.ErrDecoderSizeExceeded
	}
	if err != nil {
		return nil, fmt.Errorf("decompress %d bytes, to %d at most: %w", len(data), most, err)
	}
	return out, nil
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// packed is a blob with its content, compressed.
type packed struct {
	Blob
	data []byte
}

func newBlob(content []byte) packed {
	data := pack(content)
	return packed{Blob{digest(content), len(data)}, data}
}

func blobSubject(run string, b *Blob, i int) string {
	return subjectBlob + run + "." + b.SHA256 + "." + strconv.Itoa(i)
}

// put publishes what of a blob is not there, or is something else.
func (p *packed) put(ctx context.Context, h hub, run string, there map[string]uint64) error {
	for i := range pieces(p.Size) {
		subject := blobSubject(run, &p.Blob, i)
		if there[subject] > 0 {
			if m, err := h.last(ctx, streamBlobs, subject); err == nil && bytes.Equal(m, piece(p.data, i)) {
				continue
			}
		}
		if err := h.publish(ctx, &nats.Msg{Subject: subject, Data: piece(p.data, i)}); err != nil {
			return fmt.Errorf("publish %s: %w", subject, err)
		}
	}
	return nil
}

// store fetches blobs and keeps them in a directory, in files named by digest.
type store struct {
	h   hub
	dir string
}

// maxBlob bounds the content of a blob.
const maxBlob = 1 << 30

// errNoBlob is wrapped by the error about a blob that the server does not have.
var errNoBlob = errors.New("not at the farm")

// get returns the content of a blob.
func (s *store) get(ctx context.Context, run string, b *Blob) ([]byte, error) {
	path := filepath.Join(s.dir, b.SHA256)
	if content, err := os.ReadFile(path); err == nil && digest(content) == b.SHA256 {
		return content, nil
	}
	data := make([]byte, 0, b.Size)
	for i := range pieces(b.Size) {
		m, err := s.h.last(ctx, streamBlobs, blobSubject(run, b, i))
		if err != nil {
			return nil, err
		}
		data = append(data, m...)
	}
	content, err := unpack(data, maxBlob)
	if err != nil || digest(content) != b.SHA256 {
		return nil, fmt.Errorf("%s: damaged on its way", b.SHA256)
	}
	if err := os.MkdirAll(s.dir, 0o755); err == nil {
		// A cache that cannot be written costs time, nothing else.
		_ = atomicfile.Write(path, func(w io.Writer) error {
			_, err := w.Write(content)
			return err
		})
	}
	return content, nil
}

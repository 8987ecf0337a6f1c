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
	"github.com/nats-io/nats.go/jetstream"
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

var (
	packer, _   = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithEncoderConcurrency(1))
	unpacker, _ = zstd.NewReader(nil, zstd.WithDecoderMaxMemory(1<<30))
)

func pack(data []byte) []byte { return packer.EncodeAll(data, nil) }

func unpack(data []byte) ([]byte, error) {
	out, err := unpacker.DecodeAll(data, nil)
	if err != nil {
		return nil, fmt.Errorf("decompress: %w", err)
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

// put publishes what of a blob is not there.
func (p *packed) put(ctx context.Context, l *link, run string, there map[string]uint64) error {
	for i := range pieces(p.Size) {
		subject := blobSubject(run, &p.Blob, i)
		if there[subject] > 0 {
			continue
		}
		if _, err := l.js.Publish(ctx, subject, piece(p.data, i)); err != nil {
			return fmt.Errorf("publish %s: %w", subject, err)
		}
	}
	return nil
}

// store fetches blobs and keeps them in a directory, in files named by digest.
type store struct {
	l   *link
	dir string
}

// errNoBlob is wrapped by the error about a blob that the engine does not have.
var errNoBlob = errors.New("not at the farm")

// get returns the content of a blob.
func (s *store) get(ctx context.Context, run string, b *Blob) ([]byte, error) {
	path := filepath.Join(s.dir, b.SHA256)
	if content, err := os.ReadFile(path); err == nil && digest(content) == b.SHA256 {
		return content, nil
	}
	data := make([]byte, 0, b.Size)
	for i := range pieces(b.Size) {
		m, err := s.message(ctx, streamBlobs, blobSubject(run, b, i))
		if err != nil {
			return nil, err
		}
		data = append(data, m...)
	}
	content, err := unpack(data)
	if err != nil || digest(content) != b.SHA256 {
		return nil, fmt.Errorf("%s: damaged on its way", b.SHA256)
	}
	if err := os.MkdirAll(s.dir, 0o755); err == nil {
		// A cache that cannot be written costs time, nothing else.
		_ = atomicfile.Write(path, func(w io.Writer) error {
			_, err := io.Copy(w, bytes.NewReader(content))
			return err
		})
	}
	return content, nil
}

// message returns the last message of a subject.
func (s *store) message(ctx context.Context, stream, subject string) ([]byte, error) {
	return lastMessage(ctx, s.l, stream, subject)
}

// lastMessage asks any replica of a stream for the last message of a subject.
func lastMessage(ctx context.Context, l *link, stream, subject string) ([]byte, error) {
	m, err := l.nc.RequestWithContext(ctx, "$JS.API.DIRECT.GET."+stream+"."+subject, nil)
	switch {
	case err != nil:
		return nil, fmt.Errorf("fetch %s: %w", subject, err)
	case m.Header.Get("Status") == "404":
		return nil, fmt.Errorf("fetch %s: %w", subject, errNoBlob)
	case m.Header.Get("Status") != "":
		return nil, fmt.Errorf("fetch %s: %s", subject, m.Header.Get("Description"))
	}
	return m.Data, nil
}

// subjects returns how many messages a stream has of each subject that matches.
func subjects(ctx context.Context, l *link, stream, filter string) (map[string]uint64, error) {
	s, err := l.js.Stream(ctx, stream)
	if err != nil {
		return nil, err
	}
	info, err := s.Info(ctx, jetstream.WithSubjectFilter(filter))
	if err != nil {
		return nil, err
	}
	return info.State.Subjects, nil
}

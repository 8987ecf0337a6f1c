package farm

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"bgtrain/dataset"

	"github.com/nats-io/nats.go"
)

// order is a message of the queue: a chunk to be computed.
type order struct {
	Chunk int    `json:"chunk"`
	Not   string `json:"not,omitempty"` // the worker that computed it before, where it is to be compared
}

// Headers of a message with a part.
const (
	headerChunk   = "Chunk"
	headerDigest  = "Digest"  // SHA-256 of the encoded rows
	headerPiece   = "Piece"   // I/N, from 0
	headerVersion = "Version" // of the program
	headerTook    = "Took"    // time that computing took, as time.Duration prints it
	headerError   = "Error"   // why there are no rows
)

// part is what a worker hands in for a chunk: rows, or an error.
type part struct {
	chunk   int
	worker  string
	version string
	digest  string
	took    time.Duration
	failure string
	rows    []dataset.Row
}

// messages returns a part as messages to be published.
func (p *part) messages(subject string) ([]*nats.Msg, error) {
	head := func(i, n int, digest string) nats.Header {
		h := nats.Header{}
		h.Set(headerChunk, strconv.Itoa(p.chunk))
		h.Set(headerVersion, p.version)
		h.Set(headerTook, p.took.String())
		h.Set(headerDigest, digest)
		h.Set(headerPiece, fmt.Sprintf("%d/%d", i, n))
		return h
	}
	if p.failure != "" {
		h := head(0, 1, "")
		h.Set(headerError, strconv.QuoteToASCII(p.failure[:min(len(p.failure), 4096)]))
		return []*nats.Msg{{Subject: subject, Header: h}}, nil
	}
	raw, err := encodeRows(p.rows)
	if err != nil {
		return nil, err
	}
	p.digest = digest(raw)
	data := pack(raw)
	var out []*nats.Msg
	for i := range pieces(len(data)) {
		out = append(out, &nats.Msg{Subject: subject, Header: head(i, pieces(len(data)), p.digest),
			Data: piece(data, i)})
	}
	return out, nil
}

// partKey tells the parts that pieces belong to apart.
type partKey struct {
	worker string
	chunk  int
	digest string
	pieces int
}

// assembly puts pieces together.
type assembly struct{ have map[partKey][][]byte }

// maxPieces bounds what a part may ask for: 1 GiB.
const maxPieces = 4096

// add takes in a message and returns the part that it completes, nil for none yet.
// An error comes with a part that has no rows, where it is known whose it is.
func (a *assembly) add(subject string, h nats.Header, data []byte) (*part, error) {
	p := &part{worker: workerOf(subject), version: h.Get(headerVersion), digest: h.Get(headerDigest)}
	var err error
	if p.chunk, err = strconv.Atoi(h.Get(headerChunk)); err != nil || p.chunk < 0 {
		return nil, errors.New("a part of no chunk")
	}
	p.took, _ = time.ParseDuration(h.Get(headerTook)) // for the display only
	if text := h.Get(headerError); text != "" {
		if p.failure, err = strconv.Unquote(text); err != nil || p.failure == "" {
			p.failure = "unknown"
		}
		return p, nil
	}
	var i, n int
	if _, err := fmt.Sscanf(h.Get(headerPiece), "%d/%d", &i, &n); err != nil || n < 1 || n > maxPieces || i < 0 ||
		i >= n {
		return p, fmt.Errorf("piece %q", h.Get(headerPiece))
	}
	if n > 1 {
		if data = a.join(partKey{p.worker, p.chunk, p.digest, n}, i, data); data == nil {
			return nil, nil
		}
	}
	raw, err := unpack(data)
	if err != nil {
		return p, err
	}
	if got := digest(raw); got != p.digest {
		return p, fmt.Errorf("digest %s, %s expected: damaged on its way", got, p.digest)
	}
	p.rows, err = decodeRows(raw)
	return p, err
}

// join returns the whole where piece i was the last one that was missing.
func (a *assembly) join(k partKey, i int, data []byte) []byte {
	if a.have == nil {
		a.have = map[partKey][][]byte{}
	}
	if a.have[k] == nil {
		a.have[k] = make([][]byte, k.pieces)
	}
	a.have[k][i] = append([]byte{}, data...)
	var all []byte
	for _, d := range a.have[k] {
		if d == nil {
			return nil
		}
		all = append(all, d...)
	}
	delete(a.have, k)
	return all
}

// State is what a submitter says of its run now and then.
type State struct {
	Run     string    `json:"run"`
	Total   int       `json:"chunks"` // of this run's task
	Done    int       `json:"done"`
	Failed  int       `json:"failed"`
	Audited int       `json:"audited"`
	Begun   time.Time `json:"begun"`
	Now     time.Time `json:"now"`
	First   int       `json:"first"` // done when it began
}

// Alive is what a worker says of itself now and then.
type Alive struct {
	Worker  string            `json:"worker"`
	Host    string            `json:"host"`
	Version string            `json:"version"`
	Tier    string            `json:"tier"` // of its processor, see package cpu
	Slots   int               `json:"slots"`
	Busy    int               `json:"busy"`
	Done    int64             `json:"done"`              // chunks since it came
	Rate    float64           `json:"rate"`              // chunks a second, over the last minute
	Refused map[string]string `json:"refused,omitempty"` // runs that it does not work for, and why
	Now     time.Time         `json:"now"`
}

func mustJSON(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // our own types, which have nothing that JSON cannot say
	}
	return text
}

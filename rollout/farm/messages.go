package farm

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"bgtrain/dataset"

	"github.com/nats-io/nats.go"
)

// order is a message of the queue: a chunk to be computed.
type order struct {
	Chunk int    `json:"chunk"`
	Not   string `json:"not,omitempty"` // the party that computed it before, where it is to be compared
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

// failureBytes bounds what a worker says of a failure, which is logged.
const failureBytes = 4096

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
		h.Set(headerError, strconv.QuoteToASCII(p.failure[:min(len(p.failure), failureBytes)]))
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

// partKey is which part a piece belongs to.
type partKey struct {
	worker string
	chunk  int
	digest string
	pieces int
}

// assembly puts pieces together, within bounds.
type assembly struct {
	most func(chunk int) int // bytes of a part, not compressed; -1: there is no such chunk

	have  map[partKey][][]byte
	order []partKey      // of have, the oldest first
	held  map[string]int // bytes of have, by party
}

// heldBytes bounds what is kept of one party's unfinished parts.
const heldBytes = 64 << 20

// maxPieces bounds the pieces of a part: 1 GiB.
const maxPieces = 4096

// add takes in a message and returns the part that it completes, nil for none yet.
// An error comes with a part that has no rows, where it is known whose it is.
func (a *assembly) add(subject string, h nats.Header, data []byte) (*part, error) {
	p := &part{worker: workerOf(subject), version: h.Get(headerVersion), digest: h.Get(headerDigest)}
	var err error
	if p.chunk, err = strconv.Atoi(h.Get(headerChunk)); err != nil || p.chunk < 0 || a.most(p.chunk) < 0 {
		return nil, errors.New("a part of no chunk")
	}
	p.took, _ = time.ParseDuration(h.Get(headerTook)) // for the display only
	if text := h.Get(headerError); text != "" {
		if p.failure, err = strconv.Unquote(text); err != nil || p.failure == "" {
			p.failure = "unknown"
		}
		p.failure = p.failure[:min(len(p.failure), failureBytes)]
		return p, nil
	}
	var i, n int
	if _, err := fmt.Sscanf(h.Get(headerPiece), "%d/%d", &i, &n); err != nil || n < 1 ||
		n > min(maxPieces, pieces(a.most(p.chunk))) || i < 0 || i >= n || len(data) > pieceSize {
		return p, fmt.Errorf("piece %q of %d bytes", h.Get(headerPiece), len(data))
	}
	if n > 1 {
		if data, err = a.join(partKey{p.worker, p.chunk, p.digest, n}, i, data); data == nil {
			return nil, err
		}
	}
	raw, err := unpack(data, a.most(p.chunk))
	if err != nil {
		return p, err
	}
	if got := digest(raw); got != p.digest {
		return p, fmt.Errorf("digest %s, %s expected: damaged on its way", got, p.digest)
	}
	p.rows, err = decodeRows(raw)
	return p, err
}

// join returns the whole where piece i was the last one that was missing. It is
// an error that unfinished parts of a party were dropped, as there were too many.
func (a *assembly) join(k partKey, i int, data []byte) ([]byte, error) {
	if a.have == nil {
		a.have, a.held = map[partKey][][]byte{}, map[string]int{}
	}
	who := party(k.worker)
	if a.have[k] == nil {
		a.have[k] = make([][]byte, k.pieces)
		a.order = append(a.order, k)
		a.held[who] += k.pieces * 24 // the slices themselves
	}
	a.held[who] += len(data) - len(a.have[k][i])
	a.have[k][i] = append([]byte{}, data...)
	if !slices.ContainsFunc(a.have[k], func(d []byte) bool { return d == nil }) {
		all := slices.Concat(a.have[k]...)
		a.drop(k)
		return all, nil
	}
	if a.held[who] <= heldBytes {
		return nil, nil
	}
	dropped := 0
	for _, old := range slices.Clone(a.order) {
		if party(old.worker) == who && a.held[who] > heldBytes/2 {
			a.drop(old)
			dropped++
		}
	}
	return nil, fmt.Errorf("%d unfinished parts of %s are dropped: they are too many", dropped, who)
}

// drop forgets the pieces of a part.
func (a *assembly) drop(k partKey) {
	who := party(k.worker)
	a.held[who] -= k.pieces * 24
	for _, d := range a.have[k] {
		a.held[who] -= len(d)
	}
	delete(a.have, k)
	a.order = slices.DeleteFunc(a.order, func(o partKey) bool { return o == k })
}

// State is how a run stands, as its submitter publishes it now and then.
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

// Alive is how a worker stands, as it publishes it now and then.
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
		panic(err) // our own types, which have a form in JSON
	}
	return text
}

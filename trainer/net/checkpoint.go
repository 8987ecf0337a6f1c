package net

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"slices"
	"sort"
	"strings"
	"time"

	"bgtrain/internal/atomicfile"
	"bgtrain/internal/backprop"
	"bgtrain/internal/cpu"
	"bgtrain/internal/nn"
)

// A checkpoint is a file of
//
//	checkpointMagic
//	length of the header, uint32
//	header in JSON, see checkpointHeader
//	the slices of state, float32, in the engine's layout
//	SHA-256 of all before
//
// with numbers little-endian.
const checkpointMagic = "bgtrain training checkpoint 1\n"

// checkpointHeader is the JSON part.
type checkpointHeader struct {
	Identity identity
	Step     int64
	Progress progress
	Slices   int // slices of state
	Length   int // of each
}

// identity is what a run's result depends on, by name: settings and digests.
type identity map[string]string

func (r *run) identify(start *nn.Net) identity {
	id := identity(r.s.List().Values())
	id["net"] = netDigest(start)
	id["inputs"] = fmt.Sprintf("%s version %d", r.set.Name, r.set.Version)
	id["data"] = r.data.Digest()
	id[cpu.RoundingName] = cpu.Rounding()
	if r.h.Score != nil {
		id["benchmark"] = r.h.ScoredBy
	}
	return id
}

// netDigest identifies a net.
func netDigest(n *nn.Net) string {
	h := sha256.New()
	for i := range n.Layers {
		l := &n.Layers[i]
		fmt.Fprintf(h, "%d %d %v %v\n", l.In, l.Out, l.Activation, l.Beta)
		writeFloats(h, l.Weights)
		writeFloats(h, l.Bias)
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:16])
}

// differences says where two identities disagree.
func (id identity) differences(other identity) string {
	var diff []string
	for k, v := range id {
		if o, ok := other[k]; !ok || o != v {
			diff = append(diff, fmt.Sprintf("%s %s instead of %s", k, other[k], v))
		}
	}
	for k, o := range other {
		if _, ok := id[k]; !ok {
			diff = append(diff, fmt.Sprintf("%s %s instead of none", k, o))
		}
	}
	sort.Strings(diff)
	return strings.Join(diff, ", ")
}

// state lists the slices that a checkpoint keeps.
func (r *run) state() [][]float32 {
	st := &r.engine.State
	var out [][]float32
	for _, s := range [][]float32{st.Weights, st.First, st.Second, st.Average, r.best} {
		if s != nil {
			out = append(out, s)
		}
	}
	return out
}

// save writes the checkpoint, if there is to be one.
func (r *run) save() error {
	r.Seconds += time.Since(r.clock).Seconds()
	r.clock = time.Now()
	r.saved = time.Now()
	if r.h.Checkpoint == "" {
		return nil
	}
	state := r.state()
	header, err := json.Marshal(checkpointHeader{Identity: r.identity, Step: r.engine.Step, Progress: r.progress,
		Slices: len(state), Length: len(r.best)})
	if err != nil {
		return fmt.Errorf("write checkpoint: %w", err)
	}
	return atomicfile.Write(r.h.Checkpoint, func(w io.Writer) error {
		sum := sha256.New()
		both := io.MultiWriter(w, sum)
		head := binary.LittleEndian.AppendUint32([]byte(checkpointMagic), uint32(len(header)))
		if _, err := both.Write(append(head, header...)); err != nil {
			return err
		}
		for _, s := range state {
			if err := writeFloats(both, s); err != nil {
				return err
			}
		}
		_, err := w.Write(sum.Sum(nil))
		return err
	})
}

// resume goes on from the checkpoint, if there is one.
func (r *run) resume() error {
	if r.h.Checkpoint == "" {
		return nil
	}
	raw, err := os.ReadFile(r.h.Checkpoint)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read checkpoint: %w", err)
	}
	if err := r.restore(raw); err != nil {
		return fmt.Errorf("checkpoint %s: %w", r.h.Checkpoint, err)
	}
	return nil
}

func (r *run) restore(raw []byte) error {
	head, state, err := parseCheckpoint(raw)
	if err != nil {
		return err
	}
	unsaid := identity{cpu.RoundingName: r.identity[cpu.RoundingName], precisionKey: backprop.Float32.String()}
	for name, value := range unsaid { // by older versions
		if _, ok := head.Identity[name]; !ok && head.Identity != nil {
			head.Identity[name] = value
		}
	}
	if diff := r.identity.differences(head.Identity); diff != "" {
		return fmt.Errorf("it belongs to another run, with %s; remove it to start from the first step", diff)
	}
	into := r.state()
	if len(into) != len(state) || head.Length != len(r.best) {
		return fmt.Errorf("it holds %d×%d weights, %d×%d expected", len(state), head.Length, len(into), len(r.best))
	}
	if p := &head.Progress; p.Best < 0 || p.Best >= len(p.Points) || head.Step < 0 || head.Step > r.steps {
		return fmt.Errorf("step %d, best net %d of %d: out of range", head.Step, p.Best, len(p.Points))
	}
	for i, s := range state {
		copy(into[i], s)
	}
	r.engine.Step = head.Step
	r.engine.Restored()
	r.progress, r.resumed = head.Progress, head.Step
	return nil
}

// parseCheckpoint checks that a checkpoint is whole and takes it apart.
func parseCheckpoint(raw []byte) (head checkpointHeader, state [][]float32, err error) {
	const sumSize = sha256.Size
	if !bytes.HasPrefix(raw, []byte(checkpointMagic)) {
		return head, nil, errors.New("not a training checkpoint of this version")
	}
	body := raw[:max(0, len(raw)-sumSize)]
	if len(body) < len(checkpointMagic)+4 {
		return head, nil, errors.New("it is cut off")
	}
	if sum := sha256.Sum256(body); !bytes.Equal(sum[:], raw[len(body):]) {
		return head, nil, errors.New("it is damaged: the checksum does not agree")
	}
	rest := body[len(checkpointMagic):]
	n := uint64(binary.LittleEndian.Uint32(rest))
	if rest = rest[4:]; n > uint64(len(rest)) {
		return head, nil, errors.New("it is cut off")
	}
	if err := json.Unmarshal(rest[:n], &head); err != nil {
		return head, nil, fmt.Errorf("header: %w", err)
	}
	rest = rest[n:]
	if head.Slices < 0 || head.Slices > 8 || head.Length < 0 || head.Length > len(rest) ||
		4*head.Slices*head.Length != len(rest) {
		return head, nil, fmt.Errorf("%d bytes of weights, %d×%d of 4 bytes expected", len(rest), head.Slices,
			head.Length)
	}
	for range head.Slices {
		s := make([]float32, head.Length)
		for i := range s {
			s[i] = math.Float32frombits(binary.LittleEndian.Uint32(rest[4*i:]))
		}
		rest = rest[4*head.Length:]
		state = append(state, s)
	}
	return head, state, nil
}

// writeFloats writes x little-endian.
func writeFloats(w io.Writer, x []float32) error {
	var buf []byte
	for chunk := range slices.Chunk(x, 1<<13) {
		buf = buf[:0]
		for _, v := range chunk {
			buf = binary.LittleEndian.AppendUint32(buf, math.Float32bits(v))
		}
		if _, err := w.Write(buf); err != nil {
			return err
		}
	}
	return nil
}

package td

import (
	"bufio"
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

	"bgtrain/internal/atomicfile"
	"bgtrain/internal/bg"
	"bgtrain/internal/cpu"
	"bgtrain/internal/nets"
)

// A checkpoint holds all that a run goes on from: a line of JSON, the keys of the
// replay buffer, the key and the target (five float32, little-endian) of each
// position of the games that were played ahead, the same of the memory, Adam's
// moments, the nets as .safetensors, and the SHA-256 of all before.
type checkpointHead struct {
	Format   string            `json:"format"`
	Games    int               `json:"games"`
	Settings map[string]string `json:"settings"` // Settings.Describe
	// fingerprint of the net that training started from; empty: random weights
	From   string `json:"from"`
	Replay int    `json:"replay"` // positions in the buffer
	Next   int    `json:"next"`   // place of the next one in it
	Ahead  int    `json:"ahead"`  // positions played ahead
	Played int    `json:"played"` // games that they are of

	// With an estimator: the memory's positions and the place of the next one in it,
	// Adam's steps, and the length of each of its two moments.
	Memory     int   `json:"memory,omitempty"`
	MemoryNext int   `json:"memory_next,omitempty"`
	AdamSteps  int64 `json:"adam_steps,omitempty"`
	Moments    int   `json:"moments,omitempty"`
}

const checkpointFormat = "bgtrain td checkpoint 3"

// stepSize is that of a position played ahead.
const stepSize = len(bg.Key{}) + 4*bg.NumOutputs

// SaveCheckpoint writes the state atomically.
func SaveCheckpoint(path string, st *State, s Settings) error {
	err := atomicfile.Write(path, func(w io.Writer) error {
		sum := sha256.New()
		if err := writeState(io.MultiWriter(w, sum), st, s); err != nil {
			return err
		}
		_, err := w.Write(sum.Sum(nil))
		return err
	})
	if err != nil {
		return fmt.Errorf("write checkpoint %s: %w", path, err)
	}
	return nil
}

func writeState(w io.Writer, st *State, s Settings) error {
	head, err := json.Marshal(checkpointHead{
		Format: checkpointFormat, Games: st.Games, Settings: s.Describe(), From: st.From,
		Replay: len(st.replay.boards), Next: st.replay.next, Ahead: len(st.ahead), Played: st.played,
		Memory: len(st.memory.steps), MemoryNext: st.memory.next, AdamSteps: st.memory.adamStep, Moments: len(st.memory.first),
	})
	if err != nil {
		return err
	}
	buf := append(head, '\n')
	for i := range st.replay.boards {
		key := st.replay.boards[i].Key()
		buf = append(buf, key[:]...)
	}
	buf = appendSteps(buf, st.ahead)
	buf = appendSteps(buf, st.memory.steps)
	buf = appendFloats(buf, st.memory.first)
	buf = appendFloats(buf, st.memory.second)
	if _, err := w.Write(buf); err != nil {
		return err
	}
	return nets.WriteSafetensors(w, st.Nets)
}

func appendSteps(buf []byte, steps []step) []byte {
	for i := range steps {
		key := steps[i].board.Key()
		buf = append(buf, key[:]...)
		buf = appendFloats(buf, steps[i].target[:])
	}
	return buf
}

func appendFloats(buf []byte, x []float32) []byte {
	for _, v := range x {
		buf = binary.LittleEndian.AppendUint32(buf, math.Float32bits(v))
	}
	return buf
}

// ErrOtherSettings is returned for a checkpoint that another command made.
var ErrOtherSettings = errors.New("made with other settings")

// LoadCheckpoint returns the state that a checkpoint holds; it is nil, without
// an error, when there is none. A checkpoint of other settings or of another
// starting net is refused with ErrOtherSettings.
func LoadCheckpoint(path, from string, s Settings) (*State, error) {
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read checkpoint: %w", err)
	}
	st, err := parseCheckpoint(raw, from, s)
	if err != nil {
		return nil, fmt.Errorf("read checkpoint %s: %w", path, err)
	}
	return st, nil
}

func parseCheckpoint(raw []byte, from string, s Settings) (*State, error) {
	if len(raw) < sha256.Size {
		return nil, errors.New("it is cut off")
	}
	body, sum := raw[:len(raw)-sha256.Size], raw[len(raw)-sha256.Size:]
	if want := sha256.Sum256(body); !bytes.Equal(sum, want[:]) {
		return nil, errors.New("it is damaged, or of another version: the checksum does not agree")
	}
	return parseState(body, from, s)
}

// parseState reads what writeState wrote.
func parseState(body []byte, from string, s Settings) (*State, error) {
	r := bufio.NewReader(bytes.NewReader(body))
	line, err := r.ReadBytes('\n')
	if err != nil {
		return nil, fmt.Errorf("no header line: %w", err)
	}
	var head checkpointHead
	if err := json.Unmarshal(line, &head); err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	if err := head.check(from, s, len(body)); err != nil {
		return nil, err
	}
	st := &State{Games: head.Games, From: from, played: head.Played}
	st.replay.next = head.Next
	for i := range head.Replay {
		b, err := readBoard(r)
		if err != nil {
			return nil, fmt.Errorf("replay buffer: position %d of %d: %w", i, head.Replay, err)
		}
		st.replay.boards = append(st.replay.boards, b)
	}
	if st.ahead, err = readSteps(r, head.Ahead); err != nil {
		return nil, fmt.Errorf("games played ahead: %w", err)
	}
	st.memory = memory{next: head.MemoryNext, adamStep: head.AdamSteps}
	if st.memory.steps, err = readSteps(r, head.Memory); err != nil {
		return nil, fmt.Errorf("memory: %w", err)
	}
	for _, to := range []*[]float32{&st.memory.first, &st.memory.second} {
		if *to, err = readFloats(r, head.Moments); err != nil {
			return nil, fmt.Errorf("moments: %w", err)
		}
	}
	if st.Nets, err = nets.ReadSafetensors(r); err != nil {
		return nil, fmt.Errorf("nets: %w", err)
	}
	s.share(st.Nets)
	return st, nil
}

// check compares the head of a checkpoint of so many bytes with the run.
func (head *checkpointHead) check(from string, s Settings, size int) error {
	if head.Format != checkpointFormat {
		return fmt.Errorf("format %q, %q expected", head.Format, checkpointFormat)
	}
	want := s.Describe()
	if _, ok := head.Settings[cpu.RoundingName]; !ok { // of a version that did not say so
		delete(want, cpu.RoundingName)
	}
	for k := range want {
		if got := head.Settings[k]; got != want[k] {
			return fmt.Errorf("%w: %s is %s there and %s here", ErrOtherSettings, k, got, want[k])
		}
	}
	for k := range head.Settings {
		if _, ok := want[k]; !ok {
			return fmt.Errorf("%w: %s is %s there and not set here", ErrOtherSettings, k, head.Settings[k])
		}
	}
	switch {
	case head.From != from:
		return fmt.Errorf("%w: it started from net %q, this run from %q", ErrOtherSettings, head.From, from)
	case head.Replay < 0 || head.Next < 0 || head.Next > head.Replay || head.Replay > size/len(bg.Key{}):
		return fmt.Errorf("replay buffer of %d positions, the next at %d", head.Replay, head.Next)
	case head.Games < 0 || head.Played < 0 || head.Ahead < 0 || head.Ahead > size/stepSize:
		return fmt.Errorf("%d games, %d positions of %d games played ahead", head.Games, head.Ahead, head.Played)
	case head.Memory < 0 || head.Memory > size/stepSize || head.MemoryNext < 0 || head.MemoryNext > head.Memory,
		head.AdamSteps < 0 || head.Moments < 0 || head.Moments > size/8:
		return fmt.Errorf("memory of %d positions, the next at %d; %d moments after %d steps", head.Memory,
			head.MemoryNext, head.Moments, head.AdamSteps)
	}
	return nil
}

func readBoard(r io.Reader) (bg.Board, error) {
	var key bg.Key
	if _, err := io.ReadFull(r, key[:]); err != nil {
		return bg.Board{}, err
	}
	return key.Board()
}

func readSteps(r io.Reader, n int) ([]step, error) {
	var steps []step
	for i := range n {
		st, err := readStep(r)
		if err != nil {
			return nil, fmt.Errorf("position %d of %d: %w", i, n, err)
		}
		steps = append(steps, st)
	}
	return steps, nil
}

func readFloats(r io.Reader, n int) ([]float32, error) {
	raw := make([]byte, 4*n)
	if _, err := io.ReadFull(r, raw); err != nil {
		return nil, err
	}
	x := make([]float32, n)
	for i := range x {
		x[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
		if math.IsNaN(float64(x[i])) || math.IsInf(float64(x[i]), 0) {
			return nil, fmt.Errorf("number %d is %v", i, x[i])
		}
	}
	return x, nil
}

func readStep(r io.Reader) (step, error) {
	b, err := readBoard(r)
	if err != nil {
		return step{}, err
	}
	st := step{board: b, class: bg.Classify(&b)}
	var raw [4 * bg.NumOutputs]byte
	if _, err := io.ReadFull(r, raw[:]); err != nil {
		return step{}, err
	}
	for k := range st.target {
		x := math.Float32frombits(binary.LittleEndian.Uint32(raw[4*k:]))
		if !(x >= 0 && x <= 1) {
			return step{}, fmt.Errorf("output %d is %v", k, x)
		}
		st.target[k] = x
	}
	return st, nil
}

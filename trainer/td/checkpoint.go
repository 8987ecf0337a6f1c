package td

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"bgtrain/internal/atomicfile"
	"bgtrain/internal/bg"
	"bgtrain/internal/nets"
)

// A checkpoint holds all that a run goes on from: a line of JSON, the replay
// buffer's keys, then the nets as .safetensors.
type checkpointHead struct {
	Format   string            `json:"format"`
	Games    int               `json:"games"`
	Settings map[string]string `json:"settings"` // Settings.Describe
	From     string            `json:"from"`     // fingerprint of the net that training started from; empty: random weights
	Replay   int               `json:"replay"`   // positions in the buffer
	Next     int               `json:"next"`     // place of the next one in it
}

const checkpointFormat = "bgtrain td checkpoint 2"

// SaveCheckpoint writes the state atomically.
func SaveCheckpoint(path string, st *State, s Settings) error {
	err := atomicfile.Write(path, func(w io.Writer) error {
		head, err := json.Marshal(checkpointHead{
			Format: checkpointFormat, Games: st.Games, Settings: s.Describe(), From: st.From,
			Replay: len(st.replay.boards), Next: st.replay.next,
		})
		if err != nil {
			return err
		}
		if _, err := w.Write(append(head, '\n')); err != nil {
			return err
		}
		for i := range st.replay.boards {
			key := st.replay.boards[i].Key()
			if _, err := w.Write(key[:]); err != nil {
				return err
			}
		}
		return nets.WriteSafetensors(w, st.Nets)
	})
	if err != nil {
		return fmt.Errorf("write checkpoint %s: %w", path, err)
	}
	return nil
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
	r := bufio.NewReader(bytes.NewReader(raw))
	line, err := r.ReadBytes('\n')
	if err != nil {
		return nil, fmt.Errorf("no header line: %w", err)
	}
	var head checkpointHead
	if err := json.Unmarshal(line, &head); err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	if head.Format != checkpointFormat {
		return nil, fmt.Errorf("format %q, %q expected", head.Format, checkpointFormat)
	}
	for k, want := range s.Describe() {
		if got := head.Settings[k]; got != want {
			return nil, fmt.Errorf("%w: %s is %s there and %s here", ErrOtherSettings, k, got, want)
		}
	}
	if head.From != from {
		return nil, fmt.Errorf("%w: it started from net %q, this run from %q", ErrOtherSettings, head.From, from)
	}
	if head.Replay < 0 || head.Next < 0 || head.Next > head.Replay || head.Replay > len(raw)/len(bg.Key{}) {
		return nil, fmt.Errorf("replay buffer of %d positions, the next at %d", head.Replay, head.Next)
	}
	st := &State{Games: head.Games, From: from}
	st.replay.next = head.Next
	for i := range head.Replay {
		var key bg.Key
		if _, err := io.ReadFull(r, key[:]); err != nil {
			return nil, fmt.Errorf("replay buffer: position %d of %d: %w", i, head.Replay, err)
		}
		b, err := key.Board()
		if err != nil {
			return nil, fmt.Errorf("replay buffer: position %d: %w", i, err)
		}
		st.replay.boards = append(st.replay.boards, b)
	}
	if st.Nets, err = nets.ReadSafetensors(r); err != nil {
		return nil, fmt.Errorf("nets: %w", err)
	}
	return st, nil
}

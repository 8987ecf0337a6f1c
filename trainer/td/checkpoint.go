package td

import (
	"bytes"
	"encoding/json"
	"fmt"

	"bgtrain/internal/bg"
	"bgtrain/internal/checkpoint"
	"bgtrain/internal/nets"
)

// checkpointKind names the checkpoints of this package. Their sections are progress,
// the steps of the games that were played ahead and of
// the memory, Adam's moments, and the nets as .safetensors.
const checkpointKind = "td"

// progress is a section of a checkpoint, as JSON.
type progress struct {
	Games      int   `json:"games"`
	Played     int   `json:"played"`                // games that the positions played ahead are of
	MemoryNext int   `json:"memory_next,omitempty"` // place of the next position in the memory
	AdamSteps  int64 `json:"adam_steps,omitempty"`
}

// stepSize is that of a position with its target.
const stepSize = len(bg.Key{}) + 4*bg.NumOutputs

// SaveCheckpoint writes the state atomically.
func SaveCheckpoint(path string, st *State, s Settings) error {
	text, err := json.Marshal(progress{Games: st.Games, Played: st.played,
		MemoryNext: st.memory.next, AdamSteps: st.memory.adamStep})
	if err != nil {
		return fmt.Errorf("write checkpoint %s: %w", path, err)
	}
	var player bytes.Buffer
	if err := nets.WriteSafetensors(&player, st.Nets); err != nil {
		return fmt.Errorf("write checkpoint %s: %w", path, err)
	}
	return checkpoint.Write(path, checkpointKind, s.Identity(st.From), checkpoint.Sections{
		"progress": text, "nets": player.Bytes(), "ahead": stepBytes(st.ahead),
		"memory": stepBytes(st.memory.items), "first": checkpoint.AppendFloats(nil, st.memory.first),
		"second": checkpoint.AppendFloats(nil, st.memory.second),
	})
}

func stepBytes(steps []step) []byte {
	var buf []byte
	for i := range steps {
		key := steps[i].board.Key()
		buf = checkpoint.AppendFloats(append(buf, key[:]...), steps[i].target[:])
	}
	return buf
}

// LoadCheckpoint returns the state that a checkpoint holds; it is nil, without
// an error, when there is none. A checkpoint of other settings or of another
// starting net, by its fingerprint ("" for random weights), is an identity.ErrOther.
func LoadCheckpoint(path, from string, s Settings) (*State, error) {
	sections, err := checkpoint.Read(path, checkpointKind, s.Identity(from))
	if sections == nil {
		return nil, err
	}
	st, err := readState(sections)
	if err != nil {
		return nil, fmt.Errorf("checkpoint %s: %w", path, err)
	}
	st.From = from
	s.share(st.Nets)
	return st, nil
}

// readState reads the sections of SaveCheckpoint.
func readState(sections checkpoint.Sections) (*State, error) {
	var at progress
	if err := json.Unmarshal(sections["progress"], &at); err != nil {
		return nil, fmt.Errorf("progress: %w", err)
	}
	st := &State{Games: at.Games, played: at.Played}
	st.memory.next, st.memory.adamStep = at.MemoryNext, at.AdamSteps
	var err error
	if st.ahead, err = records(sections["ahead"], stepSize, readStep); err != nil {
		return nil, fmt.Errorf("games played ahead: %w", err)
	}
	if st.memory.items, err = records(sections["memory"], stepSize, readStep); err != nil {
		return nil, fmt.Errorf("memory: %w", err)
	}
	if at.Games < 0 || at.Played < 0 || at.AdamSteps < 0 || at.MemoryNext < 0 || at.MemoryNext > len(st.memory.items) {
		return nil, fmt.Errorf("progress %s: out of range", sections["progress"])
	}
	for name, to := range map[string]*[]float32{"first": &st.memory.first, "second": &st.memory.second} {
		*to = make([]float32, len(sections[name])/4)
		if err := checkpoint.ReadFloats(*to, sections[name]); err != nil {
			return nil, fmt.Errorf("%s moments: %w", name, err)
		}
	}
	if st.Nets, err = nets.ReadSafetensors(bytes.NewReader(sections["nets"])); err != nil {
		return nil, fmt.Errorf("nets: %w", err)
	}
	return st, nil
}

// records reads data, positions of so many bytes each.
func records[T any](data []byte, size int, read func(record []byte) (T, error)) ([]T, error) {
	if len(data)%size != 0 {
		return nil, fmt.Errorf("%d bytes, of %d a position", len(data), size)
	}
	all := make([]T, len(data)/size)
	for i := range all {
		var err error
		if all[i], err = read(data[i*size : (i+1)*size]); err != nil {
			return nil, fmt.Errorf("position %d of %d: %w", i, len(all), err)
		}
	}
	return all, nil
}

func readBoard(record []byte) (bg.Board, error) { return bg.Key(record).Board() }

func readStep(record []byte) (st step, err error) {
	key := len(bg.Key{})
	if st.board, err = readBoard(record[:key]); err != nil {
		return st, err
	}
	st.class = bg.Classify(&st.board)
	if err := checkpoint.ReadFloats(st.target[:], record[key:]); err != nil {
		return st, err
	}
	for k, x := range st.target {
		if !(x >= 0 && x <= 1) {
			return st, fmt.Errorf("output %d is %v", k, x)
		}
	}
	return st, nil
}

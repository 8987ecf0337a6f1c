package cubestudy

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"bgtrain/internal/atomicfile"
	"bgtrain/internal/bg"
)

// Game is a game played without a cube by one net in both seats.
type Game struct {
	Points int8 // 1 to 3 the first player's, negative the second's
	// Turns are the positions before each roll but the first, the second player's
	// first.
	Turns []Turn
}

// Turn is a position before a roll as the player on roll sees it, in steps of
// 1/65535.
type Turn struct {
	Outputs    [bg.NumOutputs]uint16
	Volatility uint16 // 0 where it was not measured

	Key   bg.Key                // the position, where the recording keeps it
	Rolls *[len(bg.Rolls)]After // what the best plays of the rolls lead to, likewise; else nil
}

// After is a position after a play, as the opponent, who is on roll there, sees it.
type After struct {
	Key     bg.Key
	Outputs [bg.NumOutputs]uint16
}

// Of returns the outputs of the position.
func (a *After) Of() bg.Outputs { return unpack(&a.Outputs) }

// Detail is how much of a turn a recording keeps.
type Detail int

// The details.
const (
	KeepOutputs   Detail = iota
	KeepPositions        // and the position
	KeepRolls            // and what the best plays of the 21 rolls lead to
)

var detailNames = [...]string{"", "positions", "rolls"}

const one = 65535

func pack(p float32) uint16 { return uint16(min(max(p, 0), 1)*one + 0.5) }

// Of returns the outputs of a turn.
func (t *Turn) Of() bg.Outputs { return unpack(&t.Outputs) }

func unpack(packed *[bg.NumOutputs]uint16) (o bg.Outputs) {
	for i, v := range packed {
		o[i] = float32(v) / one
	}
	return o
}

func packAll(o *bg.Outputs) (packed [bg.NumOutputs]uint16) {
	for i, v := range o {
		packed[i] = pack(v)
	}
	return packed
}

// PartGames is the largest and the usual number of games in a part file.
const PartGames = 10000

// The beginnings of part files: of outputs alone, and with what else they keep after it.
const (
	partTitle     = "bgtrain cube games 1 "
	detailedTitle = "bgtrain cube games 2 "
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func partName(dir string, part int) string {
	return filepath.Join(dir, fmt.Sprintf("games-%05d.bin", part))
}

// writePart writes a part file: a line that states which run it belongs to and
// which part it is, the games, a checksum.
func writePart(path, id string, part int, d Detail, games []Game) error {
	title := partTitle
	if d > KeepOutputs {
		title = detailedTitle + detailNames[d] + " "
	}
	return atomicfile.Write(path, func(w io.Writer) error {
		sum := crc32.New(castagnoli)
		out := io.MultiWriter(w, sum)
		if _, err := fmt.Fprintf(out, "%s%s part %d\n", title, id, part); err != nil {
			return err
		}
		buf := binary.LittleEndian.AppendUint32(nil, uint32(len(games)))
		for i := range games {
			g := &games[i]
			buf = append(buf, byte(g.Points))
			buf = binary.LittleEndian.AppendUint16(buf, uint16(len(g.Turns)))
			for k := range g.Turns {
				buf = g.Turns[k].append(buf, d)
			}
			if _, err := out.Write(buf); err != nil {
				return err
			}
			buf = buf[:0]
		}
		_, err := w.Write(binary.LittleEndian.AppendUint32(buf, sum.Sum32()))
		return err
	})
}

// append appends a turn as part files have it.
func (t *Turn) append(buf []byte, d Detail) []byte {
	numbers := func(o *[bg.NumOutputs]uint16) {
		for _, v := range o {
			buf = binary.LittleEndian.AppendUint16(buf, v)
		}
	}
	numbers(&t.Outputs)
	buf = binary.LittleEndian.AppendUint16(buf, t.Volatility)
	if d >= KeepPositions {
		buf = append(buf, t.Key[:]...)
	}
	if d >= KeepRolls {
		for i := range t.Rolls {
			buf = append(buf, t.Rolls[i].Key[:]...)
			numbers(&t.Rolls[i].Outputs)
		}
	}
	return buf
}

// size is the number of bytes of a turn.
func (d Detail) size() int {
	const key, outputs = len(bg.Key{}), 2 * bg.NumOutputs
	return outputs + 2 + []int{0, key, key + len(bg.Rolls)*(key+outputs)}[d]
}

// parse is the inverse of append.
func (t *Turn) parse(buf []byte, d Detail) {
	numbers := func(o *[bg.NumOutputs]uint16) {
		for i := range o {
			o[i] = binary.LittleEndian.Uint16(buf[2*i:])
		}
		buf = buf[2*bg.NumOutputs:]
	}
	numbers(&t.Outputs)
	t.Volatility = binary.LittleEndian.Uint16(buf)
	buf = buf[2:]
	if d >= KeepPositions {
		buf = buf[copy(t.Key[:], buf):]
	}
	if d >= KeepRolls {
		t.Rolls = new([len(bg.Rolls)]After)
		for i := range t.Rolls {
			buf = buf[copy(t.Rolls[i].Key[:], buf):]
			numbers(&t.Rolls[i].Outputs)
		}
	}
}

// readPart reads a part file. An empty id takes any run.
func readPart(path, id string) (games []Game, found string, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, "", err
	}
	return parsePart(data, path, id)
}

// parsePart reads what is in a part file.
func parsePart(data []byte, path, id string) (games []Game, found string, err error) {
	bad := func(format string, args ...any) ([]Game, string, error) {
		return nil, "", fmt.Errorf("%s: %w", path, fmt.Errorf(format, args...))
	}
	if len(data) < 4 || crc32.Checksum(data[:len(data)-4],
		castagnoli) != binary.LittleEndian.Uint32(data[len(data)-4:]) {
		return bad("damaged: its checksum is wrong")
	}
	head, rest, _ := bytes.Cut(data[:len(data)-4], []byte("\n"))
	title, ok := strings.CutPrefix(string(head), partTitle)
	detail := KeepOutputs
	for d := KeepPositions; !ok && d <= KeepRolls; d++ {
		title, ok = strings.CutPrefix(string(head), detailedTitle+detailNames[d]+" ")
		detail = d
	}
	k := strings.LastIndex(title, " part ")
	if !ok || k < 0 {
		return bad("not a file of recorded games")
	}
	found = title[:k]
	if id != "" && found != id {
		return bad("games of another run: %q, %q expected; remove them to start over", found, id)
	}
	if games, err = decode(bytes.NewReader(rest), detail); err != nil {
		return bad("%w", err)
	}
	return games, found, nil
}

// decode reads the games of a part.
func decode(r io.Reader, d Detail) ([]Game, error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint32(head[:])
	if n > PartGames {
		return nil, fmt.Errorf("%d games in a part, at most %d expected", n, PartGames)
	}
	games := make([]Game, n)
	var buf []byte
	for i := range games {
		if _, err := io.ReadFull(r, head[:3]); err != nil {
			return nil, fmt.Errorf("game %d: %w", i, err)
		}
		games[i].Points = int8(head[0])
		turns := int(binary.LittleEndian.Uint16(head[1:]))
		size := d.size()
		buf = slices.Grow(buf[:0], size*turns)[:size*turns]
		if _, err := io.ReadFull(r, buf); err != nil {
			return nil, fmt.Errorf("game %d: %w", i, err)
		}
		games[i].Turns = make([]Turn, turns)
		for k := range games[i].Turns {
			games[i].Turns[k].parse(buf[size*k:], d)
		}
	}
	return games, nil
}

// ReadPart reads the games of a part file.
func ReadPart(path string) ([]Game, error) {
	games, _, err := readPart(path, "")
	return games, err
}

// Parts returns the part files of a directory, in order.
func Parts(dir string) ([]string, error) {
	names, err := filepath.Glob(filepath.Join(dir, "games-*.bin"))
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s: no recorded games", dir)
	}
	slices.Sort(names)
	return names, nil
}

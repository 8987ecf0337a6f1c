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
}

const one = 65535

func pack(p float32) uint16 { return uint16(min(max(p, 0), 1)*one + 0.5) }

// Of returns the outputs of a turn.
func (t *Turn) Of() (o bg.Outputs) {
	for i, v := range t.Outputs {
		o[i] = float32(v) / one
	}
	return o
}

// PartGames is the largest and the usual number of games in a part file.
const PartGames = 10000

const partTitle = "bgtrain cube games 1 "

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func partName(dir string, part int) string {
	return filepath.Join(dir, fmt.Sprintf("games-%05d.bin", part))
}

// writePart writes a part file: a line that states which run it belongs to and
// which part it is, the games, a checksum.
func writePart(path, id string, part int, games []Game) error {
	return atomicfile.Write(path, func(w io.Writer) error {
		sum := crc32.New(castagnoli)
		out := io.MultiWriter(w, sum)
		if _, err := fmt.Fprintf(out, "%s%s part %d\n", partTitle, id, part); err != nil {
			return err
		}
		buf := binary.LittleEndian.AppendUint32(nil, uint32(len(games)))
		for i := range games {
			g := &games[i]
			buf = append(buf, byte(g.Points))
			buf = binary.LittleEndian.AppendUint16(buf, uint16(len(g.Turns)))
			for k := range g.Turns {
				for _, v := range g.Turns[k].Outputs {
					buf = binary.LittleEndian.AppendUint16(buf, v)
				}
				buf = binary.LittleEndian.AppendUint16(buf, g.Turns[k].Volatility)
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
	k := strings.LastIndex(title, " part ")
	if !ok || k < 0 {
		return bad("not a file of recorded games")
	}
	found = title[:k]
	if id != "" && found != id {
		return bad("games of another run: %q, %q expected; remove them to start over", found, id)
	}
	if games, err = decode(bytes.NewReader(rest)); err != nil {
		return bad("%w", err)
	}
	return games, found, nil
}

// decode reads the games of a part.
func decode(r io.Reader) ([]Game, error) {
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
		buf = slices.Grow(buf[:0], 12*turns)[:12*turns]
		if _, err := io.ReadFull(r, buf); err != nil {
			return nil, fmt.Errorf("game %d: %w", i, err)
		}
		games[i].Turns = make([]Turn, turns)
		for k := range games[i].Turns {
			t := &games[i].Turns[k]
			for j := range t.Outputs {
				t.Outputs[j] = binary.LittleEndian.Uint16(buf[12*k+2*j:])
			}
			t.Volatility = binary.LittleEndian.Uint16(buf[12*k+10:])
		}
	}
	return games, nil
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

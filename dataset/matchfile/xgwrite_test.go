package matchfile

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"math/bits"
	"sync"
	"unicode/utf16"

	"bgtrain/internal/bg"
)

// xgWriter makes .xg files in the layout that eXtreme Gammon's author documents,
// to read back: there is no other free program that writes them.
type xgWriter struct{ data []byte }

func (w *xgWriter) record(kind byte) []byte {
	at := len(w.data)
	w.data = append(w.data, make([]byte, xgRecordSize)...)
	w.data[at+8] = kind
	return w.data[at:]
}

func put(rec []byte, at, n int) { binary.LittleEndian.PutUint32(rec[at:], uint32(int32(n))) }

func putWide(rec []byte, at int, s string) {
	for i, u := range utf16.Encode([]rune(s)) {
		binary.LittleEndian.PutUint16(rec[at+2*i:], u)
	}
}

func putShort(rec []byte, at int, s string) {
	rec[at] = byte(len(s))
	copy(rec[at+1:], s)
}

// putBoard writes a position as its player on roll sees it.
func putBoard(rec []byte, at int, b *bg.Board) {
	for i := range 25 {
		if b.Me[i] > 0 {
			rec[at+i+1] = b.Me[i]
		}
		if b.Opp[i] > 0 {
			rec[at+24-i] = byte(-int8(b.Opp[i]))
		}
	}
}

func xgCubeNumber(c Cube) int {
	n := bits.Len(uint(c.Value)) - 1
	if c.Owner == 1 {
		return -n
	}
	return n
}

func sign(player int) int { return 1 - 2*player }

// asFirst returns the position of an action as player 0 sees it.
func asFirst(a *Action) bg.Board {
	if a.Player == 1 {
		return a.Board.Swapped()
	}
	return a.Board
}

// xgFile writes a match, with names in UTF-16 or, in an old version, in Latin-1.
func xgFile(m *Match, version int) []byte {
	var w xgWriter
	rec := w.record(xgMatchHead)
	if version >= xgUnicode {
		for i, at := range []int{880, 1138} {
			putWide(rec, at, m.Players[i])
		}
		putWide(rec, 622, m.Event)
		putWide(rec, 1396, m.Place)
		putWide(rec, 1654, m.Round)
	} else {
		putShort(rec, 9, m.Players[0])
		putShort(rec, 50, m.Players[1])
		putShort(rec, 136, m.Event)
	}
	put(rec, 92, m.Length)
	if m.Length == 0 {
		put(rec, 92, xgUnlimited)
	}
	put(rec, 552, version)
	put(rec, 556, xgRecordMagic)
	for i := range m.Games {
		w.game(&m.Games[i])
	}
	w.record(xgMatchFoot)
	return xgContainer(w.data)
}

func (w *xgWriter) game(g *Game) {
	rec := w.record(xgGameHead)
	put(rec, 12, g.Score[0])
	put(rec, 16, g.Score[1])
	if g.Crawford {
		rec[20] = 1
	}
	put(rec, 48, g.Number)
	how := 0
	for i := range g.Actions {
		a := &g.Actions[i]
		switch a.Kind {
		case Double:
			w.cube(g, i, 1)
			continue
		case Play, Roll, Look:
			if i == 0 || g.Actions[i-1].Kind != Take {
				w.cube(g, i, 0)
			}
		}
		if a.Kind != Play && a.Kind != Roll {
			continue
		}
		rec := w.record(xgMove)
		before := asFirst(a)
		putBoard(rec, 9, &before)
		put(rec, 64, sign(a.Player))
		put(rec, 100, a.Dice[0])
		put(rec, 104, a.Dice[1])
		put(rec, 108, xgCubeNumber(a.Cube))
		if a.Kind == Roll {
			continue
		}
		end := a.After.Swapped()
		putBoard(rec, 35, &end)
		for k := range 8 {
			put(rec, 68+4*k, -1)
		}
		steps, _ := bg.Steps(&a.Board, &a.After, a.Dice[0], a.Dice[1])
		for k, s := range steps {
			put(rec, 68+8*k, s.From-1)
			put(rec, 72+8*k, s.To-1)
		}
		rec[2308] = 1
		how = a.After.Points()
	}
	if g.Winner == None {
		return
	}
	if g.Resigned {
		how += 101
	}
	rec = w.record(xgGameFoot)
	put(rec, 24, sign(g.Winner))
	put(rec, 28, g.Points)
	put(rec, 32, how)
}

// cube writes the cube decision at action i, with the answers that follow.
func (w *xgWriter) cube(g *Game, i, double int) {
	a := &g.Actions[i]
	rec := w.record(xgCube)
	b := asFirst(a)
	putBoard(rec, 36, &b)
	put(rec, 12, sign(a.Player))
	put(rec, 16, double)
	put(rec, 32, xgCubeNumber(a.Cube))
	for k, at := range []int{20, 24, 28} {
		put(rec, at, -1)
		if n := i + 1 + k; double == 1 && n < len(g.Actions) {
			switch g.Actions[n].Kind {
			case Drop:
				put(rec, at, 0)
			case Take:
				put(rec, at, 1)
			case Beaver:
				put(rec, at, 2)
				continue
			}
		}
		break
	}
}

// xgContainer packs records as an .xg file.
func xgContainer(records []byte) []byte {
	le := binary.LittleEndian
	file := make([]byte, xgHeaderSize)
	copy(file, xgMagic)
	put(file, 4, 1)
	put(file, 8, xgHeaderSize)
	picture := []byte("a picture")
	put(file, 20, len(picture))
	file = append(file, picture...)

	packed := deflate(records)
	entry := make([]byte, xgEntrySize)
	putShort(entry, 0, xgGameFile)
	put(entry, 512, len(records))
	put(entry, 516, len(packed))
	le.PutUint32(entry[524:], crc32.ChecksumIEEE(records))
	directory := deflate(entry)

	archive := append(packed, directory...)
	tail := make([]byte, xgTailSize)
	le.PutUint32(tail, crc32.ChecksumIEEE(archive))
	put(tail, 4, 1)
	put(tail, 8, 1)
	put(tail, 12, len(directory))
	put(tail, 16, len(packed))
	put(tail, 20, 1)
	return append(append(file, archive...), tail...)
}

// deflaters are kept: to make one costs more than what tests compress.
var deflaters = sync.Pool{New: func() any {
	z, err := zlib.NewWriterLevel(nil, zlib.BestSpeed)
	if err != nil {
		panic(err)
	}
	return z
}}

func deflate(data []byte) []byte {
	var b bytes.Buffer
	z := deflaters.Get().(*zlib.Writer)
	defer deflaters.Put(z)
	z.Reset(&b)
	z.Write(data)
	z.Close()
	return b.Bytes()
}

package matchfile

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"unicode/utf16"

	"bgtrain/internal/bg"
)

// The records of eXtreme Gammon's games: 2,560 bytes each, of which the ninth is the kind. Fields lie at multiples
// of their size.
const (
	xgRecordSize = 2560

	xgMatchHead = 0
	xgGameHead  = 1
	xgCube      = 2
	xgMove      = 3
	xgGameFoot  = 4
	xgMatchFoot = 5
	xgMissing   = 6

	xgRecordMagic = 0x494c4d44
	xgUnlimited   = 99999 // length of a money session
	xgUnicode     = 24    // version of records that have names in UTF-16 as well
)

// xgReader plays the records of a file. Player 1 is player 0 here.
type xgReader struct {
	reading
	rec   []byte
	at    int64 // of the record
	empty bool  // nothing of the game has been played yet
}

func readXG(br *bufio.Reader, s *sink) error {
	records, size, err := xgRecords(br)
	if err != nil {
		return s.fail(place{}, err)
	}
	d := &xgReader{reading: reading{s: s}, rec: make([]byte, xgRecordSize)}
	for ; d.at < size; d.at += xgRecordSize {
		if _, err := io.ReadFull(records, d.rec); err != nil {
			return s.fail(d.place(), err)
		}
		if err := d.record(); err != nil {
			return err
		}
	}
	if d.m == nil {
		return s.fail(d.place(), errors.New("no match found"))
	}
	if _, err := records.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		return s.fail(d.place(), err)
	}
	d.endGame()
	return s.match(d.m)
}

func (d *xgReader) place() place { return place{at: d.at} }

func (d *xgReader) int(at int) int { return int(int32(binary.LittleEndian.Uint32(d.rec[at:]))) }

// wide reads a string of at most 128 UTF-16 units that ends with a zero.
func (d *xgReader) wide(at int) string {
	var units []uint16
	for i := range 128 {
		u := binary.LittleEndian.Uint16(d.rec[at+2*i:])
		if u == 0 {
			break
		}
		units = append(units, u)
	}
	return string(utf16.Decode(units))
}

// record plays one record.
func (d *xgReader) record() error {
	kind := d.rec[8]
	if d.m == nil && kind != xgMatchHead {
		return d.s.fail(d.place(), fmt.Errorf("record of kind %d before the head of the match", kind))
	}
	if d.g == nil && (kind == xgCube || kind == xgMove || kind == xgGameFoot) {
		return d.s.fail(d.place(), fmt.Errorf("record of kind %d before the head of a game", kind))
	}
	switch kind {
	case xgMatchHead:
		return d.matchHead()
	case xgGameHead:
		return d.gameHead()
	case xgCube:
		return d.check(d.cube())
	case xgMove:
		return d.check(d.move())
	case xgGameFoot:
		return d.check(d.gameFoot())
	case xgMatchFoot, xgMissing:
		return nil
	}
	return d.s.fail(d.place(), fmt.Errorf("record of unknown kind %d", kind))
}

// check reports what was wrong with a game.
func (d *xgReader) check(player int, err error) error {
	if err == nil || d.r == nil {
		return nil
	}
	return d.problem(d.place(), player, err)
}

func (d *xgReader) matchHead() error {
	if d.m != nil {
		return d.s.fail(d.place(), errors.New("a second match in one file"))
	}
	if magic := d.int(556); magic != xgRecordMagic {
		return d.s.fail(d.place(), fmt.Errorf("record mark %08x, %08x expected", uint32(magic), xgRecordMagic))
	}
	m := &Match{Length: d.int(92)}
	if d.int(552) >= xgUnicode {
		m.Event, m.Players[0], m.Players[1] = d.wide(622), d.wide(880), d.wide(1138)
		m.Place, m.Round = d.wide(1396), d.wide(1654)
	} else {
		m.Players[0], m.Players[1] = shortString(d.rec[9:50]), shortString(d.rec[50:91])
		m.Event, m.Place, m.Round = shortString(d.rec[136:265]), shortString(d.rec[283:412]), shortString(d.rec[417:546])
	}
	if m.Length == xgUnlimited {
		m.Length = 0
	}
	if m.Length < 0 || m.Length > maxLength {
		return d.s.fail(d.place(), fmt.Errorf("a match of %d points", m.Length))
	}
	const hypergammon = 2
	if v := d.int(96); v == hypergammon {
		return d.s.fail(d.place(), errors.New("the game is hypergammon, of three checkers a side"))
	}
	d.m = m
	return nil
}

func (d *xgReader) gameHead() error {
	d.endGame()
	err := d.addGame(d.place(), Game{Score: [2]int{d.int(12), d.int(16)}, Crawford: d.rec[20] != 0})
	if err != nil {
		return err
	}
	d.r = newReplay(d.g, d.s.plays, false)
	d.empty = true
	return nil
}

// board reads the position at an offset: 26 counts from the opponent's bar over
// the points 1 to 24 to the player's own, the opponent's negative.
func (d *xgReader) board(at int) (bg.Board, error) {
	var b bg.Board
	for i := range 26 {
		n := int(int8(d.rec[at+i]))
		switch {
		case n > bg.Checkers || n < -bg.Checkers, i == 0 && n > 0, i == 25 && n < 0:
			return b, fmt.Errorf("%d checkers on point %d", n, i)
		case n > 0:
			b.Me[i-1] = uint8(n)
		case n < 0:
			b.Opp[24-i] = uint8(-n)
		}
	}
	return b, b.Check()
}

// player reads whose record it is.
func (d *xgReader) player(at int) (int, error) {
	switch d.int(at) {
	case 1:
		return 0, nil
	case -1:
		return 1, nil
	}
	return None, fmt.Errorf("player %d, expected 1 or -1", d.int(at))
}

// start checks that a record's position, as player 0 sees it, is the one that the game has come to. The first one
// may be any: it begins the game. A player who has not acted may be out of turn only then.
func (d *xgReader) start(at, player, cube int) error {
	b, err := d.board(at)
	if err != nil {
		return fmt.Errorf("position: %w", err)
	}
	if player == 1 {
		b = b.Swapped()
	}
	if d.empty {
		d.empty = false
		if cube != 0 {
			if d.r.cube, err = xgCubeOf(cube); err != nil {
				return err
			}
		}
		if b == bg.Start {
			return nil // who begins may be put right by the first roll
		}
		return d.r.setUp(b, player)
	}
	if (d.r.turn == None || d.r.turn == player) && b == d.r.board {
		return nil
	}
	if d.r.over {
		return errOver
	}
	return fmt.Errorf("the position %s does not follow from the play before", b.Key().PositionID())
}

// xgCubeOf reads a cube: n for 2^n, negative where player 1 owns it.
func xgCubeOf(n int) (Cube, error) {
	switch {
	case n > 12 || n < -12:
		return Cube{}, fmt.Errorf("cube 2^%d", n)
	case n < 0:
		return Cube{1 << -n, 1}, nil
	case n > 0:
		return Cube{1 << n, 0}, nil
	}
	return Cube{1, None}, nil
}

// cube plays a cube decision; most are not to double.
func (d *xgReader) cube() (player int, err error) {
	if d.r == nil {
		return None, nil
	}
	if player, err = d.player(12); err != nil {
		return None, err
	}
	if err := d.start(36, player, d.int(32)); err != nil {
		return player, err
	}
	if d.int(16) != 1 {
		return player, nil
	}
	if err := d.r.double(player); err != nil {
		return player, err
	}
	other := 1 - player
	const no, yes, again = 0, 1, 2
	switch take := d.int(20); take {
	case no:
		return other, d.r.drop(other)
	case yes:
		return other, d.r.take(other)
	case again:
		if err := d.r.beaver(other); err != nil {
			return other, err
		}
	default:
		return other, nil // no answer: the game ends here
	}
	switch d.int(24) {
	case no:
		return player, d.r.drop(player)
	case again:
		if err := d.r.beaver(player); err != nil {
			return player, err
		}
	default:
		return player, d.r.take(player)
	}
	if d.int(28) == no {
		return other, d.r.drop(other)
	}
	return other, d.r.take(other)
}

// move plays a roll.
func (d *xgReader) move() (player int, err error) {
	if d.r == nil {
		return None, nil
	}
	if player, err = d.player(64); err != nil {
		return None, err
	}
	if err := d.start(9, player, d.int(108)); err != nil {
		return player, err
	}
	d1, d2 := d.int(100), d.int(104)
	if d.rec[2308] == 0 { // rolled, and not played
		return player, d.r.dice(player, d1, d2)
	}
	end, err := d.board(35) // as the player who moved sees it
	if err != nil {
		return player, fmt.Errorf("position after the play: %w", err)
	}
	if err := d.r.rollTo(player, d1, d2, end.Swapped()); err != nil {
		return player, fmt.Errorf("%q: %w", d.moves(), err)
	}
	return player, nil
}

// moves returns the play in the record, for messages.
func (d *xgReader) moves() string {
	var t []byte
	for i := 0; i < 8; i += 2 {
		from, to := d.int(68+4*i), d.int(72+4*i)
		if from < 0 || from == to {
			break
		}
		t = fmt.Appendf(t, " %d/%d", from+1, max(to+1, 0))
	}
	if len(t) == 0 {
		return "no checker moved"
	}
	return string(t[1:])
}

func (d *xgReader) gameFoot() (int, error) {
	if d.r == nil {
		return None, nil
	}
	winner, points, how := d.int(24), d.int(28), d.int(32)
	if winner == 0 {
		return None, nil
	}
	player, err := d.player(24)
	if err != nil {
		return None, err
	}
	// 100 and 1000 are added for resignations and settlements.
	if how < 0 || !d.r.over && how < 100 {
		return player, fmt.Errorf("the game ends (%d) where it is not over", how)
	}
	return player, d.r.win(player, points)
}

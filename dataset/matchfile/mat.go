package matchfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"bgtrain/internal/bg"
)

// matReader reads the text format that began with Jellyfish: a head of comments and "7 point match", then for each
// game the line "Game 1", one of names and scores, and numbered rows of two columns.
type matReader struct {
	reading
	lines *lineReader

	info   Match // from the comments before a match
	crawOn bool  // "Crawford" is not off

	played bool // the Crawford game has been
	named  bool // the line of names of the game has come
	right  int  // column of the second player

	words []word
	steps []bg.Step
}

func readMat(br *bufio.Reader, s *sink) error {
	d := &matReader{reading: reading{s: s}, lines: newLineReader(br), crawOn: true}
	for {
		line, err := d.lines.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return s.fail(d.place(), err)
		}
		if err := d.line(line); err != nil {
			return err
		}
	}
	if d.m == nil {
		return s.fail(d.place(), errors.New("no game found"))
	}
	d.endGame()
	return d.endMatch()
}

func (d *matReader) place() place { return place{d.lines.number, d.lines.at} }

func (d *matReader) line(line string) error {
	d.words = words(d.words[:0], line)
	if len(d.words) == 0 {
		return nil
	}
	text := strings.TrimSpace(line)
	if text[0] == ';' {
		d.comment(text)
		return nil
	}
	if length, ok := parseLength(text); ok {
		return d.beginMatch(length)
	}
	if isGame(text) {
		return d.beginGame()
	}
	switch {
	case d.g == nil:
		return nil // whatever stands before the first game
	case !d.named:
		return d.names(line)
	case d.r == nil:
		return nil
	}
	if rest, ok := afterNumber(d.words); ok {
		return d.row(rest)
	}
	if verb(d.words[0].text) == "win" {
		return d.row(d.words)
	}
	return d.s.fail(d.place(), fmt.Errorf("%q is no row of a game", clip(text)))
}

func clip(s string) string {
	const most = 60
	if len(s) > most {
		return s[:most] + "…"
	}
	return s
}

var tag = regexp.MustCompile(`^;\s*\[([^"]*?)\s*"(.*)"\]`)

// comment takes in a line such as ; [Event "Paris"]. One after a match belongs to the next.
func (d *matReader) comment(text string) {
	f := tag.FindStringSubmatch(text)
	if f == nil {
		return
	}
	switch strings.ToLower(f[1]) {
	case "event":
		d.info.Event = f[2]
	case "site", "place":
		d.info.Place = f[2]
	case "round":
		d.info.Round = f[2]
	case "eventdate", "date":
		d.info.Date = f[2]
	case "crawford":
		d.crawOn = !strings.EqualFold(f[2], "off")
	}
}

// parseLength reads a line such as "7 point match"; 0 points are money.
func parseLength(line string) (int, bool) {
	f := strings.Fields(strings.ToLower(line))
	if len(f) == 2 && f[1] == "match" && f[0] == "unlimited" || len(f) == 2 && f[0] == "money" && f[1] == "session" {
		return 0, true
	}
	if len(f) != 3 || f[1] != "point" && f[1] != "points" || f[2] != "match" {
		return 0, false
	}
	n, err := strconv.Atoi(f[0])
	return n, err == nil
}

// isGame recognizes a line such as "Game 3".
func isGame(line string) bool {
	f := strings.Fields(line)
	if len(f) != 2 || !strings.EqualFold(f[0], "game") {
		return false
	}
	_, err := strconv.Atoi(strings.TrimSuffix(f[1], ":"))
	return err == nil
}

func (d *matReader) beginMatch(length int) error {
	if length < 0 || length > maxLength {
		return d.s.fail(d.place(), fmt.Errorf("a match of %d points", length))
	}
	d.endGame()
	if err := d.endMatch(); err != nil {
		return err
	}
	m := d.info
	d.m, d.info = &m, Match{}
	d.m.Length, d.m.Line = length, d.lines.number
	d.played = false
	return nil
}

func (d *matReader) beginGame() error {
	d.endGame()
	if d.m == nil {
		if err := d.beginMatch(0); err != nil {
			return err
		}
	}
	d.named = false
	return d.addGame(d.place(), Game{})
}

// endGame ends the game that is being read, if any.
func (d *matReader) endGame() {
	d.played = d.played || d.g != nil && d.g.Crawford
	d.reading.endGame()
}

var namesLine = regexp.MustCompile(`^\s*(.*?)\s*:\s*(\d+)\s+(\S.*?)\s*:\s*(\d+)\s*$`)

// names reads the line with the players and the score.
func (d *matReader) names(line string) error {
	f := namesLine.FindStringSubmatchIndex(line)
	if f == nil {
		return d.s.fail(d.place(), fmt.Errorf("%q: names and scores expected, as in Alice : 0   Bob : 0", clip(line)))
	}
	group := func(i int) string { return line[f[2*i]:f[2*i+1]] }
	names := [2]string{group(1), group(3)}
	var score [2]int
	for i := range score {
		n, err := strconv.Atoi(group(2 + 2*i))
		if err != nil || n > maxLength {
			return d.s.fail(d.place(), fmt.Errorf("score %q", group(2+2*i)))
		}
		score[i] = n
	}
	if d.g.Number == 1 {
		d.m.Players = names
	}
	d.right = len([]rune(line[:f[6]]))
	d.g.Score = score
	d.g.Crawford = d.crawOn && crawford(d.m.Length, score, d.played)
	d.r = newReplay(d.g, d.s.plays, true)
	d.named = true
	return nil
}

// afterNumber returns the words of a row without its number: "12)" or "12".
func afterNumber(ws []word) ([]word, bool) {
	i := strings.IndexByte(ws[0].text, ')')
	if i < 1 {
		return nil, false
	}
	if _, err := strconv.Atoi(ws[0].text[:i]); err != nil {
		return nil, false
	}
	if rest := ws[0].text[i+1:]; rest != "" { // "12)51:"
		ws[0].text, ws[0].col = rest, ws[0].col+i+1
		return ws, true
	}
	return ws[1:], true
}

// row plays a row: one action of each player, or of one.
func (d *matReader) row(ws []word) error {
	starts := make([]int, 0, 3)
	for i, w := range ws {
		if beginsAction(w.text) {
			starts = append(starts, i)
		}
	}
	switch {
	case len(ws) == 0:
		return nil
	case len(starts) == 0 || starts[0] != 0:
		return d.s.fail(d.place(), fmt.Errorf("%q is neither a roll nor a cube action", clip(ws[0].text)))
	case len(starts) > 2:
		return d.s.fail(d.place(), fmt.Errorf("%d actions in a row, at most 2 expected", len(starts)))
	}
	for i, start := range starts {
		end := len(ws)
		if i+1 < len(starts) {
			end = starts[i+1]
		}
		player := d.player(ws[start], i, len(starts))
		err := d.action(player, ws[start:end])
		var failed *Problem
		switch {
		case errors.As(err, &failed):
			return err
		case err != nil:
			return d.problem(d.place(), player, err)
		}
	}
	return nil
}

// player returns whose action the i-th of n in a row is: the first player stands on the left. One that stands
// alone is, once the game has begun, of the player to act, and else of the column it stands in.
func (d *matReader) player(w word, i, n int) int {
	if n == 2 {
		return i
	}
	if next := d.r.next(); next != None && verb(w.text) != "win" {
		return next
	}
	if w.col > d.right/2 {
		return 1
	}
	return 0
}

// beginsAction recognizes the first word of an action: dice or a word about the cube or the end.
func beginsAction(w string) bool {
	if isRoll(w) {
		return true
	}
	switch verb(w) {
	case "double", "redouble", "take", "accept", "drop", "passe", "pas", "reject", "beaver", "raccoon", "win":
		return true
	}
	return false
}

// verb returns a word in small letters and without an s at its end, which some programs leave out.
func verb(w string) string { return strings.TrimSuffix(strings.ToLower(w), "s") }

// isRoll recognizes a word that begins with dice: "52:".
func isRoll(w string) bool {
	return len(w) >= 3 && w[2] == ':' && w[0] >= '1' && w[0] <= '6' && w[1] >= '1' && w[1] <= '6'
}

// action plays one action of a player.
func (d *matReader) action(player int, ws []word) error {
	w := ws[0].text
	if isRoll(w) {
		return d.roll(player, int(w[0]-'0'), int(w[1]-'0'), join(w[3:], ws[1:]))
	}
	switch verb(w) {
	case "double", "redouble":
		return d.r.double(player)
	case "take", "accept":
		return d.r.take(player)
	case "drop", "passe", "pas", "reject": // "passes" and "pass"
		return d.r.drop(player)
	case "beaver", "raccoon":
		return d.r.beaver(player)
	}
	points := 0
	if len(ws) > 1 { // "Wins 2 points and the match"
		n, err := strconv.Atoi(ws[1].text)
		if err != nil {
			return d.s.fail(d.place(), fmt.Errorf("wins %q: a number of points expected", clip(ws[1].text)))
		}
		points = n
	}
	return d.r.win(player, points)
}

func join(first string, ws []word) string {
	parts := make([]string, 0, 8)
	if first != "" {
		parts = append(parts, first)
	}
	for _, w := range ws {
		parts = append(parts, w.text)
	}
	return strings.Join(parts, " ")
}

// roll plays a roll. No text is a player who cannot move, or who has not played
// yet; question marks stand for a play that was not made.
func (d *matReader) roll(player, d1, d2 int, text string) error {
	switch strings.ToLower(text) {
	case "cannot move", "can't move", "cannot", "no move", "no play", "dances", "--", "-":
		text = ""
	case "":
		if d.r.canMove(player, d1, d2) {
			return d.r.dice(player, d1, d2)
		}
	default:
		if strings.Trim(text, "?") == "" {
			return d.r.dice(player, d1, d2)
		}
	}
	var err error
	if d.steps, err = bg.ParseSteps(d.steps[:0], text); err != nil {
		return err
	}
	if err := d.r.roll(player, d1, d2, d.steps); err != nil {
		if errors.Is(err, bg.ErrIllegalPlay) {
			return fmt.Errorf("%q: %w", text, err)
		}
		return err
	}
	return nil
}

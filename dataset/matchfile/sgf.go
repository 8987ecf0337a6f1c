package matchfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Limits of an SGF file.
const (
	maxValue = 1 << 10 // of a value that is used; the rest of a longer one is passed over
	maxDepth = 1000    // of variations in each other
	maxProps = 1000    // values of used properties in a node
	maxNodes = 1 << 17 // of a game
	maxBlank = 1 << 20 // blanks in a row
	maxText  = 1 << 20 // bytes of any value
)

// sgfUsed are the properties that are read: game information, set-up and play.
var sgfUsed = map[string]bool{
	"GM": true, "MI": true, "PW": true, "PB": true, "DT": true, "EV": true, "RO": true, "PC": true, "RU": true, "RE": true,
	"AE": true, "AW": true, "AB": true, "PL": true, "DI": true, "CV": true, "CO": true, "B": true, "W": true,
}

// prop is a property of a node with its values.
type prop struct {
	id     string
	values []string
}

// sgfReader reads a Smart Game Format file node by node. Of variations the first
// is the game; the others are passed over.
type sgfReader struct {
	r    *bufio.Reader
	line int
	at   int64
}

func (d *sgfReader) place() place { return place{d.line, d.at} }

func (d *sgfReader) byte() (byte, error) {
	c, err := d.r.ReadByte()
	if err != nil {
		return 0, err
	}
	d.at++
	if c == '\n' {
		d.line++
	}
	return c, nil
}

func (d *sgfReader) unread() {
	if d.r.UnreadByte() == nil {
		d.at--
	}
}

// token returns the next byte that is not a blank. Other control characters are tokens,
// which nothing begins with.
func (d *sgfReader) token() (byte, error) {
	for range maxBlank {
		c, err := d.byte()
		if err != nil || c > ' ' || c < ' ' && (c < '\t' || c > '\r') {
			return c, err
		}
	}
	return 0, fmt.Errorf("more than %d blanks", maxBlank)
}

func readSGF(br *bufio.Reader, s *sink) error {
	d := &sgfReader{r: br, line: 1}
	g := &sgfGame{reading: reading{s: s}}
	if bom, err := br.Peek(3); err == nil && string(bom) == "\ufeff" {
		br.Discard(3)
		d.at = 3
	}
	games := 0
	for {
		c, err := d.token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return s.fail(d.place(), err)
		}
		if c != '(' {
			return s.fail(d.place(), fmt.Errorf("%q where a game, (, was expected", c))
		}
		if err := d.tree(g, s); err != nil {
			return err
		}
		games++
	}
	if games == 0 {
		return s.fail(d.place(), errors.New("no game found"))
	}
	return g.endMatch()
}

// tree reads a game tree whose bracket has been read.
func (d *sgfReader) tree(g *sgfGame, s *sink) error {
	var trees [maxDepth]int // game trees seen at each depth
	depth := 0
	skipping := 0 // depth of the variation that is passed over; 0: none
	var node []prop
	nodes, seen := 0, 0 // those read, and those passed over too
	flush := func() error {
		if node == nil {
			return nil
		}
		nodes++
		err := g.node(d.place(), node, nodes == 1)
		node = nil
		return err
	}
	for {
		c, err := d.token()
		if err != nil {
			return s.fail(d.place(), cutOff(err, "a game"))
		}
		switch {
		case c == '(':
			if depth++; depth == maxDepth {
				return s.fail(d.place(), fmt.Errorf("variations more than %d deep", maxDepth))
			}
			if trees[depth]++; trees[depth] > 1 && skipping == 0 {
				skipping = depth
			}
			if depth+1 < maxDepth {
				trees[depth+1] = 0
			}
		case c == ')':
			if err := flush(); err != nil {
				return err
			}
			if depth == 0 {
				return g.endGame(d.place())
			}
			if skipping == depth {
				skipping = 0
			}
			depth--
		case c == ';':
			if err := flush(); err != nil {
				return err
			}
			if seen++; seen > maxNodes {
				return s.fail(d.place(), fmt.Errorf("more than %d nodes in a game", maxNodes))
			}
			if skipping == 0 {
				node = []prop{}
			}
		case c >= 'A' && c <= 'Z':
			p, err := d.prop(c)
			if err != nil {
				return s.fail(d.place(), err)
			}
			if node != nil && sgfUsed[p.id] {
				if node = append(node, p); len(node) > maxProps {
					return s.fail(d.place(), fmt.Errorf("more than %d properties in a node", maxProps))
				}
			}
		default:
			return s.fail(d.place(), fmt.Errorf("%q where a property or a node was expected", c))
		}
	}
}

// prop reads a property whose first letter has been read.
func (d *sgfReader) prop(first byte) (prop, error) {
	id := []byte{first}
	for {
		c, err := d.token()
		if err != nil {
			return prop{}, cutOff(err, "a property")
		}
		if c == '[' {
			break
		}
		if c < 'A' || c > 'Z' || len(id) == 8 {
			return prop{}, fmt.Errorf("property %s: %q where a value was expected", id, c)
		}
		id = append(id, c)
	}
	p := prop{id: string(id)}
	for {
		v, err := d.value()
		if err != nil {
			return prop{}, fmt.Errorf("property %s: %w", id, err)
		}
		if sgfUsed[p.id] && len(p.values) < maxProps {
			p.values = append(p.values, v)
		}
		c, err := d.token()
		if err != nil {
			return p, nil // the end of the file is noticed by tree
		}
		if c != '[' {
			d.unread()
			return p, nil
		}
	}
}

// value reads a value up to its closing bracket.
func (d *sgfReader) value() (string, error) {
	var t []byte
	for range maxText {
		c, err := d.byte()
		if err != nil {
			return "", cutOff(err, "a value")
		}
		switch c {
		case ']':
			return toUTF8(t), nil
		case '\\':
			if c, err = d.byte(); err != nil {
				return "", cutOff(err, "a value")
			}
		}
		if len(t) < maxValue {
			t = append(t, c)
		}
	}
	return "", fmt.Errorf("a value of more than %d bytes", maxText)
}

// cutOff explains an error inside something that has to end.
func cutOff(err error, inside string) error {
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("the file is cut off inside %s", inside)
	}
	return err
}

// find returns the first value of a property of a node.
func find(node []prop, id string) (string, bool) {
	for _, p := range node {
		if p.id == id {
			return strings.TrimSpace(p.values[0]), true
		}
	}
	return "", false
}

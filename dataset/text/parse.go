package text

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"bgtrain/dataset"
	"bgtrain/internal/bg"
)

// lineParser reads the lines of one text file.
type lineParser interface {
	// parse reads a line into the key and the outputs of r. It returns false for a line without a row.
	parse(line []byte, r *dataset.Row) (bool, *dataset.BadRow)
}

// newParser returns the parser of a format.
func newParser(f Format) lineParser {
	switch f {
	case WildbgCSV:
		return new(csvParser)
	case BoardText:
		return boardParser{}
	}
	return textParser{}
}

// detect returns the format of a text by a line of it; false for an empty line or a comment.
func detect(line []byte) (Format, bool, error) {
	text := bytes.TrimSpace(line)
	if len(text) == 0 || text[0] == '#' {
		return 0, false, nil
	}
	if bytes.HasPrefix(text, []byte(csvHeader[0])) {
		return WildbgCSV, true, nil
	}
	if f := bytes.Fields(text); len(f) > 1 && len(f[0]) == keyLetters {
		return GNUbgText, true, nil
	} else if len(f) == boardFields {
		return BoardText, true, nil
	}
	return 0, false, fmt.Errorf("neither a GNUbg training line (20 letters and 5 numbers) nor a wildbg header (%s)",
		strings.Join(csvHeader, ","))
}

// keyLetters is the length of a key as letters.
const keyLetters = 2 * len(bg.Key{})

// textParser reads GNUbg training text.
type textParser struct{}

func (textParser) parse(line []byte, r *dataset.Row) (bool, *dataset.BadRow) {
	if len(line) > 0 && line[0] == '#' {
		return false, nil
	}
	var fields [2 + bg.NumOutputs][]byte
	n := splitSpace(line, fields[:])
	switch {
	case n == 0:
		return false, nil
	case n != 1+bg.NumOutputs:
		return false, dataset.Badf(dataset.BadLine, "expected a key and %d numbers, found %d fields", bg.NumOutputs,
			len(bytes.Fields(line)))
	case len(fields[0]) != keyLetters:
		return false, dataset.Badf(dataset.BadKey, "position key %.40q has %d characters, expected %d", fields[0],
			len(fields[0]), keyLetters)
	}
	return true, parseFields(fields[0], fields[1:1+bg.NumOutputs], r)
}

// splitSpace puts the fields of line between spaces into dst and returns their number, at most len(dst).
func splitSpace(line []byte, dst [][]byte) int {
	n, start := 0, -1
	for i := 0; i <= len(line); i++ {
		space := i == len(line) || line[i] == ' ' || line[i] == '\t' || line[i] == '\r'
		switch {
		case !space && start < 0:
			start = i
		case space && start >= 0:
			if dst[n], start = line[start:i], -1; n == len(dst)-1 {
				return n + 1
			}
			n++
		}
	}
	return n
}

// parseFields reads a key and five decimal numbers; Go's hexadecimal numbers and underscores are not.
func parseFields(key []byte, numbers [][]byte, r *dataset.Row) *dataset.BadRow {
	k, err := bg.ParseKey(string(key))
	if err != nil {
		return dataset.Badf(dataset.BadKey, "%v", err)
	}
	r.Key = k
	for i, text := range numbers {
		v, err := strconv.ParseFloat(string(text), 32)
		if err != nil || bytes.ContainsAny(text, "xX_") {
			return dataset.Badf(dataset.BadLine, "%s is %.40q, not a number", dataset.OutputColumns[i], text)
		}
		r.Outputs[i] = float32(v)
	}
	r.HasOutputs = true
	return nil
}

// csvHeader is the header of wildbg's CSV. Its probabilities are cumulative as
// ours: win includes gammons, gammons include backgammons.
var csvHeader = []string{"position_id", "win", "win_g", "win_bg", "lose_g", "lose_bg"}

// csvParser reads wildbg CSV; the columns may be in any order.
type csvParser struct {
	column []int // for each column of the file its index in csvHeader
	fields [][]byte
}

func (p *csvParser) parse(line []byte, r *dataset.Row) (bool, *dataset.BadRow) {
	line = bytes.TrimRight(line, "\r")
	if len(line) == 0 || line[0] == '#' {
		return false, nil
	}
	p.fields = p.fields[:0]
	for rest, more := line, true; more && len(p.fields) <= len(csvHeader); {
		var f []byte
		f, rest, more = bytes.Cut(rest, []byte(","))
		p.fields = append(p.fields, bytes.Trim(f, ` "`))
	}
	if p.column == nil {
		return false, p.header()
	}
	if len(p.fields) != len(p.column) {
		return false, dataset.Badf(dataset.BadLine, "expected %d fields, found %d", len(p.column),
			bytes.Count(line, []byte(","))+1)
	}
	var ordered [1 + bg.NumOutputs][]byte
	for i, f := range p.fields {
		ordered[p.column[i]] = f
	}
	return true, parseFields(ordered[0], ordered[1:], r)
}

func (p *csvParser) header() *dataset.BadRow {
	seen := map[int]bool{}
	for _, f := range p.fields {
		for j, name := range csvHeader {
			if string(f) == name && !seen[j] {
				seen[j] = true
				p.column = append(p.column, j)
			}
		}
	}
	if len(p.column) != len(csvHeader) || len(p.fields) != len(csvHeader) {
		p.column = nil
		return dataset.Badf(dataset.BadLine, "expected the header %s", strings.Join(csvHeader, ","))
	}
	return nil
}

// boardFields is the number of fields of BoardText.
const boardFields = 26 + bg.NumOutputs

// boardParser reads Open Sage's rollouts: a board of bg.FromNumbers after a play, seen by the player who made it,
// and his outputs. The row is that of the opponent, on roll.
type boardParser struct{}

func (boardParser) parse(line []byte, r *dataset.Row) (bool, *dataset.BadRow) {
	fields := bytes.Fields(line)
	if len(fields) == 0 || fields[0][0] == '#' {
		return false, nil
	}
	if len(fields) != boardFields {
		return false, dataset.Badf(dataset.BadLine, "expected a board of 26 numbers and %d outputs, found %d fields",
			bg.NumOutputs, len(fields))
	}
	var numbers [26]int
	var outputs [bg.NumOutputs]float64
	var err error
	for i, f := range fields {
		if i < len(numbers) {
			numbers[i], err = strconv.Atoi(string(f))
		} else {
			outputs[i-len(numbers)], err = strconv.ParseFloat(string(f), 64)
		}
		if err != nil {
			return false, dataset.Badf(dataset.BadLine, "field %d is %.40q, not a number", i+1, f)
		}
	}
	own, err := bg.FromNumbers(numbers[:])
	if err != nil {
		return false, dataset.Badf(dataset.BadKey, "%v", err)
	}
	o, err := bg.NearestOutputs(outputs[:])
	if err != nil {
		return false, dataset.Badf(dataset.BadLine, "%v", err)
	}
	after := own.Swapped()
	r.Key, r.Outputs, r.HasOutputs = after.Key(), o.Inverted(), true
	return true, nil
}

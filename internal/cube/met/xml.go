package met

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
)

// xmlTable is GNU Backgammon's document (met.dtd).
type xmlTable struct {
	XMLName xml.Name  `xml:"met"`
	Info    xmlInfo   `xml:"info"`
	Pre     xmlPart   `xml:"pre-crawford-table"`
	Post    []xmlPart `xml:"post-crawford-table"`
}

type xmlInfo struct {
	Name        string `xml:"name"`
	Description string `xml:"description"`
	Length      string `xml:"length"`
}

type xmlPart struct {
	Type   string   `xml:"type,attr"`
	Player string   `xml:"player,attr,omitempty"`
	Rows   []xmlRow `xml:"row"`
}

type xmlRow struct {
	ME []string `xml:"me"`
}

// ReadFile reads a table in GNU Backgammon's XML form.
func ReadFile(path string) (*Table, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	t, err := Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// maxXML is far above the size of a table of MaxLength.
const maxXML = 4 << 20

// Read reads a table in GNU Backgammon's XML form. Tables that give the
// parameters of a formula instead of chances, or that favor one player, are
// refused.
func Read(r io.Reader) (*Table, error) {
	var doc xmlTable
	d := xml.NewDecoder(io.LimitReader(r, maxXML))
	d.CharsetReader = func(_ string, input io.Reader) (io.Reader, error) { return input, nil }
	if err := d.Decode(&doc); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, errors.New("match equity table: no XML element met")
		}
		return nil, fmt.Errorf("match equity table: %w", err)
	}
	if len(doc.Post) == 0 {
		return nil, errors.New("match equity table: no post-crawford-table")
	}
	pre, err := doc.Pre.numbers("pre-crawford-table")
	if err != nil {
		return nil, err
	}
	var post []float64
	for i := range doc.Post {
		rows, err := doc.Post[i].numbers("post-crawford-table")
		if err != nil {
			return nil, err
		}
		if len(rows) != 1 {
			return nil, fmt.Errorf("match equity table: post-crawford-table of %d rows, 1 expected", len(rows))
		}
		if i > 0 && !slices.Equal(rows[0], post) {
			return nil, errors.New("match equity table: the players differ after the Crawford game: tables that " +
				"favor a side are not supported")
		}
		post = rows[0]
	}
	if n, err := strconv.Atoi(strings.TrimSpace(doc.Info.Length)); err != nil || n != len(pre) {
		return nil, fmt.Errorf("match equity table: length %q, but %d rows", strings.TrimSpace(doc.Info.Length),
			len(pre))
	}
	t, err := New(strings.TrimSpace(doc.Info.Name), pre, post)
	if err != nil {
		return nil, err
	}
	t.Description = strings.TrimSpace(doc.Info.Description)
	return t, nil
}

// numbers converts the rows of a part.
func (p *xmlPart) numbers(name string) ([][]float64, error) {
	if p.Type != "" && p.Type != "explicit" {
		return nil, fmt.Errorf("match equity table: %s of type %q: only explicit tables are supported", name, p.Type)
	}
	if len(p.Rows) == 0 {
		return nil, fmt.Errorf("match equity table: no rows in %s", name)
	}
	rows := make([][]float64, len(p.Rows))
	for i, r := range p.Rows {
		for j, text := range r.ME {
			v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
			if err != nil {
				return nil, fmt.Errorf("match equity table: %s, row %d, entry %d: %q is not a number", name, i+1, j+1,
					strings.TrimSpace(text))
			}
			rows[i] = append(rows[i], v)
		}
	}
	return rows, nil
}

// Write writes the table, without what it was extended by, in GNU Backgammon's
// XML form.
func (t *Table) Write(w io.Writer) error {
	doc := xmlTable{Info: xmlInfo{Name: t.Name, Description: t.Description, Length: strconv.Itoa(t.length)}}
	doc.Pre.Type = "explicit"
	for i := range t.length {
		doc.Pre.Rows = append(doc.Pre.Rows, xmlNumbers(t.pre[i][:t.length]))
	}
	doc.Post = []xmlPart{{Type: "explicit", Player: "both", Rows: []xmlRow{xmlNumbers(t.post[:t.length])}}}
	const head = xml.Header + `<!DOCTYPE met PUBLIC "-//GNU Backgammon//DTD Match Equity Tables//EN" "met.dtd">` + "\n"
	if _, err := io.WriteString(w, head); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", " ")
	if err := e.Encode(&doc); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func xmlNumbers(values []float64) xmlRow {
	var r xmlRow
	for _, v := range values {
		r.ME = append(r.ME, strconv.FormatFloat(v, 'f', -1, 64))
	}
	return r
}

package text

import (
	"bytes"
	"testing"

	"bgtrain/dataset"
	"bgtrain/internal/textfile"
)

// parseAll parses a text, and checks what must hold for every row accepted: that
// it is written and read as the same row.
func parseAll(t *testing.T, f Format, data []byte) {
	lines, err := textfile.NewReader(bytes.NewReader(data))
	if err != nil {
		return
	}
	defer lines.Close()
	p := newParser(f)
	var rows dataset.Checker
	for {
		line, err := lines.Next()
		if err != nil {
			return
		}
		var row dataset.Row
		ok, bad := p.parse(line, &row)
		if !ok || bad != nil || rows.Check(&row) != nil {
			continue
		}
		if bad := dataset.CheckRow(&row); bad != nil {
			t.Fatalf("accepted a bad row %q: %v", line, bad)
		}
		f := f
		if f == BoardText { // which is not written
			f = GNUbgText
		}
		again := newParser(f)
		if f == WildbgCSV {
			again = &csvParser{column: []int{0, 1, 2, 3, 4, 5}}
		}
		var back dataset.Row
		text := bytes.TrimSuffix(appendRow(nil, f, row.Key, &row.Outputs), []byte("\n"))
		if ok, bad := again.parse(text, &back); !ok || bad != nil || back.Key != row.Key ||
			back.Outputs != row.Outputs {
			t.Fatalf("%q became %q, then %+v (%v)", line, text, back, bad)
		}
	}
}

func FuzzGNUbgText(f *testing.F) {
	f.Add([]byte("# comment\n" + startKey + " 0.52518 0.14851 0.00713 0.12419 0.00559\n"))
	f.Add([]byte(bearoffKey + "\t1e0 -0 0x0p0 0 .0\r\n\n" + offKey + " 0.5 0 0 0"))
	f.Add([]byte{0x1F, 0x8B, 8, 0, 0})
	f.Add([]byte("BZh9"))
	f.Add([]byte{0x28, 0xB5, 0x2F, 0xFD, 4})
	f.Fuzz(func(t *testing.T, data []byte) { parseAll(t, GNUbgText, data) })
}

func FuzzWildbgCSV(f *testing.F) {
	f.Add([]byte("position_id,win,win_g,win_bg,lose_g,lose_bg\n4HPwATDgc/ABMA,0.5,0.2,0.01,0.1,0.005\n"))
	f.Add([]byte("position_id,lose_g,win_g,win_bg,win,lose_bg\r\n\"4HPwATDgc/ABMA\",0.5,,,\n"))
	f.Fuzz(func(t *testing.T, data []byte) { parseAll(t, WildbgCSV, data) })
}

func FuzzBoardText(f *testing.F) {
	f.Add([]byte(boardLine + " 0.52518 0.14851 0.00713 0.12419 -0.00559\n# comment\n"))
	f.Add([]byte(boardLine + " 1 0x1p-3 Inf NaN 1e309\r\n\n" + boardLine[2:]))
	f.Fuzz(func(t *testing.T, data []byte) { parseAll(t, BoardText, data) })
}

package bm

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestIsBenchmark(t *testing.T) {
	for _, c := range []struct {
		text string
		want bool
	}{
		{goodRecord, true}, {goodR1, true}, {"s settings\n", true}, {"# words\n\nr 17\n", true},
		{"o " + openingKey + " 0.5 0 0 0 0\n", true},
		{"", false}, {"# words\n", false}, {openingKey + " 0.5 0 0 0 0\n", false},
		{"position_id,win\n", false}, {"some words\n", false}, {"m\n", false},
	} {
		path := filepath.Join(t.TempDir(), "x")
		if err := os.WriteFile(path, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := IsBenchmark(path); got != c.want {
			t.Errorf("%q: %v", c.text, got)
		}
	}
	if !IsBenchmark("testdata/contact.bm.bz2") || IsBenchmark("testdata/none") {
		t.Error("compressed file not known, or a missing one is")
	}
}

func TestDescribe(t *testing.T) {
	f, err := ReadFile("testdata/crashed.bm", ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	d := f.Describe()
	n := 0
	for _, k := range d.Plans {
		n += k
	}
	if d.Class != "crashed" || d.Decisions != 6 || n != 6 || d.Candidates != 28.0/6 || d.RolledOut != 28 {
		t.Errorf("%+v", d)
	}
	var b strings.Builder
	if err := d.WriteText(&b); err != nil || !strings.Contains(b.String(), "checker-play decisions") {
		t.Errorf("%q, %v", b.String(), err)
	}
}

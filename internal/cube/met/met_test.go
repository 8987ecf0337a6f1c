package met

import (
	"bytes"
	"math"
	"strings"
	"testing"
)

func TestEmbedded(t *testing.T) {
	for _, name := range Names {
		m, err := Open(strings.ToUpper(name))
		if err != nil {
			t.Fatal(err)
		}
		if m.Length() != 25 {
			t.Errorf("%s goes to %d", name, m.Length())
		}
		for i := 1; i <= MaxLength; i++ {
			for j := 1; j <= MaxLength; j++ {
				p := m.Pre(i, j)
				if math.Abs(p+m.Pre(j, i)-1) > 1e-12 || !(p > 0 && p < 1) {
					t.Fatalf("%s: %d away against %d: %v and %v", name, i, j, p, m.Pre(j, i))
				}
				if i > 1 && p > m.Pre(i-1, j)+2e-4 {
					t.Fatalf("%s: %d away against %d: %v, but %v at %d", name, i, j, p, m.Pre(i-1, j), i-1)
				}
			}
			if i > 1 && m.Post(i) >= m.Post(i-1) {
				t.Errorf("%s: post-Crawford %v at %d, %v at %d", name, m.Post(i-1), i-1, m.Post(i), i)
			}
		}
	}
	// Numbers of the published tables.
	m, _ := Open("kazaross-xg2")
	if !near(m.Pre(1, 2), 0.67736) || m.Post(2) != 0.48803 || !near(m.At(1, 2, true), 1-0.48803) ||
		!near(m.Pre(25, 1), 1-0.99905) {
		t.Errorf("%v %v %v", m.Pre(1, 2), m.Post(2), m.Pre(25, 1))
	}
	if m.At(0, 3, false) != 1 || m.At(-2, 3, true) != 1 || m.At(3, 0, false) != 0 || m.At(1, 1, true) != 0.5 {
		t.Error("a finished match is not decided")
	}
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-12 }

// A table that is written and read again is the same.
func TestRoundTrip(t *testing.T) {
	m, err := Open("rockwell-kazaross")
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := m.Write(&text); err != nil {
		t.Fatal(err)
	}
	n, err := Read(&text)
	if err != nil {
		t.Fatal(err)
	}
	if n.Name != m.Name || n.Description != m.Description || n.Length() != m.Length() {
		t.Errorf("%q %q %d", n.Name, n.Description, n.Length())
	}
	for i := 1; i <= MaxLength; i++ {
		for j := 1; j <= MaxLength; j++ {
			if !near(n.Pre(i, j), m.Pre(i, j)) {
				t.Fatalf("%d away against %d: %v, was %v", i, j, n.Pre(i, j), m.Pre(i, j))
			}
		}
		if n.Post(i) != m.Post(i) {
			t.Fatalf("post-Crawford %d: %v, was %v", i, n.Post(i), m.Post(i))
		}
	}
}

const small = `<?xml version="1.0"?><met><info><name>x</name><length>2</length></info>
<pre-crawford-table type="explicit"><row><me>0.5</me><me>0.7</me></row><row><me>0.3</me><me>0.5</me></row></pre-crawford-table>
<post-crawford-table type="explicit" player="both"><row><me>0.5</me><me>0.48</me></row></post-crawford-table></met>`

func TestBadTables(t *testing.T) {
	if _, err := Read(strings.NewReader(small)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ from, to, want string }{
		{small, "", "no XML element"},
		{small, "<metal/>", "expected element"},
		{"</met>", "", "EOF"},
		{"<me>0.7</me>", "", "row 1 has 1 entries, 2 expected"},
		{"<me>0.7</me>", "<me></me>", "row 1, entry 2: \"\" is not a number"},
		{"<me>0.7</me>", "<me>a</me>", "is not a number"},
		{"<me>0.7</me>", "<me>NaN</me>", "not between 0 and 1"},
		{"<me>0.7</me>", "<me>1.7</me>", "not between 0 and 1"},
		{"<me>0.7</me>", "<me>0.6</me>", "together 1 expected"},
		{"<me>0.5</me><me>0.7</me></row><row><me>0.3</me>", "<me>0.5</me><me>0.4</me></row><row><me>0.6</me>",
			"must not fall"},
		{"<row><me>0.3</me><me>0.5</me></row>", "", "length \"2\", but 1 rows"},
		{"<length>2</length>", "<length>two</length>", "length \"two\""},
		{"<me>0.48</me>", "<me>0.52</me>", "must not rise"},
		{"<me>0.48</me>", "<me>0</me>", "not between 0 and 1"},
		{"<me>0.5</me><me>0.48</me>", "", "post-Crawford entries"},
		{`<post-crawford-table type="explicit"`, `<post-crawford-table type="zadeh"`, "only explicit"},
		{"post-crawford-table", "other", "no post-crawford-table"},
	} {
		text := strings.ReplaceAll(small, c.from, c.to)
		if text == small {
			t.Fatalf("%q is not in the text", c.from)
		}
		if _, err := Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), c.want) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%q for %q: %v, %q expected", c.to, c.from, err, c.want)
		}
	}
	for _, name := range []string{"none", "no/such.xml"} {
		if _, err := Open(name); err == nil {
			t.Errorf("%s was opened", name)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(small))
	f.Add([]byte(strings.Replace(small, "0.7", "1e-300", 1)))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := Read(bytes.NewReader(text))
		if err != nil {
			return
		}
		for i := 1; i <= MaxLength; i++ {
			if p := m.Pre(i, 1); !(p >= 0 && p <= 1) || !(m.Post(i) >= 0 && m.Post(i) <= 1) {
				t.Fatalf("%v %v", p, m.Post(i))
			}
		}
	})
}

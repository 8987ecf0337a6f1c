package barrage

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// plantVar says which bug FuzzCorpus has. The tests run it in a process of its own.
const plantVar = "BGTRAIN_BARRAGE_PLANT"

// plants are bodies with a bug, and one without that skips.
var plants = map[string]func(t *testing.T, data []byte){
	"panic": func(t *testing.T, data []byte) {
		if len(data) > 20 && data[20] == 'Q' {
			panic("planted")
		}
	},
	"fatal": func(t *testing.T, data []byte) {
		if bytes.Contains(data, []byte("1e309")) {
			t.Fatal("planted")
		}
	},
	"error": func(t *testing.T, data []byte) {
		if len(data) > 40 && data[3] == 0xff {
			t.Error("planted")
		}
	},
	"hang": func(t *testing.T, data []byte) {
		if len(data) == 5 {
			time.Sleep(time.Hour)
		}
	},
	"skip": func(t *testing.T, data []byte) {
		if len(data)%3 == 0 {
			t.Skip()
		}
	},
}

var corpusTypes = []reflect.Type{reflect.TypeFor[[]byte](), reflect.TypeFor[string](), reflect.TypeFor[uint8](),
	reflect.TypeFor[int64](), reflect.TypeFor[float32](), reflect.TypeFor[float64](), reflect.TypeFor[bool](),
	reflect.TypeFor[rune]()}

const corpusText = fileTitle + "[]byte(\"a\\x00\")\nstring(\"b\\\"c\")\nbyte('\\xff')\nint64(-3)\nfloat32(0.5)\n" +
	"math.Float64frombits(0x7ff8000000000001)\nbool(true)\nrune('é')\n"

// FuzzCorpus reads corpus files: what is accepted is written and read as the same.
func FuzzCorpus(tf *testing.F) {
	f := New(tf)
	f.Add([]byte(corpusText))
	f.Add([]byte(fileTitle + "[]byte(`a`)"))
	body := func(t *testing.T, data []byte) {
		e, err := parseFile(data, corpusTypes)
		if err != nil {
			return
		}
		text := appendFile(nil, corpusTypes, e)
		again, err := parseFile(text, corpusTypes)
		if err != nil || !bytes.Equal(text, appendFile(nil, corpusTypes, again)) {
			t.Fatalf("%q became %q: %v", data, text, err)
		}
	}
	if plant := plants[os.Getenv(plantVar)]; plant != nil {
		body, hangLimit = plant, 2*time.Second
	}
	f.Fuzz(body)
}

// target runs FuzzCorpus with a bug in a folder, and returns what it printed.
func target(t *testing.T, dir, plant, pattern string, env ...string) (out string, err error) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "-test.run", pattern)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), append(env, plantVar+"="+plant)...)
	raw, err := cmd.CombinedOutput()
	return string(raw), err
}

// Every kind of failure is found, and its file repeats it without a barrage.
func TestFindsAndRepeats(t *testing.T) {
	for _, plant := range []string{"panic", "fatal", "error", "hang"} {
		t.Run(plant, func(t *testing.T) {
			dir := t.TempDir()
			out, err := target(t, dir, plant, "^FuzzCorpus$", "BGTRAIN_FUZZ_EXECS=200000", "GOCACHE="+dir)
			if err == nil {
				t.Fatalf("not found:\n%s", out)
			}
			files, _ := filepath.Glob(filepath.Join(dir, crashDir("FuzzCorpus"), "*"))
			if len(files) != 1 || !strings.Contains(out, filepath.Base(files[0])) {
				t.Fatalf("files %v\n%s", files, out)
			}
			if plant == "hang" {
				return // it would hang again
			}
			out, err = target(t, dir, plant, "^FuzzCorpus$/^"+filepath.Base(files[0])+"$")
			if err == nil || !strings.Contains(out, "planted") || strings.Contains(out, "barrage: ") {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// A skip ends neither the barrage nor the count; the number asked for is made.
func TestSkipGoesOn(t *testing.T) {
	dir := t.TempDir()
	for _, plant := range []string{"skip", ""} {
		out, err := target(t, dir, plant, "^FuzzCorpus$", "BGTRAIN_FUZZ_EXECS=3333", "GOCACHE="+dir)
		if want := "barrage: bgtrain/internal/barrage FuzzCorpus: 3333 executions in "; err != nil ||
			!strings.Contains(out, want) {
			t.Errorf("%q: %v\n%s", plant, err, out)
		}
	}
	out, err := target(t, dir, "", "^FuzzCorpus$", "BGTRAIN_FUZZ_TIME=50ms", "GOCACHE="+dir)
	if err != nil || !strings.Contains(out, " executions in 0.") {
		t.Errorf("%v\n%s", err, out)
	}
	if out, err := target(t, dir, "", "^FuzzCorpus$", "BGTRAIN_FUZZ_EXECS=many"); err == nil ||
		!strings.Contains(out, "BGTRAIN_FUZZ_EXECS") {
		t.Errorf("%v\n%s", err, out)
	}
}

// The same seed gives the same inputs, another seed others; inputs stay in bounds.
func TestSameSeedSameInputs(t *testing.T) {
	const n = 5_000
	inputs := func(seed uint64) (all []string) {
		fn := func(t *testing.T, text string, n uint8, data []byte, f float64) {}
		l, err := newLoop(fn, [][]any{{"some text 12\nmore\n", uint8(3), []byte{1, 2, 3, 4, 5}, 0.5},
			{"", uint8(0), []byte{}, -1.0}}, &options{execs: n}, seed)
		if err != nil {
			t.Fatal(err)
		}
		for range n {
			l.next()
			for _, v := range l.input {
				if len(v.b) > minCap {
					t.Fatalf("an input of %d bytes", len(v.b))
				}
			}
			all = append(all, string(appendFile(nil, l.types, l.input)))
		}
		return all
	}
	a, b, c := inputs(1), inputs(1), inputs(2)
	if !slices.Equal(a, b) {
		t.Error("the same seed gave other inputs")
	}
	if slices.Equal(a, c) {
		t.Error("another seed gave the same inputs")
	}
	slices.Sort(a)
	if k := len(slices.Compact(a)); k < n*2/3 {
		t.Errorf("only %d of %d inputs differ", k, n)
	}
}

// A corpus file is read as go test reads it.
func TestCorpusFile(t *testing.T) {
	e, err := parseFile([]byte(corpusText), corpusTypes)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []any{[]byte("a\x00"), "b\"c", uint8(255), int64(-3), float32(0.5), nil, true, 'é'} {
		if got := e[i].as(corpusTypes[i]).Interface(); want != nil && !reflect.DeepEqual(got, want) {
			t.Errorf("value %d is %v, not %v", i, got, want)
		}
	}
	for _, bad := range []string{"", fileTitle, fileTitle + "[]byte(\"a\")\n", strings.Replace(corpusText, "-3", "x", 1),
		corpusText + "int(1)\n", strings.Replace(corpusText, "byte('\\xff')", "uint8(256)", 1)} {
		if _, err := parseFile([]byte(bad), corpusTypes); err == nil {
			t.Errorf("accepted %q", bad)
		}
	}
	dir := filepath.Join(t.TempDir(), "corpus")
	if all, err := readCorpus(dir, corpusTypes); err != nil || all != nil {
		t.Errorf("no folder: %v, %v", all, err)
	}
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"a": corpusText, "b": corpusText} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if all, err := readCorpus(dir, corpusTypes); err != nil || len(all) != 2 {
		t.Errorf("%v, %v", all, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "c"), []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := readCorpus(dir, corpusTypes); err == nil || !strings.Contains(err.Error(), filepath.Join(dir, "c")) {
		t.Errorf("a damaged file: %v", err)
	}
}

func BenchmarkNext(b *testing.B) {
	l, err := newLoop(func(*testing.T, []byte) {}, [][]any{{make([]byte, 1000)}}, &options{}, 1)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		l.next()
	}
}

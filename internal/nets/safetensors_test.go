package nets

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"

	"bgtrain/features"
	"bgtrain/internal/nn"
)

func encoded(t testing.TB, f *Set) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := WriteSafetensors(&b, f); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestSafetensorsRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	players := []*Set{
		gnubgPlayer(1, 16, 8), tesauroPlayer(2, nn.ReLU, 5, 3), tesauroPlayer(3, nn.Tanh, 1),
		tesauroPlayer(4, nn.Sigmoid), tesauroPlayer(5, nn.SigmoidGNUbg, 7, 6, 5, 4),
	}
	mixed := tesauroPlayer(6, nn.ReLU, 40)
	mixed.Nets[Race] = randomNet(rng, features.GNUbgRace, nn.Sigmoid, 3, 2)
	mixed.Nets[PruneCrashed] = randomNet(rng, features.GNUbgPrune, nn.Tanh, 2)
	mixed.Nets[Contact].Provenance = map[string]string{"parent": "0123456789abcdef",
		"data": "rollouts, “quoted” \"text\"\n<&>"}
	mixed.Provenance = map[string]string{"command": "bgtrain train --from td"}
	for i, want := range append(players, mixed) {
		raw := encoded(t, want)
		got, err := ReadSafetensors(bytes.NewReader(raw))
		if err != nil {
			t.Fatalf("player %d: %v", i, err)
		}
		sameNets(t, got, want)
		if !reflect.DeepEqual(got.Provenance, want.Provenance) {
			t.Errorf("provenance %v, want %v", got.Provenance, want.Provenance)
		}
		for r := range want.Nets {
			if !reflect.DeepEqual(got.Nets[r].Provenance, want.Nets[r].Provenance) {
				t.Errorf("%s: provenance %v, want %v", r, got.Nets[r].Provenance, want.Nets[r].Provenance)
			}
		}
		if !bytes.Equal(encoded(t, got), raw) {
			t.Errorf("player %d: other bytes when written again", i)
		}
	}
}

// Files of format 1 stay readable, and players keep their fingerprints.
func TestFormat1(t *testing.T) {
	raw, err := os.ReadFile("testdata/format1.safetensors")
	if err != nil {
		t.Fatal(err)
	}
	f, err := ReadSafetensors(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	if fp := f.Fingerprint(); fp != "44006e979879cb06" {
		t.Errorf("fingerprint %s", fp)
	}
	if !bytes.Equal(encoded(t, f), raw) {
		t.Error("other bytes when written now")
	}
}

// What PyTorch and the safetensors library see.
func TestSafetensorsLayout(t *testing.T) {
	f := tesauroPlayer(1, nn.Sigmoid, 3)
	raw := encoded(t, f)
	n := binary.LittleEndian.Uint64(raw)
	if n%8 != 0 {
		t.Errorf("header of %d bytes: the data are not aligned", n)
	}
	var h map[string]struct {
		DType   string `json:"dtype"`
		Shape   []int  `json:"shape"`
		Offsets [2]int `json:"data_offsets"`
	}
	if err := json.Unmarshal(raw[8:8+n], &h); err != nil {
		t.Fatal(err)
	}
	w := h["contact.0.weight"]
	if w.DType != "F32" || !reflect.DeepEqual(w.Shape, []int{3, 196}) || w.Offsets != [2]int{0, 4 * 3 * 196} {
		t.Errorf("contact.0.weight: %+v", w)
	}
	// Row-major: the second number is that of the first unit's second input.
	second := math.Float32frombits(binary.LittleEndian.Uint32(raw[8+n+4:]))
	if want := f.Nets[Contact].Net.Layers[0].Weights[1*3+0]; second != want {
		t.Errorf("second number %v, want %v", second, want)
	}
}

func TestFingerprint(t *testing.T) {
	base := gnubgPlayer(1, 8).Fingerprint()
	same := gnubgPlayer(1, 8)
	same.Provenance["command"] = "another"
	same.Nets[Race].Provenance = map[string]string{"scores": "good"}
	if same.Fingerprint() != base {
		t.Error("provenance changes the fingerprint")
	}
	changes := map[string]func(f *Set){
		"weight":       func(f *Set) { f.Nets[PruneRace].Net.Layers[0].Weights[3] *= 1.0000001 },
		"threshold":    func(f *Set) { f.Nets[Race].Net.Layers[1].Bias[4] += 1 },
		"beta":         func(f *Set) { f.Nets[Race].Net.Layers[1].Beta += 1 },
		"activation":   func(f *Set) { f.Nets[Race].Net.Layers[0].Activation = nn.Sigmoid },
		"inputs":       func(f *Set) { f.Nets[Contact].Inputs = "gnubg-crashed" },
		"version":      func(f *Set) { f.Nets[Contact].InputsVersion = 2 },
		"roles":        func(f *Set) { f.Nets[Contact], f.Nets[Crashed] = f.Nets[Crashed], f.Nets[Contact] },
		"one net less": func(f *Set) { delete(f.Nets, PruneRace) },
	}
	for name, change := range changes {
		f := gnubgPlayer(1, 8)
		change(f)
		if f.Fingerprint() == base {
			t.Errorf("%s: the fingerprint stays the same", name)
		}
	}
	other := gnubgPlayer(2, 8)
	mean := Mean(same, other)
	if want := base + "+" + other.Fingerprint(); mean.Fingerprint() != want || Mean(same) != same || mean.Own().Fingerprint() != base ||
		len(same.Others) > 0 {
		t.Errorf("a mean has %s, %s expected", mean.Fingerprint(), want)
	}
	if err := WriteSafetensors(new(bytes.Buffer), mean); err == nil {
		t.Error("a file of two players")
	}
}

// container puts a file together from a header and data, as they are.
func container(header string, data []byte) string {
	return string(binary.LittleEndian.AppendUint64(nil, uint64(len(header)))) + header + string(data)
}

// parts takes a file apart.
func parts(raw []byte) (header string, data []byte) {
	n := binary.LittleEndian.Uint64(raw)
	return string(raw[8 : 8+n]), raw[8+n:]
}

func TestSafetensorsBadInput(t *testing.T) {
	raw := encoded(t, tesauroPlayer(1, nn.Sigmoid, 2))
	head, data := parts(raw)
	// unsigned lets changes through to what they break: without the sums.
	unsigned := cutMember(cutMember(head, "digest"), "fingerprint")
	change := func(old, with string) string {
		if !strings.Contains(unsigned, old) {
			t.Fatalf("no %s in %s", old, unsigned)
		}
		return container(strings.Replace(unsigned, old, with, 1), data)
	}
	number := func(at int, v float32) string {
		d := bytes.Clone(data)
		binary.LittleEndian.PutUint32(d[at:], math.Float32bits(v))
		return container(unsigned, d)
	}
	if _, err := ReadSafetensors(strings.NewReader(container(unsigned, data))); err != nil {
		t.Fatalf("without digest and fingerprint: %v", err)
	}
	const meta = `"__metadata__":{"format":"bgtrain player 1"}`
	for _, tt := range []struct{ name, content, message string }{
		{"empty", "", "cut off in the length"},
		{"short", "1234567", "cut off in the length"},
		{"no header", container("", nil), "header: unexpected EOF"},
		{"huge header", "\x00\x00\x00\x00\x00\x00\x00\x80{", "neither .safetensors"},
		{"header over 16 MiB", "\x01\x00\x00\x01\x00\x00\x00\x00{", "neither .safetensors"},
		{"header longer than the file", "\x10\x00\x00\x00\x00\x00\x00\x00{}", "cut off in the header: 2 of 16 bytes"},
		{"another format", "PAR1 is no length\x00\x00", "neither .safetensors"},
		{"no JSON", container("weights", nil), "header: invalid character 'w'"},
		{"array", container("[]", nil), "a JSON object expected"},
		{"half an object", container(`{"__metadata__":{`, nil), "header: unexpected EOF"},
		{"two objects", container(`{} {}`, nil), "more after the JSON object"},
		{"no metadata", container(`{}`, nil), "__metadata__: missing"},
		{"metadata no object", container(`{"__metadata__":"x"}`, nil), "__metadata__: a JSON object expected"},
		{"metadata no strings", container(`{"__metadata__":{"format":1}}`, nil), `"format": a string expected`},
		{"metadata null", container(`{"__metadata__":{"format":null}}`, nil), `"format": a string expected`},
		{"someone else's", container(`{"__metadata__":{"format":"pt","author":"x"}}`, nil),
			`format "pt" in the metadata`},
		{"a later version", change("player 1", "player 2"),
			`format "bgtrain player 2" in the metadata; this program reads "bgtrain player 1"`},
		{"unknown metadata", change(`"format"`, `"finger":"","format"`), `unknown key "finger"`},
		{"metadata twice", container(`{`+meta+`,`+meta+`}`, nil), `"__metadata__" stands twice`},
		{"key twice", change(`"format"`, `"format":"x","format"`), `"format" stands twice`},
		{"tensor twice", change(`{"__metadata__"`, `{"race.0.bias":0,"race.0.bias":0,"__metadata__"`),
			`"race.0.bias" stands twice`},
		{"dtype twice", change(`"dtype":"F32"`, `"dtype":"F32","dtype":"F32"`), `"dtype" stands twice`},
		{"no nets", container(`{`+meta+`}`, nil), "no contact net"},
		{"tensor no object", change(`{"__metadata__"`, `{"x":1,"__metadata__"`), `tensor "x": a JSON object expected`},
		{"dtype", change("F32", "BF16"), `it holds "BF16", F32 or F16 expected`},
		{"narrow dtype", change("F32", "F16"), `tensor "contact.0.bias" of shape [2] takes 8 bytes, 4 expected`},
		{"capital dtype", change(`"dtype"`, `"Dtype"`), `tensor "contact.0.bias": no dtype`},
		{"more in a tensor", change(`"dtype"`, `"x":1,"dtype"`), "more than dtype, shape and data_offsets"},
		{"shape", change(`"shape":[2,196]`, `"shape":[196,2]`),
			`tensor "contact.0.weight" has shape [196 2], [2 196] expected`},
		{"flat shape", change(`"shape":[2,196]`, `"shape":[392]`), `has shape [392]`},
		{"fractional shape", change(`"shape":[2,196]`, `"shape":[2,196.5]`), `shape: json`},
		{"one offset", change(`"data_offsets":[0,1568]`, `"data_offsets":[0]`), "two ascending ones"},
		{"negative offset", change(`"data_offsets":[0,1568]`, `"data_offsets":[-4,1568]`), "two ascending ones"},
		{"descending offsets", change(`"data_offsets":[0,1568]`, `"data_offsets":[1568,0]`), "two ascending ones"},
		{"huge offset", change(`"data_offsets":[0,1568]`, `"data_offsets":[0,9000000000000000000]`),
			"two ascending ones"},
		{"overflowing offset", change(`"data_offsets":[0,1568]`, `"data_offsets":[0,1e30]`), "data_offsets: json"},
		{"gap", change(`"data_offsets":[0,1568]`, `"data_offsets":[4,1568]`),
			`tensor "contact.0.weight" begins at byte 4, where 0 is the end`},
		{"overlap", change(`"data_offsets":[1568,1576]`, `"data_offsets":[1564,1576]`),
			`begins at byte 1564, where 1568 is the end`},
		{"misfit", change(`\"in\":196,\"out\":2`, `\"in\":196,\"out\":3`), `has shape [2 196], [3 196] expected`},
		{"huge layer", change(`\"in\":196,\"out\":2`, `\"in\":196,\"out\":4611686018427387904`), "layer 0: 196 inputs and 4611686018427387904 outputs"},
		{"negative layer", change(`\"in\":196,\"out\":2`, `\"in\":196,\"out\":-2`), "outputs, 1 to"},
		{"fewer layers", change(`{\"in\":2,\"out\":5,`, `{\"in\":2,\"out\":4,`), "shape [5 2], [4 2] expected"},
		{"no tensor", change(`"contact.0.weight"`, `"contact.9.weight"`), `tensor "contact.0.weight" is missing`},
		{"a tensor too many", change(`{"__metadata__"`, `{"extra":{"dtype":"F32","shape":[0],"data_offsets":[0,0]},"__metadata__"`), `tensor "extra" belongs to no net`},
		{"activation", change(`\"sigmoid\"`, `\"softplus\"`), `unknown activation "softplus" (known: [sigmoid sigmoid-gnubg relu tanh squared-relu])`},
		{"inputs", change(`\"tesauro\"`, `\"tesauri\"`), `unknown inputs "tesauri" version 1 (known: `},
		{"inputs' version", change(`\"inputs_version\":1`, `\"inputs_version\":9`), "unknown inputs \"tesauro\" version 9 (known: "},
		{"other inputs", change(`\"tesauro\"`, `\"gnubg-race\"`), "contact net: 196 inputs and 5 outputs; gnubg-race takes 214"},
		{"metadata of a net", change(`{\"inputs\"`, `[\"inputs\"`), "contact net: metadata: "},
		{"provenance", change(`"format"`, `"provenance":"1","format"`), "provenance: json"},
		{"NaN", number(0, float32(math.NaN())), "contact net: layer 0: value 0 is NaN"},
		{"infinity", number(4*196*2, float32(math.Inf(1))), "contact net: layer 0: value 0 is +Inf"},
		{"a byte more", string(raw) + "x", "more bytes after"},
		{"a byte less", string(raw[:len(raw)-1]), "cut off: "},
		{"no data", container(head, nil), "cut off: 0 bytes of tensor data"},
		{"other weights", strings.Replace(string(raw), string(data[:4]), "abcd", 1), "damaged: the digest"},
		{"other fingerprint", container(strings.Replace(cutMember(head, "digest"), `"fingerprint":"`, `"fingerprint":"f`, 1), data), "damaged: fingerprint \"f"},
	} {
		_, err := ReadSafetensors(strings.NewReader(tt.content))
		if err == nil || !strings.Contains(err.Error(), tt.message) {
			t.Errorf("%s: error %v, want one with %q", tt.name, err, tt.message)
		}
	}
}

// cutMember removes `"key":"value",` from JSON text.
func cutMember(text, key string) string {
	i := strings.Index(text, `"`+key+`":"`)
	if i < 0 {
		panic(fmt.Sprintf("no %s in %s", key, text))
	}
	return text[:i] + text[i+strings.Index(text[i:], `",`)+2:]
}

func TestWhatACheckRefuses(t *testing.T) {
	change := func(do func(e *Entry)) *Set {
		f := tesauroPlayer(1, nn.ReLU, 2)
		do(f.Nets[Race])
		return f
	}
	for _, tt := range []struct {
		name    string
		f       *Set
		message string
	}{
		{"no nets", &Set{}, "no contact net"},
		{"no net", change(func(e *Entry) { e.Net = nil }), "race net: no layers"},
		{"no layers", change(func(e *Entry) { e.Net.Layers = nil }), "race net: net has no layers"},
		{"weights", change(func(e *Entry) { e.Net.Layers[0].Weights = nil }), "race net: layer 0: 0 weights"},
		{"inputs", change(func(e *Entry) { e.Inputs = "x" }), `race net: unknown inputs "x" version 1 (known: `},
		{"beta", change(func(e *Entry) { e.Net.Layers[1].Beta = 0 }), "race net: layer 1: a sigmoid with beta 0"},
		{"outputs", change(func(e *Entry) { e.Net.Layers[1].Activation = nn.Tanh }), "race net: the outputs come from tanh"},
	} {
		if err := tt.f.Check(); err == nil || !strings.Contains(err.Error(), tt.message) {
			t.Errorf("%s: error %v, want one with %q", tt.name, err, tt.message)
		}
		if err := WriteSafetensors(&bytes.Buffer{}, tt.f); err == nil {
			t.Errorf("%s: written", tt.name)
		}
	}
	if err := change(func(e *Entry) { e.Net.Layers[0].Beta = 0 }).Check(); err != nil {
		t.Errorf("a beta that ReLU ignores: %v", err)
	}
}

// Whatever bit of a file is turned, it is found, or does not matter.
func TestSafetensorsDamage(t *testing.T) {
	f := tesauroPlayer(1, nn.Sigmoid, 1)
	f.Provenance["command"] = "bgtrain td --games 1000000"
	f.Nets[Race].Provenance = map[string]string{"scores": "race 0.7"}
	raw := encoded(t, f)
	harmless := 0
	for i := range raw {
		for bit := range 8 {
			if i > len(raw)/2 && bit != i%8 { // weights: one bit of each byte will do
				continue
			}
			raw[i] ^= 1 << bit
			got, err := ReadSafetensors(bytes.NewReader(raw))
			raw[i] ^= 1 << bit
			if err != nil {
				continue
			}
			harmless++
			if got.Fingerprint() != f.Fingerprint() || !reflect.DeepEqual(got.Describe(), f.Describe()) {
				t.Fatalf("bit %d of byte %d turned: read as another player", bit, i)
			}
		}
	}
	for n := range raw {
		if _, err := ReadSafetensors(bytes.NewReader(raw[:n])); err == nil {
			t.Fatalf("the first %d of %d bytes read without an error", n, len(raw))
		}
	}
	t.Logf("%d single-bit errors in %d bytes do not matter", harmless, len(raw))
}

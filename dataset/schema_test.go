package dataset

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/zeebo/xxh3"
)

// TestSchema holds a written file to the documented schema, as the Parquet
// library itself sees it.
func TestSchema(t *testing.T) {
	path := filepath.Join(t.TempDir(), "db")
	const n = RowGroupRows + 10
	writeDB(t, path, randomRows(1, n), Options{Meta: Meta{Command: "bgtrain x", Seed: "5", Net: "f00"}})
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	r, err := file.NewParquetReader(f)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()

	want := strings.TrimSpace(`
position FIXED_LEN_BYTE_ARRAY(10) required
class BYTE_ARRAY required String dictionary
win FLOAT optional
win_gammon FLOAT optional
win_backgammon FLOAT optional
lose_gammon FLOAT optional
lose_backgammon FLOAT optional
equity_se FLOAT optional
trials INT32 optional
method BYTE_ARRAY optional String dictionary
source BYTE_ARRAY optional String dictionary`)
	if r.NumRowGroups() != 2 || r.NumRows() != n || r.RowGroup(0).NumRows() != RowGroupRows {
		t.Errorf("%d rows in %d row groups", r.NumRows(), r.NumRowGroups())
	}
	var got []string
	for i := range r.MetaData().Schema.NumColumns() {
		c := r.MetaData().Schema.Column(i)
		words := []string{c.Name(), c.PhysicalType().String()}
		if c.PhysicalType() == parquet.Types.FixedLenByteArray {
			words[1] += "(10)"
			if c.TypeLength() != 10 {
				t.Errorf("position has %d bytes", c.TypeLength())
			}
		}
		words = append(words, strings.ToLower(c.SchemaNode().RepetitionType().String()))
		if c.LogicalType().IsValid() && !c.LogicalType().IsNone() {
			words = append(words, c.LogicalType().String())
		}
		for g := range r.NumRowGroups() {
			m, err := r.RowGroup(g).MetaData().ColumnChunk(i)
			if err != nil {
				t.Fatal(err)
			}
			if m.Compression() != compress.Codecs.Zstd {
				t.Errorf("%s is compressed by %v", c.Name(), m.Compression())
			}
			if g == 0 && m.HasDictionaryPage() {
				words = append(words, "dictionary")
			}
		}
		got = append(got, strings.Join(words, " "))
	}
	if text := strings.Join(got, "\n"); text != want {
		t.Errorf("schema:\n%s\nwant:\n%s", text, want)
	}

	kv := r.MetaData().KeyValueMetadata()
	for key, want := range map[string]string{
		"bgtrain.schema": "1", "bgtrain.rows": "131082", "bgtrain.command": "bgtrain x",
		"bgtrain.seed": "5", "bgtrain.net": "f00",
	} {
		if v := kv.FindValue(key); v == nil || *v != want {
			t.Errorf("%s: %v, want %s", key, v, want)
		}
	}
	for _, name := range digestNames {
		if v := kv.FindValue("bgtrain.digest." + name); v == nil || len(strings.Fields(*v)) != 2 {
			t.Errorf("digest of %s: %v", name, v)
		}
	}
}

// TestDigestDefinition computes the digests of some rows a second time, straight
// from the definition.
func TestDigestDefinition(t *testing.T) {
	var b Batch
	var bytes [numDigests][]byte
	le := binary.LittleEndian
	text := func(to []byte, s string) []byte {
		if s == "" {
			return le.AppendUint32(to, 0xFFFFFFFF)
		}
		return append(le.AppendUint32(to, uint32(len(s))), s...)
	}
	float := func(to []byte, v float32, has bool) []byte {
		if !has {
			return le.AppendUint32(to, 0x7FC00000)
		}
		return le.AppendUint32(to, math.Float32bits(v))
	}
	for _, r := range randomRows(77, 5000) {
		b.Append(&r)
		bytes[digestPosition] = append(bytes[digestPosition], r.Key[:]...)
		bytes[digestClass] = text(bytes[digestClass], r.Class.String())
		for _, v := range r.Outputs {
			bytes[digestOutputs] = float(bytes[digestOutputs], v, r.HasOutputs)
		}
		bytes[digestEquitySE] = float(bytes[digestEquitySE], r.EquitySE, r.HasSE)
		trials := uint32(math.MaxUint32)
		if r.HasTrials {
			trials = uint32(r.Trials)
		}
		bytes[digestTrials] = le.AppendUint32(bytes[digestTrials], trials)
		bytes[digestMethod] = text(bytes[digestMethod], r.Method)
		bytes[digestSource] = text(bytes[digestSource], r.Source)
	}
	var d digester
	got := d.digest(&b, AllColumns)
	for i, name := range digestNames {
		if want := xxh3.Hash(bytes[i]); got[i] != want {
			t.Errorf("digest of %s %016x, want %016x", name, got[i], want)
		}
	}
	if some := d.digest(&b, ColTrials); some != (digests{digestPosition: got[digestPosition],
		digestTrials: got[digestTrials]}) {
		t.Errorf("digests of some columns %016x", some)
	}
}

// TestReadsVersion1 reads a file that was written when the schema became version
// 1, and the same rows as text. Never write it anew: whatever reads version 1
// must read it.
func TestReadsVersion1(t *testing.T) {
	rows := readDB(t, "testdata/v1.parquet", Filter{})
	var got strings.Builder
	for _, r := range rows {
		fmt.Fprintf(&got, "%v %v %v %v %v %v %v %v %q %q\n", r.Key, r.Class, r.HasOutputs, r.Outputs, r.HasSE,
			r.EquitySE, r.HasTrials, r.Trials, r.Method, r.Source)
	}
	want, err := os.ReadFile("testdata/v1.txt")
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != string(want) {
		t.Errorf("the rows read are not those of testdata/v1.txt:\n%s", got.String())
	}
}

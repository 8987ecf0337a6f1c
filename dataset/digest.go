package dataset

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"
)

// Digests make damage an error. Parquet as written here has no checksums of its
// own, so the footer's key-value metadata carries, besides the facts in Meta,
//
//	bgtrain.digest.COLUMN  for each row group XXH3-64 of the decoded values of
//	                       that column, 16 hexadecimal digits, joined by spaces
//	bgtrain.digest         XXH3-128 of all other bgtrain.* entries, as lines
//	                       "KEY=VALUE\n" in the order of their keys
//
// COLUMN is position, class, outputs (the five columns together), equity_se, trials, method or source. What is
// hashed, row after row: the ten bytes of a position; a string as its length (uint32) and its bytes, a null as the
// length 0xFFFFFFFF; the outputs as five float32; equity_se as float32, trials as int32. A null float is the NaN
// 0x7FC00000, a null in trials -1. All numbers are little-endian.
//
// So a row group is checked before any row of it is handed out, whichever columns are read, and an error names the
// row group.

// The groups of columns that have a digest, in the order of digests.
var digestNames = [...]string{colPosition, colClass, "outputs", colEquitySE, colTrials, colMethod, colSource}

const (
	digestPosition = iota
	digestClass
	digestOutputs
	digestEquitySE
	digestTrials
	digestMethod
	digestSource
	numDigests
)

// digests are those of one row group.
type digests [numDigests]uint64

// digestWants are the columns that digest i needs, 0 for the position.
var digestWants = [numDigests]Columns{0, ColClass, ColOutputs, ColEquitySE, ColTrials, ColMethod, ColSource}

// digester computes the digests of batches.
type digester struct {
	h   *xxh3.Hasher
	buf []byte
}

// digest returns the digests of the columns in want; the others are 0.
func (d *digester) digest(b *Batch, want Columns) digests {
	if d.h == nil {
		d.h = xxh3.New()
	}
	adds := [numDigests]func(buf []byte, i int) []byte{
		digestPosition: func(buf []byte, i int) []byte { return append(buf, b.Keys[i][:]...) },
		digestClass:    func(buf []byte, i int) []byte { return appendString(buf, b.Class[i].String()) },
		digestOutputs: func(buf []byte, i int) []byte {
			for _, v := range &b.Outputs[i] {
				if !b.HasOutputs[i] {
					v = nan32
				}
				buf = appendFloat(buf, v)
			}
			return buf
		},
		digestEquitySE: func(buf []byte, i int) []byte { return appendFloat(buf, b.EquitySE[i]) },
		digestTrials: func(buf []byte, i int) []byte {
			return binary.LittleEndian.AppendUint32(buf, uint32(b.Trials[i]))
		},
		digestMethod: b.Method.appendTo,
		digestSource: b.Source.appendTo,
	}
	var out digests
	for k, add := range adds {
		if digestWants[k]&^want == 0 {
			out[k] = d.column(b.Len(), add)
		}
	}
	return out
}

// appendTo appends what is hashed of row i.
func (s *Strings) appendTo(buf []byte, i int) []byte {
	if s.Index[i] < 0 {
		return binary.LittleEndian.AppendUint32(buf, math.MaxUint32)
	}
	return appendString(buf, s.Values[s.Index[i]])
}

// column hashes n rows; add appends the bytes of row i.
func (d *digester) column(n int, add func(buf []byte, i int) []byte) uint64 {
	const flush = 32 << 10
	d.h.Reset()
	buf := d.buf[:0]
	for i := range n {
		if buf = add(buf, i); len(buf) >= flush {
			d.h.Write(buf)
			buf = buf[:0]
		}
	}
	d.h.Write(buf)
	d.buf = buf
	return d.h.Sum64()
}

func appendString(buf []byte, s string) []byte {
	return append(binary.LittleEndian.AppendUint32(buf, uint32(len(s))), s...)
}

func appendFloat(buf []byte, v float32) []byte {
	bits := math.Float32bits(v)
	if v != v {
		bits = 0x7FC00000
	}
	return binary.LittleEndian.AppendUint32(buf, bits)
}

// sealDigest returns the value of bgtrain.digest for the metadata kv, whose keys
// all begin with metaPrefix; an entry bgtrain.digest itself does not count.
func sealDigest(kv map[string]string) string {
	h := xxh3.New()
	for _, k := range slices.Sorted(maps.Keys(kv)) {
		if k != metaDigest {
			fmt.Fprintf(h, "%s=%s\n", k, kv[k])
		}
	}
	return hexDigest(h)
}

// formatDigests puts the digests of all row groups into kv.
func formatDigests(kv map[string]string, groups []digests) {
	for i, name := range digestNames {
		words := make([]string, len(groups))
		for g := range groups {
			words[g] = fmt.Sprintf("%016x", groups[g][i])
		}
		kv[metaDigest+"."+name] = strings.Join(words, " ")
	}
}

// parseDigests reads what formatDigests wrote for n row groups.
func parseDigests(kv map[string]string, n int) ([]digests, error) {
	var groups []digests
	for i, name := range digestNames {
		key := metaDigest + "." + name
		text, ok := kv[key]
		if !ok {
			return nil, fmt.Errorf("no %s in the metadata", key)
		}
		words := strings.Fields(text)
		if len(words) != n {
			return nil, fmt.Errorf("%s holds the digests of %d row groups, the file has %d", key, len(words), n)
		}
		if groups == nil {
			groups = make([]digests, n)
		}
		for g, w := range words {
			if _, err := fmt.Sscanf(w, "%016x", &groups[g][i]); err != nil {
				return nil, fmt.Errorf("%s: %q is no digest", key, w)
			}
		}
	}
	return groups, nil
}

// ErrForeign is the error of a file of the right format that holds something else.
var ErrForeign = errors.New("no rollout database")

// unseal checks the metadata of a file and returns the digests of its row groups.
func unseal(kv map[string]string, groups int) ([]digests, Meta, error) {
	switch v := kv[metaSchema]; v {
	case SchemaVersion:
	case "":
		return nil, Meta{}, fmt.Errorf("%w: no %s in the metadata", ErrForeign, metaSchema)
	default:
		return nil, Meta{}, fmt.Errorf("%s is %q, this program reads %q", metaSchema, v, SchemaVersion)
	}
	if got, want := sealDigest(kv), kv[metaDigest]; got != want {
		return nil, Meta{}, fmt.Errorf("the metadata has digest %s, %s says %q", got, metaDigest, want)
	}
	digests, err := parseDigests(kv, groups)
	if err != nil {
		return nil, Meta{}, err
	}
	m, err := decodeMeta(kv)
	return digests, m, err
}

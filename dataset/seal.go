package dataset

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// A file of another format that holds a database carries its metadata and the
// digests of its rows as a Parquet file does, batch for row group.

// Sealer gathers the digests of the batches of such a file, in their order.
type Sealer struct {
	d      digester
	groups []digests
	rows   int64
}

// Add takes the next batch, which holds all columns.
func (s *Sealer) Add(b *Batch) {
	s.groups = append(s.groups, s.d.digest(b, AllColumns))
	s.rows += int64(b.Len())
}

// Entries returns the metadata of the file: m, but for its numbers of parts, the number of rows and the digests.
func (s *Sealer) Entries(m Meta) map[string]string {
	m.Part, m.Parts = 0, 0
	kv := m.encode()
	kv[metaRows] = strconv.FormatInt(s.rows, 10)
	formatDigests(kv, s.groups)
	kv[metaDigest] = sealDigest(kv)
	return kv
}

// Seal is what Sealer.Entries put into a file.
type Seal struct {
	Meta Meta
	Rows int64

	d      digester
	groups []digests
}

// OpenSeal reads the metadata of a file with so many batches. It returns nil where
// there is none of this program's.
func OpenSeal(kv map[string]string, batches int) (*Seal, error) {
	ours := map[string]string{}
	for k, v := range kv {
		if strings.HasPrefix(k, metaPrefix) {
			ours[k] = v
		}
	}
	if len(ours) == 0 {
		return nil, nil
	}
	groups, m, err := unseal(ours, batches)
	if err != nil {
		return nil, err
	}
	rows, err := strconv.ParseInt(ours[metaRows], 10, 64)
	if err != nil || rows < 0 {
		return nil, fmt.Errorf("%s is %q, not a number of rows", metaRows, ours[metaRows])
	}
	return &Seal{Meta: m, Rows: rows, groups: groups}, nil
}

// Check compares batch i, which holds all columns, with its digests.
func (s *Seal) Check(i int, b *Batch) error {
	got := s.d.digest(b, AllColumns)
	for k, name := range digestNames {
		if got[k] != s.groups[i][k] {
			return fmt.Errorf("column %s has digest %016x, the metadata says %016x", name, got[k], s.groups[i][k])
		}
	}
	return nil
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

package dataset

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"bgtrain/internal/cpu"
)

// Keys of the footer's key-value metadata.
const (
	metaPrefix  = "bgtrain."
	metaSchema  = "bgtrain.schema"
	metaRows    = "bgtrain.rows"
	metaCommand = "bgtrain.command"
	metaSeed    = "bgtrain.seed"
	metaNet     = "bgtrain.net"
	metaPart    = "bgtrain.part"
	metaParts   = "bgtrain.parts"
	metaDigest  = "bgtrain.digest"
	metaSealed  = "bgtrain.bytes" // says that the file has metaBytes, and of which kind
	metaExtra   = "bgtrain.x."
)

// Meta is what a file says about how it was made. It is kept in the footer.
type Meta struct {
	Command string // the command line that makes the file again
	Seed    string // the seed, "" for none
	Net     string // fingerprint of the nets that evaluated, "" for none

	// Part is the number of this file among the parts of its database, from 1,
	// and Parts their number; 0 where unknown or not a part.
	Part, Parts int

	Extra map[string]string // more entries, kept as bgtrain.x.KEY
}

// Difference compares two files' seeds, nets and further entries, all that tells runs
// apart but the numbers of the parts. It returns the name of the first one that differs
// with both values, and "" where none does. Kernels (cpu.RoundingName) that one of the
// files says nothing of, as those of older versions, agree.
func (m *Meta) Difference(o *Meta) (name, value, other string) {
	if m.Seed != o.Seed {
		return "seed", m.Seed, o.Seed
	}
	if m.Net != o.Net {
		return "net", m.Net, o.Net
	}
	all := maps.Clone(o.Extra)
	if all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, m.Extra)
	for _, k := range slices.Sorted(maps.Keys(all)) {
		a, inA := m.Extra[k]
		b, inB := o.Extra[k]
		unknown := k == cpu.RoundingName && inA != inB
		if (a != b || inA != inB) && !unknown {
			return k, a, b
		}
	}
	return "", "", ""
}

// encode returns the metadata entries, without rows and digests.
func (m *Meta) encode() map[string]string {
	kv := map[string]string{metaSchema: SchemaVersion}
	set := func(key, value string) {
		if value != "" {
			kv[key] = value
		}
	}
	set(metaCommand, m.Command)
	set(metaSeed, m.Seed)
	set(metaNet, m.Net)
	if m.Part > 0 {
		kv[metaPart] = strconv.Itoa(m.Part)
	}
	if m.Parts > 0 {
		kv[metaParts] = strconv.Itoa(m.Parts)
	}
	for k, v := range m.Extra {
		kv[metaExtra+k] = v
	}
	return kv
}

// decodeMeta reads what encode wrote.
func decodeMeta(kv map[string]string) (Meta, error) {
	m := Meta{Command: kv[metaCommand], Seed: kv[metaSeed], Net: kv[metaNet]}
	for key, dst := range map[string]*int{metaPart: &m.Part, metaParts: &m.Parts} {
		text, ok := kv[key]
		if !ok {
			continue
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return Meta{}, fmt.Errorf("%s is %q, not a positive number", key, text)
		}
		*dst = n
	}
	for k, v := range kv {
		if name, ok := strings.CutPrefix(k, metaExtra); ok {
			if m.Extra == nil {
				m.Extra = map[string]string{}
			}
			m.Extra[name] = v
		}
	}
	return m, nil
}

// clone returns a copy that shares nothing.
func (m Meta) clone() Meta {
	m.Extra = maps.Clone(m.Extra)
	return m
}

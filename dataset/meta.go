package dataset

import (
	"fmt"
	"maps"
	"strconv"
	"strings"

	"bgtrain/internal/cpu"
	"bgtrain/internal/identity"
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
	metaSealed  = "bgtrain.bytes" // means that the file has metaBytes, and of which kind
	metaExtra   = "bgtrain.x."
)

// Meta is how a file was made, kept in the footer.
type Meta struct {
	Command string // the command line that makes the file again
	Seed    string // the seed, "" for none
	Net     string // fingerprint of the nets that evaluated, "" for none

	// Part is the number of this file among the parts of its database, from 1,
	// and Parts their number; 0 where unknown or not a part.
	Part, Parts int

	Extra map[string]string // more entries, kept as bgtrain.x.KEY
}

// Identity returns what distinguishes runs: seed, nets and the further entries, but neither the command nor the
// numbers of the parts.
func (m *Meta) Identity() identity.ID {
	id := identity.ID{}
	id.AddAll("", m.Extra)
	for name, value := range map[string]string{"seed": m.Seed, "net": m.Net} {
		if value != "" {
			id[name] = value
		}
	}
	return id
}

// MetaOf returns metadata with an identity, as Identity returns it.
func MetaOf(id identity.ID) Meta {
	m := Meta{Seed: id["seed"], Net: id["net"], Extra: maps.Clone(id)}
	delete(m.Extra, "seed")
	delete(m.Extra, "net")
	return m
}

// Check returns an identity.ErrOther, which names what differs, where a file found was made by another run.
// Kernels (cpu.RoundingName) that one of the two does not name, as files of older versions, agree.
func (m *Meta) Check(found *Meta) error {
	here, there := m.Identity(), found.Identity()
	if here[cpu.RoundingName] == "" || there[cpu.RoundingName] == "" {
		delete(here, cpu.RoundingName)
		delete(there, cpu.RoundingName)
	}
	return here.Check(there)
}

// Entries returns the entries of the footer that say how the rows were made, without their number and digests.
func (m *Meta) Entries() map[string]string {
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

// decodeMeta reads what Entries returned.
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

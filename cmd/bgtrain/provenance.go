package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"bgtrain/rollout/job"

	"github.com/spf13/pflag"
)

// What a file says of the command that made it, and what tells runs apart. The
// command line is for people, who may type it again; a run's identity is for the
// program, which goes on only with what the same run left.

// neutralFlags change no result in any command: how it is computed, shown or
// interrupted, and where else than in the result something is written. They are
// in no provenance and no identity.
var neutralFlags = []string{
	"workers", "cache", "shard", "json", "fresh", "checkpoint", "checkpoint-every", "curve", "plot", "log",
	"farm", "key", "ca", "audit", "replicas",
}

// commandLine returns the command line that makes a result again: the arguments,
// then the flags that were set, but the neutral ones. The flags are parsed.
func commandLine(name string, f *pflag.FlagSet) string {
	words := []string{"bgtrain", name}
	for _, a := range f.Args() {
		words = append(words, quote(a))
	}
	f.Visit(func(flag *pflag.Flag) {
		if slices.Contains(neutralFlags, flag.Name) {
			return
		}
		name := "--" + flag.Name
		if flag.Shorthand != "" {
			name = "-" + flag.Shorthand
		}
		value := flag.Value.String()
		if s, ok := flag.Value.(pflag.SliceValue); ok {
			value = strings.Join(s.GetSlice(), ",")
		}
		switch {
		case flag.Value.Type() == "bool" && value == "true":
			words = append(words, name)
		case flag.Value.Type() == "bool":
			words = append(words, "--"+flag.Name+"=false")
		default:
			words = append(words, name, quote(value))
		}
	})
	return strings.Join(words, " ")
}

// quote makes a text one word of a shell's command line, on one line and without
// control characters.
func quote(s string) string {
	plain := func(r rune) bool {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' ||
			strings.ContainsRune("_@%+=:,./-", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	if strings.IndexFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f }) < 0 {
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	var b strings.Builder // $'…', as bash, ksh and zsh read it
	b.WriteString("$'")
	for _, c := range []byte(s) {
		switch {
		case c == '\'' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c == 0x7f:
			fmt.Fprintf(&b, `\x%02x`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('\'')
	return b.String()
}

// identity tells a run from others: everything that changes its result, by name,
// and nothing else. Files count by what is in them, never by their names. It is
// what journals and checkpoints are opened with, and what parts and results keep.
type identity [][2]string

// add appends an entry.
func (id *identity) add(name string, value any) {
	*id = append(*id, [2]string{name, fmt.Sprint(value)})
}

// get returns the value of an entry, "" where there is none.
func (id identity) get(name string) string {
	for _, e := range id {
		if e[0] == name {
			return e[1]
		}
	}
	return ""
}

// String returns the identity as one line: NAME=VALUE NAME=VALUE …, values quoted
// where need be.
func (id identity) String() string {
	words := make([]string, len(id))
	for i, e := range id {
		words[i] = e[0] + "=" + quote(e[1])
	}
	return strings.Join(words, " ")
}

// extra returns the identity as entries of dataset.Meta.Extra, but what Meta has
// fields for.
func (id identity) extra() map[string]string {
	m := map[string]string{}
	for _, e := range id {
		if e[0] != "seed" && e[0] != "net" {
			m[e[0]] = e[1]
		}
	}
	return m
}

// identify begins a run's identity with a player: its nets, and how it evaluates
// where deepest is the deepest look-ahead that is asked for, and plays that of the
// choice of plays.
func identify(p job.Player, deepest, plays int) identity {
	id := identity{{"net", p.Net}}
	how := p.Describe(deepest, plays)
	for _, name := range slices.Sorted(maps.Keys(how)) {
		id.add(name, how[name])
	}
	return id
}

// digestFile returns the SHA-256 of a file, cut to 128 bits; "none" where there is
// no such file.
func digestFile(path string) (string, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "none", nil
	}
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("read %s: %w", path, err)
	}
	return hex.EncodeToString(h.Sum(nil)[:16]), nil
}

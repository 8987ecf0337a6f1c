package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// The command line in a file is for people, who may type it again; the identity of a
// run, see package identity, is for the program.

// neutralFlags change no result in any command: how it is computed, shown or
// interrupted, and where else than in the result something is written. They are
// in no provenance and no identity.
var neutralFlags = []string{
	"workers", "cache", "shard", "json", "fresh", "force", "checkpoint", "checkpoint-every", "curve", "plot", "log",
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

// Package identity distinguishes runs, so that a command goes on only with what the
// same run left.
package identity

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
	"strconv"
	"strings"
	"unicode"
)

// ID is what the result of a run depends on, values by name, and nothing else: what is
// computed, from what, and by which rounding of the kernels; but no workers, shards,
// names of files, and no setting that the others leave without effect. Files count by
// what is in them. Journals, checkpoints, parts of databases and the provenance of
// files are made from it. Its order is that of the names.
type ID map[string]string

// ErrOther is wrapped by the errors about what another run left.
var ErrOther = errors.New("made by another run")

// Add sets an entry to value as fmt.Sprint has it.
func (id ID) Add(name string, value any) { id[name] = fmt.Sprint(value) }

// AddAll sets the entries of m, each under prefix and its own name.
func (id ID) AddAll(prefix string, m map[string]string) {
	for name, value := range m {
		id[prefix+name] = value
	}
}

// names returns the names in order.
func (id ID) names() []string { return slices.Sorted(maps.Keys(id)) }

// String returns the identity as one line: NAME=VALUE NAME=VALUE …, either quoted as
// in Go where need be. Two identities have the same line only if they are the same.
func (id ID) String() string {
	entries := make([]string, 0, len(id))
	for _, name := range id.names() {
		entries = append(entries, word(name)+"="+word(id[name]))
	}
	return strings.Join(entries, " ")
}

// Digest returns the identity as 32 hexadecimal digits, of the SHA-256 of its line.
func (id ID) Digest() string {
	sum := sha256.Sum256([]byte(id.String()))
	return hex.EncodeToString(sum[:16])
}

// OfFile returns the SHA-256 of a file, cut to 128 bits; "none" where there is no such file.
func OfFile(path string) (string, error) {
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

// Check returns nil if what was found was made by the same run, and otherwise an
// ErrOther that names all that differs, as "seed is 2 there and 1 here".
func (id ID) Check(there ID) error {
	all := maps.Clone(there)
	if all == nil {
		all = ID{}
	}
	all.AddAll("", id)
	var differ []string
	for _, name := range all.names() {
		a, inA := there[name]
		b, inB := id[name]
		switch {
		case !inA:
			differ = append(differ, fmt.Sprintf("%s is not set there and %s here", name, word(b)))
		case !inB:
			differ = append(differ, fmt.Sprintf("%s is %s there and not set here", name, word(a)))
		case a != b:
			differ = append(differ, fmt.Sprintf("%s is %s there and %s here", name, word(a), word(b)))
		}
	}
	if differ == nil {
		return nil
	}
	return fmt.Errorf("%w: %s", ErrOther, strings.Join(differ, ", "))
}

// Parse reads what String wrote.
func Parse(line string) (ID, error) {
	id := ID{}
	for rest := line; rest != ""; {
		name, after, err := cutWord(rest)
		value, ok := strings.CutPrefix(after, "=")
		if err != nil || !ok {
			return nil, fmt.Errorf("identity: NAME=VALUE expected at %.40q", rest)
		}
		if id[name], after, err = cutWord(value); err != nil || after != "" && after[0] != ' ' || after == " " {
			return nil, fmt.Errorf("identity: value of %s expected at %.40q", name, value)
		}
		rest = strings.TrimPrefix(after, " ")
	}
	return id, nil
}

// word returns s, quoted where it would not be one word of a line.
func word(s string) string {
	if s != "" && strings.IndexFunc(s, quoted) < 0 {
		return s
	}
	return strconv.Quote(s)
}

// quoted reports whether a text with r in it is quoted.
func quoted(r rune) bool {
	return strings.ContainsRune(" =\"", r) || !unicode.IsGraphic(r) || r == unicode.ReplacementChar
}

// cutWord cuts off the word that a line begins with.
func cutWord(line string) (s, rest string, err error) {
	if strings.HasPrefix(line, `"`) {
		q, err := strconv.QuotedPrefix(line)
		if err != nil {
			return "", "", err
		}
		s, err = strconv.Unquote(q)
		return s, line[len(q):], err
	}
	end := strings.IndexFunc(line, quoted)
	if end < 0 {
		end = len(line)
	}
	if end == 0 {
		return "", "", errors.New("a word expected")
	}
	return line[:end], line[end:], nil
}

package farm

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"

	"github.com/nats-io/nkeys"
)

// Role is what the owner of a key may do.
type Role string

// The roles.
const (
	WorkerRole    Role = "worker"
	SubmitterRole Role = "submitter"
)

// Key is the public half of a key, a line of a keys file: ROLE NAME PUBLIC.
type Key struct {
	Role   Role
	Name   string // for people
	Public string // an nkey of kind U
}

// String returns the line of a keys file.
func (k Key) String() string { return fmt.Sprintf("%s %s %s", k.Role, k.Name, k.Public) }

// keyName is what a key may be called.
var keyName = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

// Check reports what is wrong with a key.
func (k Key) Check() error {
	switch {
	case k.Role != WorkerRole && k.Role != SubmitterRole:
		return fmt.Errorf("role %q: %s or %s expected", k.Role, WorkerRole, SubmitterRole)
	case !keyName.MatchString(k.Name):
		return fmt.Errorf("name %q: letters, digits, dots, lines and underscores expected, 64 at most", k.Name)
	case !nkeys.IsValidPublicUserKey(k.Public):
		return fmt.Errorf("%q is no public key of a user (U…)", k.Public)
	}
	return nil
}

// NewKey makes a key and writes its secret half to a file that only its owner can
// read and that must not be there yet.
func NewKey(role Role, name, path string) (Key, error) {
	pair, err := nkeys.CreateUser()
	if err != nil {
		return Key{}, fmt.Errorf("make a key: %w", err)
	}
	defer pair.Wipe()
	public, err := pair.PublicKey()
	if err != nil {
		return Key{}, fmt.Errorf("make a key: %w", err)
	}
	k := Key{role, name, public}
	if err := k.Check(); err != nil {
		return Key{}, err
	}
	seed, err := pair.Seed()
	if err != nil {
		return Key{}, fmt.Errorf("make a key: %w", err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return Key{}, fmt.Errorf("write key: %w", err)
	}
	_, err = f.Write(append(seed, '\n'))
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return Key{}, fmt.Errorf("write key: %w", errors.Join(err, os.Remove(path)))
	}
	return k, nil
}

// readSeed reads the secret half of a key. Errors do not show it.
func readSeed(path string) (nkeys.KeyPair, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read key: %w", err)
	}
	pair, err := nkeys.FromSeed([]byte(strings.TrimSpace(string(raw))))
	if err != nil {
		return nil, fmt.Errorf("read key: %s holds no seed of a key", path)
	}
	return pair, nil
}

// ReadKeys reads a keys file: a line a key, empty lines and those that begin with
// # left out.
func ReadKeys(path string) ([]Key, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read keys: %w", err)
	}
	defer f.Close()
	keys, err := parseKeys(f)
	if err != nil {
		return nil, fmt.Errorf("read keys: %s:%w", path, err)
	}
	return keys, nil
}

// parseKeys reads the lines of a keys file; an error begins with the line's number.
func parseKeys(r io.Reader) ([]Key, error) {
	var keys []Key
	seen := map[string]bool{}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		f := strings.Fields(lines.Text())
		if len(f) == 0 || strings.HasPrefix(f[0], "#") {
			continue
		}
		if len(f) != 3 {
			return nil, fmt.Errorf("%d: ROLE NAME PUBLICKEY expected", n)
		}
		k := Key{Role(f[0]), f[1], f[2]}
		if err := k.Check(); err != nil {
			return nil, fmt.Errorf("%d: %w", n, err)
		}
		if seen[k.Public] {
			return nil, fmt.Errorf("%d: key %s is there twice", n, k.Public)
		}
		seen[k.Public] = true
		keys = append(keys, k)
	}
	return keys, lines.Err()
}

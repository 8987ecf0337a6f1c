package identity

import (
	"errors"
	"maps"
	"strings"
	"testing"
)

func TestCheckNamesWhatDiffers(t *testing.T) {
	here := ID{"seed": "1", "net": "abc", "bearoff": "two-sided 6"}
	if err := here.Check(maps.Clone(here)); err != nil {
		t.Error(err)
	}
	if err := (ID{}).Check(nil); err != nil {
		t.Error(err)
	}
	there := ID{"seed": "2", "net": "abc", "prune": "true"}
	err := here.Check(there)
	want := `made by another run: bearoff is not set there and "two-sided 6" here, prune is true there and not set ` +
		`here, seed is 2 there and 1 here`
	if !errors.Is(err, ErrOther) || err.Error() != want {
		t.Errorf("error %v\nwant  %s", err, want)
	}
}

func TestAddAll(t *testing.T) {
	id := ID{"a": "1"}
	id.Add("n", 2.5)
	id.AddAll("b.", ID{"ply": "2"})
	if got := id.String(); got != "a=1 b.ply=2 n=2.5" {
		t.Error(got)
	}
}

// TestDigestTellsApart compares identities that are the same text where nothing is quoted.
func TestDigestTellsApart(t *testing.T) {
	have := map[string]ID{}
	for _, id := range []ID{{}, {"a": ""}, {"": "a"}, {"a": "1 b=2"}, {"a": "1", "b": "2"}, {"a=1 b": "2"},
		{"a": `"1"`}, {"a": "1"}, {"a": "1\n"}} {
		if other, ok := have[id.Digest()]; ok || len(id.Digest()) != 32 {
			t.Errorf("digest %s of %q and %q", id.Digest(), id, other)
		}
		have[id.Digest()] = id
	}
}

func TestParseRefuses(t *testing.T) {
	for _, line := range []string{"a", "a=", "=1", "a=1 ", " a=1", "a=1  b=2", "a=b=c", `a="1`, `a="1"2`, "a=1\n"} {
		if id, err := Parse(line); err == nil {
			t.Errorf("%q is %q", line, id)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("seed", "1", `a="two words" b=2`)
	f.Add("", "=", "x=\"\xff\"")
	f.Add("line\nline", "\xff\ufffd ", `"="="="`)
	f.Fuzz(func(t *testing.T, name, value, line string) {
		id := ID{name: value, "other": name}
		text := id.String()
		if again, err := Parse(text); err != nil || !maps.Equal(again, id) || strings.ContainsAny(text, "\n\r") {
			t.Errorf("%q is %s, read as %q: %v", id, text, again, err)
		}
		if id, err := Parse(line); err == nil {
			if again, err := Parse(id.String()); err != nil || !maps.Equal(again, id) {
				t.Errorf("%q is read as %q, then as %q: %v", line, id, again, err)
			}
		}
	})
}

package trainer

import "testing"

func TestNameData(t *testing.T) {
	for _, c := range []struct {
		files []string
		want  string
	}{
		{nil, ""},
		{[]string{"a", "b.parquet"}, "a b.parquet"},
		{[]string{"a", "b", "c", "d", "e"}, "a b c d e"},
		{[]string{"f/1", "f/2", "f/3"}, "f/1 f/2 f/3"},
		{[]string{"a", "f/1", "f/2", "f/3", "f/4", "g/1", "b"}, "a f/1 … f/4 (4 files) g/1 b"},
	} {
		if got := NameData(c.files); got != c.want {
			t.Errorf("NameData(%q) = %q, want %q", c.files, got, c.want)
		}
	}
}

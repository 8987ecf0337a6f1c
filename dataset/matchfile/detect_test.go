package matchfile

import "testing"

// Training text, damaged too, is not taken for a list of IDs, whose lines may go on
// with anything.
func TestDetect(t *testing.T) {
	const key, id = "OAHDPAABDAOAHDPAABDA", "4HPwATDgc/ABMA"
	for text, want := range map[string]Format{
		"":                                  Unknown,
		key + " 0.5 0.1 0 0.1 0\n":          Unknown,
		key + " 0.5 0.1 0 0.1\n":            Unknown,
		"# comment\n" + key + " 0.5 x\n":    Unknown,
		id + " 1 0 0 0 0\n":                 Unknown,
		key + "\n":                          IDs,
		"\n; comment\n" + id + " opening\n": IDs,
		id + ":cAkAAAAAAAAA 42 to play\n":   IDs,
		"XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10 0 points\n": IDs,
		" 7 point match\n":        Mat,
		"(;FF[4]GM[6]":            SGF,
		xgMagic + "...":           XG,
		"position_id,win,win_g\n": Unknown,
	} {
		if got := Detect([]byte(text)); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

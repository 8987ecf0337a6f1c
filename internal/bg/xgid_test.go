package bg

import (
	"strings"
	"testing"
)

// TestParseXGID compares with the Position IDs that GNU Backgammon 1.07 shows
// after "set xgid".
func TestParseXGID(t *testing.T) {
	tests := []struct {
		xgid, id string
		dice     [2]int
	}{
		{"XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", "4HPwATDgc/ABMA", [2]int{}},
		{"XGID=-a-B--E-B-a-dDB--b-bcb----:1:1:-1:63:0:0:0:3:8", "jM/gDQDYzeAJIA", [2]int{6, 3}},
		{"XGID=-a-B--E-B-a-dDB--b-bcb----:1:1:1:63:0:0:0:3:8", "2M3gCSCMz+ANAA", [2]int{6, 3}},
		{"XGID=bBBCBBB-----------------aA:0:0:1:52:0:0:0:0:10", "AQAAtt02AAACAA", [2]int{5, 2}},
		{"XGID=bBBCBBB-----------------aA:0:0:-1:52:0:0:0:0:10", "220DAKAAAAADAA", [2]int{5, 2}},
		{"XGID=-FB-A----------------a-dc-:0:0:-1:66:0:0:0:0:10", "vwkAANwTAAAAAA", [2]int{6, 6}},
		{"XGID=-FB-A----------------a-dc-:0:0:-1:D:0:0:0:0:10", "vwkAANwTAAAAAA", [2]int{}},
	}
	for _, tt := range tests {
		for _, text := range []string{tt.xgid, strings.TrimPrefix(tt.xgid, "XGID="), " xgid=" + tt.xgid[5:] + "\n"} {
			b, dice, err := ParseXGID(text)
			if err != nil {
				t.Errorf("%q: %v", text, err)
				continue
			}
			if got := b.Key().PositionID(); got != tt.id || dice != tt.dice {
				t.Errorf("%q: %s dice %v, want %s dice %v", text, got, dice, tt.id, tt.dice)
			}
			if again, err := ParsePosition(text); err != nil || again != b {
				t.Errorf("%q: ParsePosition gives %s, %v", text, again.Key(), err)
			}
		}
	}
}

func TestParseXGIDBad(t *testing.T) {
	const rest = ":0:0:1:00:0:0:0:0:10"
	tests := []struct{ text, message string }{
		{"XGID=", "fields"},
		{"XGID=-b----E-C---eE---c-e----B-", "1 fields"},
		{"XGID=-b----E-C---eE---c-e----B" + rest, "board of 25 characters"},
		{"XGID=-b----E-C---eE---c-e----BP" + rest, "'P' at character 26"},
		{"XGID=Ab----E-C---eE---c-e----B-" + rest, "'A' at character 1"},
		{"XGID=-b----E-C---eE---c-e----Ba" + rest, "'a' at character 26"},
		{"XGID=-bO---E-C---eE---c-e----B-" + rest, "more than 15"},
		{"XGID=-b----E-C---eE---c-e----B-:0:0:0:00:0:0:0:0:10", `turn is "0"`},
		{"XGID=-b----E-C---eE---c-e----B-:0:0:1:07:0:0:0:0:10", `dice "07"`},
		{"XGID=-b----E-C---eE---c-e----B-:0:0:1:6:0:0:0:0:10", `dice "6"`},
	}
	for _, tt := range tests {
		if _, _, err := ParseXGID(tt.text); err == nil || !strings.Contains(err.Error(), tt.message) {
			t.Errorf("%s: error %v, want one with %q", tt.text, err, tt.message)
		}
	}
}

// What XGID writes, ParseXGID reads.
func TestXGIDRoundTrip(t *testing.T) {
	if got := XGID(&Start, [2]int{5, 2}); got != "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10" {
		t.Errorf("opening: %s", got)
	}
	boards := gamePositions(t)
	for i := range boards {
		dice := [2]int{i % 7, i % 7}
		got, d, err := ParseXGID(XGID(&boards[i], dice))
		if err != nil || got != boards[i] || d != dice {
			t.Fatalf("%s: %v, %v, %v", XGID(&boards[i], dice), got, d, err)
		}
	}
}

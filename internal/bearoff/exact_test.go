package bearoff

import "testing"

func TestExact(t *testing.T) {
	db := testDB(t)
	for _, tt := range []struct {
		me, opp home
		want    bool
	}{
		{home{1}, home{1}, true},
		{home{0, 0, 0, 0, 0, 6}, home{1, 1, 1, 1, 1, 1}, true},
		{home{0, 0, 0, 0, 0, 7}, home{1}, false},
		{home{1}, home{7}, false},
		{home{15}, home{15}, false},
	} {
		b := boardOf(tt.me, tt.opp)
		if got := db.Exact(&b); got != tt.want {
			t.Errorf("%v against %v: %v, want %v", tt.me, tt.opp, got, tt.want)
		}
		if (&DB{one: db.one}).Exact(&b) {
			t.Errorf("%v against %v: exact without a two-sided database", tt.me, tt.opp)
		}
	}
}

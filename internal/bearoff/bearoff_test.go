package bearoff

import (
	"context"
	"testing"

	"bgtrain/internal/bg"
)

func testDB(t testing.TB) *DB {
	t.Helper()
	db, err := Open(context.Background(), Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	return db
}

func TestEvaluateGolden(t *testing.T) {
	db := testDB(t)
	tests := []struct {
		key string
		win float32
	}{
		{"BAAAAAEEAPAAAAAAAAAA", 0.008804},
		{"AIAAAAKEAOAAAAAAAAAA", 0.004730},
		{"CAAAAAAEADAAAAAAAAAA", 0.151827},
		{"CAAAAACAAAAAAAAAAAAA", 0.958328},
	}
	for _, tt := range tests {
		b, err := bg.ParsePosition(tt.key)
		if err != nil {
			t.Fatal(err)
		}
		var out bg.Outputs
		db.Evaluate(&b, &out)
		if d := out[bg.Win] - tt.win; !db.Covers(&b) || d > 1e-4 || d < -1e-4 {
			t.Errorf("%s: win %v, want %v", tt.key, out[bg.Win], tt.win)
		}
	}
}

package stats

import "testing"

func TestBytes(t *testing.T) {
	for n, want := range map[int64]string{0: "0 bytes", 1: "1 byte", 999: "999 bytes", 1234: "1.2 kB", 49999: "50.0 kB",
		1_250_000: "1.2 MB", 3_000_000_000: "3000.0 MB"} {
		if got := Bytes(n); got != want {
			t.Errorf("%d is %q, %q expected", n, got, want)
		}
	}
}

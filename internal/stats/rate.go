package stats

import (
	"fmt"
	"time"
)

// Rate is a rate as text: never in powers of ten.
func Rate(rate float64) string {
	switch {
	case rate < 1:
		return fmt.Sprintf("%.2f", rate)
	case rate < 100:
		return fmt.Sprintf("%.1f", rate)
	}
	return fmt.Sprintf("%.0f", rate)
}

// Bytes writes a size for people, in MB, kB or bytes.
func Bytes(n int64) string {
	switch {
	case n >= 1e6:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	case n >= 1000:
		return fmt.Sprintf("%.1f kB", float64(n)/1000)
	}
	return Count(n, "byte", "bytes")
}

// Count writes a number of things with their name, which is another one for more than one.
func Count[T int | int64](n T, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}

// Duration writes a time for people, in seconds at the finest.
func Duration(d time.Duration) string {
	if d < 10*time.Second {
		return fmt.Sprintf("%.1fs", d.Seconds())
	}
	return d.Round(time.Second).String()
}

// Seconds is Duration of so many seconds.
func Seconds(s float64) string { return Duration(time.Duration(s * float64(time.Second))) }

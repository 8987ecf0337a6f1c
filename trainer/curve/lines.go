package curve

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"bgtrain/internal/atomicfile"
)

// WriteLines writes points to a file, each as a line of JSON. The file is
// replaced as a whole: a reader never sees half a line.
func WriteLines[T any](path string, points []T) error {
	return atomicfile.Write(path, func(w io.Writer) error {
		enc := json.NewEncoder(w)
		for i := range points {
			if err := enc.Encode(&points[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// ReadLines reads what WriteLines wrote.
func ReadLines[T any](path string) ([]T, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read curve: %w", err)
	}
	defer f.Close()
	return DecodeLines[T](f, path)
}

// DecodeLines reads what WriteLines wrote, from what is called path in errors.
func DecodeLines[T any](r io.Reader, path string) ([]T, error) {
	var points []T
	sc := bufio.NewScanner(r)
	for n := 1; sc.Scan(); n++ {
		var p T
		if err := json.Unmarshal(sc.Bytes(), &p); err != nil {
			return nil, fmt.Errorf("read curve %s:%d: %w", path, n, err)
		}
		points = append(points, p)
	}
	if err := sc.Err(); err != nil {
		return nil, fmt.Errorf("read curve %s: %w", path, err)
	}
	return points, nil
}

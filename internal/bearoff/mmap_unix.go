//go:build unix

package bearoff

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// mapFile maps a file into memory, to be read only. Pages are read as they are
// needed, and shared with other processes.
func mapFile(path string) (data []byte, unmap func() error, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	size := info.Size()
	if size == 0 || int64(int(size)) != size {
		return nil, nil, fmt.Errorf("read %s: %w: %d bytes long", path, errDamaged, size)
	}
	if data, err = unix.Mmap(int(f.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_SHARED); err != nil {
		return nil, nil, fmt.Errorf("map %s into memory: %w", path, err)
	}
	return data, func() error { return unix.Munmap(data) }, nil
}

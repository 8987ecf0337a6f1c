package netfile

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"strings"

	"bgtrain/internal/atomicfile"
)

// Read reads a net file of any form: .safetensors, gnubg.weights or gnubg.wd,
// recognised by its content.
func Read(path string) (*File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	r := bufio.NewReaderSize(file, 1<<16)
	start, _ := r.Peek(len(gnubgHeader)) // a short file fails below, with a reason
	read := ReadSafetensors
	if isGNUbg(start) {
		read = ReadGNUbg
	}
	f, err := read(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

// isGNUbg tells GNU Backgammon's files by their first bytes.
func isGNUbg(start []byte) bool {
	return bytes.HasPrefix(start, []byte(strings.TrimSpace(gnubgHeader))) ||
		len(start) >= 4 && math.Float32frombits(binary.LittleEndian.Uint32(start)) == binaryMagic
}

// Write writes a player atomically as .safetensors.
func Write(path string, f *File) error {
	err := atomicfile.Write(path, func(w io.Writer) error { return WriteSafetensors(w, f) })
	if err != nil {
		return fmt.Errorf("write net %s: %w", path, err)
	}
	return nil
}

// IsNet says whether a file looks like one of the forms that Read knows.
func IsNet(path string) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	head := make([]byte, 16)
	n, _ := io.ReadFull(file, head)
	head = head[:n]
	if isGNUbg(head) {
		return true
	}
	// .safetensors: the length of a JSON object, then the object.
	return n > 8 && head[8] == '{' && binary.LittleEndian.Uint64(head) <= maxHeader
}

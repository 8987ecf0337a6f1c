package nets

import (
	"bgtrain/internal/filekind"
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"bgtrain/internal/atomicfile"
)

// Read reads a net file of any form: .safetensors, gnubg.weights or gnubg.wd,
// recognized by its content.
func Read(path string) (*Set, error) {
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
	if err != nil && !IsNet(path) {
		return nil, filekind.Wrong(path, "a net (.safetensors or GNU Backgammon's weights)", err)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

// isGNUbg recognizes GNU Backgammon's files by their first bytes.
func isGNUbg(start []byte) bool {
	return isGNUbgBinary(start) || bytes.HasPrefix(start, []byte(strings.TrimSpace(gnubgHeader)))
}

// IsNet reports whether a file looks like one of the forms that Read takes.
func IsNet(path string) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	start := make([]byte, len(gnubgHeader))
	n, _ := io.ReadFull(file, start)
	start = start[:n]
	if isGNUbg(start) {
		return true
	}
	// .safetensors: the length of a JSON object, then the object.
	return n > 8 && start[8] == '{' && binary.LittleEndian.Uint64(start) <= maxHeader
}

// Write writes a player to a file, which is there when it is whole: as GNU
// Backgammon's weights of version 1.00 where the name ends in .weights, .txt or
// .wd, else as .safetensors.
func Write(path string, f *Set) error {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".weights", ".txt", ".wd":
		return WriteGNUbgFile(path, f, GNUbgVersions[0])
	}
	return atomicfile.Write(path, func(w io.Writer) error { return WriteSafetensors(w, f) })
}

// WriteGNUbgFile writes a player as GNU Backgammon's weights of a version of
// GNUbgVersions, binary where the file's name ends in .wd, else text.
func WriteGNUbgFile(path string, f *Set, version string) error {
	write := WriteGNUbg
	if strings.EqualFold(filepath.Ext(path), ".wd") {
		write = WriteGNUbgBinary
	}
	return atomicfile.Write(path, func(w io.Writer) error { return write(w, f, version) })
}

// Package filekind says in words what a file is, for messages about one of which
// something else was expected.
package filekind

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"bgtrain/internal/textfile"
)

// looked is how much of a file is looked at.
const looked = 4 << 10

// WrongError is the error of a file that is not what was expected.
type WrongError struct {
	Path, Is, Want string
	Err            error // of the reader
}

// Error says what the file is and what was expected; of one that is nothing known, what
// its reader found.
func (w *WrongError) Error() string {
	if w.Is == "" {
		return fmt.Sprintf("%s: %s expected: %v", w.Path, w.Want, w.Err)
	}
	return fmt.Sprintf("%s is %s; %s expected", w.Path, w.Is, w.Want)
}

// Unwrap returns the error of the reader.
func (w *WrongError) Unwrap() error { return w.Err }

// Wrong returns the error of a file that is not what want says, with an article. A file
// that cannot be opened has the error of that.
func Wrong(path, want string, err error) error {
	is, failed := Of(path)
	if failed != nil {
		return failed
	}
	return &WrongError{path, is, want, err}
}

// Of returns what a file is, with an article, "" for what is nothing known. The error is
// that of a file that cannot be read; of one that is missing it names what a run left
// that would have written it.
func Of(path string) (string, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		left := leftOf(path)
		if info, err := os.Stat(path + partsSuffix); left == "" && err == nil && info.IsDir() {
			left = path + partsSuffix
		}
		if left != "" {
			return "", fmt.Errorf("%w; %s is what an interrupted run has finished of it: the same command goes on",
				err, left)
		}
	}
	if err != nil {
		return "", err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		if left, _ := filepath.Glob(filepath.Join(path, "unfinished*.checkpoint")); len(left) > 0 {
			return "a directory of a run that has not ended: its command goes on", nil
		}
		return "a directory", nil
	}
	in, done, err := textfile.Unpack(f)
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	defer done()
	head, err := in.Peek(looked)
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return ofHead(head), nil
}

// JSON is what Of calls a file that begins as a JSON object.
const JSON = "JSON"

// kinds are what files begin with.
var kinds = []struct {
	begins *regexp.Regexp
	kind   string
}{
	{regexp.MustCompile(`^PAR1`), "a Parquet file"},
	{regexp.MustCompile(`^ARROW1`), "an Arrow file"},
	{regexp.MustCompile(`^GNU Backgammon 1`), "a net (GNU Backgammon's weights)"},
	{regexp.MustCompile(`^bgtrain \S+ checkpoint `), "the checkpoint of a run that has not ended: its command goes on"},
	{regexp.MustCompile(`^bgtrain match \d+ `), "what match --log keeps: its command goes on"},
	{regexp.MustCompile(`^bgtrain cube life`), "a cube model (.life)"},
	{regexp.MustCompile(`^bgtrain \S+ \d+ `), "the journal of a run that has not ended: its command goes on"},
	{regexp.MustCompile(`^RGMH`), "a match (.xg)"},
	{regexp.MustCompile(`^\s*\(;`), "a match (.sgf)"},
	{regexp.MustCompile(`(?m)^\s*\d+ point match\s*$`), "a match (.mat)"},
	{regexp.MustCompile(`^position_id,`), "a text of positions with outputs (CSV)"},
	{regexp.MustCompile(`^(#.*\n|\s*\n)*([A-P]{20}) [\d.]+ `), "a text of positions with outputs"},
	{regexp.MustCompile(`^(#.*\n|\s*\n)*(#sha256 |#R |[smor] )`), "a benchmark file"},
	{regexp.MustCompile(`^\s*\{`), JSON},
	{regexp.MustCompile(`(?s)^\s*<\?xml.*<met[ >]`), "a match equity table"},
	{regexp.MustCompile(`(?i)^\s*<(!doctype|html|svg|\?xml)`), "a page or picture"},
}

// ofHead returns what begins so.
func ofHead(head []byte) string {
	if len(head) == 0 {
		return "empty"
	}
	if len(head) > 8 && head[8] == '{' && binary.LittleEndian.Uint64(head) < 1<<24 {
		return "a net (.safetensors)"
	}
	if len(head) >= 8 && binary.LittleEndian.Uint32(head) == 0x43ec3069 {
		return "a net (GNU Backgammon's weights)"
	}
	text := bytes.TrimPrefix(head, []byte("\xEF\xBB\xBF"))
	for _, k := range kinds {
		if k.begins.Match(text) {
			return k.kind
		}
	}
	if bytes.IndexByte(head, 0) >= 0 {
		return "a binary file of an unknown kind"
	}
	return ""
}

// Finished reports whether there is a finished result at a path: neither an empty file or
// directory, nor a device or a pipe, nor what an interrupted run left a journal or a checkpoint
// beside.
func Finished(path string) bool {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return false
	case info.IsDir():
		entries, err := os.ReadDir(path)
		return err == nil && len(entries) > 0
	}
	return info.Mode().IsRegular() && info.Size() > 0 && leftOf(path) == ""
}

// partsSuffix ends the name of the directory where label and rollout make the parts of a file.
const partsSuffix = ".parts"

// leftOf returns the journal or checkpoint of a run that was to write a file.
func leftOf(path string) string {
	entries, _ := os.ReadDir(filepath.Dir(path)) // none in what is no directory
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), filepath.Base(path)+".") {
			continue
		}
		name := filepath.Join(filepath.Dir(path), e.Name())
		f, err := os.Open(name)
		if err != nil {
			continue
		}
		head := make([]byte, 8)
		n, _ := io.ReadFull(f, head) // a shorter one is none
		f.Close()
		if string(head[:n]) == "bgtrain " {
			return name
		}
	}
	return ""
}

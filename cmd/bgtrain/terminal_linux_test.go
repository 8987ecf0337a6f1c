package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"bgtrain/data"
	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/internal/nets"

	"golang.org/x/sys/unix"
)

// hostile is text that would color a terminal, name its window, ring its bell and, as
// one rune and as one byte, begin more of that. Formats of UTF-8 cannot hold the byte.
const (
	hostileUTF8 = "\x1b[31mred\x1b]0;title\x07 \u009b1m \x08\x7f"
	hostile     = hostileUTF8 + "\x9b1m"
)

// terminal returns the two ends of a pseudo-terminal.
func terminal(t *testing.T) (master, slave *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	t.Cleanup(func() { master.Close() })
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	}
	if err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	return master, slave
}

// onTerminal runs a command whose output, results and all, is a terminal, and returns
// what the terminal gets.
func onTerminal(t *testing.T, dir, args string) string {
	t.Helper()
	master, slave := terminal(t)
	c := child(dir, args)
	c.Stdin, c.Stdout, c.Stderr = slave, slave, slave
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	slave.Close()
	var shown bytes.Buffer
	_, _ = io.Copy(&shown, master) // it ends with an error when the child closes its end
	_ = c.Wait()                   // some of the commands are to fail
	return shown.String()
}

// ours are the control characters that the program itself writes to a terminal: line
// ends, as the terminal makes them, tabs, and the clearing of a progress bar's line.
var ours = regexp.MustCompile(`\r+\n|\t|\r\x1b\[K|\x1b\[2K\r|\r`)

// TestTerminalGetsNoControlCharacters shows files that have control characters wherever
// a file can say something: in the provenance, methods and sources of a database, names
// of players and of nets, comments, and in the bad lines that errors quote.
func TestTerminalGetsNoControlCharacters(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	hostileDB(t, filepath.Join(dir, "db.parquet"))
	hostileNet(t, dir)
	write("bad.txt", "OAHDPAABDAOAHDPAABDA 0.5 0.1 0 0.1 "+hostile+"\n")
	write("kind.txt", hostile+"\n")
	write("comments.bm", "# "+hostile+"\ns "+hostile+"\n"+bmRecord+"\n")
	write("bad.bm", "m OAHDPAABDAOAHDPAABDA 3 1 "+hostile+"\n")
	match := " 1 point match\n\n Game 1\n " + hostile + " : 0     " + hostile + "2 : 0\n"
	write("players.mat", match+"  1) 31: 8/5 6/5      42: 8/4 6/4\n      Wins 1 point\n")
	write("bad.mat", match+"  1) 31: "+hostile+"\n")
	write("bad.sgf", "(;FF[4]GM[6]PW["+hostile+"]PB["+hostile+"]MI[length:1];W[31"+hostile+"])")
	write("bad.met.xml", "<met><info><name>"+hostile+"</name></info></met>")
	for _, c := range []struct{ args, shows string }{
		{"info db.parquet", "command"}, {"validate db.parquet", "db.parquet"}, {"info --json db.parquet", `"command"`},
		{"export db.parquet -o out.txt", "position "}, {"merge db.parquet -o merged", "position "},
		{"info net.safetensors", "net.safetensors"}, {"info strange.safetensors", "red"},
		{"eval --net strange.safetensors 4HPwATDgc/ABMA", "red"}, {"net import gnubg.weights -o x.safetensors", "red"},
		{"import bad.txt -o x", "bad.txt"}, {"import kind.txt -o x", "kind.txt"}, {"validate bad.txt", "bad.txt"},
		{"info comments.bm", "comments.bm"}, {"validate comments.bm", "comments.bm"}, {"score --net td bad.bm", "bad.bm"},
		{"validate bad.bm", "bad.bm"},
		{"import players.mat -o players.parquet", "positions"}, {"analyze players.mat --net td --ply 0", "red"},
		{"import bad.mat -o x", "bad.mat"}, {"import bad.sgf -o x", "bad.sgf"}, {"met bad.met.xml", "bad.met.xml"},
		{"train db.parquet --from td --epochs 1 --nets contact -o trained.safetensors", "positions"},
	} {
		shown := onTerminal(t, dir, c.args)
		if !strings.Contains(shown, c.shows) {
			t.Errorf("%s: nothing of %q in %q", c.args, c.shows, shown)
		}
		for rest := ours.ReplaceAll([]byte(shown), nil); len(rest) > 0; {
			r, size := utf8.DecodeRune(rest)
			if r < ' ' || r >= 0x7f && r < 0xa0 || r == utf8.RuneError && size == 1 {
				t.Errorf("%s: control character % x in %q", c.args, rest[:size], shown)
				break
			}
			rest = rest[size:]
		}
	}
}

// bmRecord is a decision of a benchmark file.
const bmRecord = "m OAHDPAABDAOAHDPAABDA 3 1 4HPwATDgc/ABMA 0.1"

// hostileDB writes a database that says hostile things of itself.
func hostileDB(t *testing.T, path string) {
	t.Helper()
	w, err := dataset.Create(path, dataset.Options{Meta: dataset.Meta{Command: "command " + hostileUTF8, Seed: hostileUTF8,
		Net: hostileUTF8, Extra: map[string]string{hostileUTF8: hostileUTF8}}})
	if err != nil {
		t.Fatal(err)
	}
	row := dataset.Row{Key: bg.Start.Key(), Class: bg.Contact, HasOutputs: true, Outputs: bg.Outputs{0.5, 0.1, 0, 0.1, 0},
		Method: hostileUTF8, Source: hostileUTF8}
	if err := w.Write(&row); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// hostileNet writes net.safetensors, whose provenance is hostile, strange.safetensors
// and gnubg.weights, whose formats are.
func hostileNet(t *testing.T, dir string) {
	t.Helper()
	set, err := data.OpenNet("td")
	if err != nil {
		t.Fatal(err)
	}
	clone := *set
	clone.Provenance = map[string]string{hostileUTF8: hostileUTF8}
	var out bytes.Buffer
	if err := nets.WriteSafetensors(&out, &clone); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "net.safetensors"), out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	head, err := json.Marshal(map[string]any{"__metadata__": map[string]string{"format": hostileUTF8}})
	if err != nil {
		t.Fatal(err)
	}
	strange := append(binary.LittleEndian.AppendUint64(nil, uint64(len(head))), head...)
	for name, data := range map[string][]byte{"strange.safetensors": strange,
		"gnubg.weights": []byte("GNU Backgammon " + hostile + "\n")} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

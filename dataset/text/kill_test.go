package text

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bgtrain/dataset"
	"bgtrain/internal/bg"
)

// Environment of the subprocess of TestKilledImport: what to import, and where
// to.
const (
	killFrom = "BGTRAIN_TEST_IMPORT_FROM"
	killTo   = "BGTRAIN_TEST_IMPORT_TO"
)

func TestMain(m *testing.M) {
	if from := os.Getenv(killFrom); from != "" {
		to := os.Getenv(killTo)
		o := ImportOptions{Source: "kill"}
		if strings.HasSuffix(to, "/") { // so that kills fall between parts, too
			o.Write.RowsPerPart = dataset.RowGroupRows / 4
		}
		if _, err := Import(context.Background(), []string{from}, to, o); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// writeText writes n random positions as GNUbg training text.
func writeText(t testing.TB, path string, seed uint64, n int) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	rng := rand.New(rand.NewPCG(seed, 9))
	seen := map[bg.Key]bool{}
	var line []byte
	for len(seen) < n {
		b := randomBoard(rng)
		k := b.Key()
		if seen[k] {
			continue
		}
		seen[k] = true
		win := rng.Float32()
		line = appendRow(line[:0], GNUbgText, k, &bg.Outputs{win})
		if _, err := w.Write(line); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
}

// TestKilledImport kills an import 15 times at random moments. Whatever is under
// the final name then is whole: the database of before or the new one. At last
// the same command succeeds, and cleans up.
func TestKilledImport(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long, and its processes share nothing")
	}
	t.Parallel()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	from, old := filepath.Join(dir, "from.txt"), filepath.Join(dir, "old.txt")
	const n = dataset.RowGroupRows + dataset.RowGroupRows/2
	writeText(t, from, 1, n)
	writeText(t, old, 2, 100)
	begin := func(to string) *exec.Cmd {
		cmd := exec.Command(exe)
		cmd.Env = append(os.Environ(), killFrom+"="+from, killTo+"="+to)
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		return cmd
	}
	whole := filepath.Join(dir, "whole")
	began := time.Now()
	if err := begin(whole).Wait(); err != nil {
		t.Fatal(err)
	}
	length := time.Since(began)
	newRows := readDB(t, whole, dataset.Filter{})
	if len(newRows) != n {
		t.Fatalf("%d rows imported, want %d", len(newRows), n)
	}

	// Kills over an older database, into nothing, and into a directory.
	rng := rand.New(rand.NewPCG(3, 3))
	outcomes := map[string]int{}
	for _, to := range []string{"over.parquet", "fresh.parquet", "dir/"} {
		path := filepath.Join(dir, filepath.Clean(to))
		var before []dataset.Row
		if to == "over.parquet" {
			if _, err := Import(context.Background(), []string{old}, path, ImportOptions{}); err != nil {
				t.Fatal(err)
			}
			before = readDB(t, path, dataset.Filter{})
		}
		target := path
		if to == "dir/" {
			target += "/"
		}
		for range 5 {
			cmd := begin(target)
			time.Sleep(time.Duration(rng.Float64() * 1.1 * float64(length)))
			cmd.Process.Kill()
			cmd.Wait()
			_, err := os.Stat(path)
			switch {
			case os.IsNotExist(err) && before == nil:
				outcomes["nothing"]++
			case err != nil:
				t.Fatal(err)
			default:
				rows := readDB(t, path, dataset.Filter{}) // fails unless it is whole
				switch {
				case before != nil && slices.Equal(rows, before):
					outcomes["old"]++
				case slices.Equal(rows, newRows):
					outcomes["new"]++
					if to != "over.parquet" { // make room for the next
						os.RemoveAll(path)
					}
				default:
					t.Fatalf("%s has %d rows, neither the old ones nor the new", to, len(rows))
				}
			}
		}
		os.RemoveAll(path)
		if err := begin(target).Wait(); err != nil {
			t.Fatalf("the same command after the kills: %v", err)
		}
		sameRows(t, readDB(t, path, dataset.Filter{}), newRows)
		if left, _ := filepath.Glob(path + ".tmp-*"); len(left) != 0 {
			t.Errorf("left after a good import: %v", left)
		}
	}
	t.Logf("after 15 kills within %v: %v", length, outcomes)
}

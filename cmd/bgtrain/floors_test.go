package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// floors are the packages from the ground up, as CONTRIBUTING's table lists them. A
// package imports what is below it, or what shares its floor. An entry is a
// package, or with /... a package and those in it.
var floors = [][]string{
	{"internal/..."}, // what knows no backgammon; the exceptions follow
	{"internal/bg"},
	{"internal/backprop", "internal/bearoff", "internal/gnubgtest", "features/..."},
	{"internal/nets"},
	{"internal/player"},
	{"internal/cube/..."},
	{"internal/bgtest", "dataset/..."},
	{"data"},
	{"rollout/..."},
	{"trainer/...", "benchmark/...", "internal/protocol/...", "internal/fibs", "internal/inspect",
		"internal/web"},
	{"trainer/grow"},
	{"benchmark/report", "benchmark/analyze", "internal/play", "internal/serve"},
	{"cmd/...", "features/rollsgen"}, // programs
}

// floorOf returns the floor of a package: that of its longest entry; -1 for none.
func floorOf(pkg string) int {
	found, length := -1, -1
	for floor, entries := range floors {
		for _, e := range entries {
			name, tree := strings.CutSuffix(e, "/...")
			if (pkg == name || tree && strings.HasPrefix(pkg, name+"/")) && len(name) > length {
				found, length = floor, len(name)
			}
		}
	}
	return found
}

// No import points upwards.
func TestImportsPointDown(t *testing.T) {
	const root = "../.."
	files := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		rel, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		pkg := filepath.ToSlash(rel)
		if pkg == "internal/asm" || strings.HasPrefix(pkg, "internal/asm/") || strings.Contains(path, "testdata") {
			return nil // a module of its own
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		files++
		from := floorOf(pkg)
		if from < 0 {
			t.Errorf("%s is on no floor: give it one here and a line in CONTRIBUTING", pkg)
		}
		for _, spec := range f.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if to, ours := strings.CutPrefix(name, "bgtrain/"); ours && floorOf(to) > from {
				t.Errorf("%s imports %s, which stands above it", path, to)
			}
		}
		return nil
	})
	if err != nil || files < 100 {
		t.Fatalf("%d files read: %v", files, err)
	}
}

// CONTRIBUTING's table names every folder with a package in it, and no other.
func TestContributingNamesEveryFolder(t *testing.T) {
	const root = "../.."
	text, err := os.ReadFile(filepath.Join(root, "CONTRIBUTING.md"))
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{} // the words in backquotes of the table's lines
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(line, "|")
		if len(cells) != 4 {
			continue
		}
		for i, word := range strings.Split(cells[1]+cells[2], "`") {
			if i%2 == 1 {
				named[path.Base(word)] = true
			}
		}
		for i, word := range strings.Split(cells[1], "`") {
			if info, err := os.Stat(filepath.Join(root, word)); i == 1 && (err != nil || !info.IsDir()) {
				t.Errorf("CONTRIBUTING's table has %s, which is no folder", word)
			}
		}
	}
	folders := 0
	err = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if d.Name() == "asm" || d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && name != root {
			return fs.SkipDir
		}
		if files, _ := filepath.Glob(filepath.Join(name, "*.go")); len(files) > 0 {
			if folders++; !named[d.Name()] {
				t.Errorf("CONTRIBUTING's table lacks %s", name)
			}
		}
		return nil
	})
	if err != nil || folders < 40 {
		t.Fatalf("%d folders: %v", folders, err)
	}
}

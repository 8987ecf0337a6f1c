package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// lineWidth is the most columns of a line of Go, but for data in tests.
const lineWidth = 120

// british are spellings of which American English has others.
var british = regexp.MustCompile(`(?i)(colour|neighbour|behaviou|favour|honour|labell|modell|cancelled|cancelling|travell|` +
	`(final|normal|optim|initial|serial|recogn|organ|minim|maxim|summar|parallel|random|quant|general)is(e|ing)|\bgrey|` +
	`\bcentre|\blicence|\bdefence|judgement)`)

// Lines of Go are not too long, names and words are spelled the American way, and every exported name has a comment.
func TestStyle(t *testing.T) {
	sameWithAllKernels(t)
	const root = "../.."
	n := 0
	for path, text := range goSources(t, root) {
		f, err := parser.ParseFile(token.NewFileSet(), path, text, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		n++
		long := !ast.IsGenerated(f) && !strings.HasSuffix(path, "_test.go")
		for _, d := range f.Decls {
			if name := uncommented(d); name != "" && long {
				t.Errorf("%s: %s has no comment", path, name)
			}
		}
		number := 0
		for line := range strings.Lines(string(text)) {
			number++
			if columns := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); long && columns > lineWidth {
				t.Errorf("%s:%d: %d columns", path, number, columns)
			}
			if word := british.FindString(line); word != "" && !strings.HasSuffix(path, "style_test.go") {
				t.Errorf("%s:%d: %s: American spelling expected", path, number, word)
			}
		}
	}
	if n < 500 {
		t.Errorf("%d files read", n)
	}
}

// uncommented returns an exported name of a declaration that has no comment, or "".
func uncommented(d ast.Decl) string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && d.Doc == nil {
			return d.Name.Name
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			var names []*ast.Ident
			commented := d.Doc != nil
			switch s := s.(type) {
			case *ast.TypeSpec:
				names, commented = []*ast.Ident{s.Name}, commented || s.Doc != nil
			case *ast.ValueSpec:
				names, commented = s.Names, commented || s.Doc != nil || s.Comment != nil
			}
			for _, n := range names {
				if n.IsExported() && !commented {
					return n.Name
				}
			}
		}
	}
	return ""
}

// goSources returns the Go files below root, but for those in testdata, by path.
func goSources(t *testing.T, root string) map[string][]byte {
	t.Helper()
	sources := map[string][]byte{}
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == ".git" || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if filepath.Ext(path) == ".go" {
			sources[path], err = os.ReadFile(path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return sources
}

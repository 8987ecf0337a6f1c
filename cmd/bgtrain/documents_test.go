package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// documents returns the names and texts of all Markdown files of the repository.
func documents(t *testing.T) map[string]string {
	t.Helper()
	const root = "../.."
	texts := map[string]string{}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && strings.HasPrefix(d.Name(), ".") && name != root {
			return fs.SkipDir
		}
		if filepath.Ext(name) == ".md" {
			text, err := os.ReadFile(name)
			texts[name] = string(text)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

var (
	linkInText = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	notInID    = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
)

// headings returns the identifiers that GitHub gives the headings of a document.
func headings(text string) map[string]bool {
	ids := map[string]bool{}
	for line := range strings.Lines(text) {
		if title, found := strings.CutPrefix(strings.TrimLeft(line, "#"), " "); found && line[0] == '#' {
			id := notInID.ReplaceAllString(strings.ToLower(strings.TrimSpace(title)), "")
			ids[strings.ReplaceAll(id, " ", "-")] = true
		}
	}
	return ids
}

// Links between documents lead to files and headings that exist.
func TestLinksInDocuments(t *testing.T) {
	texts := documents(t)
	n := 0
	for name, text := range texts {
		for _, m := range linkInText.FindAllStringSubmatch(text, -1) {
			to, heading, _ := strings.Cut(m[1], "#")
			if strings.Contains(to, "://") {
				continue
			}
			n++
			target := filepath.Join(filepath.Dir(name), to)
			if to == "" {
				target = name
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s: %v", name, m[1], err)
			} else if heading != "" && !headings(texts[target])[heading] {
				t.Errorf("%s links to %s, which has no such heading", name, m[1])
			}
		}
	}
	if n < 50 {
		t.Errorf("%d links found", n)
	}
}

// Every row of the table of who can do what names tests that exist.
func TestThreatsHaveTests(t *testing.T) {
	var tests strings.Builder
	err := filepath.WalkDir("../..", func(name string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(name, "_test.go") {
			text, err := os.ReadFile(name)
			tests.Write(text)
			return err
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(documents(t)["../../docs/farm.md"], "## Who can do what\n")
	table, _, _ = strings.Cut(table, "\n#")
	quoted := regexp.MustCompile("`(\\w+)`")
	rows := 0
	for line := range strings.Lines(table) {
		cells := strings.Split(line, "|")
		if len(cells) != 5 || strings.Contains(line, "---") || strings.TrimSpace(cells[3]) == "tests" {
			continue
		}
		rows++
		names := quoted.FindAllStringSubmatch(cells[3], -1)
		if len(names) == 0 {
			t.Errorf("no test: %s", line)
		}
		for _, n := range names {
			if !regexp.MustCompile(`(?m)^func (Test\w*)?` + n[1]).MatchString(tests.String()) {
				t.Errorf("there is no test %s", n[1])
			}
		}
	}
	if rows < 5 {
		t.Errorf("%d rows found", rows)
	}
}

// Documents stay short: 22,000 words in all, 2,500 of the sources, lines of prose up to 120 columns.
func TestDocumentsAreShort(t *testing.T) {
	words := 0
	for name, text := range documents(t) {
		n := len(strings.Fields(text))
		words += n
		if n > 2500 && filepath.Base(name) == "sources.md" {
			t.Errorf("%s: %d words, 2,500 at most", name, n)
		}
		code := false
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "```") {
				code = !code
			}
			line = strings.TrimRight(line, "\r\n")
			if n := utf8.RuneCountInString(line); n > 120 && !code && !strings.HasPrefix(line, "|") {
				t.Errorf("%s: a line of %d columns: %s", name, n, line)
			}
		}
	}
	if words > 22000 {
		t.Errorf("%d words in all documents, 22,000 at most", words)
	}
}

package main

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// Examples in the help are command lines that are understood.
func TestExamplesAreUnderstood(t *testing.T) {
	for path, c := range everyCommand() {
		for _, words := range shellCommands(c.describe().example) {
			understood(t, path+" -h", words)
		}
	}
}

// Every command line in a document or script is understood: bgtrain has the command and its flags; the
// packages, tests, benchmarks and flags that go test and go run are given exist.
func TestCommandLinesInDocuments(t *testing.T) {
	const root = "../.."
	count := map[string]int{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == ".git" || d.Name() == "testdata" || d.Name() == "out") {
			return fs.SkipDir
		}
		lines := linesOf[filepath.Ext(path)]
		if lines == nil || d.IsDir() {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, line := range lines(string(text)) {
			for _, words := range shellCommands(line) {
				for len(words) > 0 && (strings.Contains(words[0], "=") || slices.Contains(before, words[0])) {
					words = words[1:]
				}
				switch {
				case len(words) > 1 && words[0] == "bgtrain":
					understood(t, path, words)
				case len(words) > 1 && words[0] == "go":
					understoodByGo(t, path, words[1:])
				case shortened(path, words):
					understood(t, path, append([]string{"bgtrain"}, words...))
					words[0] = "shortened"
				default:
					continue
				}
				count[filepath.Ext(path)+" "+words[0]]++
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for kind, least := range map[string]int{".md bgtrain": 40, ".md shortened": 30, ".md go": 20, ".sh bgtrain": 8, ".sh go": 2} {
		if count[kind] < least {
			t.Errorf("%d command lines of %s found, %d expected", count[kind], kind, least)
		}
	}
}

// shortened reports whether a command line of a document begins with the command and has flags. The change log
// also has those that are gone.
func shortened(path string, words []string) bool {
	isFlag := func(w string) bool { return strings.HasPrefix(w, "--") }
	return filepath.Ext(path) == ".md" && filepath.Base(path) != "CHANGELOG.md" && len(words) > 1 &&
		find(words[0]) != nil && slices.ContainsFunc(words[1:], isFlag)
}

// before are words that may come before a command.
var before = []string{"$", "!", "nice", "time", "if", "then", "do", "else"}

// linesOf finds what may be command lines, by the kind of file.
var linesOf = map[string]func(text string) []string{".md": markdownLines, ".sh": scriptLines}

var (
	codeSpan = regexp.MustCompile("`[^`]+`")
	indented = regexp.MustCompile(`(?m)^ {4}\S.*(?:\\\n.*)*`)
)

// markdownLines returns the code of a Markdown document: blocks whole, and each span, but for those with
// something left out.
func markdownLines(text string) (lines []string) {
	for i, part := range strings.Split(text, "\n```") {
		if i%2 == 1 {
			lines = append(lines, part)
			continue
		}
		lines = append(lines, indented.FindAllString(part, -1)...)
		for _, code := range codeSpan.FindAllString(part, -1) {
			if code = strings.Trim(code, "`"); !strings.ContainsAny(code, "…<[") && !strings.Contains(code, "COMMAND") &&
				code != "bgtrain player 1" { // what a net file begins with
				lines = append(lines, strings.Join(strings.Fields(code), " "))
			}
		}
	}
	return lines
}

// substituted matches what a shell replaces: commands without another in them, and variables.
var substituted = regexp.MustCompile(`\$\([^()]*\)|\$\{[^{}]*\}|\$[A-Za-z_]+|\$[0-9@#*]`)

// scriptLines returns a script with 1 for whatever the shell replaces.
func scriptLines(text string) []string {
	text = strings.NewReplacer(`"$bgtrain"`, "bgtrain", "./bgtrain ", "bgtrain ").Replace(text)
	for substituted.MatchString(text) {
		text = substituted.ReplaceAllString(text, "1")
	}
	return []string{text}
}

// shellCommands returns the commands of a piece of shell, each in words, without redirections.
func shellCommands(text string) (commands [][]string) {
	for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", " ")) {
		var words []string
		redirected := false
		end := func() {
			if len(words) > 0 {
				commands = append(commands, words)
			}
			words, redirected = nil, false
		}
		for _, w := range shellWords(strings.TrimSpace(line)) {
			if w == "#" {
				break
			}
			word, last := strings.CutSuffix(w, ";")
			switch {
			case slices.Contains([]string{"&&", "||", "|", "&", "{", "}", "(", ")", ""}, word):
				end()
			case strings.HasPrefix(word, ">") || strings.HasPrefix(word, "2>") || strings.HasPrefix(word, "<"):
				redirected = true
			case !redirected:
				words = append(words, word)
			}
			if last {
				end()
			}
		}
		end()
	}
	return commands
}

// understood checks that the command line of bgtrain can be parsed, without running it.
func understood(t *testing.T, where string, words []string) {
	t.Helper()
	line := strings.Join(words, " ")
	words = words[1:]
	if len(words) == 0 || strings.HasPrefix(words[0], "-") ||
		slices.Contains([]string{"completion", "man", "help"}, words[0]) {
		return
	}
	c := find(words[0])
	if c == nil {
		t.Errorf("%s: no such command: %s", where, line)
		return
	}
	words = words[1:]
	for len(words) > 0 && c.subs != nil {
		sub := find(c.name, words[0])
		if sub == nil {
			break
		}
		c, words = sub, words[1:]
	}
	if f := c.describe().flags; f != nil {
		for i, w := range words {
			if w == "N" || w == "S" { // a number, in prose
				words[i] = "1"
			}
		}
		err := f.Parse(words)
		var named *pflag.ValueRequiredError // only named, in prose
		var invalid *pflag.InvalidValueError
		for errors.As(err, &invalid) && standIn.MatchString(invalid.GetValue()) {
			i := slices.Index(words, "--"+invalid.GetFlag().Name)
			if i < 0 {
				break
			}
			words = slices.Delete(slices.Clone(words), i, i+2)
			err = f.Parse(words)
		}
		if err != nil && !errors.Is(err, pflag.ErrHelp) && !errors.As(err, &named) {
			t.Errorf("%s: %s: %v", where, line, err)
		}
	}
}

// standIn matches what stands for a value: a variable of a script, see substituted, or
// words in capitals of prose.
var standIn = regexp.MustCompile(`^(1|[A-Z]+([,/][A-Z]+)*)$`)

// goFlags are the flags of go test, go run and go build in use here, and whether each has a value.
var goFlags = map[string]bool{"run": true, "bench": true, "fuzz": true, "tags": true, "benchtime": true, "fuzztime": true,
	"count": true, "timeout": true, "o": true, "ldflags": true, "cpu": true, "v": false, "short": false, "race": false, "trimpath": false}

// understoodByGo checks that a command line of go names packages, tests, benchmarks and flags that there are.
func understoodByGo(t *testing.T, where string, words []string) {
	t.Helper()
	line := "go " + strings.Join(words, " ")
	what, words := words[0], words[1:]
	if !slices.Contains([]string{"test", "run", "build", "install"}, what) {
		return
	}
	var packages, patterns, others []string
	for len(words) > 0 {
		name, isFlag := strings.CutPrefix(words[0], "-")
		value, known := goFlags[name]
		switch {
		case known && value && len(words) > 1:
			if name == "run" || name == "bench" || name == "fuzz" {
				patterns = append(patterns, words[1])
			}
			words = words[1:]
		case known:
		case isFlag:
			others = append(others, name)
		default:
			packages = append(packages, words[0])
		}
		words = words[1:]
		if what == "run" && len(packages) > 0 {
			break // the rest is the program's
		}
	}
	files := goFiles(t, where, line, packages)
	if len(files) == 0 || what != "test" {
		return
	}
	funcs, strs := declared(t, files)
	for _, p := range patterns {
		p, _, _ = strings.Cut(p, "/")
		if p == "^$" || p == "XXX" || p == "." {
			continue
		}
		re, err := regexp.Compile(p)
		if err != nil || !slices.ContainsFunc(funcs, re.MatchString) {
			t.Errorf("%s: %s: no test matches %s (%v)", where, line, p, err)
		}
	}
	for _, name := range others {
		if !slices.Contains(strs, name) {
			t.Errorf("%s: %s: no flag -%s", where, line, name)
		}
	}
}

// goFiles returns the Go files of packages, those of the document's folder where it names none.
func goFiles(t *testing.T, where, line string, packages []string) (files []string) {
	t.Helper()
	if len(packages) == 0 {
		files, _ = filepath.Glob(filepath.Join(filepath.Dir(where), "*.go"))
		return files
	}
	for _, p := range packages {
		dir, local := strings.CutPrefix(p, "./")
		if p == "./..." || !local {
			continue // all of them, or another module's
		}
		found, _ := filepath.Glob(filepath.Join("../..", dir, "*.go"))
		if len(found) == 0 {
			t.Errorf("%s: %s: no package %s", where, line, p)
		}
		files = append(files, found...)
	}
	return files
}

// declared returns the names of the functions of Go files, and the strings in their tests, flags' names among
// them.
func declared(t *testing.T, files []string) (funcs, strs []string) {
	t.Helper()
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				funcs = append(funcs, n.Name.Name)
			case *ast.BasicLit:
				strs = append(strs, strings.Trim(n.Value, `"`))
			}
			return true
		})
	}
	return funcs, strs
}

// shellWords cuts a command line into words, quotes heeded.
func shellWords(line string) []string {
	var words []string
	var word strings.Builder
	quoted, in := rune(0), false
	for _, c := range line {
		switch {
		case quoted != 0 && c == quoted:
			quoted = 0
		case quoted != 0:
			word.WriteRune(c)
		case c == '\'' || c == '"':
			quoted, in = c, true
		case c == ' ' || c == '\t':
			if in {
				words = append(words, word.String())
				word.Reset()
			}
			in = false
		default:
			word.WriteRune(c)
			in = true
		}
	}
	if in {
		words = append(words, word.String())
	}
	return words
}

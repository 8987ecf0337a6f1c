package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bgtrain/internal/inspect"
)

// TestDatabaseCommands takes positions through import, info, export, merge and
// validate.
func TestDatabaseCommands(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	write := func(name, text string) string {
		t.Helper()
		if err := os.WriteFile(at(name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return at(name)
	}
	contact := "OAHDPAABDAOAHDPAABDA 0.52518 0.14851 0.00713 0.12419 0.00559\n"
	race := "6wAAgDV3JgQAAA,0.00000,0.00000,0.00000,0.42835,0.00000\n"
	good := write("contact.txt", "# comment\n"+contact)
	csv := write("race.csv", "position_id,win,win_g,win_bg,lose_g,lose_bg\n"+race)
	bad := write("bad.txt", contact+"\n"+contact)

	for _, c := range []struct {
		args   string
		status int
		stdout string // what standard output holds
		stderr string
	}{
		{"import " + good + " " + csv + " -o " + at("db.parquet"), 0,
			at("db.parquet") + ": 2 positions (contact 1, race 1)\n", ""},
		{"import " + bad + " -o " + at("no.parquet"), 1, "",
			"import " + bad + ":3: position OAHDPAABDAOAHDPAABDA was there before; --skip-bad leaves bad rows out"},
		{"import " + bad + " --skip-bad -o " + at("skipped.parquet"), 0, "left out 1 bad row (duplicate 1)\n", ""},
		{"import " + bad + " --force --skip-bad --json -o " + at("skipped.parquet"), 0, `"duplicate":1`, ""},
		{"import --format wildbg " + good + " -o " + at("no.parquet"), 1, "",
			"import " + good + ":2: expected the header position_id"},
		{"import " + at("none") + " -o " + at("no.parquet"), 1, "", at("none") + ": no such file"},
		{"import " + good, 2, "", "-o DB is missing"},
		{"import -o x", 2, "", "no file to import"},
		{"import --format excel -o x " + good, 2, "", `format "excel" is none of`},
		{"import -h", 0, "Example:", ""},

		{"info " + at("db.parquet"), 0, "bgtrain import " + good + " " + csv + " -o " + at("db.parquet"), ""},
		{"info --json " + at("db.parquet"), 0, `{"class":"race","rows":1,"with_outputs":1`, ""},

		{"export " + at("db.parquet") + " -o -", 0,
			contact + "OLAAAAIADFHHCGAEAAAA 0.00000 0.00000 0.00000 0.42835 0.00000\n", ": 2 positions"},
		{"export " + at("db.parquet") + " --class race --format wildbg -o -", 0,
			"position_id,win,win_g,win_bg,lose_g,lose_bg\n" + race, ": 1 position (race 1)"},
		{"export " + at("db.parquet") + " -o " + at("out.csv.gz"), 0, at("out.csv.gz") + ": 2 positions", ""},
		{"export " + at("db.parquet") + " -o " + at("out.txt.bz2"), 1, "", "bzip2 is read but not written"},
		{"export " + at("db.parquet"), 2, "", "-o FILE is missing"},
		{"export " + at("db.parquet") + " --class gammon -o x", 2, "", `class "gammon" is none of`},
		{"export -o x", 2, "", "expected one database"},
		{"export -h", 0, "Example:", ""},

		{"merge " + at("db.parquet") + " " + at("skipped.parquet") + " -o " + at("all") + "/", 0,
			"left out 1 duplicate position\n", "3 of 3 rows"},
		{"merge " + at("db.parquet") + " " + at("skipped.parquet") + " -o " + at("all") + "/", 1, "", "not empty"},
		{"merge " + at("db.parquet"), 2, "", "-o DB is missing"},
		{"merge -o x", 2, "", "no database to merge"},
		{"merge -h", 0, "Example:", ""},

		{"validate " + at("db.parquet") + " " + at("out.csv.gz") + " " + good, 0,
			"out.csv.gz: positions with outputs, 2 records, 0 bad\n", ""},
		{"validate " + good + " " + bad, 1,
			"  duplicate    1\n  e.g. " + bad + ":3: position OAHDPAABDAOAHDPAABDA was there " +
				"before\n", "bad input found in 1 of 2 files"},
		{"validate --json " + bad, 1, `"kind":"positions with outputs","records":2,"bad":{`, "bad input found"},
		{"validate " + at("none"), 1, "no such file", ""},
		{"validate", 2, "", "no file to validate"},
		{"validate -h", 0, "Example:", ""},
	} {
		status, stdout, stderr := runCommand(t, strings.Fields(c.args)...)
		words := strings.Join(strings.Fields(stdout), " ") // info breaks long lines
		if status != c.status || !strings.Contains(stdout, c.stdout) && !strings.Contains(words, c.stdout) || !strings.Contains(stderr, c.stderr) {
			t.Errorf("bgtrain %s: status %d, want %d\nstdout %q, want %q\nstderr %q, want %q", c.args, status,
				c.status, stdout, c.stdout, stderr, c.stderr)
		}
	}
	if left, _ := filepath.Glob(at("no.parquet*")); len(left) != 0 {
		t.Errorf("left %v", left)
	}
}

// TestValidateDamagedDatabase cuts a database off.
func TestValidateDamagedDatabase(t *testing.T) {
	dir := t.TempDir()
	db, text := filepath.Join(dir, "db.parquet"), filepath.Join(dir, "a.txt")
	if err := os.WriteFile(text, []byte("OAHDPAABDAOAHDPAABDA 0.5 0 0 0 0\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if status, _, stderr := runCommand(t, "import", text, "-o", db); status != 0 {
		t.Fatal(stderr)
	}
	whole, err := os.ReadFile(db)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(db, whole[:len(whole)-1], 0o644); err != nil {
		t.Fatal(err)
	}
	status, stdout, _ := runCommand(t, "validate", "--json", db)
	var v inspect.Validation
	if err := json.Unmarshal([]byte(stdout), &v); err != nil {
		t.Fatal(err)
	}
	if status != 1 || v.Kind != "rollout database" || !strings.HasPrefix(v.Error, "database "+db+": footer: ") {
		t.Errorf("status %d, %+v", status, v)
	}
}

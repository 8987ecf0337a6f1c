//go:build integration

package dataset

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bgtrain/internal/bg"
)

// missing skips the test because a tool is missing, or fails it in CI.
func missing(t *testing.T, format string, args ...any) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}

// duckDB is DuckDB in a temporary directory.
type duckDB struct{ dir string }

func installDuckDB(t *testing.T) duckDB {
	t.Helper()
	for _, tool := range []string{"node", "npm"} {
		if _, err := exec.LookPath(tool); err != nil {
			missing(t, "%s is not installed: %v", tool, err)
		}
	}
	dir := t.TempDir()
	for _, name := range []string{"package.json", "query.mjs"} {
		data, err := os.ReadFile(filepath.Join("testdata/duckdb", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("npm", "install", "--no-package-lock", "--no-audit", "--no-fund", "--silent")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		missing(t, "npm install: %v\n%s", err, out)
	}
	return duckDB{dir}
}

// query runs SQL and returns the rows of the last statement.
func (d duckDB) query(t *testing.T, sql string, args ...any) []map[string]any {
	t.Helper()
	cmd := exec.Command("node", "query.mjs")
	cmd.Dir = d.dir
	cmd.Stdin = strings.NewReader(fmt.Sprintf(sql, args...))
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("DuckDB: %v\n%s\n%s", err, stderr.String(), fmt.Sprintf(sql, args...))
	}
	var rows []map[string]any
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var row map[string]any
		err := dec.Decode(&row)
		if err == io.EOF {
			return rows
		}
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
}

// one returns the only row of a query in the form "name=value name=value".
func (d duckDB) one(t *testing.T, sql string, args ...any) string {
	t.Helper()
	rows := d.query(t, sql, args...)
	if len(rows) != 1 {
		t.Fatalf("%d rows: %v", len(rows), rows)
	}
	var parts []string
	for k, v := range rows[0] {
		parts = append(parts, fmt.Sprintf("%s=%v", k, v))
	}
	slices.Sort(parts)
	return strings.Join(parts, " ")
}

// duckRows returns rows that pass CheckRow: Import would take them.
func duckRows(n int) []Row {
	var rows []Row
	for _, r := range goodRows(99, 2*n) {
		if CheckRow(&r) == nil && len(rows) < n {
			rows = append(rows, r)
		}
	}
	return rows
}

func TestDuckDBReadsOurs(t *testing.T) {
	duck := installDuckDB(t)
	rows := duckRows(RowGroupRows + 5000)
	dir := filepath.Join(t.TempDir(), "db")
	writeDB(t, dir, rows, Options{RowsPerPart: RowGroupRows + 1000})
	files := filepath.Join(dir, "part-*.parquet")

	types := ""
	for _, r := range duck.query(t, "DESCRIBE SELECT * FROM read_parquet('%s')", files) {
		types += fmt.Sprintf("%v %v\n", r["column_name"], r["column_type"])
	}
	if want := `position BLOB
class VARCHAR
win FLOAT
win_gammon FLOAT
win_backgammon FLOAT
lose_gammon FLOAT
lose_backgammon FLOAT
equity_se FLOAT
trials INTEGER
method VARCHAR
source VARCHAR
`; types != want {
		t.Errorf("types\n%s, want\n%s", types, want)
	}
	if got, want := duck.one(t, "SELECT type, type_length, repetition_type FROM parquet_schema('%s') WHERE name = "+
		"'position'",
		filepath.Join(dir, PartName(1))), "repetition_type=REQUIRED type=FIXED_LEN_BYTE_ARRAY "+
		"type_length=10"; got != want {
		t.Errorf("position is %s, want %s", got, want)
	}

	var outputs, ses, trials, contact int64
	var sum float64
	distinct := map[bg.Key]bool{}
	methods := map[string]bool{}
	for i := range rows {
		r := &rows[i]
		distinct[r.Key] = true
		if r.HasOutputs {
			outputs++
			sum += float64(r.Outputs[bg.LoseGammon])
		}
		if r.HasSE {
			ses++
		}
		if r.HasTrials {
			trials += int64(r.Trials)
		}
		if r.Class == bg.Crashed {
			contact++
		}
		if r.Method != "" {
			methods[r.Method] = true
		}
	}
	want := fmt.Sprintf("crashed=%d distinct=%d methods=%d n=%d outputs=%d ses=%d sum=%.3f trials=%d",
		contact, len(distinct), len(methods), len(rows), outputs, ses, sum, trials)
	got := duck.one(t, `SELECT count(*)::INT AS n, count(DISTINCT position)::INT AS distinct, count(win)::INT AS outputs,
		count(equity_se)::INT AS ses, sum(trials)::INT AS trials, count(DISTINCT method)::INT AS methods,
		(count(*) FILTER (WHERE class = 'crashed'))::INT AS crashed,
		format('{:.3f}', sum(lose_gammon::DOUBLE)) AS sum FROM read_parquet('%s')`, files)
	if got != want {
		t.Errorf("DuckDB counts\n%s, want\n%s", got, want)
	}

	first := duck.query(t, "SELECT hex(position) AS position, class, win, lose_gammon, equity_se, trials, method, "+
		"source FROM read_parquet('%s') LIMIT 300", files)
	for i, r := range first {
		w := &rows[i]
		null := func(has bool, v any) any {
			if has {
				return v
			}
			return nil
		}
		for name, want := range map[string]any{
			"position":    strings.ToUpper(hex.EncodeToString(w.Key[:])),
			"class":       w.Class.String(),
			"win":         null(w.HasOutputs, w.Outputs[bg.Win]),
			"lose_gammon": null(w.HasOutputs, w.Outputs[bg.LoseGammon]),
			"equity_se":   null(w.HasSE, w.EquitySE),
			"trials":      null(w.HasTrials, float64(w.Trials)),
			"method":      null(w.Method != "", w.Method),
			"source":      null(w.Source != "", w.Source),
		} {
			got := r[name]
			if v, ok := got.(float64); ok && name != "trials" {
				got = float32(v)
			}
			if got != want {
				t.Fatalf("row %d: %s is %v, want %v", i, name, got, want)
			}
		}
	}
	if got, want := duck.one(t, "SELECT decode(value) AS v FROM parquet_kv_metadata('%s') WHERE decode(key) = "+
		"'bgtrain.schema'",
		filepath.Join(dir, PartName(1))), "v=1"; got != want {
		t.Errorf("metadata %s", got)
	}
}

func TestReadsDuckDBs(t *testing.T) {
	duck := installDuckDB(t)
	rows := duckRows(30000)
	dir := t.TempDir()
	ours := filepath.Join(dir, "ours.parquet")
	writeDB(t, ours, rows, Options{})
	for name, sql := range map[string]string{
		"the same columns": "COPY (SELECT * FROM read_parquet('%s')) TO '%s' (FORMAT parquet)",
		"zstd, small groups": "COPY (SELECT * FROM read_parquet('%s')) TO '%s' (FORMAT parquet, COMPRESSION zstd, " +
			"ROW_GROUP_SIZE 4096)",
		"other order and types": `COPY (SELECT source, method, trials::BIGINT AS trials, equity_se::DOUBLE AS equity_se,
			lose_backgammon, lose_gammon::DOUBLE AS lose_gammon, win_backgammon, win_gammon, win::DOUBLE AS win, class, position, 7 AS extra
			FROM read_parquet('%s')) TO '%s' (FORMAT parquet, COMPRESSION gzip)`,
	} {
		theirs := filepath.Join(dir, "theirs.parquet")
		duck.query(t, sql, ours, theirs)
		sameRows(t, readDB(t, theirs, Filter{}), rows)
		v, err := Validate(context.Background(), openAll(t, theirs)[0])
		if err != nil || v.Rows != int64(len(rows)) {
			t.Errorf("%s: %+v, %v", name, v, err)
		}
	}
	duck.query(t, "COPY (SELECT position FROM read_parquet('%s')) TO '%s' (FORMAT parquet)", ours,
		filepath.Join(dir, "keys.parquet"))
	for i, r := range readDB(t, filepath.Join(dir, "keys.parquet"), Filter{}) {
		if want := (Row{Key: rows[i].Key, Class: rows[i].Class}); r != want {
			t.Fatalf("row %d: %+v, want %+v", i, r, want)
		}
	}
}

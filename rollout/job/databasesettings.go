package job

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"bgtrain/internal/parallel"
	"bgtrain/internal/setting"
	"bgtrain/internal/stats"
)

// List says the settings of the database to be made, and of the goroutines that do.
func (d *Database) List(workers *int) setting.List {
	return setting.List{
		{Name: "output", Short: "o", To: &d.Output,
			Help: "the database to make: a directory of parts, or one file where the name ends in .parquet"},
		{Name: "chunk", To: &d.Chunk, Range: setting.From(1, 1e8), Help: "positions a part"},
		{Name: "shard", To: (*shard)(d), Help: "work on every N-th part only: i/N, with i from 0 to N-1"},
		parallel.Setting(workers),
	}
}

// Check reports settings that make no sense together.
func (d *Database) Check() error {
	if IsFile(d.Output) && d.Shards > 0 {
		return fmt.Errorf("--shard: shards fill a directory together, to be named without .parquet; 'bgtrain merge "+
			"DIR -o %s' then makes one file of it", d.Output)
	}
	return nil
}

// shard is Database.Shard and Shards as text.
type shard Database

// String returns the text that Set reads, "" for all parts.
func (s *shard) String() string {
	if s.Shards == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.Shard, s.Shards)
}

// Set reads i/N.
func (s *shard) Set(text string) error {
	i, n, _ := strings.Cut(text, "/")
	index, err1 := strconv.Atoi(i)
	shards, err2 := strconv.Atoi(n)
	if err1 != nil || err2 != nil || shards < 1 || index < 0 || index >= shards {
		return fmt.Errorf("i/N with i from 0 to N-1 expected")
	}
	s.Shard, s.Shards = index, shards
	return nil
}

// Made is a Report for programs.
type Made struct {
	Output  string  `json:"output"`
	Rows    int64   `json:"rows"`
	Earlier int64   `json:"rows_there_before"`
	Parts   int     `json:"parts_written"`
	Total   int     `json:"parts_total"`
	Missing []int   `json:"missing_parts"`
	Elapsed float64 `json:"elapsed_s"`
}

// Made returns the report of the database at output, which took some time.
func (r *Report) Made(output string, took time.Duration) *Made {
	return &Made{output, r.Rows, r.Earlier, r.Parts, r.Total, append([]int{}, r.Missing...), took.Seconds()}
}

// WriteText writes a line for people.
func (m *Made) WriteText(w io.Writer) error {
	text := fmt.Sprintf("%s: %s in %.1f s", m.Output, stats.Count(m.Rows, "position", "positions"), m.Elapsed)
	if m.Earlier > 0 {
		text += fmt.Sprintf(", %d were there", m.Earlier)
	}
	if n := len(m.Missing); n > 0 {
		text += fmt.Sprintf("; %d of %d parts are missing yet", n, m.Total)
	}
	_, err := fmt.Fprintln(w, text)
	return err
}

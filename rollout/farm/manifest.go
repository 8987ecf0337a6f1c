package farm

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/internal/nets"
	"bgtrain/rollout/job"
)

// Manifest is what a run is: all that a worker needs to compute its chunks.
type Manifest struct {
	Run     string       `json:"run"`
	Name    string       `json:"name"`    // for people
	Version string       `json:"version"` // of the program
	Job     job.Settings `json:"job"`
	Nets    []Blob       `json:"nets"`
	Pages   Blob         `json:"pages"` // of a JSON array of blobs: the positions, encoded rows

	Rows       int64 `json:"rows"`
	Chunk      int   `json:"chunk"`       // rows a chunk
	Chunks     int   `json:"chunks"`      // of the input
	PageChunks int   `json:"page_chunks"` // chunks a page

	Probe   string   `json:"probe"`   // what probe returns where the run comes from
	Refused []string `json:"refused"` // parties whose parts were wrong
}

// pageRows is about how many rows a page has.
const pageRows = 16384

// plan is a manifest with all that it names, and what a submitter checks parts by.
type plan struct {
	m       Manifest
	blobs   []packed
	keys    []bg.Key // of the input
	sources []string // likewise, where the job checks its rows
}

// newPlan makes the plan of a task.
func newPlan(ctx context.Context, t *job.Task, version, place string) (*plan, error) {
	p := &plan{m: Manifest{
		Run: runName(t.Run, version, place), Version: version, Job: t.Job.Settings,
		Name: fmt.Sprintf("%s %s", t.Job.Settings.Kind, t.Input.Name()),
		Rows: t.Input.NumRows(), Chunk: t.Chunk, Chunks: len(t.Todo), PageChunks: max(1, pageRows/t.Chunk),
	}}
	for _, print := range append(job.Fingerprints(t.Job.Settings.Player.Net), t.Job.Settings.Player.FilterNet,
		t.Job.Settings.SmallNet) {
		set, ok := t.Job.Nets[print]
		if !ok {
			continue
		}
		var buf bytes.Buffer
		if err := nets.WriteSafetensors(&buf, set); err != nil {
			return nil, fmt.Errorf("net %s: %w", print, err)
		}
		b := newBlob(buf.Bytes())
		p.blobs, p.m.Nets = append(p.blobs, b), append(p.m.Nets, b.Blob)
	}
	var pages []Blob
	var rows []dataset.Row
	end := func() error {
		raw, err := encodeRows(rows)
		if err != nil {
			return err
		}
		b := newBlob(raw)
		p.blobs, pages, rows = append(p.blobs, b), append(pages, b.Blob), rows[:0]
		return nil
	}
	for c, err := range t.Input.Chunks(ctx, t.Chunk, func(int) bool { return true }) {
		if err != nil {
			return nil, err
		}
		for i := range c.Rows {
			if p.keys = append(p.keys, c.Rows[i].Key); t.Job.Check != nil {
				p.sources = append(p.sources, c.Rows[i].Source)
			}
		}
		rows = append(rows, c.Rows...)
		if (c.Index+1)%p.m.PageChunks == 0 || c.Index == len(t.Todo)-1 {
			if err := end(); err != nil {
				return nil, err
			}
		}
	}
	list, err := json.Marshal(pages)
	if err != nil {
		return nil, err
	}
	b := newBlob(list)
	p.blobs, p.m.Pages = append(p.blobs, b), b.Blob
	p.m.Probe, err = probe(ctx, t.Job)
	return p, err
}

// chunkRows returns the number of rows of a chunk.
func (m *Manifest) chunkRows(i int) int {
	return int(min(int64(m.Chunk), m.Rows-int64(i)*int64(m.Chunk)))
}

// Check reports a manifest that makes no sense. The sums of what passes do not
// overflow.
func (m *Manifest) Check() error {
	if m.Run == "" || m.Rows < 1 || m.Chunk < 1 || m.PageChunks < 1 || m.PageChunks > max(1, pageRows/m.Chunk) ||
		int64(m.Chunks) != (m.Rows-1)/int64(m.Chunk)+1 {
		return fmt.Errorf("manifest of run %q: %d rows in %d chunks of %d, %d a page", m.Run, m.Rows, m.Chunks,
			m.Chunk, m.PageChunks)
	}
	return m.Job.Check()
}

// refuses reports whether the parts of a party are not taken.
func (m *Manifest) refuses(party string) bool { return slices.Contains(m.Refused, party) }

// fetchNets returns the nets of a run.
func (s *store) fetchNets(ctx context.Context, m *Manifest) (job.Nets, error) {
	have := job.Nets{}
	for i := range m.Nets {
		raw, err := s.get(ctx, m.Run, &m.Nets[i])
		if err != nil {
			return nil, err
		}
		set, err := nets.ReadSafetensors(bytes.NewReader(raw))
		if err != nil {
			return nil, fmt.Errorf("net %s: %w", m.Nets[i].SHA256, err)
		}
		have.Add(set)
	}
	return have, nil
}

// fetchPages returns the list of a run's pages.
func (s *store) fetchPages(ctx context.Context, m *Manifest) ([]Blob, error) {
	raw, err := s.get(ctx, m.Run, &m.Pages)
	if err != nil {
		return nil, err
	}
	var pages []Blob
	if err := json.Unmarshal(raw, &pages); err != nil {
		return nil, fmt.Errorf("list of pages: %w", err)
	}
	if want := (m.Chunks + m.PageChunks - 1) / m.PageChunks; len(pages) != want {
		return nil, fmt.Errorf("list of pages: %d, %d expected", len(pages), want)
	}
	return pages, nil
}

// fetchPage returns the rows of a page.
func (s *store) fetchPage(ctx context.Context, m *Manifest, pages []Blob, i int) ([]dataset.Row, error) {
	raw, err := s.get(ctx, m.Run, &pages[i])
	if err != nil {
		return nil, err
	}
	rows, err := decodeRows(raw)
	if err != nil {
		return nil, fmt.Errorf("page %d: %w", i, err)
	}
	first := int64(i) * int64(m.PageChunks) * int64(m.Chunk)
	if want := min(int64(m.PageChunks)*int64(m.Chunk), m.Rows-first); int64(len(rows)) != want {
		return nil, fmt.Errorf("page %d: %d rows, %d expected", i, len(rows), want)
	}
	return rows, nil
}

// badManifest is the error of a manifest that makes no sense.
type badManifest struct{ error }

// parseManifest reads a manifest.
func parseManifest(text []byte) (*Manifest, error) {
	m := &Manifest{}
	if err := json.Unmarshal(text, m); err != nil {
		return nil, &badManifest{fmt.Errorf("manifest: %w", err)}
	}
	if err := m.Check(); err != nil {
		return nil, &badManifest{err}
	}
	return m, nil
}

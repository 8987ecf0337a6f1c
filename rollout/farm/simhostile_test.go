package farm

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"bgtrain/dataset"
	"bgtrain/internal/bg"

	"github.com/nats-io/nats.go"
)

// attack does what the owner of a worker's key can do.
func (s *simulation) attack(r *rand.Rand) {
	h := s.f.hub("hostile", "EVIL")
	say := s.log("hostile")
	var held []message
	actions := r.IntN(60)
	if r.IntN(4) == 0 {
		actions = 1 << 30 // as long as there is somebody
	}
	for range actions {
		if rest(s.ctx, time.Duration(r.Int64N(int64(4*time.Second)))) != nil {
			return
		}
		for _, m := range held {
			_ = m.InProgress()
		}
		there, err := h.subjects(s.ctx, streamRuns, subjectRun+"*")
		if err != nil || len(there) == 0 {
			continue
		}
		subjects := slices.Sorted(maps.Keys(there))
		run := strings.TrimPrefix(subjects[r.IntN(len(subjects))], subjectRun)
		text, err := h.last(s.ctx, streamRuns, subjectRun+run)
		if err != nil {
			continue
		}
		m, err := parseManifest(text)
		if err != nil {
			continue
		}
		chunk := r.IntN(m.Chunks)
		q, err := h.queue(s.ctx, streamWork, run)
		if err != nil {
			continue
		}
		if r.IntN(2) == 0 {
			_ = q.fetch(1, time.Second, func(d message) bool {
				var o order
				_ = json.Unmarshal(d.Data(), &o)
				chunk = o.Chunk
				switch r.IntN(4) {
				case 0:
					_ = d.Ack()
				case 1:
					held = append(held, d)
				case 2:
					_ = d.Term()
				}
				return false
			})
		}
		what := s.handInJunk(h, r, m, run, chunk)
		say(fmt.Sprintf("chunk %d of %.8s: %s, holds %d", chunk+1, run, what, len(held)))
	}
}

// handInJunk hands in something that is wrong, or right.
func (s *simulation) handInJunk(h *simHub, r *rand.Rand, m *Manifest, run string, chunk int) string {
	chunk = max(0, min(chunk, m.Chunks-1))
	p := &part{chunk: chunk, version: testVersion}
	for _, k := range s.in[min(chunk*simChunk, len(s.in)):min((chunk+1)*simChunk, len(s.in))] {
		row := dataset.Row{Key: k}
		_ = markRow(&row)
		p.rows = append(p.rows, row)
	}
	what := "right rows"
	switch r.IntN(6) {
	case 0:
		if len(p.rows) > 0 {
			what = "false rows"
			p.rows[0].Outputs[bg.Win] = p.rows[0].Outputs[bg.Win]/2 + 1e-4
		}
	case 1:
		what = "other rows"
		p.chunk = r.IntN(m.Chunks + 1)
	case 2:
		what = "a failure"
		p.failure = "out of memory"
	case 3:
		what = "another version"
		p.version = "other"
	case 4:
		what = "nonsense"
		p.rows = p.rows[:len(p.rows)/2]
	}
	messages, err := p.messages("")
	if err != nil {
		return err.Error()
	}
	for _, m := range messages {
		if r.IntN(5) == 0 {
			m.Header.Set(headerPiece, "0/2")
			what += ", in part"
		}
		for range 1 + r.IntN(3) { // by processes of one key
			subject := fmt.Sprintf("%s%s.%s.p%d", subjectPart, run, h.key, r.IntN(3))
			_ = h.publish(s.ctx, &nats.Msg{Subject: subject, Header: m.Header, Data: m.Data})
		}
	}
	return what
}

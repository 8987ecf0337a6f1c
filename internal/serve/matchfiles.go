package serve

import (
	"context"
	"io"
	"net/http"
	"strings"
	"time"

	"bgtrain/benchmark/analyze"
	"bgtrain/dataset/matchfile"
	"bgtrain/internal/player"
)

// analysis answers with the page of a match analyzed.
func (v *Server) analysis(w http.ResponseWriter, r *http.Request) {
	h, err := v.matches.find(r.PathValue("id"))
	var page strings.Builder
	if err == nil {
		err = v.analyze(r.Context(), h, &page)
	}
	switch {
	case r.Context().Err() != nil:
	case err != nil:
		http.Error(w, err.Error(), statusOf(err))
	default:
		// The page has its own style, and a script whose digest it names itself.
		w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; "+
			"script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeTime))
		_, _ = io.WriteString(w, page.String())
	}
}

// analyze judges a match by its net and writes the page of it.
func (v *Server) analyze(ctx context.Context, h *heldMatch, page io.Writer) error {
	h.mu.Lock()
	m := cloneMatch(h.match.Record().Match())
	h.mu.Unlock()
	s := analyze.Defaults
	s.Ply, s.Workers = max(h.ply, 1), v.s.Workers
	var err error
	if s.Table, err = s.Table.OrDefault(); err != nil {
		return err
	}
	return v.withNet(ctx, h.net, func(ev *player.Evaluator) error {
		a, err := analyze.Match(ctx, ev.Player(), m, s)
		if err != nil {
			return err
		}
		return a.WritePage(page, h.fileName(), h.net.Name, "", "")
	})
}

// cloneMatch is a match that the rest of the play does not change.
func cloneMatch(m *matchfile.Match) *matchfile.Match {
	c := *m
	c.Games = append([]matchfile.Game(nil), m.Games...)
	for i := range c.Games {
		c.Games[i].Actions = append([]matchfile.Action(nil), c.Games[i].Actions...)
	}
	return &c
}

// download answers with the match as .mat.
func (v *Server) download(w http.ResponseWriter, r *http.Request) {
	h, err := v.matches.find(r.PathValue("id"))
	if err != nil {
		http.Error(w, err.Error(), statusOf(err))
		return
	}
	h.mu.Lock()
	var text strings.Builder
	err = matchfile.WriteMat(&text, h.match.Record().Match())
	h.mu.Unlock()
	if err != nil {
		http.Error(w, err.Error(), statusOf(err))
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="`+h.fileName()+`"`)
	_, _ = io.WriteString(w, text.String())
}

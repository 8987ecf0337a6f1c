package serve

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"bgtrain/dataset/matchfile"
	"bgtrain/internal/atomicfile"
	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
	"bgtrain/internal/cube/met"
	"bgtrain/internal/play"
	"bgtrain/internal/player"
	"bgtrain/internal/protocol"
)

// Limits of the matches that are held.
const (
	maxMatches  = 64
	matchIdle   = 12 * time.Hour   // without an action, after which a match is forgotten
	matchBusy   = 10 * time.Minute // with an action within, it is not given up for a new one
	maxGames    = 200              // of a match
	maxActions  = 2000             // of a game
	mostLength  = 64
	mostNetPly  = 2
	mostName    = 40
	linesOfPlay = 5
)

// The errors of matches that are not there, and of what cannot be done now.
var (
	errGone   = errors.New("no such match: it has ended long ago, or was never begun here")
	errNotNow = errors.New("not now")
)

// heldMatch is a match under way.
type heldMatch struct {
	id    string
	net   netInfo
	ply   int
	kept  bool // in a file
	begun time.Time
	used  time.Time // belongs to the lock of matches

	mu    sync.Mutex
	match *play.Match
	brain protocol.Brain // the match's; its evaluator belongs to the turn to compute much
	acts  []act          // of the net since the person's last action
}

// act is something that the net has done, for the page.
type act struct {
	Did      string `json:"did"`
	Dice     [2]int `json:"dice,omitzero"`
	Play     string `json:"play,omitempty"`
	Position string `json:"position"` // after it, as the person counts
}

// matches are the matches that are held.
type matches struct {
	mu  sync.Mutex
	all map[string]*heldMatch
	now func() time.Time
}

// find returns a match, and notes that it is used.
func (m *matches) find(id string) (*heldMatch, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.now()
	h := m.all[id]
	if h == nil || now.Sub(h.used) > matchIdle {
		return nil, errGone
	}
	h.used = now
	return h, nil
}

// add holds a match, in place of what is idle where there are too many.
func (m *matches) add(h *heldMatch) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	h.begun = m.now()
	h.used = h.begun
	var oldest *heldMatch
	for id, o := range m.all {
		if h.used.Sub(o.used) > matchIdle {
			delete(m.all, id)
		} else if oldest == nil || o.used.Before(oldest.used) {
			oldest = o
		}
	}
	if len(m.all) >= maxMatches {
		if h.used.Sub(oldest.used) < matchBusy {
			return busyf("%d matches are being played", maxMatches)
		}
		delete(m.all, oldest.id)
	}
	m.all[h.id] = h
	return nil
}

// beginMatch begins a match.
func (v *Server) beginMatch(r *http.Request) (any, error) {
	q := r.URL.Query()
	s := play.Defaults
	s.Tutor = q.Get("tutor") == "on"
	h := &heldMatch{id: rand.Text(), kept: v.s.Matches != ""}
	var err error
	if s.Length, err = number(q, "length", 0, mostLength, 5); err != nil {
		return nil, err
	}
	if h.ply, err = number(q, "ply", 0, mostNetPly, 1); err != nil {
		return nil, err
	}
	if h.net, err = v.netOf(q.Get("net")); err != nil {
		return nil, err
	}
	if text := q.Get("tutor"); text != "" && text != "on" && text != "off" {
		return nil, problemf("tutor=%q: on or off expected", text)
	}
	if name := strings.TrimSpace(q.Get("name")); name != "" {
		if utf8.RuneCountInString(name) > mostName || !utf8.ValidString(name) || strings.ContainsFunc(name, control) {
			return nil, problemf("name: at most %d letters expected", mostName)
		}
		s.Name = name
	}
	s.Net = filepath.Base(h.net.Name)
	var seed [8]byte
	for s.Seed == 0 {
		_, _ = rand.Read(seed[:]) // it never fails
		s.Seed = binary.LittleEndian.Uint64(seed[:])
	}
	table, err := (*met.Table)(nil).OrDefault()
	if err != nil {
		return nil, err
	}
	h.brain = protocol.Brain{Ply: h.ply, Model: cube.GNUbg{}, Table: table}
	if h.match, err = play.NewMatch(&h.brain, s, nil); err != nil {
		return nil, err
	}
	if err := v.matches.add(h); err != nil {
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := h.match.Next(); err != nil {
		return nil, err
	}
	return v.goOn(r.Context(), h)
}

// oneMatch answers how a match stands.
func (v *Server) oneMatch(r *http.Request) (any, error) {
	h, err := v.matches.find(r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.match.Due() == play.ToNet { // whoever waited for the net went away
		return v.goOn(r.Context(), h)
	}
	return h.view(), nil
}

// control reports what does not belong in a name.
func control(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 }

// matchAction answers an action of the person's.
func (v *Server) matchAction(r *http.Request) (any, error) {
	h, err := v.matches.find(r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if g := h.match.Record().Game(); g != nil && (g.Number > maxGames || len(g.Actions) > maxActions) {
		return nil, fmt.Errorf("%w: the match has become too long", errNotNow)
	}
	sure := r.URL.Query().Get("sure") == "yes"
	switch do := r.PathValue("do"); do {
	case "roll", "double", "take", "pass":
		err = v.cubeAction(r.Context(), h, do, sure)
	case "play":
		err = v.playAction(r.Context(), h, r.URL.Query().Get("play"), sure)
	case "next":
		err = h.match.Next()
	case "undo":
		var done bool
		if done, err = h.match.Undo(); err == nil && !done {
			err = fmt.Errorf("%w: there is nothing of yours to take back in this game", errNotNow)
		}
	case "resign":
		err = v.resign(r, h)
	case "tutor":
		h.match.SetTutor(r.URL.Query().Get("tutor") != "off")
	default:
		return nil, problemf("%q: roll, double, take, pass, play, next, undo, resign or tutor expected", do)
	}
	var warned *warning
	if errors.As(err, &warned) {
		view := h.view()
		view.Warning = warned
		return view, nil
	}
	if err != nil {
		var due *play.NotDueError
		if errors.As(err, &due) {
			err = fmt.Errorf("%w: %w", errNotNow, err)
		}
		return nil, err
	}
	if r.PathValue("do") == "tutor" {
		return h.view(), nil
	}
	return v.goOn(r.Context(), h)
}

// withBrain lets use a match's net decide and judge, when its turn to compute has come.
func (v *Server) withBrain(ctx context.Context, h *heldMatch, use func() error) error {
	return v.withNet(ctx, h.net, func(ev *player.Evaluator) error {
		h.brain.Evaluator = ev
		return use()
	})
}

// goOn lets the net do what is due until the person has to, and keeps the match.
func (v *Server) goOn(ctx context.Context, h *heldMatch) (any, error) {
	h.acts = nil
	err := v.withBrain(ctx, h, func() error {
		for h.match.Due() == play.ToNet {
			a, err := h.match.Act()
			if err != nil {
				return err
			}
			b, _ := h.match.Board()
			h.acts = append(h.acts, act{Did: a.Did, Dice: a.Dice, Play: a.Play, Position: b.Key().PositionID()})
		}
		return nil
	})
	if err == nil {
		err = v.keepMatch(h)
	}
	if err != nil {
		return nil, err
	}
	return h.view(), nil
}

// keepMatch writes a match where matches are kept.
func (v *Server) keepMatch(h *heldMatch) error {
	if v.s.Matches == "" {
		return nil
	}
	path := filepath.Join(v.s.Matches, h.fileName())
	return atomicfile.Write(path, func(w io.Writer) error { return matchfile.WriteMat(w, h.match.Record().Match()) })
}

// fileName is the name of a match's file.
func (h *heldMatch) fileName() string {
	return fmt.Sprintf("%s-%s.mat", h.begun.UTC().Format("2006-01-02-150405"), strings.ToLower(h.id[:6]))
}

// warning is what the tutor says before something that loses much.
type warning struct {
	Did  string  `json:"did"`
	Loss float64 `json:"loss"`
}

// Error implements error: a warning holds an action up.
func (w *warning) Error() string { return fmt.Sprintf("%s loses %.3f", w.Did, w.Loss) }

// warn is the error of an action that loses too much for a tutor who is on.
func (h *heldMatch) warn(did string, loss float64, sure bool) error {
	if s := h.match.Settings(); sure || !s.Tutor || loss <= s.Threshold {
		return nil
	}
	return &warning{did, loss}
}

// cubeAction rolls, doubles, takes or passes.
func (v *Server) cubeAction(ctx context.Context, h *heldMatch, do string, sure bool) error {
	err := v.withBrain(ctx, h, func() error {
		want := play.ToRoll
		if do == "take" || do == "pass" {
			want = play.ToAnswer
		}
		if due := h.match.Due(); due != want {
			return &play.NotDueError{Did: do, Due: due}
		}
		did := do
		if do == "roll" {
			did = "no double"
		}
		d, _, err := h.match.Cube(did)
		if err != nil {
			return err
		}
		return h.warn(did, d.Loss, sure)
	})
	switch {
	case err != nil:
		return err
	case do == "roll":
		return h.match.Roll()
	case do == "double":
		return h.match.Double()
	}
	return h.match.Answer(do == "take")
}

// playAction makes a play.
func (v *Server) playAction(ctx context.Context, h *heldMatch, text string, sure bool) error {
	after, err := h.match.Find(text)
	var due *play.NotDueError
	switch {
	case errors.As(err, &due):
		return err
	case err != nil:
		return problem{err}
	}
	err = v.withBrain(ctx, h, func() error {
		all, err := h.match.Candidates(&after)
		if err != nil {
			return err
		}
		b, _ := h.match.Board()
		d1, d2 := h.match.Dice()
		for i := range all {
			if all[i].Made {
				return h.warn(bg.Notation(&b, &after, d1, d2), all[i].Loss, sure)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return h.match.Play(after)
}

// resign gives a game up, if the net takes so many points for it.
func (v *Server) resign(r *http.Request, h *heldMatch) error {
	points, err := number(r.URL.Query(), "points", 1, 3, 1)
	if err != nil {
		return err
	}
	switch h.match.Due() {
	case play.ToRoll, play.ToPlay, play.ToAnswer:
	default:
		return fmt.Errorf("%w: there is no game to resign", errNotNow)
	}
	if _, turn, _ := h.match.Record().Position(); turn == matchfile.None {
		return fmt.Errorf("%w: the game has not begun", errNotNow)
	}
	return v.withBrain(r.Context(), h, func() error {
		taken, err := h.match.Resign(points)
		if err == nil && !taken {
			return fmt.Errorf("%w: %s expects more than %d", errNotNow, h.match.Settings().Net, points)
		}
		return err
	})
}

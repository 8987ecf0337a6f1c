package job

import (
	"fmt"
	"maps"
	"strconv"

	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/internal/player"
	"bgtrain/rollout"
	"bgtrain/rollout/label"
)

// Kind says what a job does with a position.
type Kind string

// The kinds.
const (
	Rollout Kind = "rollout" // rolls it out
	Follow  Kind = "follow"  // follows one trial and labels every position on the way
	Compare Kind = "compare" // rolls groups of positions out with common dice
	Label   Kind = "label"   // evaluates it by look-ahead
)

// Settings are all that a part depends on besides its chunk and the program: the
// identity of a run. As JSON they travel to where the job is computed.
type Settings struct {
	Kind   Kind   `json:"kind"`
	Player Player `json:"player"`

	Rollout  rollout.Options `json:"rollout,omitzero"`    // of Rollout, Follow and Compare
	SmallNet string          `json:"small_net,omitempty"` // fingerprint of the nets that measure luck, "" for none
	Lambda   float64         `json:"lambda,omitempty"`    // of Follow, see rollout.Engine.NewFollow
	Plans    bg.PlanFilter   `json:"plans,omitzero"`      // of Follow: which of the positions on the way are kept
	Group    int             `json:"group,omitempty"`     // of Compare: rows a group, see rollout.Engine.NewCompareWork
	Ply      int             `json:"ply,omitempty"`       // of Label
}

// Check reports the first setting that makes no sense.
func (s *Settings) Check() error {
	if _, err := player.ParseFilters(s.Player.filter()); err != nil {
		return err
	}
	switch s.Kind {
	case Rollout, Follow, Compare:
		if s.Kind == Compare && s.Group < 1 {
			return fmt.Errorf("groups of %d positions: 1 or more expected", s.Group)
		}
		if !(s.Lambda >= 0 && s.Lambda <= 1) {
			return fmt.Errorf("lambda %g: 0 to 1 expected", s.Lambda)
		}
		return s.Rollout.Check()
	case Label:
		if s.Ply < 0 || s.Ply > player.MaxPly {
			return fmt.Errorf("labels at %d-ply: 0 to %d expected", s.Ply, player.MaxPly)
		}
		return nil
	}
	return fmt.Errorf("unknown kind of job %q", s.Kind)
}

// deepest returns the deepest look-ahead of the job, and that of its choice of
// plays, where filters count.
func (s *Settings) deepest() (all, plays int) {
	if s.Kind == Label {
		return s.Ply, 0
	}
	return max(s.Rollout.Ply, s.Rollout.LeafPly), s.Rollout.Ply
}

// Meta returns the entries of a database's metadata that tell the job from
// others that give other rows: what changes the result, and nothing else.
func (s *Settings) Meta() dataset.Meta {
	m := dataset.Meta{Net: s.Player.Net, Extra: map[string]string{}}
	switch s.Kind {
	case Label:
		m.Extra["label"] = label.Method(s.Ply)
	case Follow:
		m.Extra["rollout"] = s.Rollout.FollowMethod(s.Lambda)
		if text := s.Plans.String(); text != "" {
			m.Extra["plans"] = text
		}
	case Compare:
		m.Extra["rollout"] = s.Rollout.Method() + ", common dice"
	default:
		m.Extra["rollout"] = s.Rollout.Method()
	}
	if s.Kind != Label {
		m.Seed = strconv.FormatUint(s.Rollout.Seed, 10)
		m.Extra["luck"] = s.Rollout.LuckMethod(s.SmallNet)
	}
	all, plays := s.deepest()
	maps.Copy(m.Extra, s.Player.Describe(all, plays))
	return m
}

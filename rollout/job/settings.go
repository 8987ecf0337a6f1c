package job

import (
	"errors"
	"fmt"

	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/internal/identity"
	"bgtrain/internal/player"
	"bgtrain/internal/setting"
	"bgtrain/rollout"
	"bgtrain/rollout/label"
)

// Kind describes what a job does with a position.
type Kind string

// The kinds.
const (
	Rollout Kind = "rollout" // rolls it out
	Follow  Kind = "follow"  // follows one trial and labels every position on the way
	Compare Kind = "compare" // rolls groups of positions out with common dice
	Label   Kind = "label"   // evaluates it by look-ahead
	Cubes   Kind = "cubes"   // rolls cube decisions out, see CubeSource and RolledCubeOf
	Trials  Kind = "trials"  // plays trials with the cube, see AskedFile
)

// Settings are all that a part depends on besides its chunk and the program: the
// identity of a run. As JSON they travel to where the job is computed.
type Settings struct {
	Kind   Kind   `json:"kind"`
	Player Player `json:"player"`

	Rollout  rollout.Options `json:"rollout,omitzero"`    // of all but Label
	SmallNet string          `json:"small_net,omitempty"` // fingerprint of the nets that measure luck, "" for none
	Lambda   float64         `json:"lambda,omitempty"`    // of Follow, see rollout.Engine.NewFollow
	Plans    bg.PlanFilter   `json:"plans,omitzero"`      // of Follow: which of the positions on the way are kept
	Ends     bool            `json:"ends,omitempty"`      // of Follow: rows without outputs end the trials
	Group    int             `json:"group,omitempty"`     // of Compare: rows a group, see rollout.Engine.NewCompareWork
	Ply      int             `json:"ply,omitempty"`       // of Label
	Cube     *CubeRules      `json:"cube,omitempty"`      // of Cubes and Trials
}

// LabelSetting is the setting of Label.
func (s *Settings) LabelSetting() setting.Setting {
	return player.PlySetting("ply", &s.Ply, "look-ahead in GNU Backgammon's counting")
}

// FollowSettings lists each setting of Follow.
func (s *Settings) FollowSettings() setting.List {
	return append(setting.List{
		{Name: "lambda", To: &s.Lambda, Range: setting.From(0, 1), Help: "with --follow: 1 counts all that a trial " +
			"finds, less mixes in the net's values on its way, 0 is 1-ply"},
		{Name: "ends", To: &s.Ends,
			Help: "with --follow: a row without outputs after each trial, where it ended, for renew"}},
		dataset.PlanSettings(&s.Plans, "with --follow, keep: ")...)
}

// Check reports the first setting that makes no sense.
func (s *Settings) Check() error {
	if _, err := player.ParseFilters(s.Player.filter()); err != nil {
		return err
	}
	switch s.Kind {
	case Rollout, Follow, Compare, Cubes, Trials:
		if s.Kind == Compare && s.Group < 1 {
			return fmt.Errorf("groups of %d positions: 1 or more expected", s.Group)
		}
		if (s.Kind == Cubes || s.Kind == Trials) && (s.Cube == nil || s.Cube.Model == nil || s.Cube.Table == nil) {
			return errors.New("cube decisions: a cube model and a match equity table expected")
		}
		if err := s.FollowSettings().Check(); err != nil {
			return err
		}
		if s.Ends && s.Rollout.LeafPly > 0 {
			return errors.New("ends: not beside leaf-ply, as trials are made anew by values at 0-ply")
		}
		if s.Ends && s.Plans != (bg.PlanFilter{}) {
			return errors.New("ends: not beside a choice of positions, which takes trials apart")
		}
		return s.Rollout.Check()
	case Label:
		return setting.List{s.LabelSetting()}.Check()
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

// Identity returns what the rows of the job depend on besides the input.
func (s *Settings) Identity() identity.ID {
	id := identity.ID{"net": s.Player.Net}
	switch s.Kind {
	case Label:
		id["label"] = label.Method(s.Ply)
	case Follow:
		id["rollout"] = s.Rollout.FollowMethod(s.Lambda)
		if text := s.Plans.String(); text != "" {
			id["plans"] = text
		}
		if s.Ends {
			id["ends"] = "yes"
		}
	case Compare:
		id["rollout"] = s.Rollout.Method() + ", common dice"
		id.Add("group", s.Group)
	case Cubes, Trials:
		id["rollout"] = s.Rollout.Method()
		id["cube"] = s.Cube.Model.String() + " " + s.Cube.Table.Digest()
		if s.Cube.Beavers {
			id["beavers"] = "yes"
		}
	default:
		id["rollout"] = s.Rollout.Method()
	}
	if s.Kind != Label {
		id.Add("seed", s.Rollout.Seed)
		id["luck"] = s.Rollout.LuckMethod(s.SmallNet)
	}
	id.AddAll("", s.Player.Describe(s.deepest()))
	return id
}

package job

import (
	"fmt"

	"bgtrain/data"
	"bgtrain/internal/nets"
	"bgtrain/internal/setting"
	"bgtrain/rollout"
)

// RolloutSettings describe how positions are rolled out, nets by their names.
type RolloutSettings struct {
	PlayerSettings
	rollout.Options
	NoVR    bool
	LuckNet string // "": the pruning nets of the player, or luck full
}

// DefaultRollout is the rollout of a command with some options.
func DefaultRollout(o rollout.Options) RolloutSettings {
	o.Seed = max(o.Seed, 1)
	return RolloutSettings{PlayerSettings: DefaultPlayer(), Options: o}
}

// List returns each setting but those of the player; see rollout.Options.List for subject
// and seedOf.
func (r *RolloutSettings) List(subject, seedOf string) setting.List {
	return append(r.Options.List(subject, seedOf),
		setting.Setting{Name: "luck-net", To: &r.LuckNet, Help: "net whose pruning nets, or else whose nets, are the " +
			"small ones (default: the pruning nets of --net; without those --luck full)"},
		setting.Setting{Name: "no-vr", To: &r.NoVR, Help: "no variance reduction, as --luck none"})
}

// Check reports the first setting that makes no sense, or that does nothing beside the
// others. given reports which ones a person chose.
func (r *RolloutSettings) Check(given func(name string) bool) error {
	if r.NoVR && given("luck") {
		return fmt.Errorf("--no-vr is --luck none: not beside --luck %s", r.Luck)
	}
	if r.NoVR {
		r.Luck = rollout.LuckNone
	}
	switch {
	case given("deep-plies") && r.Ply == 0:
		return fmt.Errorf("--deep-plies: nothing to do at --ply 0")
	case given("leaf-ply") && r.Truncate == 0:
		return fmt.Errorf("--leaf-ply: nothing to do without --truncate")
	case given("picks") && r.Luck != rollout.LuckPicked:
		return fmt.Errorf("--picks: nothing to do with --luck %s", r.Luck)
	case given("luck-net") && r.Luck != rollout.LuckPicked && r.Luck != rollout.LuckSmall:
		return fmt.Errorf("--luck-net: nothing to do with --luck %s", r.Luck)
	}
	if err := r.PlayerSettings.Check(); err != nil {
		return err
	}
	return r.Options.Check()
}

// Job returns the job of rolling positions out, and the nets that it needs, after Check.
func (r *RolloutSettings) Job(given func(name string) bool) (Settings, Nets, error) {
	own, have, how, err := r.Read()
	if err != nil {
		return Settings{}, nil, err
	}
	small, err := r.smallNets(own, given("luck"))
	if err != nil {
		return Settings{}, nil, err
	}
	return Settings{Kind: Rollout, Player: how, Rollout: r.Options, SmallNet: have.Add(small)}, have, nil
}

// smallNets returns the nets that measure luck, nil for none. Without any, picked luck
// becomes full luck, unless a person chose it.
func (r *RolloutSettings) smallNets(set *nets.Set, chosen bool) (*nets.Set, error) {
	if r.Luck != rollout.LuckPicked && r.Luck != rollout.LuckSmall {
		return nil, nil
	}
	if r.LuckNet == "" {
		small := set.PruningPlayer()
		if small == nil && chosen {
			return nil, fmt.Errorf("net %s has no pruning nets to measure luck with: name some by --luck-net, or "+
				"use --luck full", r.Net)
		}
		if small == nil {
			r.Luck = rollout.LuckFull
		}
		return small, nil
	}
	f, err := data.OpenNet(r.LuckNet)
	if err != nil {
		return nil, err
	}
	if small := f.PruningPlayer(); small != nil {
		return small, nil
	}
	return f, nil
}

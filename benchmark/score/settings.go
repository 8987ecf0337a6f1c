package score

import (
	"fmt"

	"bgtrain/internal/cube"
	"bgtrain/internal/cube/met"
	"bgtrain/internal/parallel"
	"bgtrain/internal/setting"
)

// Defaults are the settings of a judgment.
var Defaults = Judging{Models: []cube.Model{cube.GNUbg{}}, At: cube.Money}

// List returns each setting: its flag, what it may be, what it does.
func (j *Judging) List() setting.List {
	return setting.List{
		{Name: "equities", To: &j.Equities,
			Help: "also the rms error of the candidates' equities, in all and within a decision; --equities=false " +
				"saves its time"},
		{Name: "calibration", To: &j.Calibration,
			Help: "also compare outputs with the rolled-out ones (#R and o records)"},
		{Name: "cube", To: cube.ModelsValue(&j.Models),
			Help: "cube models that make cube decisions, with commas between: " + cube.Models},
		{Name: "at", To: cube.ScoreValue(&j.At),
			Help: "judge cube decisions that were not rolled out with the cube at a score of a match, in points " +
				"away of the player on roll and the opponent, such as 3:5"},
		met.Setting(&j.At.Table, "--at"),
		parallel.Setting(&j.Workers),
	}
}

// WorstSetting is the setting --worst, of a number of decisions to show.
func WorstSetting(to *int, help string) setting.Setting {
	return setting.Setting{Name: "worst", To: to, Range: setting.From(0, 1e6), Help: help}
}

// Complete fills in the match equity table of a score, and refuses what cannot be.
func (j *Judging) Complete() (err error) {
	if j.At.Away == 0 {
		if j.At.Table != nil {
			return fmt.Errorf("a match equity table is for a score of a match")
		}
		return nil
	}
	if j.At.Table, err = j.At.Table.OrDefault(); err != nil {
		return err
	}
	return j.At.Check()
}

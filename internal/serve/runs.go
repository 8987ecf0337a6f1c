package serve

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"bgtrain/trainer/curve"
)

// runView is one training run.
type runView struct {
	Name    string
	State   string
	Figures []value
	Problem string

	curve curve.Run
	at    time.Time // of the last point
}

// runningFor is how long after its last point a run still counts as running.
const runningFor = 5 * time.Minute

// runPoint has what td's and train's curves have of time.
type runPoint struct {
	Net      string  `json:"net"`
	Epoch    float64 `json:"epoch"`
	OfEpochs float64 `json:"of_epochs"` // 0: not said
	Games    float64 `json:"games"`
	OfGames  float64 `json:"of_games"`
	Seconds  float64 `json:"seconds"`
}

// viewRun reads a run.
func viewRun(s *source, now time.Time) runView {
	run := runView{Name: strings.TrimSuffix(strings.TrimSuffix(s.Name, curveSuffix), ".jsonl")}
	text, err := s.read()
	if errors.Is(err, fs.ErrNotExist) {
		run.State = "no point of the curve yet"
		return run
	}
	if err == nil {
		run.at, err = s.modified()
	}
	if err == nil {
		run.curve, err = curve.DecodeRun(bytes.NewReader(text), s.path)
	}
	if err != nil {
		run.Problem = err.Error()
		return run
	}
	points, err := curve.DecodeLines[runPoint](bytes.NewReader(text), s.path)
	if err != nil || len(points) == 0 {
		run.Problem = fmt.Sprint(err)
		return run
	}
	run.Figures = paceOf(points)
	if s.shipped {
		run.State = "ships with the program"
		return run
	}
	net := strings.TrimSuffix(s.path, curveSuffix)
	_, finished := os.Stat(net)
	age := now.Sub(run.at).Round(time.Second)
	switch {
	case finished == nil:
		run.State = "finished: the net is written"
	case age < runningFor:
		run.State = fmt.Sprintf("running: last point %v ago", age)
	default:
		run.State = fmt.Sprintf("not finished, last point %v ago: the same command goes on", age)
	}
	return run
}

// paceOf returns how far a run is, how fast it went between its last two points, and
// how long the net in training will take at that pace.
func paceOf(points []runPoint) []value {
	last := points[len(points)-1]
	done, of, unit := last.Epoch, last.OfEpochs, "epochs"
	var f []value
	if last.Games > 0 {
		done, of, unit = last.Games, last.OfGames, "games"
	} else {
		f = append(f, value{"net", last.Net})
	}
	text := fmt.Sprintf("%.0f", done)
	if of > 0 {
		text += fmt.Sprintf(" of %.0f", of)
	}
	f = append(f, value{unit, text}, value{"time", seconds(last.Seconds)})
	if len(points) < 2 {
		return f
	}
	before := points[len(points)-2]
	gained := last.Games - before.Games
	if unit == "epochs" {
		gained = last.Epoch - before.Epoch
	}
	took := last.Seconds - before.Seconds
	if took <= 0 || gained <= 0 || last.Net != before.Net {
		return f
	}
	if unit == "games" {
		f = append(f, value{"games a second", fmt.Sprintf("%.0f", gained/took)})
	} else {
		f = append(f, value{"seconds an epoch", fmt.Sprintf("%.1f", took/gained)})
	}
	if of > done {
		f = append(f, value{"left", seconds((of - done) * took / gained)})
	}
	return f
}

// seconds writes a time to the second.
func seconds(s float64) string { return (time.Duration(s) * time.Second).String() }

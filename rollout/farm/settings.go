package farm

import (
	"fmt"
	"strconv"
	"strings"

	"bgtrain/internal/player"
	"bgtrain/internal/setting"
)

// List returns each setting of an address.
func (a *Address) List() setting.List {
	return setting.List{
		{Name: "farm", To: &a.URLs, Help: "the farm: nats://HOST:PORT or tls://HOST:PORT, several with commas"},
		{Name: "key", To: &a.Key, Help: "file with the secret key that opens the farm, see 'bgtrain farm key'"},
		{Name: "ca", To: &a.CA,
			Help: "file with the certificates that the farm's is signed by (default: the system's)"},
	}
}

// List returns each setting of a command that works on a farm.
func (r *Runner) List() setting.List {
	return append(r.Address.List(),
		setting.Setting{Name: "audit", To: setting.Parsed(&r.Audit, parseShare, shareText),
			Help: "with --farm: share of the chunks that two workers compute, to be compared"},
		setting.Setting{Name: "replicas", To: &r.Replicas, Range: setting.From(1, 5),
			Help: "with --farm: replicas of its streams in a cluster, where they are not there yet"})
}

// List returns each setting of a worker.
func (w *Worker) List() setting.List {
	return append(w.Address.List(),
		setting.Setting{Name: "workers", To: &w.Slots, Range: setting.From(0, 1<<12),
			Help: "chunks computed at the same time, 0 one a processor"},
		setting.Setting{Name: "store", To: &w.Cache,
			Help: "directory for nets and positions (default the user's cache directory)"},
		player.CacheSetting(&w.CacheMB, "size of each run's position cache in MiB, 0 for none (rollouts at 0-ply have "+
			"none unless this is set)"))
}

// parseShare reads a share such as 1% or 0.01.
func parseShare(text string) (float64, error) {
	number, percent := strings.CutSuffix(text, "%")
	share, err := strconv.ParseFloat(number, 64)
	if percent {
		share /= 100
	}
	if err != nil || !(share >= 0 && share <= 1) {
		return 0, fmt.Errorf("a share such as 1%% or 0.01 expected")
	}
	return share, nil
}

func shareText(share float64) string { return strconv.FormatFloat(100*share, 'g', -1, 64) + "%" }

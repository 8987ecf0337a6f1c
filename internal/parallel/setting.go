package parallel

import "bgtrain/internal/setting"

// Setting is that of a number of goroutines, see Workers.
func Setting(to *int) setting.Setting {
	return setting.Setting{Name: "workers", To: to, Range: setting.From(0, 1<<12),
		Help: "goroutines, 0 one a processor; the result does not depend on it"}
}

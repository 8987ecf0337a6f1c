package player

import (
	"fmt"

	"bgtrain/internal/setting"
)

// PlySetting is the setting of a look-ahead; help says whose.
func PlySetting(name string, to *int, help string) setting.Setting {
	return setting.Setting{Name: name, To: to, Range: setting.From(0, MaxPly),
		Help: fmt.Sprintf("%s, 0 to %d", help, MaxPly)}
}

// CacheSetting is the setting of the size of a position cache.
func CacheSetting(to *int, help string) setting.Setting {
	return setting.Setting{Name: "cache", To: to, Range: setting.From(0, 1<<16), Help: help}
}

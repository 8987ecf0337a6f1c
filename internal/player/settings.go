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

// FixedPointSetting is the setting of the arithmetic of layers that are not wide, see
// Options.FixedPoint.
func FixedPointSetting(to *bool) setting.Setting {
	return setting.Setting{Name: "fixed-point", To: to,
		Help: "compute layers of 128 to 639 units in integers of 16 bits, as wider ones always are: faster, and some " +
			"ten-thousandths of a point off"}
}

// CacheSetting is the setting of the size of a position cache.
func CacheSetting(to *int, help string) setting.Setting {
	return setting.Setting{Name: "cache", To: to, Range: setting.From(0, 1<<16), Help: help}
}

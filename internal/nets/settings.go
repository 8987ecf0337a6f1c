package nets

import "bgtrain/internal/setting"

// ShareSetting is the setting of the share of Average.
func ShareSetting(to *float64) setting.Setting {
	return setting.Setting{Name: "share", To: to, Range: setting.From(0, 1), Help: "how far: 0 is NET, 1 is OTHER"}
}

package trainer

import (
	"fmt"

	"bgtrain/internal/cpu"
	"bgtrain/internal/nets"
	"bgtrain/trainer/fit"
)

// provenance is what the net file states about a net. It holds no times: the same
// run gives the same file.
func (src *Sources) provenance(parent *nets.Entry, data *fit.Data, s *fit.Settings, r *fit.Report) map[string]string {
	best := r.Points[r.Best]
	p := map[string]string{
		"parent": src.From,
		"data": fmt.Sprintf("%s: %d positions, %d held out, digest %s", src.Data, data.Training(),
			data.Validation(), data.Digest()),
		"settings":       s.Identity().String(),
		"epoch":          fmt.Sprintf("%d of %d, %s", best.Epoch, s.Epochs, r.Stopped),
		cpu.RoundingName: s.Rounding(),
		"trainedBy":      "bgtrain train",
	}
	if before := parent.Provenance["settings"]; before != "" {
		p["parentSettings"] = before
	}
	for name, v := range map[string]*float64{"rmsEquityError": best.RMS, "meanEquityError": best.MAE,
		"withinEquityError": best.Within, "er": best.ER} {
		if v != nil {
			p[name] = fmt.Sprintf("%.5g", *v)
		}
	}
	return p
}

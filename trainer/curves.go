package trainer

import (
	"fmt"
	"io"
	"slices"

	"bgtrain/internal/atomicfile"
	"bgtrain/internal/nets"
	"bgtrain/trainer/curve"
	"bgtrain/trainer/fit"
)

// curves are the learning curves of the nets of one run.
type curves struct {
	files Files
	done  []fit.Point // of the nets before
	role  nets.Role
	now   []fit.Point // of the net in training
}

// add takes all points of a net so far and writes the file.
func (c *curves) add(role nets.Role, points []fit.Point) error {
	if role != c.role {
		c.done = append(c.done, c.now...)
		c.role = role
	}
	c.now = points
	return curve.WriteLines(c.files.Curve, c.all())
}

func (c *curves) all() []fit.Point {
	return append(append([]fit.Point(nil), c.done...), c.now...)
}

// describe describes what an epoch gave.
func describe(p *fit.Point) string {
	s := fmt.Sprintf("%s, epoch %d", p.Net, p.Epoch)
	if p.RMS != nil {
		s += fmt.Sprintf(", equity error %.4f", *p.RMS)
	}
	if p.Within != nil {
		s += fmt.Sprintf(", within a decision %.4f", *p.Within)
	}
	if p.ER != nil {
		s += fmt.Sprintf(", ER %.3f", *p.ER)
	}
	return s
}

// plot draws the curves, a row of charts a net.
func (c *curves) plot() error {
	run, err := curve.ReadRun(c.files.Curve)
	if err != nil {
		return err
	}
	perRow := 2
	if slices.ContainsFunc(c.all(), func(p fit.Point) bool { return p.ER != nil }) {
		perRow = 3
	}
	return atomicfile.Write(c.files.Plot, func(w io.Writer) error {
		return curve.WriteSVG(w, c.files.Net, perRow, run.Charts...)
	})
}

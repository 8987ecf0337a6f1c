// Package curve writes learning curves: as JSON lines for programs, as SVG for
// people. What the curves are of makes no difference.
package curve

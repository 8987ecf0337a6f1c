// Package curve writes learning curves: as JSON lines for programs, as SVG for
// people. It knows nothing of what the curves are of.
package curve

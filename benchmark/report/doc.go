// Package report writes what is known of a player as one HTML file that needs
// nothing else: nets and where they come from, error rates beside other players',
// learning curves, calibration, the worst decisions drawn as boards, and what is
// in the training database.
//
// Collect does the measuring and gives an Input; Write turns an Input into the
// page and computes nothing that takes time. The page has no scripts and loads
// nothing, which its content security policy enforces.
package report

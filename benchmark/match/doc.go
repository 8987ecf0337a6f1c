// Package match lets two players play games against each other, with or without
// the doubling cube, and sums the results up. A log of finished games lets an
// interrupted match go on.
package match

// Package protocol lets other programs play against a net: it answers positions
// with plays and cube actions over the protocols that they speak, GNU
// Backgammon's external player socket and the Universal Backgammon Interface.
//
// Input is never trusted: lines have a limit, bad ones are answered and never
// end a connection, and connections have limits in number and time.
package protocol

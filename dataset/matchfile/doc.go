// Package matchfile reads and writes records of backgammon matches: .mat and the text files like it, .sgf as GNU
// Backgammon writes it, eXtreme Gammon's .xg and .xgp, and lists of position IDs. Whatever the format, a Match has
// who played what from which position, and every play has been found legal.
//
// A reader works through a file match by match, so that memory does not grow with it. What a file holds is never
// trusted: lines, files, games and actions have limits, and a mistake is an error that names file, line or byte,
// game and move.
package matchfile

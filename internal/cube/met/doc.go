// Package met holds match equity tables: the chance to win a match from every
// score. It reads and writes GNU Backgammon's XML form, carries two published
// tables, and computes tables of its own.
package met

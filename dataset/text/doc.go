// Package text is the text formats of positions with outputs: GNU Backgammon's
// training data and wildbg's CSV. Import reads them into a database, where every
// row is checked; Export writes a database as text; Validate counts bad rows.
package text

// Package dataset is the rollout database: backgammon positions with their outputs, in Parquet.
//
// A database is one Parquet file, or a directory of part files part-*.parquet that are read together in name
// order. One row is one position: its key and class, and, once it was rolled out or evaluated, the five outputs of
// the player on roll, their standard error, the number of trials, how they were made and where the position comes
// from. See schema.go for the columns, digest.go for the digests that make damage an error.
//
// Create and Writer write a database; Open and DB read one, by row, by batch of columns or by row group; Checker
// checks rows that come from elsewhere; Merge joins databases and drops duplicate positions; Validate counts bad
// rows; Describe summarizes a database. dataset/text imports and exports text.
//
// Files that other programs wrote with the same columns are read too. They carry no digest.
//
// The Parquet library does not appear outside this package.
package dataset

// Package arrowfile writes and reads Arrow IPC files (Feather 2): File, which tables of any schema are written by,
// and Export and Import, which take a rollout database out and in.
//
// A database has the columns of its Parquet files: position (fixed_size_binary[10]), class (utf8), win,
// win_gammon, win_backgammon, lose_gammon, lose_backgammon and equity_se (float), trials (int32), method and
// source (utf8); all but the first two may be null. The schema's metadata has what a Parquet file's has: how the
// rows were made, their number, and digests of each record batch.
package arrowfile

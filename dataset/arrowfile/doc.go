// Package arrowfile writes Arrow IPC files (Feather 2): File, which tables of any schema are written by, and Export,
// which takes a rollout database out.
//
// A database has the columns of its Parquet files: position (fixed_size_binary[10]), class (utf8), win,
// win_gammon, win_backgammon, lose_gammon, lose_backgammon and equity_se (float), trials (int32), method and
// source (utf8); all but the first two may be null. The schema's metadata has how the rows were made.
package arrowfile

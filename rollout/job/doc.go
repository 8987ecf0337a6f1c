// Package job computes databases chunk by chunk. A job is a pure function from
// settings and the rows of a chunk to the rows of a part; it does not know where
// it runs.
//
// Settings (settings.go) are what a job depends on, as data that can travel; Open
// turns them and the nets into a Job. Database (database.go) makes a directory of
// part files with it, which survives being killed and can be shared by shards. A
// Runner computes the chunks: Local (local.go) here, package farm elsewhere.
package job

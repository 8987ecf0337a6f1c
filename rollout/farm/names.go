package farm

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// Streams at the server.
const (
	streamRuns  = "BGTRAIN_RUNS"  // manifests and states of runs, the last of each
	streamBlobs = "BGTRAIN_BLOBS" // nets and positions in pieces
	streamWork  = "BGTRAIN_WORK"  // chunks to be computed; a queue
	streamParts = "BGTRAIN_PARTS" // parts handed in; a queue
	streamAlive = "BGTRAIN_ALIVE" // the Alive of each worker, in memory
)

var streams = []string{streamRuns, streamBlobs, streamWork, streamParts, streamAlive}

// Subjects. RUN is a run's name, KEY the public key of a worker or anonymous, and
// PROCESS is one of the processes of a key.
const (
	subjectRun   = "bgtrain.run."   // RUN
	subjectState = "bgtrain.state." // RUN
	subjectBlob  = "bgtrain.blob."  // RUN.SHA256.PIECE
	subjectWork  = "bgtrain.work."  // RUN
	subjectPart  = "bgtrain.part."  // RUN.KEY.PROCESS
	subjectAlive = "bgtrain.alive." // KEY.PROCESS
	subjectWake  = "bgtrain.wake"   // there is something new to look for
)

// anonymous stands for a key where the server asks for none.
const anonymous = "anonymous"

// runName names a run: by what changes its result, by the program, whose rounding
// may change from version to version, and by where its parts are written, so that
// two commands do not take each other's.
func runName(identity, version, place string) string {
	sum := sha256.Sum256([]byte(identity + "\n" + version + "\n" + place))
	return hex.EncodeToString(sum[:16])
}

// party returns whom the parts of a worker KEY.PROCESS are laid to: its key, as a process
// has the name that it likes; without keys the process.
func party(worker string) string {
	if key, _, _ := strings.Cut(worker, "."); key != anonymous {
		return key
	}
	return worker
}

// workerOf returns the name of the worker, KEY.PROCESS, that handed in a part.
func workerOf(subject string) string {
	rest := strings.TrimPrefix(subject, subjectPart)
	_, worker, _ := strings.Cut(rest, ".")
	return worker
}

// inboxPrefix returns where answers to a key's requests go: a place of its own,
// so that nobody reads those of others.
func inboxPrefix(key string) string { return "_INBOX_" + key }

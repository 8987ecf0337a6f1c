package farm

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// Streams at the engine.
const (
	streamRuns  = "BGTRAIN_RUNS"  // manifests and states of runs, the last of each
	streamBlobs = "BGTRAIN_BLOBS" // nets and positions in pieces
	streamWork  = "BGTRAIN_WORK"  // chunks to be computed; a queue
	streamParts = "BGTRAIN_PARTS" // parts handed in; a queue
	streamAlive = "BGTRAIN_ALIVE" // what workers say of themselves, the last of each, in memory
)

var streams = []string{streamRuns, streamBlobs, streamWork, streamParts, streamAlive}

// Subjects. RUN is a run's name, KEY the public key of a worker or anonymous, and
// PROCESS tells the processes of a key apart.
const (
	subjectRun   = "bgtrain.run."   // RUN
	subjectState = "bgtrain.state." // RUN
	subjectBlob  = "bgtrain.blob."  // RUN.SHA256.PIECE
	subjectWork  = "bgtrain.work."  // RUN
	subjectPart  = "bgtrain.part."  // RUN.KEY.PROCESS
	subjectAlive = "bgtrain.alive." // KEY.PROCESS
	subjectWake  = "bgtrain.wake"   // there is something new to look for
)

// anonymous stands for a key where the engine asks for none.
const anonymous = "anonymous"

// runName names a run: by what changes its result, by the program, whose rounding
// may change from version to version, and by where its parts are written, so that
// two commands do not take each other's.
func runName(identity, version, place string) string {
	sum := sha256.Sum256([]byte(identity + "\n" + version + "\n" + place))
	return hex.EncodeToString(sum[:16])
}

// workerOf returns the name of the worker, KEY.PROCESS, that handed in a part.
func workerOf(subject string) string {
	rest := strings.TrimPrefix(subject, subjectPart)
	_, worker, _ := strings.Cut(rest, ".")
	return worker
}

// permissions returns what a key may publish and subscribe to, by its role. A
// worker may look at runs and blobs, take and acknowledge chunks, and publish
// parts and signs of life under its own name; it may neither read parts nor
// publish chunks, nor change a stream or a consumer.
func permissions(r Role, key string) (publish, subscribe []string) {
	inbox := inboxPrefix(key) + ".>"
	if r == SubmitterRole {
		return []string{"bgtrain.>", "$JS.API.>", "$JS.ACK.>", "$JS.FC.>"}, []string{inbox, subjectWake}
	}
	return []string{
		"$JS.API.STREAM.INFO." + streamRuns,
		"$JS.API.DIRECT.GET." + streamRuns + "." + subjectRun + "*",
		"$JS.API.DIRECT.GET." + streamBlobs + "." + subjectBlob + "*.*.*",
		"$JS.API.CONSUMER.INFO." + streamWork + ".*",
		"$JS.API.CONSUMER.MSG.NEXT." + streamWork + ".*",
		"$JS.ACK." + streamWork + ".>",
		"$JS.ACK.*.*." + streamWork + ".>", // the longer form of newer servers
		subjectPart + "*." + key + ".*",
		subjectAlive + key + ".*",
	}, []string{inbox, subjectWake}
}

// inboxPrefix returns where answers to a key's requests go: a place of its own,
// so that nobody reads those of others.
func inboxPrefix(key string) string { return "_INBOX_" + key }

// Package farm computes jobs on many machines, over NATS JetStream.
//
// Three parties meet at a server (server.go: one that runs inside this program,
// or a NATS cluster). A submitter (Runner, submit.go) is the command that makes a
// database: it publishes a run, that is a manifest, the nets and the positions,
// and a message for each chunk; it takes in parts, checks them and writes them.
// Workers (worker.go) take chunks, compute them and hand in parts. Status
// (status.go) looks on.
//
// The truth is the manifest, which the submitter makes again from its command
// line, and the parts that it has written. Everything at the server is disposable:
// what a queue loses, doubles or delivers late changes nothing, since a part is
// known by run and chunk and is the same whoever computes it, and what is lost is
// published again. So the submitter may be killed, the server wiped, and workers
// may come and go.
//
// What they need of a server is a small interface (hub.go), in whose place the tests put
// one that breaks in every way (sim_test.go).
//
// Glossary: a run is one command's work; its name is made of what changes its
// result, the program's version and where it is written. A chunk is some rows of
// the input, a part what becomes of it. A slot is one goroutine of a worker. A
// lease is how long a worker may stay silent about a chunk that it holds.
package farm

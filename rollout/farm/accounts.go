package farm

import (
	"fmt"
	"strings"
)

// farmAccount is the account of the streams and of submitters.
const farmAccount = "BGTRAIN"

// service is what the farm's account does for the accounts of workers.
type service struct {
	subject string
	many    bool // a request has any number of answers
}

// JetStream's interface, and its name in a worker's account: there a server answers
// requests to the first that the account has no JetStream.
const (
	api       = "$JS.API"
	workerAPI = "bgtrain.api"
)

// local returns the subject of a service in a worker's account.
func (s service) local() string {
	if rest, ok := strings.CutPrefix(s.subject, api); ok {
		return workerAPI + rest
	}
	return s.subject
}

// services returns what a worker may ask for: to look at runs and blobs, to take and
// acknowledge chunks, and to publish parts and signs of life under its own key.
func services(key string) []service {
	return []service{
		{subject: api + ".DIRECT.GET." + streamRuns + "." + subjectRun + "*"},
		{subject: api + ".DIRECT.GET." + streamBlobs + "." + subjectBlob + "*.*.*"},
		{subject: api + ".STREAM.INFO." + streamRuns},
		{subject: api + ".CONSUMER.INFO." + streamWork + ".*"},
		{subject: api + ".CONSUMER.MSG.NEXT." + streamWork + ".*", many: true},
		// Each with all its words: fewer would be acknowledgements of another stream.
		{subject: "$JS.ACK." + streamWork + ".*.*.*.*.*.*"},
		{subject: "$JS.ACK.*.*." + streamWork + ".*.*.*.*.*.>"}, // of newer servers
		{subject: subjectPart + "*." + key + ".*"},
		{subject: subjectAlive + key + ".*"},
	}
}

// Accounts returns the part of a NATS server's configuration that lets keys in, each
// with what its role may do.
//
// Permissions alone do not hold a worker: they cover the subjects that it publishes
// to, and JetStream answers with rights of its own to whatever subject a request
// names for the answer, be it one that deletes a stream. So every worker has an
// account of its own, without JetStream, from which the services above lead to the
// farm's account. An answer comes back to the worker's account, where no subject of
// the farm's means anything but those that the worker may use anyway.
func Accounts(keys []Key) string {
	var out strings.Builder
	fmt.Fprintf(&out, "accounts {\n  %s {\n    jetstream: enabled\n    users: [\n", farmAccount)
	for _, k := range keys {
		if k.Role == SubmitterRole {
			out.WriteString("      " + user(k))
		}
	}
	out.WriteString("    ]\n    exports: [\n")
	for _, s := range services("*") {
		fmt.Fprintf(&out, "      {service: %q%s}\n", s.subject, map[bool]string{true: ", response: stream"}[s.many])
	}
	fmt.Fprintf(&out, "      {stream: %q}\n    ]\n  }\n", subjectWake)
	for _, k := range keys {
		if k.Role != WorkerRole {
			continue
		}
		fmt.Fprintf(&out, "  %s {\n    users: [\n      %s    ]\n    imports: [\n", k.Public, user(k))
		for _, s := range services(k.Public) {
			fmt.Fprintf(&out, "      {service: {account: %s, subject: %q}, to: %q}\n", farmAccount, s.subject, s.local())
		}
		fmt.Fprintf(&out, "      {stream: {account: %s, subject: %q}}\n    ]\n  }\n", farmAccount, subjectWake)
	}
	out.WriteString("}\n")
	return out.String()
}

// user returns the line of a key among an account's users.
func user(k Key) string {
	quoted := func(subjects []string) string { return `"` + strings.Join(subjects, `", "`) + `"` }
	publish, subscribe := permissions(k.Role, k.Public)
	return fmt.Sprintf("{nkey: %s, permissions: {publish: {allow: [%s]}, subscribe: {allow: [%s]}}}\n", k.Public,
		quoted(publish), quoted(subscribe))
}

// permissions returns what a key may publish and subscribe to in its account, by its
// role. Answers come to a place of its own, so that nobody reads those of others.
func permissions(r Role, key string) (publish, subscribe []string) {
	subscribe = []string{inboxPrefix(key) + ".>", subjectWake}
	if r == SubmitterRole {
		return []string{"bgtrain.>", api + ".>", "$JS.ACK.>", "$JS.FC.>"}, subscribe
	}
	for _, s := range services(key) {
		publish = append(publish, s.local())
	}
	return publish, subscribe
}

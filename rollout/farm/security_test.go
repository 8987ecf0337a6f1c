package farm

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	mathrand "math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"bgtrain/internal/bg"
	"bgtrain/rollout/job"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Nothing listens beyond loopback without TLS and keys.
func TestServerIsNotOpen(t *testing.T) {
	dir := t.TempDir()
	cert, key := certificate(t, dir)
	k, err := NewKey(WorkerRole, "oak", filepath.Join(dir, "oak.key"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		listen string
		tls    bool
		keys   bool
		ok     bool
	}{
		{"127.0.0.1:0", false, false, true},
		{"localhost:0", false, false, true},
		{"[::1]:0", false, false, true},
		{"127.0.0.1:0", true, true, true},
		{"0.0.0.0:0", false, false, false},
		{":0", false, false, false},
		{"[::]:0", false, true, false},
		{"192.168.1.4:4222", true, false, false},
		{"192.168.1.4:4222", false, true, false},
		{"farm.example.org:4222", false, false, false},
		{"0.0.0.0:0", true, true, true},
		{"127.0.0.1", false, false, false},
		{"127.0.0.1:x", false, false, false},
	} {
		s := ServerSettings{Listen: c.listen, Store: dir}
		if c.tls {
			s.TLSCert, s.TLSKey = cert, key
		}
		if c.keys {
			s.Keys = []Key{k}
		}
		if err := s.Check(); (err == nil) != c.ok {
			t.Errorf("listen %s, TLS %v, keys %v: %v", c.listen, c.tls, c.keys, err)
		}
		if _, err := StartServer(t.Context(), s); err == nil && !c.ok {
			t.Errorf("listen %s, TLS %v, keys %v: it started", c.listen, c.tls, c.keys)
		}
	}
}

// certificate writes a certificate for this machine that is its own authority.
func certificate(t testing.TB, dir string) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "farm"}, NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0,
			1)}, DNSNames: []string{"localhost"},
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, kind string, der []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	return write("cert.pem", "CERTIFICATE", der), write("key.pem", "EC PRIVATE KEY", raw)
}

// guarded is a farm with TLS and keys.
type guarded struct {
	url, ca                 string
	oak, elm, boss, unknown string // files of keys: two workers', a submitter's, nobody's
	names                   map[string]Key
	lines                   func() string // logged so far
	log                     func(string)
}

// refuses reports that the log soon has the refusal of an act upon a subject.
func (g *guarded) refuses(act, subject string) bool {
	return soon(func() bool {
		for line := range strings.Lines(g.lines()) {
			if strings.Contains(line, act+" Violation") && strings.Contains(line, `"`+subject+`"`) {
				return true
			}
		}
		return false
	})
}

func newGuarded(t *testing.T) *guarded {
	t.Helper()
	dir := t.TempDir()
	cert, tlsKey := certificate(t, dir)
	var mu sync.Mutex
	var lines strings.Builder
	g := &guarded{ca: cert, names: map[string]Key{}}
	g.log = func(line string) {
		mu.Lock()
		defer mu.Unlock()
		lines.WriteString(line + "\n")
	}
	g.lines = func() string {
		mu.Lock()
		defer mu.Unlock()
		return lines.String()
	}
	key := func(role Role, name string) string {
		path := filepath.Join(dir, name+".key")
		k, err := NewKey(role, name, path)
		if err != nil {
			t.Fatal(err)
		}
		g.names[name] = k
		return path
	}
	g.oak, g.elm, g.boss, g.unknown = key(WorkerRole, "oak"), key(WorkerRole, "elm"), key(SubmitterRole,
		"boss"), key(WorkerRole, "unknown")
	e := startServer(t, func(s *ServerSettings) {
		s.TLSCert, s.TLSKey, s.Log = cert, tlsKey, g.log
		s.Keys = []Key{g.names["oak"], g.names["elm"], g.names["boss"]}
	})
	g.url = strings.Replace(e.URL(), "nats://", "tls://", 1)
	return g
}

func (g *guarded) address(key string) Address { return Address{URLs: g.url, Key: key, CA: g.ca} }

// A run with TLS and keys works with just what a worker may do.
func TestRunWithKeys(t *testing.T) {
	g := newGuarded(t)
	in := testPositions(5, 300)
	j := markJob(time.Millisecond, nil)
	for _, key := range []string{g.oak, g.elm} {
		startWorker(t, g.url, j, func(w *Worker) { w.Address, w.Log = g.address(key), g.log })
	}
	r := testRunner(t, g.url)
	r.Address, r.Log, r.Audit = g.address(g.boss), g.log, 0.3
	var k taken
	if err := r.Run(t.Context(), k.task(j, in, 10)); err != nil {
		t.Fatalf("%v\n%s", err, g.lines())
	}
	k.check(t, in, 10)
	if log := g.lines(); strings.Contains(strings.ToLower(log), "violation") {
		t.Errorf("somebody asked for what is not allowed:\n%s", log)
	}
	status, err := ReadStatus(t.Context(), g.address(g.boss), g.log)
	if err != nil || len(status.Workers) != 2 {
		t.Errorf("status %+v, %v", status, err)
	}
	// Secrets are in no log.
	for _, path := range []string{g.oak, g.elm, g.boss} {
		seed, err := os.ReadFile(path)
		if err != nil || strings.Contains(g.lines(), string(bytes.TrimSpace(seed))) {
			t.Errorf("the seed of %s is in the log (%v)", path, err)
		}
	}
}

// What a worker's key must not do.
func TestWorkersKeyIsNotEnough(t *testing.T) {
	t.Parallel()
	g := newGuarded(t)
	// A run of which oak has handed in a part that nobody has taken yet.
	in := testPositions(6, 40)
	j := markJob(time.Millisecond, nil)
	plan, boss := waitingRun(t, g, j, in)
	run := plan.m.Run
	l, err := connect(t.Context(), g.address(g.elm), "elm", false, g.log)
	if err != nil {
		t.Fatal(err)
	}
	defer l.nc.Close()

	// Requests of the API and of data.
	answers, err := l.nc.SubscribeSync(l.nc.NewInbox())
	if err != nil {
		t.Fatal(err)
	}
	for _, subject := range []string{
		"$JS.API.STREAM.CREATE.X", "$JS.API.STREAM.DELETE." + streamParts, "$JS.API.STREAM.PURGE." + streamWork,
		"$JS.API.STREAM.UPDATE." + streamRuns, "$JS.API.STREAM.NAMES", "$JS.API.STREAM.LIST", "$JS.API.STREAM.INFO." + streamParts,
		"$JS.API.STREAM.MSG.GET." + streamParts, "$JS.API.STREAM.MSG.DELETE." + streamWork, "$JS.API.STREAM.SNAPSHOT." + streamParts,
		"$JS.API.STREAM.MSG.GET." + streamWork, "$JS.API.DIRECT.GET." + streamParts, "$JS.API.DIRECT.GET." + streamParts + "." + subjectPart + run + ".x.y",
		"$JS.API.DIRECT.GET." + streamWork + "." + subjectWork + run, "$JS.API.DIRECT.GET." + streamRuns + "." + subjectState + run,
		"$JS.API.CONSUMER.CREATE." + streamParts, "$JS.API.CONSUMER.CREATE." + streamWork + ".x", "$JS.API.CONSUMER.DURABLE.CREATE." + streamWork + ".x",
		"$JS.API.CONSUMER.DELETE." + streamWork + "." + run, "$JS.API.CONSUMER.MSG.NEXT." + streamParts + "." + run,
		"$JS.API.CONSUMER.INFO." + streamParts + "." + run, "$JS.API.CONSUMER.NAMES." + streamWork, "$JS.API.INFO", "$SYS.REQ.SERVER.PING",
	} {
		if err := l.nc.PublishRequest(subject, answers.Subject, []byte(`{"seq":1}`)); err != nil {
			t.Fatal(err)
		}
		if !g.refuses("Publish", subject) {
			t.Errorf("%s was not refused", subject)
		}
	}
	if m, err := answers.NextMsg(100 * time.Millisecond); err == nil {
		t.Errorf("an answer: %s", m.Data)
	}
	// Messages: chunks, manifests, and parts and signs of life of another worker.
	oak := g.names["oak"].Public
	for _, subject := range []string{
		subjectWork + run, subjectRun + run, subjectRun + "x", subjectState + run, subjectBlob + run + ".x.0",
		subjectPart + run + "." + oak + ".p", subjectAlive + oak + ".p", subjectWake, "$JS.ACK." + streamParts + "." + run + ".1.1.1.1.0",
		// One that could be read as a longer one of chunks, and would take oak's part.
		"$JS.ACK." + streamParts + "." + run + "." + streamWork + ".1.1.1.1",
	} {
		if err := l.nc.Publish(subject, []byte(`+NXT {"batch":1}`)); err != nil {
			t.Fatal(err)
		}
		if !g.refuses("Publish", subject) {
			t.Errorf("%s was published", subject)
		}
	}
	// Subscriptions: all that goes by, and the answers that others get.
	for _, subject := range []string{">", "bgtrain.>", subjectPart + ">", "_INBOX.>", inboxPrefix(oak) + ".>",
		"$JS.>"} {
		if _, err := l.nc.Subscribe(subject, func(*nats.Msg) {}); err != nil {
			t.Fatal(err)
		}
		if !g.refuses("Subscription", subject) {
			t.Errorf("%s was subscribed to", subject)
		}
	}
	// JetStream answers with rights of its own to wherever a message wants the answer.
	before := contents(t, boss)
	hostile := []string{
		api + ".STREAM.DELETE." + streamParts, api + ".STREAM.DELETE." + streamRuns, api + ".STREAM.PURGE." + streamWork,
		api + ".CONSUMER.DELETE." + streamWork + "." + run, subjectRun + run, subjectRun + "x", subjectState + run,
		subjectBlob + run + ".x.0", subjectWork + run, subjectPart + run + "." + oak + ".p", subjectAlive + oak + ".p",
		"$JS.ACK." + streamParts + "." + run + ".1.1.1.1.0", "$JS.ACK." + streamWork + "." + run + ".1.1.1.1.0",
		workerAPI + ".STREAM.DELETE." + streamParts,
	}
	elm := g.names["elm"].Public
	// Two words more are what newer servers acknowledge chunks by, with parts' stream as
	// the domain: allowed, and nobody listens.
	for _, text := range []string{"", `+NXT {"batch":1}`, "+TERM"} {
		if err := l.nc.Publish("$JS.ACK."+streamParts+"."+run+"."+streamWork+".1.1.1.1.1.1", []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range services(elm) {
		// With something in the places of * and >, there or not.
		for _, word := range []string{run, "nosuch"} {
			subject := strings.NewReplacer("*", word, ">", word).Replace(s.local())
			for _, reply := range hostile {
				for _, text := range []string{`{"batch":1,"expires":1000000}`, `+NXT {"batch":1}`, "+TERM"} {
					m := &nats.Msg{Subject: subject, Reply: reply, Data: []byte(text)}
					if err := l.nc.PublishMsg(m); err != nil {
						t.Fatal(err)
					}
				}
				// What a server may take for an order, or for where to report.
				m := &nats.Msg{Subject: subject, Reply: reply, Header: nats.Header{"Nats-Trace-Dest": {reply},
					"Nats-Rollup": {"all"}, "Nats-Schedule": {"@at 2000-01-01T00:00:00Z"}, "Nats-Schedule-Target": {reply}}}
				if err := l.nc.PublishMsg(m); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if err := l.nc.Flush(); err != nil {
		t.Fatal(err)
	}
	for _, subject := range []string{subjectPart + run + "." + elm + "." + run, subjectAlive + elm + "." + run} {
		if !soon(func() bool { return contents(t, boss)[subject] != "" }) {
			t.Fatalf("elm's own %s does not arrive", subject)
		}
	}
	othersUnchanged(t, boss, before, elm)
	// After all that the run is as it was.
	parts, err := boss.subjects(t.Context(), streamParts, subjectPart+run+"."+oak+".>")
	if err != nil || len(parts) != 1 {
		t.Errorf("parts %v, %v", parts, err)
	}
	// Who has no key, or another one, does not come in.
	for name, a := range map[string]Address{"no key": {URLs: g.url, CA: g.ca}, "an unknown key": g.address(g.unknown)} {
		if l, err := connect(t.Context(), a, name, false, g.log); err == nil {
			l.nc.Close()
			t.Errorf("%s: let in", name)
		}
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Second)
	defer stop()
	if l, err := connect(ctx, Address{URLs: strings.Replace(g.url, "tls:", "nats:", 1), Key: g.boss}, "no CA", true,
		g.log); err == nil {
		l.nc.Close()
		t.Error("let in without knowing the farm's certificate")
	}
}

// A server keeps subjects that have the signs of patterns: parts under them are removed as those
// of no run, but where > is a run's name, and take nothing of other keys with them.
func TestPatternsRemoveNothingOfOthers(t *testing.T) {
	g := newGuarded(t)
	in := testPositions(6, 10)
	plan, boss := waitingRun(t, g, markJob(0, nil), in)
	l, err := connect(t.Context(), g.address(g.elm), "elm", false, g.log)
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	own := g.names["elm"].Public
	for _, subject := range []string{"*." + own + ".p", ">." + own + ".p", "*." + own + ".*", "x." + own + ".>",
		"*a." + own + ".p", plan.m.Run + "." + own + ".>"} {
		if answer, err := l.nc.Request(subjectPart+subject, nil, time.Minute); err != nil {
			t.Errorf("%s: %s, %v", subject, answer.Data, err)
		}
	}
	if err := sweep(t.Context(), boss); err != nil {
		t.Fatal(err)
	}
	there, err := boss.subjects(t.Context(), streamParts, ">")
	if err != nil {
		t.Fatal(err)
	}
	oak := 0
	for subject := range there {
		if oaks := strings.Contains(subject, g.names["oak"].Public); oaks {
			oak++
		} else if !strings.HasPrefix(subject, subjectPart+plan.m.Run) && !strings.HasPrefix(subject, subjectPart+">") {
			t.Errorf("%s stays", subject)
		}
	}
	if oak != 1 {
		t.Errorf("oak's part is gone: %v", there)
	}
}

// Large messages are not kept, nor signs of life without bound: they are in the server's memory.
func TestWorkersMessagesAreBounded(t *testing.T) {
	g := newGuarded(t)
	_, boss := waitingRun(t, g, markJob(0, nil), testPositions(6, 10))
	l, err := connect(t.Context(), g.address(g.elm), "elm", false, g.log)
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	own := g.names["elm"].Public
	for _, subject := range []string{subjectPart + "x." + own + ".p", subjectAlive + own + ".p"} {
		answer, err := l.nc.Request(subject, make([]byte, pieceSize+headBytes+1), time.Minute)
		if err != nil || !strings.Contains(string(answer.Data), "message size exceeds maximum") {
			t.Errorf("%s: %s, %v", subject, answer.Data, err)
		}
	}
	var last string
	for i := range aliveBytes/headBytes + 50 {
		last = fmt.Sprint(subjectAlive, own, ".", i)
		if err := l.nc.Publish(last, make([]byte, headBytes-1000)); err != nil {
			t.Fatal(err)
		}
	}
	if !soon(func() bool { _, err := boss.last(t.Context(), streamAlive, last); return err == nil }) {
		t.Fatal("the last one does not arrive")
	}
	s, err := boss.js.Stream(t.Context(), streamAlive)
	if err != nil {
		t.Fatal(err)
	}
	if bytes := s.CachedInfo().State.Bytes; bytes > aliveBytes || bytes < aliveBytes/2 {
		t.Errorf("%d bytes of signs of life", bytes)
	}
}

// Whatever a worker's key asks for of what it may, by chance, it gets and changes nothing of others.
func TestWorkersKeyByChance(t *testing.T) {
	t.Parallel()
	g := newGuarded(t)
	plan, boss := waitingRun(t, g, markJob(0, nil), testPositions(6, 10))
	l, err := connect(t.Context(), g.address(g.elm), "elm", false, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	oak, elm := g.names["oak"].Public, g.names["elm"].Public
	inbox := l.nc.NewInbox()
	if _, err := l.nc.Subscribe(inbox, func(m *nats.Msg) {
		if strings.Contains(m.Subject, oak) {
			t.Errorf("it gets %s", m.Subject)
		}
	}); err != nil {
		t.Fatal(err)
	}
	before := contents(t, boss)
	rng := mathrand.New(mathrand.NewPCG(1, 1))
	of := func(list ...string) string { return list[rng.IntN(len(list))] }
	word := func() string {
		return of(plan.m.Run, plan.m.Run, plan.m.Run, streamParts, streamParts, streamParts, streamRuns, "nosuch", "*", ">", "1", "1",
			"bgtrain.run", oak)
	}
	for _, s := range services(elm) {
		many := 5000
		if testing.Short() {
			many = 500
		}
		if !strings.HasPrefix(s.subject, "$JS") {
			many = 300 // each is kept
		}
		for range many {
			fields := strings.Split(s.local(), ".")
			for i, field := range fields {
				if field == "*" || field == ">" {
					fields[i] = word()
				}
				for field == ">" && rng.IntN(3) > 0 {
					fields[i] += "." + word()
				}
			}
			m := &nats.Msg{Subject: strings.Join(fields, "."), Reply: of(inbox, inbox, word()+"."+word()+"."+word()),
				Data: []byte(of("", "+TERM", `+NXT {"batch":1}`, `{"batch":1,"expires":1000000}`))}
			if err := l.nc.PublishMsg(m); err != nil {
				t.Fatal(err)
			}
		}
	}
	last := subjectAlive + elm + ".last"
	if err := l.nc.Publish(last, []byte("x")); err != nil {
		t.Fatal(err)
	}
	if !soon(func() bool { _, err := boss.last(t.Context(), streamAlive, last); return err == nil }) {
		t.Fatal("the last message does not arrive")
	}
	othersUnchanged(t, boss, before, elm)
}

// At worst a submitter's key removes the runs of others: who runs such a command again has all rows.
func TestSubmittersKeyRemovesRuns(t *testing.T) {
	g := newGuarded(t)
	in := testPositions(6, 40)
	j := markJob(time.Millisecond, nil)
	p, boss := waitingRun(t, g, j, in)
	before, err := ReadStatus(t.Context(), g.address(g.boss), g.log)
	if err != nil || len(before.Runs) != 1 || before.Runs[0].Run != p.m.Run {
		t.Fatalf("status %+v, %v", before, err)
	}
	for _, stream := range streams {
		if err := boss.dropStream(t.Context(), stream); err != nil {
			t.Fatal(err)
		}
	}
	if after, err := ReadStatus(t.Context(), g.address(g.boss), g.log); err == nil && len(after.Runs) != 0 {
		t.Errorf("%d runs are there after all", len(after.Runs))
	}
	startWorker(t, g.url, j, func(w *Worker) { w.Address, w.Log = g.address(g.oak), g.log })
	r := testRunner(t, g.url)
	r.Address, r.Log = g.address(g.boss), g.log
	var k taken
	if err := r.Run(t.Context(), k.task(j, in, 10)); err != nil {
		t.Fatalf("%v\n%s", err, g.lines())
	}
	k.check(t, in, 10)
}

// othersUnchanged fails where the messages are not as before, but for those of a key and those
// whose time may be over.
func othersUnchanged(t *testing.T, l *link, before map[string]string, key string) {
	t.Helper()
	for subject, content := range contents(t, l) {
		if own := strings.Contains(subject, "."+key+"."); !own && before[subject] != content {
			t.Errorf("%s was %q, is %q", subject, before[subject], content)
		}
		delete(before, subject)
	}
	for subject := range before {
		if !strings.HasPrefix(subject, subjectAlive) {
			t.Errorf("%s is gone", subject)
		}
	}
}

// contents returns the last message of every subject of every stream, and how many
// messages it has.
func contents(t *testing.T, l *link) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, stream := range streams {
		there, err := l.subjects(t.Context(), stream, ">")
		if err != nil {
			t.Fatalf("%s: %v", stream, err)
		}
		for subject, n := range there {
			s, err := l.js.Stream(t.Context(), stream)
			if err != nil {
				t.Fatal(err)
			}
			m, err := s.GetLastMsgForSubject(t.Context(), subject)
			if stream == streamAlive && errors.Is(err, jetstream.ErrMsgNotFound) {
				continue // its time is over
			}
			if err != nil {
				t.Fatalf("%s: %v", subject, err)
			}
			all[subject] = fmt.Sprintf("%d %s", n, m.Data)
		}
	}
	return all
}

// waitsTooLong is after how long something hangs, on the slowest machine.
const waitsTooLong = 5 * time.Minute

// soon waits for what a server does in its own time, long enough for a slow machine.
func soon(is func() bool) bool {
	for end := time.Now().Add(waitsTooLong); time.Now().Before(end); {
		if is() {
			return true
		}
		time.Sleep(5 * time.Millisecond)
	}
	return false
}

// waitingRun publishes a run, lets oak compute a chunk of it, and returns it with
// the submitter's connection.
func waitingRun(t *testing.T, g *guarded, j *job.Job, in []bg.Key) (*plan, *link) {
	t.Helper()
	var k taken
	p, err := newPlan(t.Context(), k.task(j, in, len(in)), testVersion, "place")
	if err != nil {
		t.Fatal(err)
	}
	boss, err := connect(t.Context(), g.address(g.boss), "boss", false, g.log)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(boss.nc.Close)
	if err := boss.makeStreams(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	for i := range p.blobs {
		if err := p.blobs[i].put(t.Context(), boss, p.m.Run, nil); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := makeQueues(t.Context(), boss, p.m.Run, time.Minute); err != nil {
		t.Fatal(err)
	}
	for subject, text := range map[string][]byte{subjectRun + p.m.Run: mustJSON(&p.m),
		subjectWork + p.m.Run: mustJSON(&order{})} {
		if _, err := boss.js.Publish(t.Context(), subject, text); err != nil {
			t.Fatal(err)
		}
	}
	stop := startWorker(t, g.url, j, func(w *Worker) { w.Address, w.Log = g.address(g.oak), g.log })
	if !soon(func() bool {
		parts, err1 := boss.subjects(t.Context(), streamParts, subjectPart+p.m.Run+".>")
		orders, err2 := boss.subjects(t.Context(), streamWork, subjectWork+p.m.Run) // until oak acknowledges it
		return err1 == nil && err2 == nil && len(parts) == 1 && len(orders) == 0
	}) {
		t.Fatalf("oak hands nothing in\n%s", g.lines())
	}
	stop()
	return p, boss
}

func TestKeysFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "oak.key")
	k, err := NewKey(WorkerRole, "oak", path)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the secret is readable: %v, %v", info.Mode(), err)
	}
	if _, err := NewKey(WorkerRole, "oak", path); err == nil {
		t.Error("a key that was there is lost")
	}
	if _, err := NewKey("boss", "oak", filepath.Join(dir, "x")); err == nil {
		t.Error("a role that is none")
	}
	got, err := parseKeys(strings.NewReader("# comment\n\n" + k.String() + "\n"))
	if err != nil || len(got) != 1 || got[0] != k {
		t.Errorf("%v, %v", got, err)
	}
	seed, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"twice": k.String() + "\n" + k.String(), "short": "worker oak", "role": "king oak " + k.Public,
		"name": "worker o*k " + k.Public, "no key": "worker oak U123", "a seed": "worker oak " + strings.TrimSpace(string(seed)),
	} {
		if _, err := parseKeys(strings.NewReader(text)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := readSeed(filepath.Join(dir, "nothing")); err == nil {
		t.Error("no error for a key that is not there")
	}
	if err := os.WriteFile(path, []byte("SUNOSEED"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := readSeed(path); err == nil || strings.Contains(err.Error(), "SUNOSEED") {
		t.Errorf("error %v", err)
	}
}

// Passwords in URLs are not shown.
func TestAddressIsShownWithoutPasswords(t *testing.T) {
	a := Address{URLs: "nats://bob:secret@127.0.0.1:1,tls://host:2"}
	if err := a.Check(); err != nil || strings.Contains(a.String(), "secret") ||
		!strings.Contains(a.String(), "host:2") {
		t.Errorf("%s, %v", a.String(), err)
	}
	for _, bad := range []string{"", "http://x:secret@y", "nats://", "nats://x:secret@h:p:q,", "nats://ok:1,secret"} {
		a := Address{URLs: bad}
		if err := a.Check(); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

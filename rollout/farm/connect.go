package farm

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Address is where a server is and who comes.
type Address struct {
	URLs string // nats://HOST:PORT or tls://HOST:PORT, several with commas
	Key  string // file with the secret half of a key, "" for none
	CA   string // file with the certificates that a server's is signed by, "" for the system's
}

// Check reports URLs that are none.
func (a *Address) Check() error {
	for _, u := range strings.Split(a.URLs, ",") {
		if _, err := parseURL(u); err != nil {
			return err
		}
	}
	return nil
}

// parseURL parses the URL of a server. Errors do not repeat it: it may hold a
// password.
func parseURL(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "nats" && u.Scheme != "tls" {
		return nil, errors.New("the farm's URL: nats://HOST:PORT or tls://HOST:PORT expected")
	}
	return u, nil
}

// String returns the URLs without passwords.
func (a *Address) String() string {
	var out []string
	for _, text := range strings.Split(a.URLs, ",") {
		if u, err := parseURL(text); err == nil {
			out = append(out, u.Redacted())
		}
	}
	return strings.Join(out, ",")
}

// link is a connection to a server.
type link struct {
	nc  *nats.Conn
	js  jetstream.JetStream
	key string // public, or anonymous
	api string // where JetStream's interface is

	address Address
	life    context.Context // ends when the connection is closed, and where a key is shut out
	end     context.CancelCauseFunc
	denied  atomic.Pointer[context.CancelFunc]

	connected atomic.Pointer[connected]
}

// connected ends when a connection is lost.
type connected struct {
	context.Context
	cut context.CancelFunc
}

// renew begins a time of being connected, and ends the one before.
func (l *link) renew() {
	c := &connected{}
	c.Context, c.cut = context.WithCancel(l.life)
	if before := l.connected.Swap(c); before != nil {
		before.cut()
	}
}

// connect connects to a server. It tries for a while, or until ctx ends where
// patient is set; what will not change is an error at once. The connection comes back
// by itself after it was lost. It stays until it is closed, also after ctx has ended.
func connect(ctx context.Context, a Address, name string, patient bool, log func(string)) (*link, error) {
	if err := a.Check(); err != nil {
		return nil, err
	}
	l := &link{key: anonymous, api: api, address: a}
	l.life, l.end = context.WithCancelCause(context.WithoutCancel(ctx))
	l.renew()
	options, err := l.options(name, log)
	if err != nil {
		return nil, err
	}
	for try := 0; ; try++ {
		if l.nc, err = nats.Connect(a.URLs, options...); err == nil {
			break
		}
		if wrong := a.wrong(err); wrong != nil {
			return nil, wrong
		}
		if !patient && try >= connectTries {
			return nil, fmt.Errorf("farm %s: %w", a.String(), err)
		}
		if try == 0 {
			log(fmt.Sprintf("farm %s: %v; trying again", a.String(), err))
		}
		select {
		case <-time.After(backOff(dice, try)):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	if l.js, err = jetstream.New(l.nc, jetstream.WithPublishAsyncTimeout(answerWithin)); err != nil {
		l.nc.Close()
		return nil, fmt.Errorf("farm %s: %w", a.String(), err)
	}
	return l, nil
}

// until returns a context that ends with ctx, and with the connection.
func (l *link) until(ctx context.Context) (within context.Context, stop func()) {
	within, end := context.WithCancelCause(ctx)
	apart := context.AfterFunc(l.life, func() { end(context.Cause(l.life)) })
	return within, func() { apart(); end(nil) }
}

// close ends a connection.
func (l *link) close() {
	l.end(context.Canceled)
	l.nc.Close()
}

// options returns what a connection is made with.
func (l *link) options(name string, log func(string)) ([]nats.Option, error) {
	options := []nats.Option{
		nats.Name(name), nats.MaxReconnects(-1), nats.PingInterval(10 * time.Second), nats.MaxPingsOutstanding(2),
		nats.CustomReconnectDelay(func(try int) time.Duration { return backOff(dice, try) }),
		nats.Timeout(5 * time.Second),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			l.renew()
			if err != nil {
				log(fmt.Sprintf("lost the farm: %v", err))
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { log("the farm is back") }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			if deny := l.denied.Load(); deny != nil && errors.Is(err, nats.ErrPermissionViolation) {
				(*deny)()
				return
			}
			log(err.Error())
		}),
		nats.ClosedHandler(func(nc *nats.Conn) {
			if err := nc.LastError(); err != nil {
				l.end(cmp.Or(l.address.wrong(err), fmt.Errorf("farm %s: %w", l.address.String(), err)))
			}
		}),
	}
	if l.address.CA != "" {
		pem, err := os.ReadFile(l.address.CA)
		if err != nil {
			return nil, fmt.Errorf("read certificates: %w", err)
		}
		if !x509.NewCertPool().AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("read certificates: %s has none", l.address.CA)
		}
		options = append(options, nats.RootCAs(l.address.CA))
	}
	if l.address.Key != "" {
		pair, err := readSeed(l.address.Key)
		if err != nil {
			return nil, err
		}
		if l.key, err = pair.PublicKey(); err != nil {
			return nil, fmt.Errorf("read key %s: %w", l.address.Key, err)
		}
		options = append(options, nats.Nkey(l.key, pair.Sign))
	}
	return append(options, nats.CustomInboxPrefix(inboxPrefix(l.key))), nil
}

// wrong returns what is wrong with an address or its credentials where an error shows that
// trying again would not help, nil otherwise.
func (a *Address) wrong(err error) error {
	var cert *tls.CertificateVerificationError
	why := ""
	switch {
	case errors.Is(err, nats.ErrAuthorization) && a.Key == "":
		why = "it asks for a key: --key FILE expected"
	case errors.Is(err, nats.ErrAuthorization):
		why = fmt.Sprintf("it does not let in the key of %s", a.Key)
	case errors.Is(err, nats.ErrNkeysNotSupported):
		why = "it knows no keys: leave --key out"
	case errors.Is(err, nats.ErrSecureConnWanted):
		why = "it has no TLS: nats://HOST:PORT expected, and no --ca"
	case errors.As(err, &cert) && errors.As(err, &x509.UnknownAuthorityError{}) && a.CA == "":
		why = "nobody known here signed its certificate: --ca FILE expected, with the certificate or its signer's"
	case errors.As(err, &cert):
		why = cert.Err.Error()
	default:
		return nil
	}
	return fmt.Errorf("farm %s: %s", a.String(), why)
}

// roleWithin is how long a server may take to answer what a key is for.
const roleWithin = 20 * time.Second

// asSubmitter reports a key that is none of a submitter's, to which the server would
// answer with silence.
func (l *link) asSubmitter(ctx context.Context) error {
	step, stop := context.WithTimeout(ctx, roleWithin)
	defer stop()
	denied, deny := context.WithCancel(step)
	defer deny()
	l.denied.Store(&deny)
	defer l.denied.Store(nil)
	_, err := l.js.AccountInfo(denied)
	switch {
	case denied.Err() != nil && step.Err() == nil:
		return fmt.Errorf("farm %s: the key of %s is a worker's: a submitter's expected", l.address.String(),
			l.address.Key)
	case errors.Is(err, jetstream.ErrJetStreamNotEnabled), errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount):
		return fmt.Errorf("farm %s: %w", l.address.String(), err)
	}
	return ctx.Err() // what is wrong for now only shows later
}

// asWorker makes l use the services that a worker's account has, see Accounts. It reports
// a key whose account has none.
func (l *link) asWorker(ctx context.Context) (err error) {
	if l.key == anonymous {
		return nil
	}
	l.api = workerAPI
	if l.js, err = jetstream.NewWithAPIPrefix(l.nc, l.api); err != nil {
		return fmt.Errorf("farm %s: %w", l.address.String(), err)
	}
	step, stop := context.WithTimeout(ctx, roleWithin)
	defer stop()
	_, err = l.nc.RequestWithContext(step, l.api+".STREAM.INFO."+streamRuns, nil)
	if errors.Is(err, nats.ErrNoResponders) {
		return fmt.Errorf("farm %s: the key of %s is no worker's", l.address.String(), l.address.Key)
	}
	return ctx.Err()
}

// connectTries is after how many vain tries an impatient caller gets an error: some
// ten seconds.
const connectTries = 8

package farm

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Address says where an engine is and who comes.
type Address struct {
	URLs string // nats://HOST:PORT or tls://HOST:PORT, several with commas
	Key  string // file with the secret half of a key, "" for none
	CA   string // file with the certificates that an engine's is signed by, "" for the system's
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

// parseURL parses the URL of an engine. Errors do not repeat it: it may hold a
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

// link is a connection to an engine.
type link struct {
	nc  *nats.Conn
	js  jetstream.JetStream
	key string // public, or anonymous
}

// connect connects to an engine. It tries for a while, or until ctx ends where
// patient is set. The connection comes back by itself after it was lost.
func connect(ctx context.Context, a Address, name string, patient bool, log func(string)) (*link, error) {
	if err := a.Check(); err != nil {
		return nil, err
	}
	l := &link{key: anonymous}
	options := []nats.Option{
		nats.Name(name), nats.MaxReconnects(-1), nats.PingInterval(10 * time.Second), nats.MaxPingsOutstanding(2),
		nats.CustomReconnectDelay(backOff), nats.Timeout(5 * time.Second),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				log(fmt.Sprintf("lost the farm: %v", err))
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { log("the farm is back") }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { log(err.Error()) }),
	}
	if a.CA != "" {
		options = append(options, nats.RootCAs(a.CA))
	}
	if a.Key != "" {
		pair, err := readSeed(a.Key)
		if err != nil {
			return nil, err
		}
		if l.key, err = pair.PublicKey(); err != nil {
			return nil, fmt.Errorf("read key %s: %w", a.Key, err)
		}
		options = append(options, nats.Nkey(l.key, pair.Sign))
	}
	options = append(options, nats.CustomInboxPrefix(inboxPrefix(l.key)))
	var err error
	for try := 0; ; try++ {
		if l.nc, err = nats.Connect(a.URLs, options...); err == nil {
			break
		}
		if !patient && try >= connectTries || errors.Is(err, nats.ErrAuthorization) && !patient {
			return nil, fmt.Errorf("farm %s: %w", a.String(), err)
		}
		if try == 0 {
			log(fmt.Sprintf("farm %s: %v; trying again", a.String(), err))
		}
		select {
		case <-time.After(backOff(try)):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	if l.js, err = jetstream.New(l.nc); err != nil {
		l.nc.Close()
		return nil, fmt.Errorf("farm %s: %w", a.String(), err)
	}
	return l, nil
}

// connectTries is after how many vain tries an impatient caller hears of it: some
// ten seconds.
const connectTries = 8

// backOff returns how long to wait after a number of tries: twice as long each
// time, up to some seconds, and by chance, so that a thousand workers do not come
// back at once.
func backOff(tries int) time.Duration {
	most := min(100*time.Millisecond<<min(tries, 10), 8*time.Second)
	return most/2 + rand.N(most/2)
}

// pause waits a back-off. It is false where ctx ended.
func pause(ctx context.Context, tries int) bool {
	select {
	case <-time.After(backOff(tries)):
		return true
	case <-ctx.Done():
		return false
	}
}

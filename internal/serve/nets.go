package serve

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"bgtrain/internal/filekind"
	"bgtrain/internal/player"
)

// maxNets is how many nets are held besides the server's own.
const maxNets = 2

// Opened is a net as a player, with the small nets that measure luck in its rollouts, nil
// for none.
type Opened struct{ Player, Small *player.Player }

// netInfo is a net that a request may choose.
type netInfo struct {
	Name string // unique; the first is the server's own
	path string // what OpenNet is given
}

// netList lists the nets: the server's own, those named, those that ship with the program.
func (v *Server) netList() []netInfo {
	list := []netInfo{{Name: v.s.Name, path: v.s.NetPath}}
	add := func(n netInfo) {
		if !slices.ContainsFunc(list, func(o netInfo) bool { return o.Name == n.Name || o.path == n.path }) {
			list = append(list, n)
		}
	}
	if v.s.OpenNet == nil {
		return list
	}
	sources, _ := v.sources() // named ones that are gone are not listed
	for i := range sources {
		if s := &sources[i]; s.kind == netFile {
			add(netInfo{Name: s.Name, path: s.path})
		}
	}
	for _, name := range v.s.Nets {
		add(netInfo{Name: name, path: name})
	}
	return list
}

// netOf returns the net of a name, "" for the server's own.
func (v *Server) netOf(name string) (netInfo, error) {
	list := v.netList()
	if name == "" {
		return list[0], nil
	}
	i := slices.IndexFunc(list, func(n netInfo) bool { return n.Name == name })
	if i < 0 {
		return netInfo{}, problemf("no net called %q is shown here", name)
	}
	return list[i], nil
}

// FirstNet returns the first of some files that is a net, another where none is.
func FirstNet(files []string, another string) string {
	for _, path := range files {
		if is, err := filekind.Of(path); err == nil && strings.HasPrefix(is, "a net") {
			return path
		}
	}
	return another
}

// loadedNet is a net that is held.
type loadedNet struct {
	Opened
	ev   *player.Evaluator // belongs to the turn to compute much; nil: none yet
	at   time.Time         // of its file
	used int
}

// netCache holds the nets that were used last.
type netCache struct {
	mu   sync.Mutex
	held map[string]*loadedNet // by path, the server's own not among them
	own  loadedNet
	uses int
}

// loaded returns a net, opened where it is not held as its file is now. Whoever calls it has
// the turn to compute much.
func (v *Server) loaded(ctx context.Context, n netInfo) (*loadedNet, error) {
	c := &v.nets
	if n.path == v.s.NetPath {
		return &c.own, nil
	}
	at := time.Time{}
	if info, err := os.Stat(n.path); err == nil { // one that ships with the program is no file
		at = info.ModTime()
	}
	c.mu.Lock()
	c.uses++
	l := c.held[n.path]
	if l != nil && l.at.Equal(at) {
		l.used = c.uses
		c.mu.Unlock()
		return l, nil
	}
	c.mu.Unlock()
	opened, err := v.s.OpenNet(ctx, n.path)
	if err != nil {
		return nil, fmt.Errorf("net %s: %w", n.Name, err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	l = &loadedNet{Opened: opened, at: at, used: c.uses}
	c.held[n.path] = l
	for len(c.held) > maxNets {
		oldest := n.path
		for path, k := range c.held {
			if k.used < c.held[oldest].used {
				oldest = path
			}
		}
		delete(c.held, oldest)
	}
	return l, nil
}

// withNet lets use evaluate by a net, when its turn to compute much has come.
func (v *Server) withNet(ctx context.Context, n netInfo, use func(*player.Evaluator) error) error {
	done, err := v.heavy(ctx)
	if err != nil {
		return err
	}
	defer done()
	l, err := v.loaded(ctx, n)
	if err != nil {
		return err
	}
	ev := l.ev
	if ev == nil {
		ev = l.Player.NewEvaluator()
	}
	l.ev = nil // what panicked is not used again
	if err := use(ev); err != nil {
		return err
	}
	l.ev = ev
	return nil
}

// rollers returns a net for a rollout, which holds no turn to compute.
func (v *Server) rollers(ctx context.Context, n netInfo) (Opened, error) {
	done, err := v.heavy(ctx)
	if err != nil {
		return Opened{}, err
	}
	defer done()
	l, err := v.loaded(ctx, n)
	if err != nil {
		return Opened{}, err
	}
	return l.Opened, nil
}

//go:build integration

package protocol

import (
	"context"
	"fmt"
	"net"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"bgtrain/dataset/matchfile"
	"bgtrain/internal/gnubgtest"
)

// counted is a protocol that counts its answers by their first word.
type counted struct {
	Protocol
	mu     *sync.Mutex
	counts map[string]int
}

func (c counted) Answer(line string) (string, error) {
	answer, err := c.Protocol.Answer(line)
	c.mu.Lock()
	defer c.mu.Unlock()
	word, _, _ := strings.Cut(answer, " ")
	if strings.Contains(word, "/") {
		word = "play"
	}
	c.counts[word]++
	return answer, err
}

// TestMatchAgainstGNUbg lets GNU Backgammon play matches against the engine as an
// external player of either side, and reads back what it wrote down: every play
// legal, the match finished. GNU Backgammon takes an answer that it does not
// understand for no play, which would not be.
func TestMatchAgainstGNUbg(t *testing.T) {
	binary := gnubgtest.Binary(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 4*time.Minute)
	defer cancel()
	c := counted{mu: new(sync.Mutex), counts: map[string]int{}}
	served := make(chan error, 1)
	go func() {
		served <- Serve(ctx, l, DefaultLimits, func() Protocol {
			return counted{GNUbg{newBrain(t)}, c.mu, c.counts}
		}, nil)
	}()
	for player := range 2 {
		out := filepath.Join(t.TempDir(), "match.mat")
		script := fmt.Sprintf(`set lang en
set rng mersenne
set seed %d
set automatic game on
set automatic roll on
set automatic bearoff off
set player 0 gnubg
set player 1 gnubg
set player 0 chequerplay evaluation plies 0
set player 1 chequerplay evaluation plies 0
set player 0 cubedecision evaluation plies 0
set player 1 cubedecision evaluation plies 0
set player %d external localhost:%d
new match 5
export match mat %s
`, 5+player, player, l.Addr().(*net.TCPAddr).Port, out)
		cmd := exec.CommandContext(ctx, binary, "-t", "-q")
		cmd.Stdin = strings.NewReader(script)
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		ms, err := matchfile.ReadAll(out)
		if err != nil {
			t.Fatal(err)
		}
		last := ms[0].Games[len(ms[0].Games)-1]
		if last.Winner == matchfile.None || last.Score[last.Winner]+last.Points < 5 {
			t.Errorf("the match stopped at %v: %d points for %d", last.Score, last.Points, last.Winner)
		}
		t.Logf("player %d: %d games", player, len(ms[0].Games))
	}
	cancel()
	if err := <-served; err != nil {
		t.Error(err)
	}
	t.Log(c.counts)
	if c.counts["play"] < 30 || c.counts["roll"] == 0 || c.counts["double"]+c.counts["take"]+c.counts["drop"] == 0 ||
		c.counts["Error"] > 0 {
		t.Errorf("answers %v", c.counts)
	}
}

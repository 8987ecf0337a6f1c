package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"bgtrain/internal/bearoff"
)

func TestBearoffCommand(t *testing.T) {
	status, out, errs := runCommand(t, "bearoff", "--two-sided", "2", "--json")
	if status != exitDone {
		t.Fatal(errs)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) != 2 {
		t.Fatalf("%d databases: %s", len(lines), out)
	}
	var f bearoff.File
	if err := json.Unmarshal([]byte(lines[1]), &f); err != nil {
		t.Fatal(err)
	}
	if f.Kind != "two-sided" || f.Checkers != 2 || f.Positions != 28 || f.Bytes != 4*28*28+44 {
		t.Errorf("%+v", f)
	}
	if info, err := os.Stat(f.Path); err != nil || info.Size() != f.Bytes {
		t.Errorf("%s: %v", f.Path, err)
	}
	if status, out, _ := runCommand(t, "bearoff", "--two-sided", "-1"); status != exitDone ||
		!strings.HasPrefix(out, "one-sided   6 points  15 checkers      54264 positions") {
		t.Errorf("status %d: %s", status, out)
	}
	for _, args := range [][]string{{"bearoff", "x"}, {"bearoff", "--one-sided", "11"}, {"bearoff", "--one-sided", "5"},
		{"eval", "--one-sided", "-1", "4HPwATDgc/ABMA"}, {"score", "--one-sided", "12"}} {
		if status, _, errs := runCommand(t, args...); status != exitUsage || !strings.Contains(errs, "expected") {
			t.Errorf("%v: status %d, %s", args, status, errs)
		}
	}
}

// A race with checkers on the 7-point is the database's with --one-sided 7, and the
// net's without.
func TestOneSidedFlag(t *testing.T) {
	sameWithAllKernels(t)
	const race = "XGID=----DCDD----------ddcd----:0:0:1:00:0:0:0:0:10"
	equity := func(args ...string) string {
		status, out, errs := runCommand(t, append([]string{"eval", "--json", "--cache", "0", race}, args...)...)
		if status != exitDone {
			t.Fatal(errs)
		}
		return out
	}
	net, wide := equity("--net", "td"), equity("--net", "td", "--one-sided", "7")
	if net == wide || equity("--net", "gnubg-size", "--one-sided", "7") != wide {
		t.Errorf("net %s, database %s", net, wide)
	}
	if equity("--net", "td", "--one-sided", "6") != net {
		t.Error("6 points are not the default")
	}
}

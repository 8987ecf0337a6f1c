//go:build integration

package farm

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// At least 200 faults of all kinds: nothing is lost, nothing is there twice, the
// files have the bytes of a local run. Four farms wait for them at once.
func TestCampaign(t *testing.T) {
	t.Parallel()
	const farms, each = 4, 7 // faults of a kind at a farm
	for farm := range farms {
		t.Run(fmt.Sprint(farm), func(t *testing.T) {
			t.Parallel()
			s := campaign(t, farm*each*faultKinds, each*faultKinds, 3000, 250*time.Millisecond)
			for name, n := range s.faults {
				if n != each {
					t.Errorf("%s: %d times, %d expected", name, n, each)
				}
			}
			if len(s.faults) != faultKinds {
				t.Errorf("faults of %d kinds", len(s.faults))
			}
		})
	}
}

// smallDisk mounts a file system of some size, which only root can.
func smallDisk(t *testing.T, size string) (dir string, resize func(size string)) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "disk")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size="+size, "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("no small file system can be made here: %v %s", err, out)
	}
	t.Cleanup(func() { _ = exec.Command("umount", "-l", dir).Run() })
	return dir, func(size string) {
		if out, err := exec.Command("mount", "-o", "remount,size="+size, dir).CombinedOutput(); err != nil {
			t.Fatalf("%v %s", err, out)
		}
	}
}

// Where the submitter's disk is full, its command ends with an error and leaves
// whole parts; with more room the same command goes on.
func TestFullDiskOfSubmitter(t *testing.T) {
	t.Parallel()
	disk, resize := smallDisk(t, "64k")
	s := newSite(t, 300, 2, 10*time.Millisecond)
	out := filepath.Join(disk, "out")
	s.submit(func(sc *script) { sc.Out = out })
	await(t, s.submitter)
	if s.submitter.err == nil || !strings.Contains(s.submitter.log.String(), "no space left") {
		t.Fatalf("%v: %s", s.submitter.err, tail(s.submitter.log.String(), 1000))
	}
	resize("16m")
	s.submitter = s.submitter.restart()
	await(t, s.submitter)
	if s.submitter.err != nil {
		t.Fatalf("%v: %s", s.submitter.err, tail(s.submitter.log.String(), 3000))
	}
	sameParts(t, out, filepath.Join(s.dir, "want"))
}

// Where the farm's disk is full, the run waits, and goes on when there is room and
// the farm was started again.
func TestFullDiskOfFarm(t *testing.T) {
	t.Parallel()
	disk, resize := smallDisk(t, "300k")
	dir := t.TempDir()
	writeInput(t, dir, 2000)
	address := freeAddress(t)
	s := &site{t: t, dir: dir, faults: map[string]int{}}
	s.server = start(t, script{Role: "server", Server: ServerSettings{Listen: address,
		Store: filepath.Join(disk, "store")}})
	for i := range 2 {
		s.workers = append(s.workers, start(t, script{
			Role: "worker", URL: "nats://" + address, Version: testVersion, Dir: filepath.Join(dir,
				fmt.Sprint("cache", i)), Wait: 5 * time.Millisecond,
		}))
	}
	fill := filepath.Join(disk, "fill")
	s.submit(nil)
	time.Sleep(700 * time.Millisecond)
	// Another program takes all that is left.
	if err := os.WriteFile(fill, make([]byte, 1<<20), 0o644); !errors.Is(err, syscall.ENOSPC) {
		t.Logf("the disk was not full: %v", err)
	}
	time.Sleep(3 * time.Second)
	resize("64m")
	if err := os.Remove(fill); err != nil {
		t.Fatal(err)
	}
	s.server.kill(syscall.SIGKILL)
	s.server = s.server.restart()
	s.finish()
}

// A cluster of three nodes loses one, then that comes back and another one goes.
func TestCluster(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeInput(t, dir, 1500)
	var urls, routes, addresses []string
	for range 3 {
		addresses = append(addresses, freeAddress(t))
		routes = append(routes, "nats://"+freeAddress(t))
	}
	s := &site{t: t, dir: dir, faults: map[string]int{}}
	var nodes []*child
	for i, a := range addresses {
		urls = append(urls, "nats://"+a)
		sc := script{Role: "server", Server: ServerSettings{Listen: a,
			Store: filepath.Join(dir, fmt.Sprint("store", i))},
			Cluster: &cluster{Name: fmt.Sprint("node", i), Listen: strings.TrimPrefix(routes[i], "nats://"),
				Routes: routes}}
		nodes = append(nodes, start(t, sc))
	}
	for i := range 2 {
		s.workers = append(s.workers, start(t, script{
			Role: "worker", URL: strings.Join(urls, ","), Version: testVersion, Dir: filepath.Join(dir,
				fmt.Sprint("cache", i)), Wait: 60 * time.Millisecond,
		}))
	}
	s.submit(func(sc *script) { sc.Replica = 3 })
	// Until the nodes have found each other nothing can be set up, and a submitter that waits in vain gives up.
	all := Address{URLs: strings.Join(urls, ",")}
	if !soon(func() bool {
		if s.submitter.done() && s.submitter.err != nil {
			s.submitter = s.submitter.restart()
		}
		status, err := ReadStatus(t.Context(), all, func(string) {})
		return err == nil && len(status.Runs) > 0 || s.submitter.done() && s.submitter.err == nil
	}) {
		t.Fatalf("no run is set up: %s", tail(s.submitter.log.String(), 3000))
	}
	for i := range 4 {
		time.Sleep(2 * time.Second)
		if s.submitter.done() {
			t.Log("the run was over before all nodes had gone once")
			break
		}
		n := nodes[i%3]
		n.kill(syscall.SIGKILL)
		time.Sleep(2 * time.Second)
		nodes[i%3] = n.restart()
		s.faults["a node of three killed and back"]++
	}
	s.finish()
	t.Logf("%v", s.faults)
}

// TestDamagedStore with all files of the streams.
func TestDamagedFiles(t *testing.T) {
	t.Parallel()
	for i, name := range slices.Sorted(maps.Keys(damages)) {
		for j, stream := range streams {
			if stream == streamAlive {
				continue // it has no files
			}
			for k, files := range []string{"meta.inf", "meta.sum", "msgs/*", "obs/*/meta.inf", "obs/*/meta.sum", "obs/*/*"} {
				if testing.Short() && (i+j+k)%len(damages) != 0 {
					continue // each two of damage, stream and file meet
				}
				t.Run(stream+" "+files+" "+name, func(t *testing.T) {
					t.Parallel()
					damagedStore(t, stream, files, damages[name])
				})
			}
		}
	}
}

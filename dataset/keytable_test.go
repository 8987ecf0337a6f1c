package dataset

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"bgtrain/internal/bg"
)

func TestKeyTableAgainstMap(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var table keyTable[int]
	want := map[bg.Key]int{}
	var zero bg.Key
	if table.get(bg.Start.Key()) != nil || table.get(zero) != nil {
		t.Error("an empty table has a key")
	}
	for range 200000 {
		var k bg.Key
		// Few different keys that differ in few bits, as positions do.
		binary.LittleEndian.PutUint16(k[rng.IntN(9):], uint16(rng.IntN(1<<13)+1))
		v, isNew := table.at(k)
		if _, ok := want[k]; ok == isNew || *v != want[k] {
			t.Fatalf("key %v: %d, new %v; want %d", k, *v, isNew, want[k])
		}
		*v++
		want[k]++
	}
	if table.n != len(want) {
		t.Errorf("%d keys, want %d", table.n, len(want))
	}
	for k, n := range want {
		if v := table.get(k); v == nil || *v != n {
			t.Fatalf("key %v: %v, want %d", k, v, n)
		}
	}
	for range 1000 {
		k := randomRow(rng).Key
		if _, ok := want[k]; !ok && table.get(k) != nil {
			t.Fatalf("key %v is there", k)
		}
	}
}

// TestHashSpreads makes sure that keys of real positions fill the shards evenly.
func TestHashSpreads(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	var table keyTable[struct{}]
	for range 100000 {
		table.at(randomRow(rng).Key)
	}
	mean := table.n / tableShards
	for i := range table.shards {
		if n := table.shards[i].used; n < mean*2/3 || n > mean*4/3 {
			t.Errorf("shard %d has %d keys, the mean is %d", i, n, mean)
		}
	}
}

func BenchmarkKeyTable(b *testing.B) {
	rng := rand.New(rand.NewPCG(3, 3))
	keys := make([]bg.Key, 1<<16)
	for i := range keys {
		keys[i] = randomRow(rng).Key
	}
	var table keyTable[struct{}]
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		table.at(keys[i%len(keys)])
	}
}

package main

import (
	"fmt"
	"strconv"
	"strings"
)

// parseShard reads --shard i/N, i from 0 to N-1; empty is 0/1, all the work.
func parseShard(s string) (index, shards int, err error) {
	if s == "" {
		return 0, 1, nil
	}
	i, n, _ := strings.Cut(s, "/")
	index, err1 := strconv.Atoi(i)
	shards, err2 := strconv.Atoi(n)
	if err1 != nil || err2 != nil || shards < 1 || index < 0 || index >= shards {
		return 0, 0, usageError{fmt.Errorf("--shard %q: i/N with i from 0 to N-1 expected", s)}
	}
	return index, shards, nil
}

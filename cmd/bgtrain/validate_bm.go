package main

import (
	"context"

	"bgtrain/benchmark/bm"
)

// validateBenchmark checks benchmark files: each record by itself, as reading
// does, then what takes the rules of the game or the whole file to see.
func validateBenchmark(_ context.Context, path string) (*validation, error) {
	f, err := bm.ReadFile(path, bm.ReadOptions{SkipBad: true})
	if err != nil {
		return nil, err
	}
	v := &validation{Records: int64(len(f.Records) + len(f.Cubes) + len(f.Skipped)), Bad: map[string]int64{}}
	v.Bad["bad record"] = int64(len(f.Skipped))
	if len(f.Skipped) > 0 {
		v.Examples = append(v.Examples, f.Skipped[0].Error())
	}
	found := bm.Validate(f)
	for p, n := range found.Counts {
		v.Bad[bm.Problem(p).String()] = int64(n)
		if found.First[p] != nil {
			v.Examples = append(v.Examples, found.First[p].Error())
		}
	}
	return v, nil
}

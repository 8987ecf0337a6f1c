package bg

import "testing"

// BenchmarkGenerate generates the plays of all 36 rolls of positions of real
// games; an iteration is one roll.
func BenchmarkGenerate(b *testing.B) {
	boards := gamePositions(b)
	var p Plays
	results, i, d1, d2 := 0, 0, 1, 1
	b.ReportAllocs()
	for b.Loop() {
		results += len(p.Generate(&boards[i], d1, d2))
		// All positions with one roll, then all with the next: neighbors differ.
		if i++; i == len(boards) {
			i = 0
			if d1++; d1 > 6 {
				d1 = 1
				d2 = d2%6 + 1
			}
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "rolls/s")
	b.ReportMetric(float64(results)/float64(b.N), "results/roll")
}

// BenchmarkGenerateFloor writes as many boards as a roll has results on average
// and does nothing else: what no generator of whole boards can beat.
func BenchmarkGenerateFloor(b *testing.B) {
	var results [16]Board
	board := Start
	for b.Loop() {
		for i := range results {
			results[i] = board
			results[i].Me[i]--
			results[i].Me[i+6]++
		}
		board.Opp[0] ^= results[15].Opp[0]
	}
	sink = board.Opp[0]
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "rolls/s")
}

func BenchmarkKey(b *testing.B) {
	boards := gamePositions(b)
	var sum byte
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		k := boards[i].Key()
		sum ^= k[0]
		if i++; i == len(boards) {
			i = 0
		}
	}
	sink = sum
}

func BenchmarkKeyBoard(b *testing.B) {
	var keys []Key
	for _, board := range gamePositions(b) {
		keys = append(keys, board.Key())
	}
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		board, err := keys[i].Board()
		if err != nil {
			b.Fatal(err)
		}
		sink ^= board.Me[0]
		if i++; i == len(keys) {
			i = 0
		}
	}
}

func BenchmarkClassify(b *testing.B) {
	boards := gamePositions(b)
	var sum Class
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		sum ^= Classify(&boards[i])
		if i++; i == len(boards) {
			i = 0
		}
	}
	sink = byte(sum)
}

var sink byte // keeps the benchmarked calls alive

package bm

import (
	"strings"
	"testing"
)

func TestValidate(t *testing.T) {
	for _, name := range []string{"testdata/contact.bm", "testdata/crashed.bm"} { // as published
		f, err := ReadFile(name, ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if v := Validate(f); v.Counts != [NumProblems]int{} {
			t.Errorf("%s: %v %v", name, v.Counts, v.First)
		}
	}
	wrongPlay := strings.Replace(goodRecord, "DGOPAGAGAANGGOAGAEAG", openingKey, 1)
	for _, c := range []struct {
		text string
		want Problem
	}{
		{wrongPlay, IllegalCandidate},
		{strings.Replace(goodRecord, "5 3", "5 4", 1), IllegalCandidate},
		{"m AAAAAAAAAAAAAAAAAAAA 5 3 AAAAAAAAAAAAAAAAAAAA 0\n", FinishedPosition},
		{strings.Replace(goodRecord, "DGOPAGAGAANGGOAGAEAG", "DGOPEGCAAANGGOAGAAED", 1), RepeatedCandidate},
		{goodRecord + strings.Replace(goodRecord, "5 3", "3 5", 1), RepeatedDecision},
		{goodR1 + goodR2 + strings.Replace(goodRecord, "0.075863", "0.095863", 1), LossMismatch},
		{strings.Replace(goodR1+goodR2+goodRecord, "0.642309", "0.542309", 1), EquityMismatch},
		{goodR1 + goodR2 + goodRecord + strings.Replace(goodR1, "DGOPEGCAAANGGOAGAAED", openingKey, 1), LooseOutputs},
		{goodR1 + goodR1 + goodR2 + goodRecord, LooseOutputs},
		// The opponent has borne off 13 checkers.
		{"o NNGNAAAAAAABAAAAAAAA 0.5 0.2 0 0 0\n", GammonAfterOff},
	} {
		v := Validate(readString(t, c.text))
		if v.Counts[c.want] == 0 || v.First[c.want] == nil || !strings.HasPrefix(v.First[c.want].Error(), "test.bm:") {
			t.Errorf("%q: %v, %v expected", c.text, v.Counts, c.want)
		}
	}
}

package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAgreements(t *testing.T) {
	var nets []net
	for i, noise := range []float64{0.01, -0.02, 0.01, 0, 0.02, -0.02} {
		x := float64(5 + 3*i)
		er := map[string]float64{"contact": x, "race": float64(i % 2)}
		nets = append(nets, net{name: fmt.Sprint(i), er: er, points: 0.7 - 0.02*x + noise})
	}
	fits := agreements(nets)
	if len(fits) != 3 || fits[0].measure != "contact" || fits[2].measure != mean {
		t.Fatalf("%+v", fits)
	}
	f := fits[0]
	if math.Abs(f.slope+0.02) > 3*f.slopeSE || f.slopeSE > 0.003 || f.r > -0.97 ||
		f.deviation < 0.005 || f.deviation > 0.04 {
		t.Errorf("%+v", f)
	}
	if f.rank > -0.8 {
		t.Errorf("correlation of ranks %v", f.rank)
	}
}

func TestRanks(t *testing.T) {
	if got := fmt.Sprint(ranks([]float64{3, 1, 3, 2})); got != "[2.5 0 2.5 1]" {
		t.Errorf("ranks %s", got)
	}
}

func TestRun(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 4 {
		write(fmt.Sprintf("n%d.score.json", i),
			fmt.Sprintf(`{"files":[{"class":"contact","er":%d},{"class":"race","er":2}]}`, 10+i*i))
		write(fmt.Sprintf("n%d-against-pubeval.match.json", i),
			fmt.Sprintf(`{"points_per_game":{"mean":%v,"se":0.01}}`, 0.5-0.1*float64(i)))
	}
	write("unplayed.score.json", `{"files":[]}`)
	var out bytes.Buffer
	picture := filepath.Join(dir, "a.svg")
	if err := run(&out, []string{dir}, "pubeval", picture); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "+0.5000") || strings.Contains(out.String(), "unplayed") {
		t.Errorf("%s", out.String())
	}
	if svg, err := os.ReadFile(picture); err != nil || bytes.Count(svg, []byte("<circle")) < 4 {
		t.Errorf("picture without dots: %v", err)
	}
	if err := run(&out, []string{dir}, "gnubg", ""); err == nil || !strings.Contains(err.Error(), "3 or more") {
		t.Errorf("no matches: %v", err)
	}
	write("n9.score.json", "{")
	if err := run(&out, []string{dir}, "pubeval", ""); err == nil || !strings.Contains(err.Error(), "n9.score.json") {
		t.Errorf("damaged file: %v", err)
	}
}

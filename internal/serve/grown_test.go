package serve

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// writeRun makes a directory of a run of grow with a log and a recipe; "": none.
func writeRun(t *testing.T, dir, log, recipe string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"grow.jsonl": log, "given.yaml": recipe} {
		if text == "" {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestGrownPage(t *testing.T) {
	const nasty = `<i>a&b "c"`
	server := testServer(t, func(s *Settings) {
		dir := s.Files[0]
		writeRun(t, filepath.Join(dir, "damaged"), "{}\n{\n", "seed: 1\n")
		writeRun(t, filepath.Join(dir, "begun"), "", "seed: 7\n")
		writeRun(t, filepath.Join(dir, "nasty", nasty), `{"round":1,"against":"<i>x","passed":true,"others":[`+
			`{"against":"<i>y","points":{"mean":1,"se":0.1}}],"noise":[{"of":"<i>z","positions":5}]}`+"\n"+
			`{"round":1,"decision":"<i>d","from":"<i>f","to":["<i>t"],"reason":"<i>r"}`+"\n", "nets: {hidden: <i>}\n")
		// A directory of runs, one run by itself, and one by its log.
		s.Files = []string{dir, filepath.Join(dir, "nasty", nasty)}
	})
	checkPages(t, server, []pageCase{
		{"/grown", 200, []string{"base", "wider", "Recipe lines that differ", "nets: {hidden: [32]}", "round 3, training",
			"training: {lr: 0.9}", "Newest players", "against GNU Backgammon’s nets", "grow.jsonl:2", "No round is finished yet",
			"under way", "&lt;i&gt;y", "&lt;i&gt;d", "&lt;i&gt;r", "processor time over two", "<svg"}, "<i>"},
		{"/grown?run=base", 200, []string{"round 2", "not passed", "share of contact", "0.75 → 0.6", "Left to learn, by theme",
			"Bias, by theme", "rms error", "finished: all rounds of the recipe are done", "3m38s", "began with"}, "differ"},
		{"/grown?run=wider&run=base&time=wall", 200, []string{"minutes, wall time", "hidden: [16]"}, "damaged</h3>"},
		{"/grown?" + url.Values{"run": {nasty}}.Encode(), 200, []string{"&lt;i&gt;a&amp;b &#34;c&#34;"}, "<i>"},
		{"/grown?run=damaged", 200, []string{`role="alert"`}, "Strength"},
		{"/grown?run=secret.txt", 400, []string{"nothing called"}, "not to be read"},
		{"/grown?run=../../../../etc", 400, []string{"nothing called"}, "root:"},
		{"/grown?run=base&time=never", 400, []string{"wall expected"}, ""},
		{"/runs", 200, []string{"net"}, "neither games"}, // a log of grow is no learning curve
	})
}

// A run is one of grow by its directory or by its log.
func TestGrownSources(t *testing.T) {
	const runs = "../../trainer/grow/testdata/runs"
	for _, files := range [][]string{{runs}, {runs + "/base", runs + "/wider"},
		{runs + "/base/grow.jsonl", runs + "/wider"}} {
		v := &Server{s: Settings{Files: files}}
		all, _, err := v.ofKind(grownRun, "")
		if err != nil || len(all) != 2 || all[0].Name != "base" || all[1].Name != "wider" {
			t.Errorf("%q: %v, %v", files, all, err)
		}
	}
}

// A stage that begins, and a round that ends, are told.
func TestGrownChangesAreTold(t *testing.T) {
	var dir string
	server := testServer(t, func(s *Settings) { dir = filepath.Join(s.Files[0], "begun") })
	writeRun(t, dir, "", "seed: 1\n")
	for _, change := range []func() error{
		func() error { return os.MkdirAll(filepath.Join(dir, "stages", "td-1"), 0o755) },
		func() error {
			return os.WriteFile(filepath.Join(dir, "grow.jsonl"), []byte(`{"round":1,"passed":true}`+"\n"), 0o600)
		},
	} {
		names, _ := readEvents(t, server, "/events?since="+shown(t, server), "changed", func() {
			if err := change(); err != nil {
				t.Error(err)
			}
		})
		if strings.Join(names, " ") != "hello changed" {
			t.Error(names)
		}
	}
	if _, body := get(t, server, "/grown?run=begun"); !strings.Contains(body, "under way: round 2, td") {
		t.Error(body)
	}
}

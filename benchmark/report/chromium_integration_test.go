//go:build integration

package report

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestIntegrationChromium loads the page in a headless Chromium at the widths of
// a desktop and a phone: there is a picture of each, and the console has no error
// and no refusal by the page's own security policy. The environment variable CHROMIUM
// may name the browser.
func TestIntegrationChromium(t *testing.T) {
	chromium := os.Getenv("CHROMIUM")
	if chromium == "" {
		chromium = "chromium"
	}
	if _, err := exec.LookPath(chromium); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	dir := t.TempDir()
	page := filepath.Join(dir, "report.html")
	if err := os.WriteFile(page, []byte(writePage(t, testInput(t))), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, size := range []string{"1280,2000", "390,2000"} {
		ctx, cancel := context.WithTimeout(context.Background(), 4*time.Minute)
		defer cancel()
		shot := filepath.Join(dir, size+".png")
		out, err := exec.CommandContext(ctx, chromium, "--headless", "--no-sandbox", "--disable-gpu",
			"--disable-quic", "--no-first-run",
			"--disable-background-networking", "--disable-component-update", "--disable-sync", "--enable-logging=stderr",
			"--user-data-dir="+t.TempDir(), "--window-size="+size, "--screenshot="+shot, "file://"+page).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		for _, line := range strings.Split(string(out), "\n") {
			if strings.Contains(line, "CONSOLE") || strings.Contains(line, "Refused to") {
				t.Error(line)
			}
		}
		if info, err := os.Stat(shot); err != nil || info.Size() < 20_000 {
			t.Errorf("screenshot at %s: %v, %v", size, info, err)
		}
	}
}

package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// servers run until they are stopped, and print no result.
var servers = []string{"serve", "farm", "worker", "play", "engine", "fibs"}

// Every command that prints a result prints it for programs too.
func TestEveryResultIsAlsoJSON(t *testing.T) {
	var check func(path string, list []command)
	check = func(path string, list []command) {
		for _, c := range list {
			name := strings.TrimSpace(path + " " + c.name)
			has := c.describe().flags.Lookup("json") != nil
			switch collects := name == "net" || name == "cube"; { // have nothing but commands of their own
			case has && (collects || slices.Contains(servers, name)):
				t.Errorf("%s has --json", name)
			case !has && !collects && !slices.Contains(servers, name):
				t.Errorf("%s has no --json", name)
			}
			check(name, c.subs)
		}
	}
	for _, g := range groups {
		check("", g.commands)
	}
}

// What commands about nets print as JSON.
func TestNetsAsJSON(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, args := range []string{
		"net import gnubg-size -o a.safetensors --json",
		"net join a.safetensors --race td -o b.safetensors --json",
		"net trim td embedded -o f.safetensors --rows 50 --json",
		"net export gnubg-size --prune none -o d.weights --json",
		"net export td --format onnx --activation sigmoid -o onnx --json",
		"net export gnubg-size --format web -o page --json",
		"farm key --name oak -o oak.key --json",
		"td --games 2 --hidden 1 --inputs tesauro -o e.safetensors --json",
	} {
		status, out, errs := runCommand(t, strings.Fields(args)...)
		if status != exitDone {
			t.Errorf("%s: status %d, %s", args, status, errs)
			continue
		}
		for _, line := range strings.Split(strings.TrimSpace(out), "\n") {
			var got map[string]any
			if err := json.Unmarshal([]byte(line), &got); err != nil {
				t.Errorf("%s: %v in %s", args, err, line)
			}
			words := strings.Fields(args)
			written := words[slices.Index(words, "-o")+1]
			if name := got["output"]; name == nil && strings.Contains(args, " -o ") {
				name = got["path"]
				if name != written || got["fingerprint"] == "" {
					t.Errorf("%s: %s", args, line)
				}
			}
		}
	}
}

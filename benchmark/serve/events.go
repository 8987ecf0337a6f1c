package serve

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// stream begins an answer of server-sent events; send writes one and says whether
// the browser is still there.
func stream(w http.ResponseWriter) (send func(event, data string) bool, ok bool) {
	flusher, ok := w.(http.Flusher)
	if !ok {
		http.Error(w, "no streaming here", http.StatusInternalServerError)
		return nil, false
	}
	w.Header().Set("Content-Type", "text/event-stream")
	return func(event, data string) bool {
		data = strings.ReplaceAll(data, "\n", "\ndata: ")
		_, err := fmt.Fprintf(w, "event: %s\ndata: %s\n\n", event, data)
		flusher.Flush()
		return err == nil
	}, true
}

// events tells a page when one of the files has changed.
func (v *Server) events(w http.ResponseWriter, r *http.Request) {
	send, ok := stream(w)
	if !ok {
		return
	}
	last := v.state()
	if !send("hello", "") {
		return
	}
	tick := time.NewTicker(v.s.Refresh)
	defer tick.Stop()
	for {
		select {
		case <-r.Context().Done():
			return
		case <-tick.C:
		}
		if now := v.state(); now != last {
			last = now
			if !send("changed", "") {
				return
			}
		}
	}
}

// state is a text that changes with the files: names, sizes, times.
func (v *Server) state() string {
	list, err := v.sources()
	if err != nil {
		return err.Error()
	}
	var t strings.Builder
	for _, s := range list {
		paths := []string{s.path}
		if s.kind == database {
			// A database under way is a directory that gains parts.
			parts, _ := os.ReadDir(s.path) // none in a single file
			for _, p := range parts {
				paths = append(paths, filepath.Join(s.path, p.Name()))
			}
		}
		for _, p := range paths {
			if info, err := os.Stat(p); err == nil {
				fmt.Fprintln(&t, p, info.Size(), info.ModTime().UnixNano())
			}
		}
	}
	return t.String()
}

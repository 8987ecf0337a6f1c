package serve

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"
)

// stream begins an answer of server-sent events; send writes one, with
// an id where there is one, and reports whether the browser is still there.
func stream(w http.ResponseWriter) (send func(event, data, id string) bool, ok bool) {
	flusher, ok := w.(http.Flusher)
	if !ok {
		http.Error(w, "no streaming here", http.StatusInternalServerError)
		return nil, false
	}
	w.Header().Set("Content-Type", "text/event-stream")
	control := http.NewResponseController(w)
	return func(event, data, id string) bool {
		if id != "" {
			id = "id: " + id + "\n"
		}
		_ = control.SetWriteDeadline(time.Now().Add(writeTime)) // an error comes again
		data = strings.ReplaceAll(data, "\n", "\ndata: ")
		_, err := fmt.Fprintf(w, "%sevent: %s\ndata: %s\n\n", id, event, data)
		flusher.Flush()
		return err == nil
	}, true
}

// events sends a page an event when one of the files has changed since the page was
// made: in the state since, or, where a browser connects anew, that of the last event.
func (v *Server) events(w http.ResponseWriter, r *http.Request) {
	done, ok := v.follow()
	if !ok {
		http.Error(w, "too many pages are open", http.StatusServiceUnavailable)
		return
	}
	defer done()
	send, ok := stream(w)
	if !ok {
		return
	}
	last := r.Header.Get("Last-Event-ID")
	if last == "" {
		last = r.URL.Query().Get("since")
	}
	if !send("hello", "", "") {
		return
	}
	tick := time.NewTicker(v.s.Refresh)
	defer tick.Stop()
	for {
		if now := v.state(); now != last {
			last = now
			if !send("changed", "", now) {
				return
			}
		}
		select {
		case <-r.Context().Done():
			return
		case <-tick.C:
		}
	}
}

// look returns a digest of the files: names, sizes, times.
func (v *Server) look() string {
	list, err := v.sources()
	if err != nil {
		return digest(err.Error())
	}
	var t strings.Builder
	for _, s := range list {
		for _, p := range s.watched() {
			if info, err := os.Stat(p); err == nil {
				fmt.Fprintln(&t, p, info.Size(), info.ModTime().UnixNano())
			}
		}
	}
	return digest(t.String())
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

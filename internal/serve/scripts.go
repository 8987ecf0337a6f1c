package serve

import (
	"embed"
	"fmt"
	"net/http"
	"strings"

	"bgtrain/benchmark/report"
	"bgtrain/internal/web"
)

//go:embed scripts/*.js
var scriptFiles embed.FS

//go:embed app.css
var appCSS string

// gameJS is the game and the board of the page that plays in the browser alone.
var gameJS = func() string {
	var all strings.Builder
	all.WriteString("globalThis.bgtrain = {};\n")
	for _, name := range []string{"game.js", "board.js"} {
		text, err := web.Script(name)
		if err != nil {
			panic(err) // it is part of the program
		}
		all.Write(text)
	}
	return all.String()
}()

// scripts serves the style and the scripts of the pages.
func (v *Server) scripts(mux *http.ServeMux) {
	const script = "text/javascript; charset=utf-8"
	mux.HandleFunc("GET /app.css", text("text/css; charset=utf-8", report.Style+appCSS))
	mux.HandleFunc("GET /scripts/game.js", text(script, gameJS))
	list, err := scriptFiles.ReadDir("scripts")
	if err != nil {
		panic(fmt.Sprintf("serve: %v", err)) // they are part of the program
	}
	for _, f := range list {
		content, err := scriptFiles.ReadFile("scripts/" + f.Name())
		if err != nil {
			panic(fmt.Sprintf("serve: %v", err))
		}
		mux.HandleFunc("GET /scripts/"+f.Name(), text(script, string(content)))
	}
}

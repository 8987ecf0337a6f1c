package report

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
)

// FrameHTML defines the template "head": a page's beginning, up to its body, from a Frame.
//
//go:embed frame.html
var FrameHTML string

// Style is the style sheet that pages with boards share.
//
//go:embed style.css
var Style string

//go:embed copy.js
var copyJS string

// Frame is what all pages have, ready to be shown.
type Frame struct {
	Title, Command string // Command made the page; "": it is not said
	CSS            template.CSS
	Script         template.JS
	ScriptHash     string // which lets the page's own script run, and no other
}

// NewFrame returns the frame of a page with a style sheet and a script of its own, which
// come with those that all pages share: boards, and buttons that copy a text.
func NewFrame(title, command, css, script string) Frame {
	script += copyJS
	sum := sha256.Sum256([]byte(script))
	return Frame{Title: title, Command: command, CSS: template.CSS(Style + css), Script: template.JS(script),
		ScriptHash: "sha256-" + base64.StdEncoding.EncodeToString(sum[:])}
}

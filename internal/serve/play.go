package serve

import "net/http"

// playView is what the page of matches begins with; the rest comes over the HTTP interface.
type playView struct {
	Nets    []string
	Lengths []int
	Kept    string // directory in which matches are kept; "": none
}

// play shows a match against a net.
func (v *Server) play(*http.Request) (string, any, error) {
	return "Play", &playView{Nets: v.netNames(), Lengths: []int{1, 3, 5, 7, 9, 11, 13, 15, 17, 21, 25}, Kept: v.s.Matches},
		nil
}

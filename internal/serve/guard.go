package serve

import (
	"crypto/subtle"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// tokenName is the name of the query parameter and of the cookie that hold the token.
const tokenName = "token"

// policy is what a page may load: what this server sends, and nothing else.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; " +
	"base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// guard lets through what comes to a known name of this machine, so that no other
// site's page can ask in a browser's name, and shows the token where one is asked for.
func (v *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-store")
		if !v.knownHost(r.Host) {
			http.Error(w, "this server does not answer to the name "+r.Host, http.StatusForbidden)
			return
		}
		if foreign(r) {
			http.Error(w, "another site's page may not ask for this", http.StatusForbidden)
			return
		}
		if v.refuseBody(w, r) {
			return
		}
		if v.s.Token == "" || v.isToken(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")) {
			next.ServeHTTP(w, r)
			return
		}
		if v.isToken(r.URL.Query().Get(tokenName)) {
			http.SetCookie(w, &http.Cookie{Name: tokenName, Value: v.s.Token, Path: "/", HttpOnly: true,
				SameSite: http.SameSiteStrictMode})
			// Not left in the address, where it would be copied and logged.
			q := r.URL.Query()
			q.Del(tokenName)
			http.Redirect(w, r, (&url.URL{Path: r.URL.Path, RawQuery: q.Encode()}).String(), http.StatusSeeOther)
			return
		}
		if c, err := r.Cookie(tokenName); err != nil || !v.isToken(c.Value) {
			http.Error(w, "the address with the token, as the server printed it, is needed", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// foreign reports whether another site's page asks, by what browsers say of that. A link
// to a page may be followed from anywhere, but nothing else.
func foreign(r *http.Request) bool {
	if origin := r.Header.Get("Origin"); origin != "" {
		u, err := url.Parse(origin)
		if err != nil || u.Host == "" || u.Host != r.Host {
			return true
		}
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "none", "same-origin":
		return false
	}
	link := (r.Method == http.MethodGet || r.Method == http.MethodHead) &&
		r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document"
	program := strings.HasPrefix(r.URL.Path, "/api/") && r.URL.Path != "/api/" // for programs and scripts
	return !link || program || r.URL.Path == "/events"
}

func (v *Server) isToken(s string) bool {
	return subtle.ConstantTimeCompare([]byte(s), []byte(v.s.Token)) == 1
}

// knownHost reports whether a request's Host is a name of this server.
func (v *Server) knownHost(hostPort string) bool {
	host := hostPort
	if h, _, err := net.SplitHostPort(hostPort); err == nil {
		host = h
	}
	host = strings.Trim(host, "[]")
	if slices.Contains(v.s.Hosts, host) || host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

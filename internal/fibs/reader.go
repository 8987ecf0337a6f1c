package fibs

import (
	"fmt"
	"net"
	"strings"
	"time"
)

// Limits of a line, in bytes.
const (
	maxLine = 4 << 10  // that are kept; the rest is passed over
	maxSent = 64 << 10 // that are sent: more is no server of backgammon
)

// prompt is the one text of the server that is answered without a line end.
const prompt = "login:"

// reader reads the server's lines.
type reader struct {
	conn net.Conn
	idle time.Duration
	buf  [1024]byte
	left []byte // of buf, not looked at yet
	line []byte
	sent int // bytes since the last line
	skip int // bytes of a telnet command to pass over
}

// next returns the next line without its end, or the prompt.
func (r *reader) next() (string, error) {
	for {
		for i, c := range r.left {
			const telnetCommand = 0xff // with two bytes to follow
			if r.sent++; r.sent > maxSent {
				return "", fmt.Errorf("the server sends a line of more than %d bytes", maxSent)
			}
			switch {
			case r.skip > 0:
				r.skip--
				continue
			case c == telnetCommand:
				r.skip = 2
				continue
			case c == '\n':
				r.left = r.left[i+1:]
				return r.take(), nil
			case c < ' ' && c != '\t':
				continue
			}
			if len(r.line) < maxLine {
				r.line = append(r.line, c)
			}
		}
		r.left = nil
		if strings.HasSuffix(strings.TrimRight(string(r.line), " "), prompt) {
			return r.take(), nil
		}
		if err := r.conn.SetReadDeadline(time.Now().Add(r.idle)); err != nil {
			return "", err
		}
		n, err := r.conn.Read(r.buf[:])
		r.left = r.buf[:n]
		if err != nil && n == 0 {
			return "", err
		}
	}
}

func (r *reader) take() string {
	line := strings.TrimSpace(strings.ToValidUTF8(string(r.line), "?"))
	r.line, r.sent = r.line[:0], 0
	return line
}

package opponents

import (
	"bufio"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

//go:embed gnubg_server.py
var gnubgServer []byte

// gnubgProcess is a GNU Backgammon that runs gnubgServer. Two pipes of its own
// carry requests and answers, since its standard output is full of other things.
type gnubgProcess struct {
	cmd      *exec.Cmd
	requests *os.File
	answers  *os.File
	lines    *bufio.Reader
	said     tail // the end of its output, for messages
	script   string
	broken   error // after it nothing more is asked
}

// starting is held while a process starts: where several make GNU Backgammon's folder in a new
// home directory at once, all but one end.
var starting sync.Mutex

func startGNUbg(path string, g *GNUbg) (*gnubgProcess, error) {
	starting.Lock()
	defer starting.Unlock()
	p := &gnubgProcess{}
	if err := p.start(path, g); err != nil {
		return nil, err
	}
	text, err := p.read(gnubgStart)
	os.Remove(p.script) // it has been read, or never will be
	if err == nil && text != "ready" {
		err = p.fail(fmt.Errorf("greeted with %q", text))
	}
	if err != nil {
		p.close()
		return nil, err
	}
	p.said.forget()
	return p, nil
}

// start starts the process with the pipes' far ends.
func (p *gnubgProcess) start(path string, g *GNUbg) (err error) {
	script, err := os.CreateTemp("", "bgtrain-gnubg-*.py")
	if err != nil {
		return err
	}
	p.script = script.Name()
	_, err = script.Write(gnubgServer)
	if err = errors.Join(err, script.Close()); err != nil {
		os.Remove(p.script)
		return err
	}
	var theirs [2]*os.File
	if theirs[0], p.requests, err = os.Pipe(); err != nil {
		os.Remove(p.script)
		return err
	}
	defer theirs[0].Close()
	if p.answers, theirs[1], err = os.Pipe(); err != nil {
		p.requests.Close()
		os.Remove(p.script)
		return err
	}
	defer theirs[1].Close()
	p.lines = bufio.NewReader(p.answers)
	args := []string{"-t", "-q", "-r", "-p", p.script}
	if g.DataDir != "" {
		args = append([]string{"-P", g.DataDir}, args...)
	}
	p.cmd = exec.Command(path, args...)
	p.cmd.Env = append(os.Environ(), fmt.Sprintf("PLY=%d", g.Ply))
	p.cmd.ExtraFiles = theirs[:]
	p.cmd.Stdout, p.cmd.Stderr = &p.said, &p.said
	p.cmd.WaitDelay = 5 * time.Second // should a child of its hold them open
	// Its own group: Ctrl-C at the terminal must let the running games end.
	detach(p.cmd)
	if err = p.cmd.Start(); err != nil {
		p.requests.Close()
		p.answers.Close()
		os.Remove(p.script)
	}
	return err
}

// ask sends a request line and returns the answer line. After an error the
// process is of no more use.
func (p *gnubgProcess) ask(request []byte, timeout time.Duration) (string, error) {
	if p.broken != nil {
		return "", p.broken
	}
	p.requests.SetWriteDeadline(time.Now().Add(timeout))
	if _, err := p.requests.Write(request); err != nil {
		return "", p.fail(fmt.Errorf("takes no more requests: %w", err))
	}
	return p.read(timeout)
}

var errEnded = errors.New("the process ended")

// read reads an answer.
func (p *gnubgProcess) read(timeout time.Duration) (string, error) {
	p.answers.SetReadDeadline(time.Now().Add(timeout))
	text, err := p.lines.ReadString('\n')
	text = strings.TrimSuffix(text, "\n")
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return "", p.fail(fmt.Errorf("no answer within %v", timeout))
	case err == io.EOF:
		return "", p.fail(errEnded)
	case err != nil:
		return "", p.fail(err)
	case strings.HasPrefix(text, "!"):
		return "", p.fail(fmt.Errorf("error inside it: %s", strings.TrimSpace(text[1:])))
	}
	return text, nil
}

// fail ends the process and returns err with how it ended, where it did so by
// itself, and with what it said last.
func (p *gnubgProcess) fail(err error) error {
	if errors.Is(err, errEnded) {
		ended := make(chan struct{})
		go func() {
			p.cmd.Wait()
			close(ended)
		}()
		select {
		case <-ended:
			err = fmt.Errorf("%w: %v", err, p.cmd.ProcessState)
		case <-time.After(5 * time.Second): // it closed its pipes and goes on
		}
	}
	p.kill()
	p.broken = fmt.Errorf("gnubg: %w", err)
	if said := p.said.String(); said != "" {
		p.broken = fmt.Errorf("%w; it said: %s", p.broken, said)
	}
	return p.broken
}

// close lets the process end by itself, or ends it after some seconds.
func (p *gnubgProcess) close() error {
	if p.broken != nil {
		return nil
	}
	p.broken = errors.New("gnubg: closed")
	p.requests.Close() // its script ends then, and the program with it
	timer := time.AfterFunc(5*time.Second, func() { p.cmd.Process.Kill() })
	defer timer.Stop()
	err := p.cmd.Wait()
	p.answers.Close()
	return err
}

// kill ends the process at once.
func (p *gnubgProcess) kill() {
	p.cmd.Process.Kill()
	p.cmd.Wait()
	p.requests.Close()
	p.answers.Close()
}

// tail is a Writer that keeps the last few lines.
type tail struct {
	mu   sync.Mutex
	text string
}

// Write keeps the end of what is written; it never fails.
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	const most = 400
	t.text += string(b)
	if n := len(t.text); n > most {
		t.text = t.text[n-most:]
	}
	return len(b), nil
}

// forget drops what was said so far.
func (t *tail) forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = ""
}

// String returns what was kept.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := strings.FieldsFunc(t.text, func(r rune) bool { return r == '\n' })
	return strings.Join(lines[max(0, len(lines)-3):], " | ")
}

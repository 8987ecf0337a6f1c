package grow

// Hooks let a caller follow a run; each may be nil. They are not called by two
// goroutines at once.
type Hooks struct {
	Stage    func(s *Stage)        // a stage begins
	Progress func(done, total int) // of it, in its units; a total of 0: as before
	Done     func()                // it has ended
	Line     func(text string)     // something for the log
}

func (h *Hooks) stage(s *Stage) {
	if h.Stage != nil {
		h.Stage(s)
	}
}

func (h *Hooks) progress(done, total int) {
	if h.Progress != nil {
		h.Progress(done, total)
	}
}

func (h *Hooks) done() {
	if h.Done != nil {
		h.Done()
	}
}

func (h *Hooks) line(text string) {
	if h.Line != nil {
		h.Line(text)
	}
}

package farm

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"time"
)

// faults lets things go wrong, for a while.
func (s *simulation) faults() {
	n := s.rng.IntN(simFaults + 1)
	if s.quiet {
		n = 0
	}
	for range n {
		if rest(s.ctx, time.Duration(s.rng.Int64N(int64(6*time.Second)))) != nil {
			return
		}
		s.fault()
	}
	s.f.mu.Lock()
	s.f.loss, s.f.doubled, s.f.late = 0, 0, 0
	s.calm = time.Now()
	s.f.mu.Unlock()
}

// powerCutKind is the number of the fault of that name.
const powerCutKind = 7

// fault lets one thing go wrong.
func (s *simulation) fault() {
	f, r := s.f, s.rng
	kind := r.IntN(15)
	if s.only > 0 {
		kind = s.only
	}
	long := time.Duration(r.Int64N(int64(40 * time.Second)))
	worker := s.workers[r.IntN(len(s.workers))]
	stream := streams[r.IntN(len(streams))]
	say := s.log("FAULT")
	switch kind {
	case 0:
		s.during("the farm is away", long, func(on bool) { f.down = on })
	case 1:
		s.during("its disk is full", long, func(on bool) { f.full = on })
	case 2:
		s.suddenly(func() string {
			clear(f.streams)
			return "its store is wiped"
		})
	case 3:
		s.suddenly(func() string {
			delete(f.streams, stream)
			return "it has lost " + stream
		})
	case 4, 5, 6:
		s.suddenly(func() string { return s.damage(kind, stream) })
	case powerCutKind:
		s.suddenly(s.powerCut)
	case 8:
		say("kill -9 of " + worker.name)
		s.kill(worker)
		_ = rest(s.ctx, long/4)
		s.work(worker)
	case 9:
		say(worker.name + " leaves and comes back")
		worker.stop()
		_ = rest(s.ctx, long/4)
		s.work(worker)
	case 10, 11:
		s.stopCommand(s.commands[r.IntN(len(s.commands))], kind == 10)
	case 12, 13:
		s.suddenly(func() string { return s.oddTime(kind, worker, long) })
	default:
		s.suddenly(func() string {
			f.loss, f.doubled, f.late = r.Float64()*0.3, r.Float64()*0.5, time.Duration(r.Int64N(int64(8*time.Second)))
			return fmt.Sprintf("a bad line: %.2f lost, %.2f doubled, up to %v late", f.loss, f.doubled, f.late)
		})
	}
}

// suddenly changes the farm, or what reaches it.
func (s *simulation) suddenly(change func() string) {
	s.f.mu.Lock()
	defer s.f.mu.Unlock()
	s.log("FAULT")(change())
	s.f.poke()
}

// during changes the farm for a time.
func (s *simulation) during(what string, long time.Duration, set func(on bool)) {
	s.suddenly(func() string {
		set(true)
		return fmt.Sprint(what, " for ", long)
	})
	_ = rest(s.ctx, long)
	s.suddenly(func() string {
		set(false)
		return "it is over"
	})
}

// oddTime lets a party sleep, or a clock jump. The farm is locked.
func (s *simulation) oddTime(kind int, worker *simParty, long time.Duration) string {
	parties := []*simParty{worker}
	for _, c := range s.commands {
		parties = append(parties, &c.simParty)
	}
	party := parties[s.rng.IntN(len(parties))]
	if kind == 12 {
		party.hub.frozen = time.Now().Add(long)
		return fmt.Sprint(party.name, " sleeps for ", long)
	}
	jump := time.Duration(s.rng.Int64N(int64(20*time.Minute))) - 10*time.Minute
	if s.rng.IntN(2) == 0 {
		s.f.offset += jump
		return fmt.Sprint("the farm's clock jumps by ", jump)
	}
	party.offset += jump
	return fmt.Sprint("the clock of ", party.name, " jumps by ", jump)
}

// stopCommand ends a command by a signal, or at once.
func (s *simulation) stopCommand(c *simCommand, hard bool) {
	s.f.mu.Lock()
	running := c.hub != nil && !c.stopped
	if running {
		c.stopped = true
		c.hub.dead = hard
	}
	stop := c.stop
	s.f.mu.Unlock()
	if running {
		s.log("FAULT")(fmt.Sprintf("%s is stopped, by kill -9: %v", c.name, hard))
		stop()
	}
}

// damage spoils something of a stream. The farm is locked.
func (s *simulation) damage(kind int, name string) string {
	st, r := s.f.streams[name], s.rng
	if st == nil {
		return "nothing: there is no " + name
	}
	runs := slices.Sorted(maps.Keys(st.queues))
	switch {
	case kind == 4 && len(runs) > 0:
		run := runs[r.IntN(len(runs))]
		delete(st.queues, run)
		st.ruined[run] = r.IntN(2) == 0
		return fmt.Sprint("a queue of ", name, " is lost, its files ruined: ", st.ruined[run])
	case kind == 5 && len(runs) > 0:
		st.queues[runs[r.IntN(len(runs))]].stuck = true
		return "a queue of " + name + " is damaged"
	case len(st.msgs) == 0:
		return "nothing: " + name + " is empty"
	}
	m := st.msgs[r.IntN(len(st.msgs))]
	data := bytes.Clone(m.data)
	switch {
	case len(data) == 0 || r.IntN(3) == 0:
		data = nil
	case r.IntN(2) == 0:
		data = data[:r.IntN(len(data))]
	default:
		data[r.IntN(len(data))] ^= 1 << r.IntN(8)
	}
	m.data = data
	return "a message of " + m.subject + " is damaged"
}

// powerCut loses what the queues' streams have not written yet. The farm is locked.
func (s *simulation) powerCut() string {
	lost, back := 0, 0
	for _, name := range []string{streamWork, streamParts} {
		st := s.f.streams[name]
		if st == nil {
			continue
		}
		keep := s.rng.IntN(len(st.msgs) + 1)
		lost += len(st.msgs) - keep
		st.msgs = st.msgs[:keep:keep]
		for i, m := range s.f.gone {
			if s.f.gonFrom[i] == name && s.rng.IntN(2) == 0 {
				st.msgs = append(st.msgs, m) // the acknowledgement is lost
				back++
			}
		}
		for _, m := range st.msgs {
			m.out = time.Time{}
		}
	}
	s.f.gone, s.f.gonFrom = nil, nil
	return fmt.Sprintf("%d messages are lost, %d acknowledged ones come back", lost, back)
}

package bearoff

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"bgtrain/internal/bg"
)

// DefaultTwoSided is the number of checkers a side of the two-sided database when Options has 0: as many as GNU
// Backgammon's.
const DefaultTwoSided = 6

// Options of Open. The zero value is right for most.
type Options struct {
	// Dir is where the databases are cached; empty for bgtrain in the user's cache directory.
	Dir string
	// TwoSidedCheckers is the number of checkers a side that the two-sided database
	// covers, up to MaxTwoSided: 0 for DefaultTwoSided, -1 for no such database.
	TwoSidedCheckers int
	// OneSidedPoints is the number of points that the one-sided database covers: 0
	// for those of the home board, or up to MaxPoints. More than those of the home
	// board take minutes to compute the first time, and must be kept in Dir. None is
	// for no databases at all.
	OneSidedPoints int
	// Progress, if set, is called now and then while a database is being computed,
	// with the part that is done. It is not called when all comes from the cache.
	Progress func(done, total int)
}

// DB holds the databases. It does not change: goroutines can share it.
type DB struct {
	one     []Dist       // by index
	two     *twoSided    // nil for none
	wide    *wide        // the one-sided one of more points; nil for none
	extra   int          // points that wide covers beyond the home board
	dir     string       // where the files are, if anywhere
	running [][6]float32 // see runOut
	cube    cubeful      // see Cubeful
}

// None, as Options.OneSidedPoints, is no database.
const None = -1

// Open reads the databases from the cache, or computes them and tries to put them there; without databases the
// result is nil. A cached file that is
// damaged or of another version is replaced; a cache that cannot be read or written does no harm beyond the time
// to compute. It is an error if ctx ends or the options make no sense.
func Open(ctx context.Context, o Options) (*DB, error) {
	if err := o.Check(); err != nil || o.OneSidedPoints == None {
		return nil, err
	}
	checkers := o.TwoSidedCheckers
	if checkers == 0 {
		checkers = DefaultTwoSided
	}
	if checkers < -1 || checkers > MaxTwoSided {
		return nil, fmt.Errorf("two-sided bearoff database for %d checkers: 1 to %d expected, or -1 for none",
			checkers, MaxTwoSided)
	}
	points := o.OneSidedPoints
	if points == 0 {
		points = Points
	}
	if points < Points || points > MaxPoints {
		return nil, fmt.Errorf("one-sided bearoff database for %d points: %d to %d expected", points, Points, MaxPoints)
	}
	dir := o.Dir
	if dir == "" {
		if base, err := os.UserCacheDir(); err == nil {
			dir = filepath.Join(base, "bgtrain")
		}
	}
	if dir != "" {
		// If this fails, so will reading and writing: then without a cache.
		_ = os.MkdirAll(dir, 0o755)
	}
	db, err := open(ctx, dir, checkers, o.Progress)
	if err != nil || points == Points {
		return db, err
	}
	if err := db.openWide(ctx, dir, points, o.Progress); err != nil {
		return nil, fmt.Errorf("one-sided bearoff database of %d points: %w", points, err)
	}
	return db, nil
}

// openWide opens the one-sided database of more points than six, or computes it.
func (db *DB) openWide(ctx context.Context, dir string, points int, report func(done, total int)) error {
	if dir == "" {
		return errors.New("no directory to keep it in: the user's cache directory is not known")
	}
	path := widePath(dir, points)
	w, err := openWide(path, points)
	if err != nil {
		p := progress{report: report, total: newNumbering(points).positions(maxCheckers)}
		if err := buildWide(ctx, path, points, runtime.GOMAXPROCS(0), p.add); err != nil {
			return fmt.Errorf("compute it: %w", err)
		}
		if w, err = openWide(path, points); err != nil {
			return err
		}
	}
	db.wide, db.extra = w, points-Points
	return nil
}

func onePath(dir string) string {
	return filepath.Join(dir, fmt.Sprintf("bearoff-one-sided-v%d.bin", version))
}

func twoPath(dir string, checkers int) string {
	return filepath.Join(dir, fmt.Sprintf("bearoff-two-sided-%d-v%d.bin", checkers, version))
}

func widePath(dir string, points int) string {
	return filepath.Join(dir, fmt.Sprintf("bearoff-one-sided-%d-v%d.bin", points, version))
}

// open opens or computes both databases; without a directory nothing is cached.
func open(ctx context.Context, dir string, checkers int, report func(done, total int)) (*DB, error) {
	onePath, twoPath := onePath(dir), twoPath(dir, checkers)
	db := &DB{running: runOut(), dir: dir}
	var oneErr, twoErr error = os.ErrNotExist, os.ErrNotExist
	if dir != "" {
		db.one, oneErr = readOneSided(onePath)
		if checkers > 0 {
			db.two, twoErr = readTwoSided(twoPath, checkers)
		}
	}

	p := progress{report: report}
	if oneErr != nil {
		p.total += (NumOneSided - 1) * oneSidedCost
	}
	if twoErr != nil && checkers > 0 {
		n := Positions(checkers) - 1
		p.total += n * n
	}
	workers := runtime.GOMAXPROCS(0)
	var err error
	if oneErr != nil {
		db.one, err = buildOneSided(ctx, workers, func(n int) { p.add(n * oneSidedCost) })
		if err != nil {
			return nil, fmt.Errorf("compute the one-sided bearoff database: %w", err)
		}
		if dir != "" {
			_ = writeOneSided(onePath, db.one) // the next one to need it computes it
		}
	}
	if twoErr != nil && checkers > 0 {
		if db.two, err = p.twoSided(ctx, dir, twoPath, checkers, workers); err != nil {
			return nil, fmt.Errorf("compute the two-sided bearoff database of %d checkers: %w", checkers, err)
		}
	}
	return db, nil
}

// twoSided computes the two-sided database and tries to keep it.
func (p *progress) twoSided(ctx context.Context, dir, path string, checkers, workers int) (*twoSided, error) {
	before := p.done
	if dir != "" && checkers >= keptFrom {
		t, err := buildTwoSidedInSteps(ctx, path, checkers, workers, stepSize, p.add)
		if err == nil || ctx.Err() != nil {
			return t, err
		}
		p.done = before // nothing can be written there
	}
	t, err := buildTwoSided(ctx, checkers, workers, p.add)
	if err == nil && dir != "" {
		_ = writeTwoSided(path, t) // the next one to need it computes it
	}
	return t, err
}

// oneSidedCost is about how many pairs of the two-sided database can be computed
// in the time of one position of the one-sided.
const oneSidedCost = 64

// progress adds up work done.
type progress struct {
	report      func(done, total int)
	done, total int
}

func (p *progress) add(n int) {
	p.done += n
	if p.report != nil {
		p.report(p.done, p.total)
	}
}

// TwoSidedCheckers returns the number of checkers a side that the two-sided database covers, 0 without one.
func (db *DB) TwoSidedCheckers() int {
	if db.two == nil {
		return 0
	}
	return db.two.checkers
}

// OneSidedPoints returns the number of points that the one-sided database covers.
func (db *DB) OneSidedPoints() int { return Points + db.extra }

// Covers reports whether a position, which must pass Check, is one for Evaluate: not over, and all checkers of
// both sides on the board on the first OneSidedPoints points, which are those of their home boards or some more.
func (db *DB) Covers(b *bg.Board) bool {
	me, opp := b.Me.Back(), b.Opp.Back()
	points := uint(Points + db.extra)
	return uint(me) < points && uint(opp) < points
}

// Exact reports whether Evaluate is exact for a position that Covers is true of: the two-sided database has it.
func (db *DB) Exact(b *bg.Board) bool {
	if db.two == nil || max(b.Me.Back(), b.Opp.Back()) >= Points {
		return false
	}
	me, _ := Index((*home)(b.Me[:Points]))
	opp, _ := Index((*home)(b.Opp[:Points]))
	return max(me, opp) < db.two.n
}

// Evaluate sets out to the outputs of a position that Covers is true of: exact
// where the two-sided database has it, otherwise those of two sides that play
// for the fewest rolls without regard to each other. There are no backgammons.
func (db *DB) Evaluate(b *bg.Board, out *bg.Outputs) {
	if db.wide != nil && max(b.Me.Back(), b.Opp.Back()) >= Points {
		db.wide.evaluate(b, out)
		return
	}
	me, myCheckers := Index((*home)(b.Me[:Points]))
	opp, oppCheckers := Index((*home)(b.Opp[:Points]))
	*out = bg.Outputs{}
	if t := db.two; t != nil && max(me, opp) < t.n {
		out[bg.Win] = t.win(me, opp)
		return
	}
	mine, theirs := &db.one[me], &db.one[opp]
	// I win if I bear off in n rolls and the opponent needs n or more.
	win := mine.dot(&theirs.AtLeast)
	out[bg.Win] = win
	if oppCheckers == maxCheckers {
		// He has had n-1 rolls when I am off with the n-th.
		out[bg.WinGammon] = min(mine.dotFirst(&theirs.FirstAtLeast, 0), win)
	}
	if myCheckers == maxCheckers {
		// I have had n rolls when he is off with his n-th.
		out[bg.LoseGammon] = min(theirs.dotFirst(&mine.FirstAtLeast, 1), 1-win)
	}
}

// dot returns the sum over n of P[n]·atLeast[n].
func (d *Dist) dot(atLeast *[32]float32) float32 {
	sum := float32(0)
	for n := d.Min & 31; n < d.end&31; n++ {
		sum += d.P[n&31] * atLeast[n&31]
	}
	return min(sum, 1)
}

// dotFirst returns the sum over n of P[n]·atLeast[n+later].
func (d *Dist) dotFirst(atLeast *[numFirst]float32, later int) float32 {
	sum := float32(0)
	for n := int(d.Min); n+later < numFirst; n++ {
		sum += d.P[n&31] * atLeast[n+later]
	}
	return min(sum, 1)
}

// Rolls returns the distribution of the rolls that one side needs from its home board (checkers on the 1-point to
// the 6-point, at most fifteen), which must not be changed.
func (db *DB) Rolls(home *[Points]uint8) *Dist {
	id, _ := Index(home)
	return &db.one[id]
}

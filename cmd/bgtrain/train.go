package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"

	"bgtrain/dataset"
	"bgtrain/features"
	"bgtrain/internal/atomicfile"
	"bgtrain/internal/nets"
	"bgtrain/internal/nn"
	"bgtrain/trainer"
)

// trainOptions are the flags of train.
type trainOptions struct {
	trainer.Settings
	from, out  string
	anew       bool // random weights for nets, whatever from has
	nets       []string
	inputs     string
	hidden     []int // units of each hidden layer; nil as the net to start from
	outputs    []float64
	mix        []string
	exclude    []string
	weightSE   float64
	trials     float64
	benchmarks []string
	curve      string
	plot       string
	checkpoint string
	fresh      bool
	json       bool

	command string
	dbs     []string
	data    string // what provenance says of dbs
	without keySet // positions that are left out
	classes map[nets.Role]trainer.Weighting
}

func runTrain(ctx context.Context, e *env, args []string) error {
	o := trainOptions{Settings: trainer.Defaults}
	o.Workers = runtime.GOMAXPROCS(0)
	f := newFlags(e, "train [DB…] [flags] -o NET",
		`Trains the nets of a player on rollout databases, in minibatches, one net after the
other. Interrupted or killed, the same command goes on from its last checkpoint and
ends with the same net. A part of the positions is held out to validate on; the net
that does best there is kept. NET.curve.jsonl and NET.curve.svg get the curves.
Without DB it trains on the embedded database and scores on the embedded benchmark
files; NET is then trained.safetensors unless given.`,
		"bgtrain train --from td --hidden 256 --epochs 40 --benchmark contact.bm,crashed.bm train.parquet -o my.safetensors")
	o.addFlags(f)
	if err := parseFlags(f, args); err != nil {
		return err
	}
	o.command = commandLine("train", f)
	o.dbs, o.data = f.Args(), strings.Join(f.Args(), " ")
	if len(o.dbs) == 0 {
		remove, err := o.embedded()
		defer remove()
		if err != nil {
			return err
		}
	}
	if err := o.check(); err != nil {
		return usageError{err}
	}
	return o.train(ctx, e)
}

// embedded makes up for databases that were not given.
func (o *trainOptions) embedded() (remove func(), err error) {
	o.data = "embedded"
	if o.out == "" {
		o.out = "trained.safetensors"
	}
	dbs, removeDBs, err := unpackEmbedded(embeddedDatabases)
	if err != nil || len(dbs) == 0 {
		if err == nil {
			err = usagef("no database to train on, and none is embedded in this program")
		}
		return removeDBs, err
	}
	o.dbs = dbs
	if len(o.benchmarks) > 0 {
		return removeDBs, nil
	}
	bms, removeBMs, err := unpackEmbedded(embeddedBenchmarks)
	o.benchmarks = bms
	return func() { removeDBs(); removeBMs() }, err
}

// trained is what became of one net.
type trained struct {
	role       nets.Role
	checkpoint string
	report     *trainer.Report
	entry      *nets.Entry
}

func (o *trainOptions) train(ctx context.Context, e *env) error {
	start, err := o.start()
	if err != nil {
		return err
	}
	dbs, err := o.databases()
	if err != nil {
		return err
	}
	if o.without, err = readKeys(ctx, o.exclude); err != nil {
		return err
	}
	bench, err := openBenchmarks(ctx, o.benchmarks, o.Workers)
	if err != nil {
		return err
	}
	if err := o.clean(); err != nil {
		return err
	}
	result := &nets.Set{Nets: map[nets.Role]*nets.Entry{}, Provenance: map[string]string{"command": o.command}}
	for role, entry := range start.Nets {
		result.Nets[role] = entry
	}
	curves := &trainCurves{o: o}
	var all []trained
	for _, role := range o.roles() {
		t, err := o.trainNet(ctx, e, role, result, dbs, bench, curves)
		if err != nil {
			return err
		}
		result.Nets[role] = t.entry
		all = append(all, t)
	}
	if err := nets.Write(o.out, result); err != nil {
		return err
	}
	if err := curves.plot(); err != nil {
		return err
	}
	for _, t := range all {
		if err := os.Remove(t.checkpoint); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove checkpoint: %w", err)
		}
	}
	if o.json {
		return json.NewEncoder(e.Stdout).Encode(trainJSON(o.out, all))
	}
	return printTrained(e.Stdout, o.out, all)
}

// clean removes what a killed run of the same command left half written.
func (o *trainOptions) clean() error {
	names := []string{o.out, o.curve, o.plot}
	for _, role := range o.roles() {
		names = append(names, o.checkpointOf(role))
	}
	for _, name := range names {
		if err := atomicfile.Clean(name); err != nil {
			return err
		}
	}
	return nil
}

func (o *trainOptions) checkpointOf(role nets.Role) string {
	return o.checkpoint + "." + string(role) + ".checkpoint"
}

// roles are the nets to train, in the order of net files.
func (o *trainOptions) roles() []nets.Role {
	var rs []nets.Role
	for _, r := range nets.Roles {
		if _, ok := o.classes[r]; ok {
			rs = append(rs, r)
		}
	}
	return rs
}

// start returns the player to start from, complete with the nets to train.
func (o *trainOptions) start() (*nets.Set, error) {
	f := &nets.Set{Nets: map[nets.Role]*nets.Entry{}}
	if o.from != "random" {
		from, err := openNet(o.from)
		if err != nil {
			return nil, err
		}
		for role, entry := range from.Nets {
			f.Nets[role] = entry
		}
	}
	for _, role := range nets.Roles {
		_, wanted := o.classes[role]
		needed := role == nets.Contact || role == nets.Crashed || role == nets.Race
		if f.Nets[role] != nil && !(wanted && o.anew) || !wanted && !needed {
			continue
		}
		entry, err := o.randomEntry(role)
		if err != nil {
			return nil, err
		}
		f.Nets[role] = entry
	}
	return f, nil
}

// randomEntry returns a net of random weights.
func (o *trainOptions) randomEntry(role nets.Role) (*nets.Entry, error) {
	name, hidden := o.inputs, []int{128}
	prune := strings.HasPrefix(string(role), "prune.")
	switch {
	case prune:
		name, hidden = "gnubg-prune", []int{16}
	case o.inputs == "gnubg": // a set for each class
		name = "gnubg-" + string(role)
	}
	if len(o.hidden) > 0 && !prune {
		hidden = o.hidden
	}
	set, err := features.ByName(name)
	if err != nil {
		return nil, err
	}
	return &nets.Entry{Net: trainer.RandomNet(o.Seed, set.Size, hidden...), Inputs: set.Name, InputsVersion: set.Version,
		Provenance: map[string]string{"start": fmt.Sprintf("random weights, seed %d", o.Seed)}}, nil
}

// databases opens the databases to train on.
func (o *trainOptions) databases() ([]*dataset.DB, error) {
	var dbs []*dataset.DB
	for _, path := range o.dbs {
		db, err := dataset.Open(path)
		if err != nil {
			return nil, err
		}
		dbs = append(dbs, db)
	}
	return dbs, nil
}

// trainNet trains one net of player.
func (o *trainOptions) trainNet(ctx context.Context, e *env, role nets.Role, player *nets.Set, dbs []*dataset.DB, bench *benchmarks, curves *trainCurves) (trained, error) {
	entry := player.Nets[role]
	set, err := features.Lookup(entry.Inputs, entry.InputsVersion)
	if err != nil {
		return trained{}, fmt.Errorf("train %s: %w", role, err)
	}
	net, err := o.widen(role, entry.Net)
	if err != nil {
		return trained{}, fmt.Errorf("train %s: %w", role, err)
	}
	weighting := o.classes[role]
	data, err := loadExamples(ctx, dbs, &weighting, o.without, o.Validation)
	if err != nil {
		return trained{}, fmt.Errorf("train %s: %w", role, err)
	}
	fmt.Fprintf(e.Stderr, "%s: %d positions to train on, %d held out\n", role, data.Training(), data.Validation())

	t := trained{role: role, checkpoint: o.checkpointOf(role)}
	if o.fresh {
		if err := os.Remove(t.checkpoint); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return trained{}, fmt.Errorf("begin anew: %w", err)
		}
	}
	bar := newProgress(e, data.Training()*o.Epochs, "positions")
	hooks := trainer.Hooks{Name: string(role), Checkpoint: t.checkpoint,
		Score:    bench.scorer(player, role, entry),
		Epoch:    func(points []trainer.Point) error { return curves.add(role, points, bar) },
		Progress: func(done, _ int64, _ float64) { bar.Set(int(done)) },
	}
	settings := o.Settings
	if settings.Monitor == "er" && hooks.Score == nil {
		settings.Monitor = "validation" // no benchmark for this class
	}
	best, report, err := trainer.Run(ctx, net, set, data, settings, hooks)
	bar.Done()
	if err != nil {
		return trained{}, err
	}
	if err := curves.add(role, report.Points, nil); err != nil {
		return trained{}, err
	}
	t.report = report
	t.entry = &nets.Entry{Net: best, Inputs: entry.Inputs, InputsVersion: entry.InputsVersion,
		Provenance: o.provenance(entry, data, &settings, report)}
	return t, nil
}

// widen brings a net to the hidden units asked for. Pruning nets stay small.
func (o *trainOptions) widen(role nets.Role, n *nn.Net) (*nn.Net, error) {
	if len(o.hidden) == 0 || strings.HasPrefix(string(role), "prune.") {
		return n, nil
	}
	same := len(n.Layers) == len(o.hidden)+1
	for i := range o.hidden {
		same = same && n.Layers[i].Out == o.hidden[i]
	}
	switch {
	case same:
		return n, nil
	case len(o.hidden) == 1 && len(n.Layers) == 2:
		return trainer.Widen(n, 0, o.hidden[0], o.Seed)
	}
	return nil, fmt.Errorf("the net to start from has other hidden layers than --hidden %v: only a single one can be widened", o.hidden)
}

// provenance is what the net file says about a net. It holds no times: the same
// run gives the same file.
func (o *trainOptions) provenance(parent *nets.Entry, data *trainer.Data, s *trainer.Settings, r *trainer.Report) map[string]string {
	best := r.Points[r.Best]
	p := map[string]string{
		"parent":    o.from,
		"data":      fmt.Sprintf("%s: %d positions, %d held out, digest %s", o.data, data.Training(), data.Validation(), data.Digest()),
		"settings":  s.Describe(),
		"epoch":     fmt.Sprintf("%d of %d, %s", best.Epoch, s.Epochs, r.Stopped),
		"trainedBy": "bgtrain train",
	}
	if before := parent.Provenance["settings"]; before != "" {
		p["parentSettings"] = before
	}
	for name, v := range map[string]*float64{"rmsEquityError": best.RMS, "meanEquityError": best.MAE, "er": best.ER} {
		if v != nil {
			p[name] = fmt.Sprintf("%.5g", *v)
		}
	}
	return p
}

// Package netfile reads and writes the files that hold a player's nets: our
// .safetensors and GNU Backgammon's gnubg.weights, text and binary.
package netfile

import (
	"fmt"

	"bgtrain/features"
	"bgtrain/internal/bg"
	"bgtrain/internal/nn"
)

// Role says what a net of a player evaluates.
type Role string

// The roles. A player needs the first three; pruning nets are optional.
const (
	Contact      Role = "contact"
	Crashed      Role = "crashed"
	Race         Role = "race"
	PruneContact Role = "prune.contact"
	PruneCrashed Role = "prune.crashed"
	PruneRace    Role = "prune.race"
)

// Roles lists all roles in the order of our files.
var Roles = []Role{Contact, Crashed, Race, PruneContact, PruneCrashed, PruneRace}

// Entry is one net with the inputs it was trained on.
type Entry struct {
	Net           *nn.Net
	Inputs        string            // name of the input set, see package features
	InputsVersion int               // its version
	Provenance    map[string]string // parent net, data, settings, scores: free text by key
}

// File is the contents of a net file: one player.
type File struct {
	Nets       map[Role]*Entry
	Provenance map[string]string // of the file as a whole
}

// Check reports a net that is missing, inconsistent or not of five outputs, or
// whose inputs this program does not know.
func (f *File) Check() error {
	for _, r := range []Role{Contact, Crashed, Race} {
		if f.Nets[r] == nil {
			return fmt.Errorf("no %s net", r)
		}
	}
	for _, r := range f.roles() {
		e := f.Nets[r]
		if err := e.Net.Check(); err != nil {
			return fmt.Errorf("%s net: %w", r, err)
		}
		set, err := features.Lookup(e.Inputs, e.InputsVersion)
		if err != nil {
			return fmt.Errorf("%s net: %w", r, err)
		}
		if e.Net.Inputs() != set.Size || e.Net.Outputs() != bg.NumOutputs {
			return fmt.Errorf("%s net has %d inputs and %d outputs; %s takes %d, and there are %d outputs",
				r, e.Net.Inputs(), e.Net.Outputs(), set.Name, set.Size, bg.NumOutputs)
		}
	}
	return nil
}

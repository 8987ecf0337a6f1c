// Package web writes a player as a static folder that evaluates positions and plays in
// a browser: from a file or from any server, with nothing fetched from elsewhere.
//
// page/ is what every player's folder has, in plain JavaScript: the game, the inputs of
// nets, the kernels' twin, the player, and a page. To it come net.js, the nets with
// 16-bit weights and the WebAssembly module of the kernels, and, where inputs read
// tables, tables.js. Scripts are no modules and data are text in scripts, since browsers
// read neither modules nor data beside a page that is opened as a file.
package web

import (
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/json"
	"fmt"
	"slices"

	"bgtrain/features"
	"bgtrain/internal/atomicfile"
	"bgtrain/internal/nets"
	"bgtrain/internal/nn"
)

//go:embed page
var page embed.FS

// Script returns a script of the page by its name, such as game.js. All but contact.js, which
// makes it, expect an object bgtrain, to which they add what they have.
func Script(name string) ([]byte, error) { return page.ReadFile("page/" + name) }

// Inputs are the input sets that the page computes, by name, with their versions.
var Inputs = map[string]int{"tesauro": 1, "gnubg-prune": 1, "gnubg-race": 1, "gnubg-contact": 1, "gnubg-crashed": 1,
	"bgtrain-race": 2, "bgtrain-contact": 1}

// aboutPlayer is what the page knows of the player besides its numbers.
type aboutPlayer struct {
	Name     string                 `json:"name"`
	Net      string                 `json:"net"` // fingerprint of what was exported, before rounding
	Nets     map[nets.Role]aboutNet `json:"nets"`
	Exp      []float32              `json:"exp"`      // the kernels' polynomial of e^r
	Tangents []float32              `json:"tangents"` // of GNU Backgammon's sigmoid
}

type aboutNet struct {
	Inputs string       `json:"inputs"`
	Layers []aboutLayer `json:"layers"`
}

type aboutLayer struct {
	In         int     `json:"in"`
	Out        int     `json:"out"`
	Activation string  `json:"activation"`
	Beta       float32 `json:"beta"`
}

// Write writes the player s, which the page calls name, to the directory dir, made where
// there is none. Its weights are rounded, see Rounded; pruning nets are left out. Nothing
// is written of a player whose inputs the page does not compute.
func Write(dir, name string, s *nets.Set) error {
	files, err := folder(name, s)
	if err != nil {
		return err
	}
	return atomicfile.WriteDir(dir, files)
}

// folder returns the files of a player by name.
func folder(name string, s *nets.Set) (map[string][]byte, error) {
	if err := check(s); err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	list, err := page.ReadDir("page")
	if err != nil {
		return nil, err
	}
	for _, f := range list {
		if files[f.Name()], err = page.ReadFile("page/" + f.Name()); err != nil {
			return nil, err
		}
	}
	if files["net.js"], err = netScript(name, s); err != nil {
		return nil, err
	}
	tables := map[string][]byte{}
	if slices.ContainsFunc(nets.Main[:], func(r nets.Role) bool { return s.Nets[r].Inputs == features.Race.Name }) {
		for name, table := range features.RaceTables() {
			if tables[name], err = packed([]byte(table)); err != nil {
				return nil, err
			}
		}
	}
	if files["tables.js"], err = script("tables", tables); err != nil {
		return nil, err
	}
	return files, nil
}

// check reports a player that the page does not compute as this program does.
func check(s *nets.Set) error {
	if err := s.Check(); err != nil {
		return err
	}
	for _, role := range nets.Main {
		e := s.Nets[role]
		if version, ok := Inputs[e.Inputs]; !ok || version != e.InputsVersion {
			return fmt.Errorf("%s net: inputs %s version %d are not computed in a browser, only %s", role, e.Inputs,
				e.InputsVersion, known())
		}
		layers := e.Net.Layers
		for k := 1; k < len(layers)-1; k++ {
			if layers[k].Activation == nn.SigmoidGNUbg && layers[k-1].Activation != nn.SigmoidGNUbg {
				return fmt.Errorf("%s net: layer %d: %v after %v: the steps of its outputs depend on the last bits of "+
					"the layer before", role, k, layers[k].Activation, layers[k-1].Activation)
			}
		}
	}
	return nil
}

// known lists Inputs for messages.
func known() string {
	var list []string
	for name, version := range Inputs {
		list = append(list, fmt.Sprintf("%s version %d", name, version))
	}
	slices.Sort(list)
	return fmt.Sprint(list)
}

// netScript returns net.js.
func netScript(name string, s *nets.Set) ([]byte, error) {
	module, err := kernels()
	if err != nil {
		return nil, fmt.Errorf("WebAssembly: %w", err)
	}
	about := aboutPlayer{Name: name, Net: s.Fingerprint(), Nets: map[nets.Role]aboutNet{}, Exp: nn.ExpPolynomial(),
		Tangents: nn.GNUbgTangents()}
	data := map[nets.Role][]byte{}
	for _, role := range nets.Main {
		e := s.Nets[role]
		n := aboutNet{Inputs: e.Inputs}
		for _, l := range e.Net.Layers {
			beta := float32(1)
			if l.Activation.IsSigmoid() {
				beta = l.Beta
			}
			n.Layers = append(n.Layers, aboutLayer{l.In, l.Out, l.Activation.String(), beta})
		}
		about.Nets[role] = n
		if data[role], err = packed(numbers(e.Net)); err != nil {
			return nil, err
		}
	}
	return script("files", map[string]any{"about": about, "data": data, "wasm": module})
}

// script returns a script that sets bgtrain.NAME to a value; bytes become base64.
func script(name string, value any) ([]byte, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "bgtrain.%s = %s;\n", name, text), nil
}

// packed returns data compressed by gzip, the same for the same data.
func packed(data []byte) ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(data); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

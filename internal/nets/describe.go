package nets

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Description is what is in a net file, for people and as JSON.
type Description struct {
	Fingerprint string            `json:"fingerprint"`
	Nets        []NetDescription  `json:"nets"`
	Provenance  map[string]string `json:"provenance,omitempty"`
}

// NetDescription is one net of a Description.
type NetDescription struct {
	Role          Role              `json:"role"`
	Inputs        string            `json:"inputs"`
	InputsVersion int               `json:"inputs_version"`
	Sizes         []int             `json:"sizes"`       // inputs, hidden units, outputs
	Activations   []string          `json:"activations"` // of the layers
	Betas         []float32         `json:"betas"`
	Parameters    int               `json:"parameters"`
	Provenance    map[string]string `json:"provenance,omitempty"`
}

// Describe describes a player.
func (s *Set) Describe() Description {
	d := Description{Fingerprint: s.Fingerprint(), Provenance: s.Provenance}
	for _, r := range s.roles() {
		e := s.Nets[r]
		n := NetDescription{Role: r, Inputs: e.Inputs, InputsVersion: e.InputsVersion,
			Sizes: []int{e.Net.Inputs()}, Provenance: e.Provenance}
		for i := range e.Net.Layers {
			l := &e.Net.Layers[i]
			n.Sizes = append(n.Sizes, l.Out)
			n.Activations = append(n.Activations, l.Activation.String())
			n.Betas = append(n.Betas, l.Beta)
			n.Parameters += len(l.Weights) + len(l.Bias)
		}
		d.Nets = append(d.Nets, n)
	}
	return d
}

// String returns the description as some lines of text.
func (d Description) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "net %s\n", d.Fingerprint)
	for _, n := range d.Nets {
		sizes := strings.Trim(strings.ReplaceAll(fmt.Sprint(n.Sizes), " ", "-"), "[]")
		fmt.Fprintf(&b, "  %-14s %-14s inputs %s version %d\n    %s, beta %s, %d parameters\n", n.Role,
			sizes, n.Inputs, n.InputsVersion, strings.Join(n.Activations, " "),
			strings.Trim(fmt.Sprint(n.Betas), "[]"), n.Parameters)
		writeProvenance(&b, "    ", n.Provenance)
	}
	writeProvenance(&b, "  ", d.Provenance)
	return b.String()
}

func writeProvenance(b *strings.Builder, indent string, p map[string]string) {
	for _, k := range slices.Sorted(maps.Keys(p)) {
		fmt.Fprintf(b, "%s%s: %s\n", indent, k, p[k])
	}
}

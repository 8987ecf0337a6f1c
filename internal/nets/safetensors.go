package nets

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"strconv"
)

// A player's .safetensors file holds, for every layer k of every net, counted
// from 0, the tensors, float32 or of 16 bits (F16),
//
//	ROLE.k.weight  [outputs, inputs], row-major, as PyTorch's Linear has it
//	ROLE.k.bias    [outputs]
//
// with ROLE one of Roles. __metadata__ has these strings and no others:
//
//	format       "bgtrain player 1"
//	ROLE         JSON of netHead: what is not in the tensors
//	provenance   JSON object of strings, about the file as a whole; may be missing
//	fingerprint  Set.Fingerprint; a file made elsewhere may leave it out
//	digest       see digest; a file made elsewhere may leave it out
//
// docs/netfiles.md is for people who write such files by other means.
const (
	formatKey      = "format"
	formatName     = "bgtrain player 1"
	provenanceKey  = "provenance"
	fingerprintKey = "fingerprint"
	digestKey      = "digest"

	metadataKey = "__metadata__"
	dtypeF32    = "F32"
	dtypeF16    = "F16"
)

// netHead describes a net in the metadata.
type netHead struct {
	Inputs        string            `json:"inputs"`         // name of an input set, see package features
	InputsVersion int               `json:"inputs_version"` // its version
	Layers        []layerHead       `json:"layers"`
	Provenance    map[string]string `json:"provenance,omitempty"`
}

// layerHead describes a layer.
type layerHead struct {
	In         int     `json:"in"`
	Out        int     `json:"out"`
	Activation string  `json:"activation"` // a name of nn.ParseActivation
	Beta       float32 `json:"beta"`       // steepness of a sigmoid; others ignore it
}

// tensorHead is a tensor's entry in the header.
type tensorHead struct {
	DType   string `json:"dtype"`
	Shape   []int  `json:"shape"`
	Offsets []int  `json:"data_offsets"` // of its first byte and the one after its last, in the data
}

// WriteSafetensors writes a player. The same player gives the same bytes.
func WriteSafetensors(w io.Writer, f *Set) error { return writeSafetensors(w, f, dtypeF32) }

// writeSafetensors writes a player with tensors of dtype. Those of dtypeF16 keep only what 16 bits hold.
func writeSafetensors(w io.Writer, f *Set, dtype string) error {
	if err := f.Check(); err != nil {
		return err
	}
	if len(f.Others) > 0 {
		return errors.New("a mean of players: a file holds one")
	}
	meta := map[string]string{formatKey: formatName, fingerprintKey: f.Fingerprint()}
	if len(f.Provenance) > 0 {
		meta[provenanceKey] = mustJSON(f.Provenance)
	}
	header := map[string]any{metadataKey: meta}
	var data []byte
	add := func(name string, shape []int, values []float32) {
		begin := len(data)
		if dtype == dtypeF16 {
			for _, v := range values {
				h, _ := toHalf(v)
				data = binary.LittleEndian.AppendUint16(data, h)
			}
		} else {
			data, _ = binary.Append(data, binary.LittleEndian, values) // float32 have a form: it cannot fail
		}
		header[name] = tensorHead{dtype, shape, []int{begin, len(data)}}
	}
	for _, role := range f.roles() {
		e := f.Nets[role]
		head := netHead{Inputs: e.Inputs, InputsVersion: e.InputsVersion, Provenance: e.Provenance}
		for k := range e.Net.Layers {
			l := &e.Net.Layers[k]
			head.Layers = append(head.Layers, layerHead{l.In, l.Out, l.Activation.String(), l.Beta})
			add(tensorName(role, k, "weight"), []int{l.Out, l.In}, transposed(l.Weights, l.In, l.Out))
			add(tensorName(role, k, "bias"), []int{l.Out}, l.Bias)
		}
		meta[string(role)] = mustJSON(head)
	}
	meta[digestKey] = digest(meta, data)

	head := []byte(mustJSON(header))
	for len(head)%8 != 0 {
		head = append(head, ' ') // the data begin at a multiple of 8
	}
	for _, part := range [][]byte{binary.LittleEndian.AppendUint64(nil, uint64(len(head))), head, data} {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}

// digest returns the SHA-256, in hexadecimal, of every key and value of the
// metadata but the digest itself, each followed by a zero byte, the keys in the
// order of their bytes; then of the tensor data.
func digest(meta map[string]string, data []byte) string {
	h := sha256.New()
	for _, key := range slices.Sorted(maps.Keys(meta)) {
		if key != digestKey {
			io.WriteString(h, key+"\x00"+meta[key]+"\x00")
		}
	}
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

func tensorName(role Role, layer int, part string) string {
	return string(role) + "." + strconv.Itoa(layer) + "." + part
}

// transposed returns a rows×cols matrix as cols×rows.
func transposed(m []float32, rows, cols int) []float32 {
	t := make([]float32, len(m))
	for r := range rows {
		for c := range cols {
			t[c*rows+r] = m[r*cols+c]
		}
	}
	return t
}

// mustJSON encodes what cannot fail: maps and structs of strings and finite
// numbers.
func mustJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

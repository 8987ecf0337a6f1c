package netfile

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"sort"
	"strconv"

	"bgtrain/internal/nn"
)

// A player's .safetensors file holds for every layer k of every net a tensor
// ROLE.k.weight, of shape [outputs, inputs] as PyTorch's Linear has it, and
// ROLE.k.bias, all F32. __metadata__ names the format, the file's fingerprint
// and, for each net, its inputs, layers and provenance.
const (
	formatKey  = "format"
	formatName = "bgtrain player 1"

	maxHeader = 16 << 20
	maxFile   = 1 << 30
)

// layerHead describes a layer in the metadata.
type layerHead struct {
	In         int     `json:"in"`
	Out        int     `json:"out"`
	Activation string  `json:"activation"`
	Beta       float32 `json:"beta"`
}

// netHead describes a net in the metadata, under its role.
type netHead struct {
	Inputs        string            `json:"inputs"`
	InputsVersion int               `json:"inputs_version"`
	Layers        []layerHead       `json:"layers"`
	Provenance    map[string]string `json:"provenance,omitempty"`
}

// tensorHead is a tensor's entry in the header.
type tensorHead struct {
	DType   string `json:"dtype"`
	Shape   []int  `json:"shape"`
	Offsets [2]int `json:"data_offsets"`
}

// WriteSafetensors writes a player.
func WriteSafetensors(w io.Writer, f *File) error {
	if err := f.Check(); err != nil {
		return err
	}
	meta := map[string]string{formatKey: formatName, "fingerprint": f.Fingerprint()}
	if len(f.Provenance) > 0 {
		meta["provenance"] = mustJSON(f.Provenance)
	}
	header := map[string]any{"__metadata__": meta}
	var data []byte
	add := func(name string, shape []int, values []float32) {
		begin := len(data)
		for _, v := range values {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
		}
		header[name] = tensorHead{"F32", shape, [2]int{begin, len(data)}}
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
	head := []byte(mustJSON(header))
	for len(head)%8 != 0 {
		head = append(head, ' ')
	}
	out := binary.LittleEndian.AppendUint64(nil, uint64(len(head)))
	_, err := w.Write(append(append(out, head...), data...))
	return err
}

// ReadSafetensors reads a player and refuses anything that is not whole: the
// fingerprint in the file must be that of what was read.
func ReadSafetensors(r io.Reader) (*File, error) {
	raw, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err != nil {
		return nil, err
	}
	if len(raw) > maxFile {
		return nil, fmt.Errorf("over %d bytes: not a net", maxFile)
	}
	meta, tensors, data, err := splitSafetensors(raw)
	if err != nil {
		return nil, err
	}
	if meta[formatKey] != formatName {
		return nil, fmt.Errorf("format %q in the metadata, %q expected", meta[formatKey], formatName)
	}
	f := &File{Nets: map[Role]*Entry{}, Provenance: map[string]string{}}
	if p, ok := meta["provenance"]; ok {
		if err := json.Unmarshal([]byte(p), &f.Provenance); err != nil {
			return nil, fmt.Errorf("provenance: %w", err)
		}
	}
	used := 0
	for _, role := range Roles {
		text, ok := meta[string(role)]
		if !ok {
			continue
		}
		var head netHead
		if err := json.Unmarshal([]byte(text), &head); err != nil {
			return nil, fmt.Errorf("%s net: metadata: %w", role, err)
		}
		e, err := readEntry(role, &head, tensors, data)
		if err != nil {
			return nil, fmt.Errorf("%s net: %w", role, err)
		}
		f.Nets[role] = e
		used += 2 * len(e.Net.Layers)
	}
	if used != len(tensors) {
		return nil, fmt.Errorf("%d tensors, the metadata describes %d", len(tensors), used)
	}
	if err := f.Check(); err != nil {
		return nil, err
	}
	if got := f.Fingerprint(); got != meta["fingerprint"] {
		return nil, fmt.Errorf("damaged: fingerprint %s in the metadata, %s of what was read", meta["fingerprint"], got)
	}
	return f, nil
}

// splitSafetensors checks the container and returns its parts.
func splitSafetensors(raw []byte) (meta map[string]string, tensors map[string]tensorHead, data []byte, err error) {
	if len(raw) < 8 {
		return nil, nil, nil, fmt.Errorf("cut off: %d bytes, a header of 8 and more expected", len(raw))
	}
	n := binary.LittleEndian.Uint64(raw)
	if n > maxHeader || n > uint64(len(raw)-8) {
		return nil, nil, nil, fmt.Errorf("cut off or not safetensors: a header of %d bytes in a file of %d", n, len(raw))
	}
	var entries map[string]json.RawMessage
	head := raw[8 : 8+n]
	if err := json.Unmarshal(head, &entries); err != nil {
		return nil, nil, nil, fmt.Errorf("header: %w", err)
	}
	if err := noDuplicateKeys(head); err != nil {
		return nil, nil, nil, err
	}
	if err := json.Unmarshal(entries["__metadata__"], &meta); err != nil {
		return nil, nil, nil, fmt.Errorf("header: __metadata__: %w", err)
	}
	delete(entries, "__metadata__")
	data = raw[8+n:]
	tensors = make(map[string]tensorHead, len(entries))
	spans := make([][2]int, 0, len(entries))
	for name, text := range entries {
		var t tensorHead
		if err := json.Unmarshal(text, &t); err != nil {
			return nil, nil, nil, fmt.Errorf("tensor %s: %w", name, err)
		}
		tensors[name] = t
		spans = append(spans, t.Offsets)
	}
	// The tensors must tile the data: no holes, no overlaps, nothing after.
	sort.Slice(spans, func(i, j int) bool { return spans[i][0] < spans[j][0] })
	end := 0
	for _, s := range spans {
		if s[0] != end || s[1] < s[0] {
			return nil, nil, nil, fmt.Errorf("tensor data at %d to %d, %d expected to be the beginning", s[0], s[1], end)
		}
		end = s[1]
	}
	if end != len(data) {
		return nil, nil, nil, fmt.Errorf("%d bytes of tensor data, the header describes %d", len(data), end)
	}
	return meta, tensors, data, nil
}

// noDuplicateKeys reports a key that stands twice in the header's object.
func noDuplicateKeys(head []byte) error {
	dec := json.NewDecoder(bytes.NewReader(head))
	if _, err := dec.Token(); err != nil {
		return fmt.Errorf("header: %w", err)
	}
	seen := map[string]bool{}
	for dec.More() {
		t, err := dec.Token()
		if err != nil {
			return fmt.Errorf("header: %w", err)
		}
		name, _ := t.(string)
		if seen[name] {
			return fmt.Errorf("header: %q stands twice", name)
		}
		seen[name] = true
		var skip json.RawMessage
		if err := dec.Decode(&skip); err != nil {
			return fmt.Errorf("header: %w", err)
		}
	}
	return nil
}

// readEntry builds a net from its description and tensors.
func readEntry(role Role, head *netHead, tensors map[string]tensorHead, data []byte) (*Entry, error) {
	e := &Entry{Net: &nn.Net{}, Inputs: head.Inputs, InputsVersion: head.InputsVersion, Provenance: head.Provenance}
	for k, lh := range head.Layers {
		act, err := nn.ParseActivation(lh.Activation)
		if err != nil {
			return nil, fmt.Errorf("layer %d: %w", k, err)
		}
		weights, err := tensor(tensors, data, tensorName(role, k, "weight"), lh.Out, lh.In)
		if err != nil {
			return nil, err
		}
		bias, err := tensor(tensors, data, tensorName(role, k, "bias"), lh.Out)
		if err != nil {
			return nil, err
		}
		e.Net.Layers = append(e.Net.Layers, nn.Layer{
			In: lh.In, Out: lh.Out, Weights: transposed(weights, lh.Out, lh.In), Bias: bias,
			Activation: act, Beta: lh.Beta,
		})
	}
	return e, nil
}

// tensor returns the values of a tensor that must have the given shape.
func tensor(tensors map[string]tensorHead, data []byte, name string, shape ...int) ([]float32, error) {
	t, ok := tensors[name]
	if !ok {
		return nil, fmt.Errorf("tensor %s is missing", name)
	}
	if t.DType != "F32" {
		return nil, fmt.Errorf("tensor %s holds %s, F32 expected", name, t.DType)
	}
	n := 1
	same := len(t.Shape) == len(shape)
	for i := 0; same && i < len(shape); i++ {
		same = t.Shape[i] == shape[i] && shape[i] > 0 && shape[i] < 1<<24
		n *= shape[i]
	}
	if !same {
		return nil, fmt.Errorf("tensor %s has shape %v, %v expected", name, t.Shape, shape)
	}
	if t.Offsets[1]-t.Offsets[0] != 4*n {
		return nil, fmt.Errorf("tensor %s of shape %v takes %d bytes, %d expected", name, t.Shape, t.Offsets[1]-t.Offsets[0], 4*n)
	}
	values := make([]float32, n)
	for i := range values {
		values[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[t.Offsets[0]+4*i:]))
	}
	return values, nil
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

// mustJSON encodes what cannot fail: maps and structs of strings and numbers.
func mustJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

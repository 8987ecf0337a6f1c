package nets

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"bgtrain/internal/nn"
)

const (
	maxHeader = 16 << 20 // bytes of a header
	maxData   = 1 << 30  // bytes of tensor data
	maxWidth  = 1 << 20  // of a layer
)

// ReadSafetensors reads a player and refuses anything that is not whole, or
// whose fingerprint or digest is not that of what was read.
func ReadSafetensors(r io.Reader) (*Set, error) {
	h, err := readHeader(r)
	if err != nil {
		return nil, err
	}
	if h.meta[formatKey] != formatName {
		return nil, fmt.Errorf("format %q in the metadata; this program reads %q", h.meta[formatKey], formatName)
	}
	data, err := io.ReadAll(io.LimitReader(r, int64(h.size)+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("tensor data: %w", err)
	case len(data) < h.size:
		return nil, fmt.Errorf("cut off: %d bytes of tensor data, the header describes %d", len(data), h.size)
	case len(data) > h.size:
		return nil, fmt.Errorf("more bytes after the %d of tensor data that the header describes", h.size)
	}
	if want, ok := h.meta[digestKey]; ok && want != digest(h.meta, data) {
		return nil, fmt.Errorf("damaged: the digest of its contents is not the one in the metadata")
	}
	f, err := h.player(data)
	if err != nil {
		return nil, err
	}
	if err := f.Check(); err != nil {
		return nil, err
	}
	if want, ok := h.meta[fingerprintKey]; ok && want != f.Fingerprint() {
		return nil, fmt.Errorf("damaged: fingerprint %q in the metadata, %s of what was read", want, f.Fingerprint())
	}
	return f, nil
}

// header is the checked header of a .safetensors file.
type header struct {
	meta    map[string]string
	tensors map[string]tensorHead
	size    int // bytes of tensor data
}

// readHeader reads the header's length and the header, and checks that the
// tensors fill the data without a gap or overlap.
func readHeader(r io.Reader) (*header, error) {
	var length [8]byte
	if _, err := io.ReadFull(r, length[:]); err != nil {
		return nil, fmt.Errorf("cut off in the length of the header: %w", noEOF(err))
	}
	n := binary.LittleEndian.Uint64(length[:])
	if n > maxHeader {
		return nil, fmt.Errorf("neither .safetensors, whose header takes at most %d bytes, nor GNU "+
			"Backgammon's weights", maxHeader)
	}
	text, err := io.ReadAll(io.LimitReader(r, int64(n)))
	if err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	if uint64(len(text)) < n {
		return nil, fmt.Errorf("cut off in the header: %d of %d bytes", len(text), n)
	}
	members, err := decodeObject(text)
	if err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	h := &header{tensors: make(map[string]tensorHead, len(members))}
	if h.meta, err = decodeMetadata(members[metadataKey]); err != nil {
		return nil, fmt.Errorf("header: %s: %w", metadataKey, err)
	}
	delete(members, metadataKey)
	for name, text := range members {
		if h.tensors[name], err = decodeTensor(text); err != nil {
			return nil, fmt.Errorf("header: tensor %q: %w", name, err)
		}
	}
	return h, h.measure()
}

// decodeMetadata reads the metadata: strings under the keys that this format
// has.
func decodeMetadata(text json.RawMessage) (map[string]string, error) {
	if text == nil {
		return nil, fmt.Errorf("missing: no player of this program")
	}
	members, err := decodeObject(text)
	if err != nil {
		return nil, err
	}
	meta := make(map[string]string, len(members))
	for key, text := range members {
		var value *string
		if err := json.Unmarshal(text, &value); err != nil || value == nil {
			return nil, fmt.Errorf("%q: a string expected", key)
		}
		meta[key] = *value
	}
	if meta[formatKey] == formatName { // of others the version is what is wrong
		known := []string{formatKey, provenanceKey, fingerprintKey, digestKey}
		for key := range meta {
			if !slices.Contains(known, key) && !slices.Contains(Roles, Role(key)) {
				return nil, fmt.Errorf("unknown key %q (known: %v and the nets %v)", key, known, Roles)
			}
		}
	}
	return meta, nil
}

// decodeTensor reads a tensor's entry.
func decodeTensor(text json.RawMessage) (t tensorHead, err error) {
	members, err := decodeObject(text)
	if err != nil {
		return t, err
	}
	for _, m := range []struct {
		key   string
		value any
	}{{"dtype", &t.DType}, {"shape", &t.Shape}, {"data_offsets", &t.Offsets}} {
		text, ok := members[m.key]
		if !ok {
			return t, fmt.Errorf("no %s", m.key)
		}
		if err := json.Unmarshal(text, m.value); err != nil {
			return t, fmt.Errorf("%s: %w", m.key, err)
		}
	}
	switch {
	case len(members) != 3:
		return t, fmt.Errorf("more than dtype, shape and data_offsets")
	case t.DType != dtypeF32 && t.DType != dtypeF16:
		return t, fmt.Errorf("it holds %q, %s or %s expected", t.DType, dtypeF32, dtypeF16)
	case len(t.Offsets) != 2 || t.Offsets[0] < 0 || t.Offsets[1] < t.Offsets[0] || t.Offsets[1] > maxData:
		return t, fmt.Errorf("data_offsets %v: two ascending ones up to %d expected", t.Offsets, maxData)
	}
	return t, nil
}

// measure finds the size of the data and checks that the tensors tile it.
func (h *header) measure() error {
	type span struct {
		name       string
		begin, end int
	}
	var spans []span
	for name, t := range h.tensors {
		spans = append(spans, span{name, t.Offsets[0], t.Offsets[1]})
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Or(a.begin-b.begin, a.end-b.end) })
	for _, s := range spans {
		if s.begin != h.size {
			return fmt.Errorf("header: tensor %q begins at byte %d, where %d is the end of those before it", s.name,
				s.begin, h.size)
		}
		h.size = s.end
	}
	return nil
}

// player builds the player from the metadata and the tensors.
func (h *header) player(data []byte) (*Set, error) {
	f := &Set{Nets: map[Role]*Entry{}, Provenance: map[string]string{}}
	if text, ok := h.meta[provenanceKey]; ok {
		if err := json.Unmarshal([]byte(text), &f.Provenance); err != nil {
			return nil, fmt.Errorf("provenance: %w", err)
		}
	}
	for _, role := range Roles {
		text, ok := h.meta[string(role)]
		if !ok {
			continue
		}
		e, err := h.entry(role, text, data)
		if err != nil {
			return nil, fmt.Errorf("%s net: %w", role, err)
		}
		f.Nets[role] = e
	}
	for name := range h.tensors {
		return nil, fmt.Errorf("tensor %q belongs to no net of the metadata", name)
	}
	return f, nil
}

// entry builds one net; it takes its tensors out of the header.
func (h *header) entry(role Role, text string, data []byte) (*Entry, error) {
	var head netHead
	if err := json.Unmarshal([]byte(text), &head); err != nil {
		return nil, fmt.Errorf("metadata: %w", err)
	}
	e := &Entry{Net: &nn.Net{}, Inputs: head.Inputs, InputsVersion: head.InputsVersion, Provenance: head.Provenance}
	for k, l := range head.Layers {
		act, err := nn.ParseActivation(l.Activation)
		if err != nil {
			return nil, fmt.Errorf("layer %d: %w", k, err)
		}
		if l.In < 1 || l.In > maxWidth || l.Out < 1 || l.Out > maxWidth {
			return nil, fmt.Errorf("layer %d: %d inputs and %d outputs, 1 to %d expected", k, l.In, l.Out, maxWidth)
		}
		weights, err := h.take(tensorName(role, k, "weight"), data, l.Out, l.In)
		if err != nil {
			return nil, err
		}
		bias, err := h.take(tensorName(role, k, "bias"), data, l.Out)
		if err != nil {
			return nil, err
		}
		e.Net.Layers = append(e.Net.Layers, nn.Layer{
			In: l.In, Out: l.Out, Weights: transposed(weights, l.Out, l.In), Bias: bias, Activation: act, Beta: l.Beta,
		})
	}
	return e, nil
}

// take returns the values of a tensor, which must have the given shape, and
// removes it from the header.
func (h *header) take(name string, data []byte, shape ...int) ([]float32, error) {
	t, ok := h.tensors[name]
	if !ok {
		return nil, fmt.Errorf("tensor %q is missing", name)
	}
	delete(h.tensors, name)
	if !slices.Equal(t.Shape, shape) {
		return nil, fmt.Errorf("tensor %q has shape %v, %v expected", name, t.Shape, shape)
	}
	n, size := 1, 4
	for _, d := range shape {
		n *= d
	}
	if t.DType == dtypeF16 {
		size = 2
	}
	raw := data[t.Offsets[0]:t.Offsets[1]]
	if len(raw) != n*size {
		return nil, fmt.Errorf("tensor %q of shape %v takes %d bytes, %d expected", name, shape, len(raw), n*size)
	}
	values := make([]float32, n)
	if t.DType == dtypeF16 {
		for i := range values {
			values[i] = fromHalf(binary.LittleEndian.Uint16(raw[2*i:]))
		}
		return values, nil
	}
	_, err := binary.Decode(raw, binary.LittleEndian, values)
	return values, err
}

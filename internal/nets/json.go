package nets

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// decodeObject returns the members of a JSON object. Unlike json.Unmarshal it
// refuses one that stands twice, and capitals are not small letters to it.
func decodeObject(text []byte) (map[string]json.RawMessage, error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	if t, err := dec.Token(); err != nil {
		return nil, noEOF(err)
	} else if t != json.Delim('{') {
		return nil, fmt.Errorf("a JSON object expected")
	}
	members := map[string]json.RawMessage{}
	for dec.More() {
		t, err := dec.Token()
		if err != nil {
			return nil, noEOF(err)
		}
		key, _ := t.(string) // of an object: always
		if _, ok := members[key]; ok {
			return nil, fmt.Errorf("%q stands twice", key)
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, noEOF(err)
		}
		members[key] = value
	}
	if _, err := dec.Token(); err != nil { // the closing brace
		return nil, noEOF(err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, fmt.Errorf("more after the JSON object")
	}
	return members, nil
}

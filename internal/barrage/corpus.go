package barrage

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
)

// fileTitle is the first line of a corpus file, in the format of go test.
const fileTitle = "go test fuzz v1\n"

// A value is an argument of a body: text, or the bits of a number.
type value struct {
	b []byte
	n uint64
}

// An entry is the arguments of one execution.
type entry []value

// valueOf takes a seed's argument apart.
func valueOf(arg any) (value, error) {
	switch v := reflect.ValueOf(arg); v.Kind() {
	case reflect.String:
		return value{b: []byte(v.String())}, nil
	case reflect.Slice:
		if b, ok := arg.([]byte); ok {
			return value{b: b}, nil
		}
	case reflect.Bool:
		if v.Bool() {
			return value{n: 1}, nil
		}
		return value{}, nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return value{n: uint64(v.Int())}, nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return value{n: v.Uint()}, nil
	case reflect.Float32:
		return value{n: uint64(math.Float32bits(float32(v.Float())))}, nil
	case reflect.Float64:
		return value{n: math.Float64bits(v.Float())}, nil
	}
	return value{}, fmt.Errorf("barrage: an argument of type %T", arg)
}

// as puts v together as a value of type t. A number that is too large loses its
// upper bits.
func (v value) as(t reflect.Type) reflect.Value {
	x := reflect.New(t).Elem()
	switch t.Kind() {
	case reflect.String:
		x.SetString(string(v.b))
	case reflect.Slice:
		x.SetBytes(v.b)
	case reflect.Bool:
		x.SetBool(v.n&1 == 1)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		x.SetInt(int64(v.n) << (64 - t.Bits()) >> (64 - t.Bits()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		x.SetUint(v.n << (64 - t.Bits()) >> (64 - t.Bits()))
	case reflect.Float32:
		x.SetFloat(float64(math.Float32frombits(uint32(v.n))))
	case reflect.Float64:
		x.SetFloat(math.Float64frombits(v.n))
	}
	return x
}

// appendFile writes an entry as a corpus file.
func appendFile(dst []byte, types []reflect.Type, e entry) []byte {
	dst = append(dst, fileTitle...)
	for i, t := range types {
		switch x := e[i].as(t).Interface().(type) {
		case []byte: // not []uint8, which go test does not read
			dst = fmt.Appendf(dst, "[]byte(%q)\n", x)
		case string:
			dst = fmt.Appendf(dst, "string(%q)\n", x)
		case float32:
			dst = fmt.Appendf(dst, "math.Float32frombits(0x%x)\n", math.Float32bits(x))
		case float64:
			dst = fmt.Appendf(dst, "math.Float64frombits(0x%x)\n", math.Float64bits(x))
		default:
			dst = fmt.Appendf(dst, "%T(%v)\n", x, x)
		}
	}
	return dst
}

// parseFile reads a corpus file of arguments of the types.
func parseFile(data []byte, types []reflect.Type) (entry, error) {
	text, ok := strings.CutPrefix(strings.ReplaceAll(string(data), "\r\n", "\n"), fileTitle)
	if !ok {
		return nil, errors.New("not a corpus file of go test")
	}
	var e entry
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if len(e) == len(types) {
			return nil, fmt.Errorf("more than %d values", len(types))
		}
		v, err := parseValue(line, types[len(e)])
		if err != nil {
			return nil, fmt.Errorf("value %d: %w", len(e)+1, err)
		}
		e = append(e, v)
	}
	if len(e) != len(types) {
		return nil, fmt.Errorf("%d values, %d expected", len(e), len(types))
	}
	return e, nil
}

// parseValue reads a line such as uint8(3), byte('\x03') or []byte("text").
func parseValue(line string, t reflect.Type) (value, error) {
	name, rest, ok := strings.Cut(line, "(")
	arg, closed := strings.CutSuffix(rest, ")")
	switch name {
	case "byte":
		name = "uint8"
	case "rune":
		name = "int32"
	case "[]byte":
		name = "[]uint8"
	}
	isBits := name == "math.Float32frombits" && t.Kind() == reflect.Float32 ||
		name == "math.Float64frombits" && t.Kind() == reflect.Float64
	if !ok || !closed || name != t.String() && !isBits {
		return value{}, fmt.Errorf("%s expected, not %.40q", t, line)
	}
	kind := token.INT // of the literal
	if x, err := parser.ParseExpr(arg); err == nil {
		if lit, ok := x.(*ast.BasicLit); ok {
			kind = lit.Kind
		}
	}
	switch t.Kind() {
	case reflect.String, reflect.Slice:
		s, err := strconv.Unquote(arg)
		if err != nil || kind != token.STRING {
			return value{}, fmt.Errorf("no string: %.40q", arg)
		}
		return value{b: []byte(s)}, nil
	case reflect.Bool:
		b, err := strconv.ParseBool(arg)
		if err != nil {
			return value{}, err
		}
		return valueOf(b)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if kind == token.CHAR {
			r, _, _, err := strconv.UnquoteChar(arg[1:len(arg)-1], '\'')
			return value{n: uint64(r)}, err
		}
		n, err := strconv.ParseInt(arg, 0, t.Bits())
		return value{n: uint64(n)}, err
	case reflect.Float32, reflect.Float64:
		if isBits {
			n, err := strconv.ParseUint(arg, 0, t.Bits())
			return value{n: n}, err
		}
		f, err := strconv.ParseFloat(arg, t.Bits())
		if err != nil {
			return value{}, err
		}
		return valueOf(reflect.ValueOf(f).Convert(t).Interface())
	default:
		if kind == token.CHAR {
			r, _, _, err := strconv.UnquoteChar(arg[1:len(arg)-1], '\'')
			return value{n: uint64(r)}, err
		}
		n, err := strconv.ParseUint(arg, 0, t.Bits())
		return value{n: n}, err
	}
}

// crashDir is where go test looks for the failing inputs of a target.
func crashDir(target string) string { return filepath.Join("testdata", "fuzz", target) }

// cachedCorpus is where go test -fuzz keeps the inputs that reached new code.
func cachedCorpus(pkg, target string) string {
	cache := os.Getenv("GOCACHE")
	if cache == "" {
		if dir, err := os.UserCacheDir(); err == nil {
			cache = filepath.Join(dir, "go-build")
		}
	}
	return filepath.Join(cache, "fuzz", filepath.FromSlash(pkg), target)
}

// readCorpus reads the corpus files of a folder, by name; no folder has none.
func readCorpus(dir string, types []reflect.Type) ([]entry, error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return nil, fmt.Errorf("barrage: %w", err)
	}
	var all []entry
	for _, file := range files {
		path := filepath.Join(dir, file.Name())
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("barrage: %w", err)
		}
		e, err := parseFile(data, types)
		if err != nil {
			return nil, fmt.Errorf("barrage: %s: %w", path, err)
		}
		all = append(all, e)
	}
	return all, nil
}

// writeCrash writes a failing input where go test finds it, named as go test
// would name it.
func writeCrash(target string, types []reflect.Type, e entry) (path string, err error) {
	data := appendFile(nil, types, e)
	dir := crashDir(target)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", fmt.Errorf("barrage: %w", err)
	}
	path = filepath.Join(dir, fmt.Sprintf("%x", sha256.Sum256(data))[:16])
	if err := os.WriteFile(path, data, 0o666); err != nil {
		return "", fmt.Errorf("barrage: %w", err)
	}
	return path, nil
}

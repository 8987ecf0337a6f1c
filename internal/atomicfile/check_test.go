package atomicfile

import (
	"os"
	"path/filepath"
	"testing"
)

func TestChecks(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, dir := range []string{"full", "empty"} {
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"a", "full/part"} {
		if err := os.WriteFile(name, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("a", "link"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what string
		err  error
		good bool
	}{
		{"a file here", CheckFolder("new"), true},
		{"a directory here", CheckFolder("new/"), true},
		{"no such directory", CheckFolder("none/new"), false},
		{"a file as a directory", CheckFolder("a/new"), false},
		{"other files", CheckOverlap("new", []string{"a", "full", "-", ""}), true},
		{"the same file", CheckOverlap("./full/../a", []string{"a"}), false},
		{"the same by a link", CheckOverlap("link", []string{"a"}), false},
		{"one inside", CheckOverlap("full", []string{"full/part"}), false},
		{"one around", CheckOverlap("full/new", []string{"full"}), false},
		{"one that may be no file", CheckOverlap("full", []string{"full/none"}), true},
		{"the same that is not there", CheckOverlap("new", []string{"new"}), false},
		{"a new file", CheckWritable("new", true, false), true},
		{"a file that is there", CheckWritable("a", true, false), true},
		{"a directory as a file", CheckWritable("empty", true, false), false},
		{"a directory", CheckWritable("full", false, false), true},
		{"an empty directory as a whole", CheckWritable("empty/", false, true), true},
		{"a full one", CheckWritable("full", false, true), false},
		{"a device", CheckWritable(os.DevNull, true, false), true},
	} {
		if (c.err == nil) != c.good {
			t.Errorf("%s: %v", c.what, c.err)
		}
	}
	if left, _ := filepath.Glob("*tmp*"); left != nil {
		t.Errorf("left %v", left)
	}
}

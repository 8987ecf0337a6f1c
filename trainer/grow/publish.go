package grow

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"bgtrain/internal/atomicfile"
)

// publish writes the best player, the log, the picture and the recipe of the rounds so
// far, and makes room on the disk. It is called before each stage that is made, so that
// a run that goes on does not go back to players of earlier rounds.
func (n *run) publish() error {
	if n.best() == nil || n.published == n.state() {
		return nil
	}
	text, err := os.ReadFile(filepath.Join(n.st.dir, n.best().File(netFile)))
	if err != nil {
		return err
	}
	if err := writeFile(filepath.Join(n.o.Dir, BestFile), text); err != nil {
		return err
	}
	if n.published = n.state(); len(n.log.Rounds) == 0 {
		return nil
	}
	if err := n.log.write(n.o.Dir); err != nil {
		return err
	}
	if err := n.log.plot(filepath.Join(n.o.Dir, PlotFile), n.r.Name); err != nil {
		return err
	}
	if text, err = n.r.Text(n.rounds[:len(n.log.Rounds)]); err != nil {
		return err
	}
	if err := writeFile(filepath.Join(n.o.Dir, RecipeFile), text); err != nil {
		return err
	}
	return n.makeRoom()
}

// state shows what there is to publish apart.
func (n *run) state() string {
	return fmt.Sprint(n.best().Name(), len(n.log.Rounds), len(n.log.Decisions))
}

func writeFile(path string, text []byte) error {
	return atomicfile.Write(path, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

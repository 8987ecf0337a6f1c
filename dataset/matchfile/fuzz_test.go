package matchfile

import (
	"bytes"
	"testing"
)

// checkRead reads data as a format. Whatever is read has to hold together: each
// position a board, each play from the position before, and a .mat of it the same
// match again.
func checkRead(t *testing.T, f Format, data []byte) {
	Read(bytes.NewReader(data), "fuzz", f, Handler{
		Match: func(m *Match) error {
			for i := range m.Games {
				for k := range m.Games[i].Actions {
					a := &m.Games[i].Actions[k]
					if err := a.Board.Check(); err != nil {
						t.Fatal(err)
					}
					if a.Kind == Play {
						if err := a.After.Check(); err != nil {
							t.Fatal(err)
						}
					}
				}
			}
			return WriteMat(new(bytes.Buffer), m)
		},
		Problem: func(p *Problem) error { _ = p.Error(); return nil },
	})
}

func FuzzMat(f *testing.F) {
	f.Add(fixture(f, "gnubg.mat"))
	f.Add(matText("  1) 31: 8/5 6/5                  Doubles => 2\n  2)  Beavers => 4                Drops\n"))
	f.Fuzz(func(t *testing.T, data []byte) { checkRead(t, Mat, data) })
}

func FuzzSGF(f *testing.F) {
	f.Add(fixture(f, "gnubg.sgf"))
	f.Add([]byte("(;GM[6]MI[length:5];AE[a:y]AW[f][f][y]AB[s][s]PL[W];W[61yxxr](;W[double])(;B[31]))"))
	f.Fuzz(func(t *testing.T, data []byte) { checkRead(t, SGF, data) })
}

// FuzzXG changes the records; the container around them is right.
func FuzzXG(f *testing.F) {
	ms, err := readSlice("gnubg.mat", fixture(f, "gnubg.mat"))
	if err != nil {
		f.Fatal(err)
	}
	var w xgWriter
	head := w.record(xgMatchHead)
	put(head, 552, 32)
	put(head, 556, xgRecordMagic)
	ms[0].Games[0].Actions = ms[0].Games[0].Actions[:4]
	w.game(&ms[0].Games[0])
	f.Add(w.data)
	f.Fuzz(func(t *testing.T, data []byte) {
		data = data[:len(data)/xgRecordSize*xgRecordSize]
		if len(data) > 0 {
			checkRead(t, XG, xgContainer(data))
		}
	})
}

// FuzzXGContainer changes anything.
func FuzzXGContainer(f *testing.F) {
	ms, err := readSlice("gnubg.mat", fixture(f, "gnubg.mat"))
	if err != nil {
		f.Fatal(err)
	}
	ms[0].Games = ms[0].Games[:1]
	ms[0].Games[0].Actions = ms[0].Games[0].Actions[:4]
	f.Add(xgFile(ms[0], 32))
	f.Fuzz(func(t *testing.T, data []byte) { checkRead(t, XG, data) })
}

func FuzzIDs(f *testing.F) {
	f.Add([]byte("4HPwATDgc/ABMA:cAkVAAAAAAAA\nOAHDPAABDAOAHDPAABDA\nXGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10\n"))
	f.Fuzz(func(t *testing.T, data []byte) { checkRead(t, IDs, data) })
}

// FuzzRead reads anything: formats told by content, compressed or not.
func FuzzRead(f *testing.F) {
	mat := fixture(f, "gnubg.mat")[:600]
	f.Add(mat)
	f.Add([]byte("(;GM[6]MI[length:5];W[31hefe])"))
	f.Add([]byte("4HPwATDgc/ABMA\n"))
	f.Add([]byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255})
	f.Add([]byte("BZh91AY&SY"))
	f.Add([]byte{0x28, 0xb5, 0x2f, 0xfd, 0x04, 0x00})
	f.Fuzz(func(t *testing.T, data []byte) { checkRead(t, Unknown, data) })
}

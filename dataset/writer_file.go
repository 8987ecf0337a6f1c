package dataset

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"

	"bgtrain/internal/atomicfile"
	"bgtrain/internal/bg"
	pages "bgtrain/internal/parquet"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/zeebo/xxh3"
)

// fileWriter writes one Parquet file. Rows gather in a batch; a full batch becomes a row group.
type fileWriter struct {
	out  *atomicfile.File
	sink *sink
	pq   *file.Writer
	path string
	meta Meta

	batch   Batch
	digest  digester
	digests []digests
	rows    int64

	scratch columnScratch
}

// columnScratch holds a column on its way to the Parquet library.
type columnScratch struct {
	keys   []parquet.FixedLenByteArray
	floats []float32
	ints   []int32
	texts  []parquet.ByteArray
	levels []int16 // 1 where a value is, 0 where a null is
}

// sink keeps the Parquet library from closing the file, and keeps its first
// write error, since the library loses some.
type sink struct {
	w   io.Writer
	err error

	hash xxh3.Hasher   // of all that was written
	size int64         // its bytes
	tail *bytes.Buffer // if not nil, keeps what is written: the footer
}

// Write writes to w, unless a write has failed before: then it returns that error.
func (s *sink) Write(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.w.Write(p)
	s.err = err
	s.hash.Write(p[:n])
	s.size += int64(n)
	if s.tail != nil {
		s.tail.Write(p[:n])
	}
	return n, err
}

func createFile(path string, m Meta) (w *fileWriter, err error) {
	out, err := atomicfile.Create(path)
	if err != nil {
		return nil, err
	}
	w = &fileWriter{out: out, sink: &sink{w: out}, path: path, meta: m}
	defer func() {
		if err != nil {
			out.Abort()
		}
	}()
	err = pages.Guard("write "+path, func() error {
		w.pq = file.NewParquetWriter(&pages.Checksums{W: w.sink}, fileSchema(), file.WithWriterProps(writerProperties()))
		return w.sink.err
	})
	return w, err
}

func (w *fileWriter) write(r *Row) error {
	w.batch.Append(r)
	w.rows++
	if w.batch.Len() < RowGroupRows {
		return nil
	}
	return w.flush()
}

// flush writes the batch as a row group.
func (w *fileWriter) flush() error {
	if w.batch.Len() == 0 {
		return nil
	}
	what := fmt.Sprintf("write %s: row group %d", w.path, len(w.digests))
	err := pages.Guard(what, func() error {
		w.digests = append(w.digests, w.digest.digest(&w.batch, AllColumns))
		group := w.pq.AppendRowGroup()
		if err := w.writeColumns(group); err != nil {
			return err
		}
		if err := group.Close(); err != nil {
			return err
		}
		return w.sink.err
	})
	w.batch.Reset()
	return err
}

func (w *fileWriter) writeColumns(group file.SerialRowGroupWriter) error {
	b := &w.batch
	if err := w.writeKeys(group); err != nil {
		return err
	}
	if err := w.writeTexts(group, b.Len(), false, func(i int) string { return b.Class[i].String() }); err != nil {
		return err
	}
	for k := range bg.NumOutputs {
		err := w.writeFloats(group, func(i int) (float32, bool) { return b.Outputs[i][k], b.HasOutputs[i] })
		if err != nil {
			return err
		}
	}
	if err := w.writeFloats(group, func(i int) (float32, bool) { return b.EquitySE[i], b.HasSE(i) }); err != nil {
		return err
	}
	if err := w.writeTrials(group); err != nil {
		return err
	}
	if err := w.writeTexts(group, b.Len(), true, b.Method.At); err != nil {
		return err
	}
	return w.writeTexts(group, b.Len(), true, b.Source.At)
}

func (w *fileWriter) writeKeys(group file.SerialRowGroupWriter) error {
	s := &w.scratch
	s.keys = s.keys[:0]
	for i := range w.batch.Keys {
		s.keys = append(s.keys, w.batch.Keys[i][:])
	}
	return pages.WriteColumn(group, s.keys, nil)
}

func (w *fileWriter) writeFloats(group file.SerialRowGroupWriter, at func(i int) (float32, bool)) error {
	s := &w.scratch
	s.floats, s.levels = s.floats[:0], s.levels[:0]
	for i := range w.batch.Len() {
		v, ok := at(i)
		s.level(ok)
		if ok {
			s.floats = append(s.floats, v)
		}
	}
	return pages.WriteColumn(group, s.floats, s.levels)
}

func (w *fileWriter) writeTrials(group file.SerialRowGroupWriter) error {
	s := &w.scratch
	s.ints, s.levels = s.ints[:0], s.levels[:0]
	for _, t := range w.batch.Trials {
		s.level(t != noTrials)
		if t != noTrials {
			s.ints = append(s.ints, t)
		}
	}
	return pages.WriteColumn(group, s.ints, s.levels)
}

// writeTexts writes a column of n strings, of which "" is a null if nullable.
func (w *fileWriter) writeTexts(group file.SerialRowGroupWriter, n int, nullable bool, at func(i int) string) error {
	s := &w.scratch
	s.texts, s.levels = s.texts[:0], s.levels[:0]
	last, bytes := "", parquet.ByteArray(nil)
	for i := range n {
		v := at(i)
		s.level(v != "")
		if v == "" {
			continue
		}
		if v != last {
			last, bytes = v, parquet.ByteArray(v)
		}
		s.texts = append(s.texts, bytes)
	}
	if !nullable {
		return pages.WriteColumn(group, s.texts, nil)
	}
	return pages.WriteColumn(group, s.texts, s.levels)
}

func (s *columnScratch) level(present bool) {
	var l int16
	if present {
		l = 1
	}
	s.levels = append(s.levels, l)
}

// close writes the rest and the footer, checks what is on disk and commits it.
func (w *fileWriter) close() error {
	defer w.out.Abort()
	if err := w.flush(); err != nil {
		return err
	}
	if err := pages.Guard("write "+w.path, w.writeFooter); err != nil {
		return err
	}
	if err := w.out.Sync(); err != nil {
		return err
	}
	if err := w.count(); err != nil {
		return err
	}
	return w.out.Commit()
}

func (w *fileWriter) writeFooter() error {
	kv := w.meta.Entries()
	kv[metaRows] = strconv.FormatInt(w.rows, 10)
	formatDigests(kv, w.digests)
	kv[metaSealed] = sealedBy
	kv[metaDigest] = sealDigest(kv)
	for _, k := range slices.Sorted(maps.Keys(kv)) { // the same rows make the same file
		if err := w.pq.AppendKeyValueMetadata(k, kv[k]); err != nil {
			return err
		}
	}
	if err := w.pq.AppendKeyValueMetadata(metaBytes, noBytesDigest); err != nil {
		return err
	}
	w.sink.tail = new(bytes.Buffer)
	if err := w.pq.Close(); err != nil {
		return err
	}
	if w.sink.err != nil {
		return w.sink.err
	}
	return w.sealBytes()
}

// count opens the file under its temporary name and compares its rows.
func (w *fileWriter) count() error {
	p, err := openPart(w.out.Name())
	if err != nil {
		return fmt.Errorf("write %s: check: %w", w.path, err)
	}
	if p.rows != w.rows {
		return fmt.Errorf("write %s: check: %d rows in the file, %d written", w.path, p.rows, w.rows)
	}
	return nil
}

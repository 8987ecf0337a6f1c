package dataset

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"

	"bgtrain/internal/atomicfile"
	"bgtrain/internal/bg"
	pages "bgtrain/internal/parquet"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/zeebo/xxh3"
)

// fileWriter writes one Parquet file. Rows gather in a batch; a full batch
// becomes a row group.
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
	err = guard("write "+path, func() error {
		w.pq = file.NewParquetWriter(&pages.Checksums{W: w.sink}, fileSchema(), file.WithWriterProps(writerProperties()))
		return w.sink.err
	})
	return w, err
}

// guard runs f and turns its panics, which the Parquet library uses for bad data
// and for failed writes, into errors. A failure is wrapped with what, unless
// that is empty.
func guard(what string, f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			if e, ok := r.(error); ok {
				err = e
			} else {
				err = fmt.Errorf("%v", r)
			}
		}
		if err != nil && what != "" {
			err = fmt.Errorf("%s: %w", what, err)
		}
	}()
	return f()
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
	err := guard(what, func() error {
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
	err := w.writeFloats(group, func(i int) (float32, bool) { return b.EquitySE[i], b.EquitySE[i] == b.EquitySE[i] })
	if err != nil {
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

// nextColumn returns the writer of the next column, of type W.
func nextColumn[W file.ColumnChunkWriter](group file.SerialRowGroupWriter) (W, error) {
	col, err := group.NextColumn()
	if err != nil {
		var none W
		return none, err
	}
	return col.(W), nil
}

func (w *fileWriter) writeKeys(group file.SerialRowGroupWriter) error {
	col, err := nextColumn[*file.FixedLenByteArrayColumnChunkWriter](group)
	if err != nil {
		return err
	}
	s := &w.scratch
	s.keys = s.keys[:0]
	for i := range w.batch.Keys {
		s.keys = append(s.keys, w.batch.Keys[i][:])
	}
	if _, err := col.WriteBatch(s.keys, nil, nil); err != nil {
		return err
	}
	return col.Close()
}

func (w *fileWriter) writeFloats(group file.SerialRowGroupWriter, at func(i int) (float32, bool)) error {
	col, err := nextColumn[*file.Float32ColumnChunkWriter](group)
	if err != nil {
		return err
	}
	s := &w.scratch
	s.floats, s.levels = s.floats[:0], s.levels[:0]
	for i := range w.batch.Len() {
		v, ok := at(i)
		s.level(ok)
		if ok {
			s.floats = append(s.floats, v)
		}
	}
	if _, err := col.WriteBatch(s.floats, s.levels, nil); err != nil {
		return err
	}
	return col.Close()
}

func (w *fileWriter) writeTrials(group file.SerialRowGroupWriter) error {
	col, err := nextColumn[*file.Int32ColumnChunkWriter](group)
	if err != nil {
		return err
	}
	s := &w.scratch
	s.ints, s.levels = s.ints[:0], s.levels[:0]
	for _, t := range w.batch.Trials {
		s.level(t != noTrials)
		if t != noTrials {
			s.ints = append(s.ints, t)
		}
	}
	if _, err := col.WriteBatch(s.ints, s.levels, nil); err != nil {
		return err
	}
	return col.Close()
}

// writeTexts writes a column of n strings, of which "" is a null if nullable.
func (w *fileWriter) writeTexts(group file.SerialRowGroupWriter, n int, nullable bool, at func(i int) string) error {
	col, err := nextColumn[*file.ByteArrayColumnChunkWriter](group)
	if err != nil {
		return err
	}
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
	levels := s.levels
	if !nullable {
		levels = nil
	}
	if _, err := col.WriteBatch(s.texts, levels, nil); err != nil {
		return err
	}
	return col.Close()
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
	if err := guard("write "+w.path, w.writeFooter); err != nil {
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
	kv := w.meta.encode()
	kv[metaRows] = strconv.FormatInt(w.rows, 10)
	formatDigests(kv, w.digests)
	kv[metaSealed] = sealedBy
	kv[metaDigest] = sealDigest(kv)
	keys := make([]string, 0, len(kv))
	for k := range kv {
		keys = append(keys, k)
	}
	slices.Sort(keys) // the same rows make the same file
	for _, k := range keys {
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

func (w *fileWriter) abort() { w.out.Abort() }

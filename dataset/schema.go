package dataset

import (
	"bgtrain/internal/bg"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/schema"
)

// SchemaVersion is the value of the metadata key bgtrain.schema. Files of another version are refused.
//
//	1  the columns below, digests as in digest.go
const SchemaVersion = "1"

// RowGroupRows is the number of rows in a full row group.
const RowGroupRows = 1 << 17

// The columns by name, in the order they are written.
const (
	colPosition = "position"  // FIXED_LEN_BYTE_ARRAY(10), the key
	colClass    = "class"     // string: bearoff, race, crashed or contact
	colEquitySE = "equity_se" // FLOAT, nullable, points
	colTrials   = "trials"    // INT32, nullable
	colMethod   = "method"    // string, nullable
	colSource   = "source"    // string, nullable
)

// OutputColumns are the five columns of the outputs, FLOAT and nullable, in the
// order of bg.Outputs. In a row all five are null or none is.
var OutputColumns = [bg.NumOutputs]string{"win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon"}

// keyBytes is the width of the position column.
const keyBytes = len(bg.Key{})

// fileSchema returns the Parquet schema of a database.
func fileSchema() *schema.GroupNode {
	text := func(name string, rep parquet.Repetition) schema.Node {
		return schema.Must(schema.NewPrimitiveNodeLogical(name, rep, schema.StringLogicalType{},
			parquet.Types.ByteArray, 0, -1))
	}
	required, optional := parquet.Repetitions.Required, parquet.Repetitions.Optional
	fields := schema.FieldList{
		schema.NewFixedLenByteArrayNode(colPosition, required, int32(keyBytes), -1),
		text(colClass, required),
	}
	for _, name := range OutputColumns {
		fields = append(fields, schema.NewFloat32Node(name, optional, -1))
	}
	fields = append(fields,
		schema.NewFloat32Node(colEquitySE, optional, -1),
		schema.NewInt32Node(colTrials, optional, -1),
		text(colMethod, optional),
		text(colSource, optional),
	)
	return schema.MustGroup(schema.NewGroupNode("bgtrain", required, fields, -1))
}

// writerProperties are the settings of every file written here: Zstandard, dictionaries for the strings only, no
// statistics (of random keys and probabilities they are of no use), and one page a column and row group.
func writerProperties() *parquet.WriterProperties {
	return parquet.NewWriterProperties(
		parquet.WithVersion(parquet.V2_LATEST),
		parquet.WithDataPageVersion(parquet.DataPageV1),
		parquet.WithCompression(compress.Codecs.Zstd),
		parquet.WithDictionaryDefault(false),
		parquet.WithDictionaryFor(colClass, true),
		parquet.WithDictionaryFor(colMethod, true),
		parquet.WithDictionaryFor(colSource, true),
		parquet.WithStats(false),
		parquet.WithDataPageSize(int64(RowGroupRows*keyBytes)),
		parquet.WithCreatedBy(createdBy),
	)
}

// createdBy names the writing program in the Parquet footer.
const createdBy = "bgtrain schema " + SchemaVersion

// Columns is a set of columns to read. Keys are always read.
type Columns uint8

// The columns that can be chosen.
const (
	ColClass Columns = 1 << iota
	ColOutputs
	ColEquitySE
	ColTrials
	ColMethod
	ColSource

	AllColumns = ColClass | ColOutputs | ColEquitySE | ColTrials | ColMethod | ColSource
)

// Runs the SQL on standard input in DuckDB and prints the rows of the last
// statement as JSON, one object a line.
import { readFileSync } from "node:fs";
import { DuckDBInstance } from "@duckdb/node-api";

const instance = await DuckDBInstance.create(":memory:");
const connection = await instance.connect();
const reader = await connection.runAndReadAll(readFileSync(0, "utf8"));
for (const row of reader.getRowObjectsJson()) {
  console.log(JSON.stringify(row));
}

// Reads the Parquet files of a result with DuckDB and compares them with result.json and iterations.csv; then with
// hyparquet, which shares no code with it, and compares types, values and nulls.
// Usage: node check.mjs FOLDER [PAGE], where PAGE is docs/results.md and FOLDER of the study that it queries
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { DuckDBInstance } from "@duckdb/node-api";
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";

const folder = process.argv[2];
const db = await (await DuckDBInstance.create()).connect();
const rows = async (sql) => (await db.runAndReadAll(sql)).getRowObjects();
const file = (name) => `'${folder}/${name}'`;

// Both sides have the same rows, whichever is asked for what the other lacks.
const parquet = `SELECT * FROM read_parquet(${file("iterations.parquet")})`;
const csv = `SELECT * FROM read_csv(${file("iterations.csv")}, sample_size = -1)`;
for (const [a, b] of [[parquet, csv], [csv, parquet]]) {
	assert.deepEqual(await rows(`${a} EXCEPT ALL ${b}`), [], "iterations.parquet differs from iterations.csv");
}

// BigInt holds what a double does not.
const result = JSON.parse(readFileSync(`${folder}/result.json`, "utf8"));
const runs = await rows(`SELECT * FROM read_parquet(${file("runs.parquet")}) ORDER BY run`);
assert.equal(runs.length, result.runs.length);
assert.ok(runs.length > 1);
const numbers = (object, prefix) => Object.entries(object).flatMap(([key, value]) =>
	value !== null && typeof value === "object" ? numbers(value, `${prefix}${key}.`) : [[prefix + key, value]]);
result.runs.forEach((want, i) => {
	const got = runs[i];
	for (const key of ["algorithm", "label", "status", "hash", "iterations"]) {
		assert.equal(String(got[key]), String(want[key]), `run ${i}: ${key}`);
	}
	assert.equal(Number(got.seed), want.seed, `run ${i}: seed`); // JavaScript reads one beyond 2^53 as the nearest double
	for (const [key, value] of Object.entries(want.point)) {
		assert.equal(String(got[key]), String(value), `run ${i}: ${key}`);
	}
	for (const [key, value] of Object.entries(want.parameters)) {
		assert.equal(String(got[`parameters.${key}`]), String(value), `run ${i}: parameter ${key}`);
	}
	let compared = 0;
	for (const [key, value] of numbers(want.totals, "totals.")) {
		if (key in got) {
			assert.equal(Number(got[key]), value, `run ${i}: ${key}`);
			compared++;
		}
	}
	assert.ok(compared > 30, `only ${compared} totals have a column`);
	(want.targets ?? []).forEach((target, t) => {
		assert.equal(got[`to[${t}].reached`], target.at !== null, `run ${i}: target ${t}`);
		if (target.at !== null) {
			assert.equal(Number(got[`to[${t}].payload_bytes`]), target.at.totals.payload_bytes, `run ${i}: target ${t}`);
		}
	});
});

// What DuckDB calls the types that files have.
const named = { INT_64: "BIGINT", UINT_64: "UBIGINT", UTF8: "VARCHAR", DOUBLE: "DOUBLE", BOOLEAN: "BOOLEAN" };
let nulls = 0;
for (const name of ["iterations.parquet", "runs.parquet"]) {
	const at = await asyncBufferFromFile(`${folder}/${name}`);
	const [, ...columns] = (await parquetMetadataAsync(at)).schema;
	const types = await rows(`SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM ${file(name)})`);
	assert.deepEqual(columns.map((c) => [c.name, named[c.converted_type ?? c.type]]),
		types.map((t) => [t.column_name, t.column_type]), `${name}: columns and their types`);
	const got = await parquetReadObjects({ file: at, compressors });
	const want = await rows(`SELECT * FROM ${file(name)}`);
	assert.equal(got.length, want.length, `rows of ${name}`);
	got.forEach((row, i) => columns.forEach((c) => {
		const value = row[c.name] ?? null;
		assert.ok(Object.is(value, want[i][c.name]), `${name}, row ${i}, ${c.name}: ${value}, not ${want[i][c.name]}`);
		nulls += value === null;
	}));
}
assert.ok(nulls > 0, "no null was compared");

// The query that docs/results.md shows.
if (process.argv[3]) {
	const [, query] = readFileSync(process.argv[3], "utf8").match(/```sql\n([^`]*)```/);
	const means = await rows(query.replace("nodes/", `${folder}/`));
	assert.equal(means.length, new Set(result.runs.map((run) => run.label + run.point["topology.nodes"])).size);
	assert.ok(means.every((row) => row.label && row["topology.nodes"] > 0), "the query of docs/results.md");
}
console.log(`DuckDB reads ${runs.length} runs, and the same iterations as in the CSV file; hyparquet the same, with ${nulls} nulls`);

// Reads the Parquet files of a result with DuckDB and compares them with result.json and iterations.csv.
// Usage: node check.mjs FOLDER PAGE, where PAGE is docs/results.md
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { DuckDBInstance } from "@duckdb/node-api";

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
	for (const key of ["algorithm", "label", "status", "hash", "iterations", "seed"]) {
		assert.equal(String(got[key]), String(want[key]), `run ${i}: ${key}`);
	}
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
	want.targets.forEach((target, t) => {
		assert.equal(got[`to[${t}].reached`], target.at !== null, `run ${i}: target ${t}`);
		if (target.at !== null) {
			assert.equal(Number(got[`to[${t}].payload_bytes`]), target.at.totals.payload_bytes, `run ${i}: target ${t}`);
		}
	});
});
// The query that docs/results.md shows.
const [, query] = readFileSync(process.argv[3], "utf8").match(/```sql\n([^`]*)```/);
const means = await rows(query.replace("nodes/", `${folder}/`));
assert.equal(means.length, new Set(result.runs.map((run) => run.label + run.point["topology.nodes"])).size);
assert.ok(means.every((row) => row.label && row["topology.nodes"] > 0), "the query of docs/results.md");
console.log(`DuckDB reads ${runs.length} runs, and the same iterations as in the CSV file`);

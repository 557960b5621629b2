import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { openEngine } from '../duckdb/engine.ts';
import { DENIED_FUNCTIONS } from './denied-functions.ts';

// Run it after reviewing the deny list for a new engine version: `node shared/data/sql/freeze-functions.ts`.
const engine = await openEngine({ memoryLimitMb: 100, threads: 1, tempDir: tmpdir() });
const [[version] = []] = await engine.run('SELECT version()');
const rows = await engine.run(
  "SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type IN ('scalar', 'aggregate', 'macro') ORDER BY 1",
);
// A name that is also that of a scalar function does not prove that rows are aggregated.
const aggregates = await engine.run(
  "SELECT function_name FROM duckdb_functions() GROUP BY ALL HAVING bool_or(function_type = 'aggregate') AND NOT bool_or(function_type IN ('scalar', 'macro')) ORDER BY 1",
);
await engine.close();
const denied = Object.values(DENIED_FUNCTIONS);
const allowed = (names: unknown[][]) =>
  names.map(([name]) => String(name)).filter((name) => !denied.some((pattern) => pattern.test(name)));
await writeFile(
  new URL('allowed-functions.json', import.meta.url),
  `${JSON.stringify({ engine: version, names: allowed(rows), aggregates: allowed(aggregates) }, null, 2)}\n`,
);

import { tmpdir } from 'node:os';
import { openEngine } from '../../../../shared/data/duckdb/engine.ts';
import { runGuarded } from '../../../../shared/data/duckdb/watchdog.ts';

// A child process of the watchdog's test: runs one query that only a kill can stop.
const [, , sql = 'SELECT 1'] = process.argv;
const engine = await openEngine({ memoryLimitMb: 200, threads: 1, tempDir: tmpdir() });
await runGuarded(
  { run: () => engine.query(sql, { limit: 10, maxBytes: 1000 }), interrupt: () => engine.interrupt() },
  { timeoutMs: 300, maxRssMb: 1200, graceMs: 100 },
);

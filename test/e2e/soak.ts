import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartedPlatform } from '../support/started-platform.ts';
import { AIRPORT_COUNT, givenAppendingPipeline, killAndFinish, rowCount } from './kill-and-finish.ts';

/**
 * `npm run soak [runs]`: kills the whole platform at a random moment of each run and counts what is there afterwards.
 */
const runs = Number(process.argv[2] ?? 20);
const dataDir = await mkdtemp(join(tmpdir(), 'analytics-soak-'));
const platform = new StartedPlatform(dataDir);
await platform.start();
try {
  const pipelineId = await givenAppendingPipeline(platform, 'soak');
  for (let run = 1; run <= runs; run += 1) {
    const killAfterMs = Math.floor(Math.random() * 1500);
    const startedAt = performance.now();
    const status = await killAndFinish(platform, pipelineId, killAfterMs);
    const rows = await rowCount(platform, 'soak');
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    console.log(`${run}/${runs}: killed after ${killAfterMs} ms, ${status} ${seconds} s later, ${rows} rows`);
    if (status !== 'succeeded' || rows !== run * AIRPORT_COUNT) {
      throw new Error(`expected success and ${run * AIRPORT_COUNT} rows`);
    }
  }
  console.log(`${runs} runs survived; every row is there once.`);
} finally {
  await platform.stop();
  await rm(dataDir, { recursive: true, force: true });
}

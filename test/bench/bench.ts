import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Deployment } from './deployment.ts';
import { documentWith, type Measured } from './document.ts';
import { describeMachine } from './machine.ts';
import { apiReads } from './measurements/api-reads.ts';
import { backfill } from './measurements/backfill.ts';
import { batchMove } from './measurements/batch-move.ts';
import { bundles } from './measurements/bundles.ts';
import { cdc } from './measurements/cdc.ts';
import { codeSteps } from './measurements/code-steps.ts';
import { costs } from './measurements/costs.ts';
import { flights } from './measurements/flights.ts';
import { forEach } from './measurements/for-each.ts';
import { imports } from './measurements/imports.ts';
import { lightChain, randomGraph } from './measurements/light-steps.ts';
import { postgres } from './measurements/postgres.ts';
import { queries } from './measurements/queries.ts';
import { queryAnswers } from './measurements/query-answers.ts';
import { runEvents } from './measurements/run-events.ts';
import { runRate } from './measurements/run-rate.ts';
import { startUp } from './measurements/start-up.ts';
import { webhookLoad } from './measurements/webhook-load.ts';
import { webhooks } from './measurements/webhooks.ts';
import { Platform } from './platform.ts';
import { print } from './print.ts';
import type { Result } from './result.ts';
import { SCALE } from './scale.ts';

/** What a measurement works with. */
export interface Bench {
  deployment: Deployment;
  platform: Platform;
}

const START_UP = 'start-up';
const MEASUREMENTS: Record<string, (bench: Bench) => Promise<Result>> = {
  flights,
  imports,
  'batch-move': batchMove,
  postgres,
  cdc,
  'code-steps': codeSteps,
  'api-reads': apiReads,
  queries,
  'query-answers': queryAnswers,
  'light-chain': lightChain,
  'random-graph': randomGraph,
  'for-each': forEach,
  'run-rate': runRate,
  backfill,
  'run-events': runEvents,
  webhooks,
  'webhook-load': webhookLoad,
  bundles,
  costs,
};

/**
 * `npm run bench [-- name…] [-- --write]`: starts a platform of its own, measures one thing after the other, and prints
 * the figures. A complete run may write them into `docs/benchmarks.md`.
 */
const asked = process.argv.slice(2).filter((argument) => argument !== '--write');
const write = process.argv.includes('--write');
const known = [START_UP, ...Object.keys(MEASUREMENTS)];
const unknown = asked.filter((name) => !known.includes(name));
if (unknown.length > 0 || (write && (asked.length > 0 || SCALE !== 1))) {
  console.error(`Choose from ${known.join(', ')}; only a complete run at full scale is written.`);
  process.exit(2);
}
const chosen = asked.length > 0 ? asked : known;

const machine = describeMachine();
const deployment = new Deployment();
process.once('SIGINT', () => void deployment.remove().then(() => process.exit(130)));
try {
  const results = await measure();
  if (write) await keep({ machine, results });
} finally {
  await deployment.remove();
}

async function measure(): Promise<Result[]> {
  const results: Result[] = [];
  const add = (result: Result) => {
    print(result);
    results.push(result);
  };
  const coldMs = await deployment.start();
  // First, because the platform has another address after each start.
  if (chosen.includes(START_UP)) add(await startUp(deployment, coldMs));
  const platform = new Platform(deployment);
  for (const [name, measurement] of Object.entries(MEASUREMENTS)) {
    if (chosen.includes(name)) add(await measurement({ deployment, platform }));
  }
  platform.close();
  return results;
}

async function keep(measured: Measured): Promise<void> {
  const root = join(import.meta.dirname, '../..');
  const document = join(root, 'docs/benchmarks.md');
  const figures = join(import.meta.dirname, 'measured.json');
  await writeFile(figures, JSON.stringify(measured));
  execFileSync(process.execPath, [join(root, 'node_modules/@biomejs/biome/bin/biome'), 'format', '--write', figures]);
  await writeFile(document, documentWith(await readFile(document, 'utf8'), measured));
}

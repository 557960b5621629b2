import { Deployment } from './deployment.ts';
import { keep } from './keep.ts';
import { describeMachine } from './machine.ts';
import { alerts } from './measurements/alerts.ts';
import { apiReads } from './measurements/api-reads.ts';
import { backfill } from './measurements/backfill.ts';
import { backlog } from './measurements/backlog.ts';
import { batchMove } from './measurements/batch-move.ts';
import { blends } from './measurements/blends.ts';
import { bundles } from './measurements/bundles.ts';
import { cdc } from './measurements/cdc.ts';
import { codeSteps } from './measurements/code-steps.ts';
import { consoleScreens } from './measurements/console.ts';
import { costs } from './measurements/costs.ts';
import { dashboards } from './measurements/dashboards.ts';
import { definitions } from './measurements/definitions.ts';
import { flights } from './measurements/flights.ts';
import { forEach } from './measurements/for-each.ts';
import { freshAnswers } from './measurements/fresh-answers.ts';
import { imports } from './measurements/imports.ts';
import { lightChain, randomGraph } from './measurements/light-steps.ts';
import { lineage } from './measurements/lineage.ts';
import { postgres } from './measurements/postgres.ts';
import { quality } from './measurements/quality.ts';
import { queries } from './measurements/queries.ts';
import { queryAnswers } from './measurements/query-answers.ts';
import { questions } from './measurements/questions.ts';
import { runEvents } from './measurements/run-events.ts';
import { runRate } from './measurements/run-rate.ts';
import { scim } from './measurements/scim.ts';
import { scimDirectory } from './measurements/scim-directory.ts';
import { search } from './measurements/search.ts';
import { sharedLinks } from './measurements/shared-links.ts';
import { signIns } from './measurements/sign-ins.ts';
import { startUp } from './measurements/start-up.ts';
import { stories } from './measurements/stories.ts';
import { storyEdits } from './measurements/story-edits.ts';
import { terms } from './measurements/terms.ts';
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
  'fresh-answers': freshAnswers,
  questions,
  blends,
  dashboards,
  console: consoleScreens,
  stories,
  'story-edits': storyEdits,
  alerts,
  search,
  terms,
  lineage,
  quality,
  'light-chain': lightChain,
  'random-graph': randomGraph,
  'for-each': forEach,
  'run-rate': runRate,
  backfill,
  backlog,
  'run-events': runEvents,
  webhooks,
  'webhook-load': webhookLoad,
  'shared-links': sharedLinks,
  'sign-ins': signIns,
  scim,
  'scim-directory': scimDirectory,
  definitions,
  bundles,
  costs,
};

/**
 * `npm run bench [-- name…] [-- --write]`: starts a platform of its own, measures one thing after the other, and prints
 * the figures. With `--write` each that ends goes into `docs/benchmarks.md`; one that fails is reported and keeps its
 * old figures.
 */
const asked = process.argv.slice(2).filter((argument) => argument !== '--write');
const write = process.argv.includes('--write');
const known = [START_UP, ...Object.keys(MEASUREMENTS)];
const unknown = asked.filter((name) => !known.includes(name));
if (unknown.length > 0 || (write && SCALE !== 1)) {
  console.error(`Choose from ${known.join(', ')}; only what was measured at full scale is written.`);
  process.exit(2);
}
const chosen = asked.length > 0 ? asked : known;

const deployment = new Deployment();
process.once('SIGINT', () => void deployment.remove().then(() => process.exit(130)));
try {
  await measure();
} finally {
  await deployment.remove();
}

async function measure(): Promise<void> {
  const coldMs = await deployment.start();
  // First, because the platform has another address after each start.
  await one(START_UP, () => startUp(deployment, coldMs));
  const platform = new Platform(deployment);
  for (const [name, measurement] of Object.entries(MEASUREMENTS)) {
    await one(name, () => measurement({ deployment, platform }));
  }
  platform.close();
}

async function one(name: string, measurement: () => Promise<Result>): Promise<void> {
  if (!chosen.includes(name)) return;
  const machine = describeMachine();
  try {
    const result = await measurement();
    print(result);
    if (write) await keep(known, { name, machine, result });
  } catch (error) {
    console.error(`\n${name} came to no end:`, error);
    process.exitCode = 1;
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import { type Platform, runMs } from '../platform.ts';
import type { Result } from '../result.ts';
import { scaled } from '../scale.ts';
import { percentile, spread } from '../spread.ts';

/** As many as a window may have. */
const DATES = scaled(366, 10);
const GOAL_S = 5;
const BESIDE = 10;
const DAY_MS = 86_400_000;
const LAST_DAY = '2025-12-31';

/** A year of dates, from the request to the last run, and what it does to another pipeline. */
export async function backfill({ platform }: Bench): Promise<Result> {
  const filled = await givenPipeline(platform, 'Backfilled');
  const other = await givenPipeline(platform, 'Beside the backfill');
  await platform.run(filled);
  const runsOf = async (count: number) => {
    const found: number[] = [];
    for (let index = 0; index < count; index += 1) found.push(runMs(await platform.run(other)));
    return found;
  };
  await runsOf(2);
  const alone = await runsOf(BESIDE);

  const from = new Date(Date.parse(LAST_DAY) - (DATES - 1) * DAY_MS).toISOString().slice(0, 10);
  const startedAt = performance.now();
  const accepted = await platform.call<{ created: number; runs: { id: string }[] }>(
    'POST',
    `/api/pipelines/${filled}/backfill`,
    { from, to: LAST_DAY },
  );
  const acceptedS = (performance.now() - startedAt) / 1000;
  if (accepted.created !== DATES) throw new Error(`${accepted.created} of ${DATES} runs were created`);
  const beside = await runsOf(BESIDE);
  await ended(
    platform,
    accepted.runs.map(({ id }) => id),
  );
  const doneS = (performance.now() - startedAt) / 1000;
  return {
    title: `Backfill of ${DATES} dates`,
    rows: [
      {
        what: 'from the request to the answer',
        unit: 's',
        measured: spread([acceptedS]),
        goal: { of: 'measured', atMost: GOAL_S },
      },
      { what: 'until all runs have ended', unit: 's', measured: spread([doneS]) },
      {
        what: 'a run of another pipeline meanwhile; against before',
        unit: 'ms',
        measured: spread(beside),
        reference: spread(alone),
        ratio: spread([percentile(beside, 50) / percentile(alone, 50)]),
      },
    ],
    notes: [
      `One backfill of a pipeline with one light step and up to ten parallel runs, nine of them for the backfill; all runs succeeded. ${BESIDE} runs of the other pipeline, one after the other.`,
    ],
    bound: 'each day is a run with its event and its place in the queue, written in transactions before the answer.',
  };
}

async function givenPipeline(platform: Platform, name: string): Promise<string> {
  const sourceId = await platform.fileSource(name, { 'tiny.csv': Buffer.from('id\n1\n') });
  return platform.newPipeline(name, {
    version: 1,
    concurrency: { maxConcurrentRuns: 10, onOverlap: 'queue' },
    steps: [{ id: 'rows', type: 'extract', config: { sourceId, object: { path: 'tiny.csv' } } }],
  });
}

/** The oldest date goes first, so that looking at them in order is enough. */
async function ended(platform: Platform, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    for (;;) {
      const { status } = await platform.call<{ status: string }>('GET', `/api/pipelines/runs/${id}`);
      if (status === 'succeeded') break;
      if (status !== 'queued' && status !== 'running') throw new Error(`the run ${id} ${status}`);
      await sleep(500);
    }
  }
}

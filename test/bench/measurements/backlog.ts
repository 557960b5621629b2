import { setTimeout as sleep } from 'node:timers/promises';
import type { StoredRun } from '../../../shared/domains/pipelines/store/run-record.ts';
import type { RunWithSteps } from '../../../shared/domains/pipelines/store/run-with-steps.ts';
import type { Bench } from '../bench.ts';
import { type Platform, runMs } from '../platform.ts';
import type { Result } from '../result.ts';
import { counted, scaled } from '../scale.ts';
import { percentile, spread } from '../spread.ts';

const INPUTS = scaled(1000, 20);
/** As many as a window of a backfill may have; further runs of the upstream pipeline need further backfills. */
const MAX_DATES = 366;
const ALONE = 20;
const GOAL_RATIO = 1.5;
const DAY_MS = 86_400_000;
const FIRST_DAY = Date.parse('2020-01-01');
const PAGE = 100;
const MAX_WAIT_MS = 30 * 60_000;

/**
 * A thousand ends of another pipeline that wait for one with a single slot. The slot is held by a run that waits for
 * its next attempt, so the whole backlog is there before the first of its runs starts.
 */
export async function backlog({ platform }: Bench): Promise<Result> {
  const sourceId = await platform.fileSource('Backlog', { 'tiny.csv': Buffer.from('id\n1\n') });
  const upstream = await platform.newPipeline('Upstream of the backlog', light(sourceId, { maxConcurrentRuns: 10 }));
  const alone = await runsAlone(platform, await platform.newPipeline('Alone', light(sourceId, {})));

  const trigger = { kind: 'pipeline', pipelineId: upstream };
  const waiting = await platform.newPipeline('Backlog', { ...held(sourceId), trigger });
  const holder = await platform.call<{ id: string }>('POST', `/api/pipelines/${waiting}/run`);
  await until(async () => (await attemptsOf(platform, holder.id)) > 0);
  await platform.call('PATCH', `/api/pipelines/${waiting}`, { dag: { ...light(sourceId, {}), trigger } });
  const ends = await endsOf(platform, upstream);

  const releasedAt = performance.now();
  await platform.call('POST', `/api/pipelines/runs/${holder.id}/cancel`);
  await until(async () => {
    const { items, total } = await pageOf(platform, waiting, 'limit=1');
    return total > INPUTS && items[0]!.status === 'succeeded';
  });
  const drainS = (performance.now() - releasedAt) / 1000;
  const runs = (await runsOf(platform, waiting)).filter(({ id }) => id !== holder.id);
  checkOrder(runs, ends);

  const perSecond = runs.length / drainS;
  const alonePerSecond = alone.map((ms) => 1000 / ms);
  return {
    title: `Backlog of ${counted(INPUTS)} inputs of one pipeline`,
    rows: [
      { what: 'until all runs have ended', unit: 's', measured: spread([drainS]) },
      {
        what: 'runs per second; the same pipeline alone, one run after the other',
        unit: '/s',
        measured: spread([perSecond]),
        reference: spread(alonePerSecond),
        ratio: spread([percentile(alonePerSecond, 50) / perSecond]),
        goal: { of: 'ratio', atMost: GOAL_RATIO },
      },
      { what: 'from the end of a run to the start of the next one', unit: 'ms', measured: gaps(runs) },
    ],
    notes: [
      `${counted(INPUTS)} ends of an upstream pipeline, all of them waiting for the single slot before the run that held it was cancelled. Each end had exactly one run, all succeeded, and they ran one after the other in the order of the ends. Reference: ${ALONE} runs of a pipeline with the same step before, one after the other, from their creation to their end.`,
    ],
    bound: 'a run of a backlog is created, admitted and recorded in the transaction that ends the one before it.',
  };
}

const step = (sourceId: string, path: string) => ({
  id: 'rows',
  type: 'extract',
  config: { sourceId, object: { path } },
});

const light = (sourceId: string, concurrency: object) => ({
  version: 1,
  concurrency: { maxConcurrentRuns: 1, onOverlap: 'skip', ...concurrency },
  steps: [step(sourceId, 'tiny.csv')],
});

/** Its run waits for a file that does not exist, longer than the backlog takes to come together. */
const held = (sourceId: string) => ({
  version: 1,
  concurrency: { maxConcurrentRuns: 1, onOverlap: 'skip' },
  steps: [{ ...step(sourceId, 'absent.csv'), retry: { maxAttempts: 10, initialIntervalMs: 900_000 } }],
});

async function runsAlone(platform: Platform, pipelineId: string): Promise<number[]> {
  await platform.run(pipelineId);
  const found: number[] = [];
  for (let index = 0; index < ALONE; index += 1) found.push(runMs(await platform.run(pipelineId)));
  return found;
}

/** Runs the upstream pipeline as often as inputs are wanted; the ids of its runs in the order of their ends. */
async function endsOf(platform: Platform, pipelineId: string): Promise<string[]> {
  for (let created = 0; created < INPUTS; ) {
    const dates = Math.min(MAX_DATES, INPUTS - created);
    const day = (index: number) => new Date(FIRST_DAY + (created + index) * DAY_MS).toISOString().slice(0, 10);
    const { runs } = await platform.call<{ runs: { id: string }[] }>('POST', `/api/pipelines/${pipelineId}/backfill`, {
      from: day(0),
      to: day(dates - 1),
    });
    created += dates;
    for (const { id } of runs) await platform.endOf(id);
  }
  const ended = await runsOf(platform, pipelineId);
  return ended.sort((a, b) => order(a).localeCompare(order(b))).map(({ id }) => id);
}

/** Ends of the same millisecond are taken by their ids. */
const order = ({ finishedAt, id }: StoredRun) => `${finishedAt}#${id}`;

async function attemptsOf(platform: Platform, runId: string): Promise<number> {
  const { steps } = await platform.call<RunWithSteps>('GET', `/api/pipelines/runs/${runId}`);
  return steps.filter(({ error }) => error).length;
}

/** Newest first. */
const pageOf = (platform: Platform, pipelineId: string, query: string) =>
  platform.call<{ items: StoredRun[]; total: number }>('GET', `/api/pipelines/${pipelineId}/runs?${query}`);

async function runsOf(platform: Platform, pipelineId: string): Promise<StoredRun[]> {
  const runs: StoredRun[] = [];
  for (;;) {
    const { items, total } = await pageOf(platform, pipelineId, `limit=${PAGE}&offset=${runs.length}`);
    runs.push(...items);
    if (runs.length >= total) return runs;
  }
}

/** Throws unless each end has exactly one run and the runs started one after the other in the order of the ends. */
function checkOrder(runs: readonly StoredRun[], ends: readonly string[]): void {
  const started = bySlot(runs);
  if (started.length !== ends.length) throw new Error(`${ends.length} ends have ${started.length} runs`);
  for (const [index, { trigger, startedAt }] of started.entries()) {
    if (trigger.upstreamRunId !== ends[index]) throw new Error(`run ${index} belongs to another end`);
    const before = started[index - 1];
    if (before && before.finishedAt! > startedAt!) throw new Error(`run ${index} started before the one before ended`);
  }
}

const bySlot = (runs: readonly StoredRun[]) => [...runs].sort((a, b) => a.startedAt!.localeCompare(b.startedAt!));

function gaps(runs: readonly StoredRun[]) {
  const started = bySlot(runs);
  return spread(
    started.slice(1).map(({ startedAt }, index) => Date.parse(startedAt!) - Date.parse(started[index]!.finishedAt!)),
  );
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + MAX_WAIT_MS;
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error('the backlog did not come to its end in time');
    await sleep(500);
  }
}

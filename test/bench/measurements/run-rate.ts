import { setTimeout as sleep } from 'node:timers/promises';
import type { RunWithSteps } from '../../../shared/pipelines/records.ts';
import type { Bench } from '../bench.ts';
import { type Platform, runMs } from '../platform.ts';
import type { Result, Row } from '../result.ts';
import { counted, scaled } from '../scale.ts';
import { percentile, spread } from '../spread.ts';

/** A pipeline may be started sixty times a minute. */
const PIPELINES = 60;
const LOADS = [
  { aMinute: 600, seconds: 20 },
  { aMinute: 3000, seconds: 20 },
];
const GOAL_MS = 1500;
const LONGEST_WAIT_MS = 6 * 60_000;

/** Runs of one small step, requested at a steady rate by many pipelines: when they start, and whether each ends. */
export async function runRate({ platform }: Bench): Promise<Result> {
  const pipelines = await givenPipelines(platform);
  await Promise.all(pipelines.slice(0, 8).map((id) => platform.run(id)));
  const loads: Load[] = [];
  for (const load of LOADS) loads.push(await measure(platform, pipelines, load.aMinute, scaled(load.seconds, 4)));
  const [, busiest] = loads;
  return {
    title: 'Trivial runs at a steady rate',
    rows: loads.flatMap(rowsOf),
    notes: [
      `Each rate for ${LOADS[0]!.seconds} s, over ${PIPELINES} pipelines of one step, one run at a time each; what overlaps waits. The requests are sent at their instants whatever has been answered. ${loads.map(({ aMinute, runs }) => `All ${counted(runs.length)} runs at ${counted(aMinute)} a minute ended well`).join('; ')}.`,
      `At ${counted(busiest!.aMinute)} a minute the last run ended ${(busiest!.drainMs / 1000).toFixed(1)} s after the last request; ${busiest!.perSecond.toFixed(1)} runs a second ended meanwhile, which is what this machine does of them.`,
    ],
    bound:
      'the cores of this machine. A run is five transitions of two state machines, three invocations and some forty writes, and the gateway, the table, the state machines and the functions share the cores; on AWS each has its own.',
  };
}

async function givenPipelines(platform: Platform): Promise<string[]> {
  const sourceId = await platform.fileSource('Trivial', { 'tiny.csv': Buffer.from('id\n1\n') });
  const dag = {
    version: 1,
    concurrency: { maxConcurrentRuns: 1, onOverlap: 'queue' },
    steps: [{ id: 'rows', type: 'extract', config: { sourceId, object: { path: 'tiny.csv' } } }],
  };
  const ids: string[] = [];
  for (let index = 0; index < PIPELINES; index += 1) ids.push(await platform.newPipeline(`Trivial ${index}`, dag));
  return ids;
}

interface Load {
  aMinute: number;
  runs: RunWithSteps[];
  /** From the last request to the end of the last run. */
  drainMs: number;
  perSecond: number;
}

async function measure(
  platform: Platform,
  pipelines: readonly string[],
  aMinute: number,
  seconds: number,
): Promise<Load> {
  const total = Math.round((aMinute / 60) * seconds);
  const startedAt = performance.now();
  const requests = Array.from({ length: total }, async (_, index) => {
    await sleep(startedAt + (index * 60_000) / aMinute - performance.now());
    const pipeline = pipelines[index % pipelines.length]!;
    return platform.call<{ id: string }>('POST', `/api/pipelines/${pipeline}/run`);
  });
  const created = await Promise.all(requests);
  const lastRequestAt = Date.now();
  const runs = await allEnded(
    platform,
    created.map(({ id }) => id),
  );
  const ends = runs.map((run) => Date.parse(run.finishedAt!));
  const firstAt = Math.min(...runs.map((run) => Date.parse(run.createdAt)));
  const lastAt = Math.max(...ends);
  return {
    aMinute,
    runs,
    drainMs: Math.max(0, lastAt - lastRequestAt),
    perSecond: (runs.length * 1000) / (lastAt - firstAt),
  };
}

/** Looks at each run until it is over; a few at a time, so that watching takes little from them. */
async function allEnded(platform: Platform, ids: readonly string[]): Promise<RunWithSteps[]> {
  const until = performance.now() + LONGEST_WAIT_MS;
  const ended: RunWithSteps[] = [];
  // They end about in the order of their requests.
  for (const id of ids) {
    for (;;) {
      const run = await platform.call<RunWithSteps>('GET', `/api/pipelines/runs/${id}`);
      if (run.status === 'succeeded') {
        ended.push(run);
        break;
      }
      if (run.status !== 'queued' && run.status !== 'running') throw new Error(`the run ${id} ${run.status}`);
      if (performance.now() > until) throw new Error(`the run ${id} is still ${run.status}`);
      await sleep(500);
    }
  }
  return ended;
}

function rowsOf({ aMinute, runs }: Load): Row[] {
  const starts = runs.map((run) => Date.parse(run.steps[0]!.startedAt!) - Date.parse(run.createdAt));
  const at = (values: number[], percent: number) => ({ ...spread(values), median: percentile(values, percent) });
  const rate = `${counted(aMinute)} a minute`;
  return [
    { what: `${rate}: request to start of the step, p50`, unit: 'ms', measured: at(starts, 50) },
    {
      what: `${rate}: request to start of the step, p95`,
      unit: 'ms',
      measured: at(starts, 95),
      goal: { of: 'measured', atMost: GOAL_MS },
    },
    { what: `${rate}: request to end, p95`, unit: 'ms', measured: at(runs.map(runMs), 95) },
  ];
}

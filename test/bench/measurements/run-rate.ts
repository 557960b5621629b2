import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunWithSteps } from '../../../shared/domains/pipelines/store/run-with-steps.ts';
import type { Bench } from '../bench.ts';
import type { Platform } from '../platform.ts';
import type { Result, Row } from '../result.ts';
import { counted, scaled } from '../scale.ts';
import { percentile, spread } from '../spread.ts';

/**
 * A pipeline may be started sixty times a minute; each works on one run at a time, so that the machine has memory for
 * all.
 */
const PIPELINES = 24;
const CLIENTS = 16;
const RATES = [600, 3000];
const SECONDS = scaled(20, 4);
const GOAL_MS = 1500;
const LONGEST_WAIT_MS = 6 * 60_000;

/** Runs of one small step, requested at a steady rate by many pipelines: when they start, and whether each ends. */
export async function runRate({ platform }: Bench): Promise<Result> {
  const pipelines = await givenPipelines(platform);
  await Promise.all(pipelines.slice(0, 4).map((id) => platform.run(id)));
  const loads: Load[] = [];
  for (const aMinute of RATES) loads.push(await measure(platform, pipelines, aMinute));
  const [, busiest] = loads;
  return {
    title: 'Trivial runs at a steady rate',
    rows: loads.flatMap(rowsOf),
    notes: [
      `Each rate for ${SECONDS} s, over ${PIPELINES} pipelines of one step, each with one run at a time; overlapping runs wait. ${CLIENTS} clients send a request at each instant, or later if all of them are waiting for an answer; times count from the instant. Result: ${loads.map(reported).join('; ')}.`,
      `At ${counted(busiest!.aMinute)} a minute the last run ended ${(busiest!.drainMs / 1000).toFixed(1)} s after the last request; ${busiest!.perSecond.toFixed(1)} runs per second ended meanwhile, which is the capacity of this machine.`,
    ],
    bound:
      'the cores of this machine. A run takes one transition in each of two state machines, three invocations, and some thirty-five requests to the table, the bucket and the state machines, all on the same cores; on AWS each function has its own. More than half of the CPU goes to the function that works on the step, where opening an engine takes 10 ms; a quarter to the gateway, the table and the machines; the rest to the functions that create and start the run. A request costs its function 0.6 ms of CPU once its code is compiled, and about 2 ms during the first few hundred requests. So many freshly started functions get less done than a few warm ones.',
  };
}

const reported = ({ aMinute, runs, repeated }: Load) =>
  `all ${counted(runs.length)} runs at ${counted(aMinute)} a minute succeeded, and ${repeated} requests had to be repeated`;

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
  /** When each was asked for (ms since 1970). */
  askedAt: number[];
  /** Requests that had to be repeated, under the same key. */
  repeated: number;
  /** From the last request to the end of the last run. */
  drainMs: number;
  perSecond: number;
}

async function measure(platform: Platform, pipelines: readonly string[], aMinute: number): Promise<Load> {
  const total = Math.round((aMinute / 60) * SECONDS);
  const startAt = Date.now();
  const instants = Array.from({ length: total }, (_, index) => startAt + (index * 60_000) / aMinute);
  const requested: Requested[] = [];
  let next = 0;
  const client = async () => {
    for (let index = next++; index < total; index = next++) {
      await sleep(Math.max(0, instants[index]! - Date.now()));
      requested[index] = await start(platform, pipelines[index % pipelines.length]!);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  const lastRequestAt = instants.at(-1)!;
  const runs = await allEnded(
    platform,
    requested.map(({ id }) => id),
  );
  const ends = runs.map((run) => Date.parse(run.finishedAt!));
  const lastAt = Math.max(...ends);
  return {
    aMinute,
    runs,
    askedAt: instants,
    repeated: requested.filter(({ tries }) => tries > 1).length,
    drainMs: Math.max(0, lastAt - lastRequestAt),
    perSecond: (runs.length * 1000) / (lastAt - startAt),
  };
}

interface Requested {
  id: string;
  tries: number;
}

/**
 * Asks until there is an answer, as clients should: under one key there is one run, whatever became of the answers
 * before.
 */
async function start(platform: Platform, pipeline: string): Promise<Requested> {
  const until = performance.now() + LONGEST_WAIT_MS;
  const key = { 'idempotency-key': randomUUID() };
  for (let tries = 1; ; tries += 1) {
    const url = `${platform.endpoint}/api/pipelines/${pipeline}/run`;
    const { status, text } = await platform.http.send('POST', url, {}, key);
    if (status < 300) return { id: (JSON.parse(text) as { id: string }).id, tries };
    if (performance.now() > until || (status < 500 && status !== 429 && status !== 409)) {
      throw new Error(`a start answered ${status}: ${text}`);
    }
    await sleep(1000);
  }
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

function rowsOf({ aMinute, runs, askedAt }: Load): Row[] {
  const starts = runs.map((run, index) => Date.parse(run.steps[0]!.startedAt!) - askedAt[index]!);
  const ends = runs.map((run, index) => Date.parse(run.finishedAt!) - askedAt[index]!);
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
    { what: `${rate}: request to end, p95`, unit: 'ms', measured: at(ends, 95) },
  ];
}

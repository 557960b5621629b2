import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RunWithSteps } from '../../../shared/domains/pipelines/store/run-with-steps.ts';
import type { Bench } from '../bench.ts';
import { chainOf, lightDag } from '../dags.ts';
import type { EventStream } from '../event-stream.ts';
import type { Platform } from '../platform.ts';
import type { Result } from '../result.ts';
import { scaled } from '../scale.ts';
import { percentile, spread } from '../spread.ts';

const WATCHERS = scaled(200, 10);
const STEPS = 40;
const AT_ONCE = 8;
const GOAL_MS = 1000;

/** How long after a step's start or end those who watch the run hear of it. */
export async function runEvents({ platform }: Bench): Promise<Result> {
  const first = await heldAnswer();
  const streams: EventStream[] = [];
  try {
    const pipeline = await givenPipeline(platform, first.url);
    const { id } = await platform.call<{ id: string }>('POST', `/api/pipelines/${pipeline}/run`);
    // A run that ends before it has asked throws.
    const over = platform.endOf(id);
    await Promise.race([first.asked, over]);
    // Each watcher has a function of its own, which has to start.
    for (let opened = 0; opened < WATCHERS; opened += AT_ONCE) {
      const more = Array.from({ length: Math.min(AT_ONCE, WATCHERS - opened) }, () => platform.watch(id));
      streams.push(...more);
      await Promise.all(more.map((stream) => stream.opened));
    }
    first.release();
    const run = await over;
    await Promise.all(streams.map((stream) => stream.ended));
    const lags = streams.flatMap((stream) => lagsOf(run, stream));
    const at = (percent: number) => ({ ...spread(lags), median: percentile(lags, percent) });
    return {
      title: `Events of a run for ${WATCHERS} clients`,
      rows: [
        { what: 'from the change to the client, p50', unit: 'ms', measured: at(50) },
        {
          what: 'from the change to the client, p95',
          unit: 'ms',
          measured: at(95),
          goal: { of: 'measured', atMost: GOAL_MS },
        },
      ],
      notes: [
        `Starts and ends of ${STEPS} light steps, one after the other; each client received each once, ${lags.length.toLocaleString('en')} events in all. Every stream is a function that queries the table for news: up to ten times a second while something happens, at least once a second, and less often the longer the answers take.`,
      ],
      bound: `the cores of this machine, on which ${WATCHERS} functions query the table beside the run that they follow.`,
    };
  } finally {
    for (const stream of streams) stream.close();
    first.close();
  }
}

/** Light steps behind one that waits for an answer of ours. */
async function givenPipeline(platform: Platform, url: string): Promise<string> {
  const files = await platform.fileSource('Watched', { 'tiny.csv': Buffer.from('id,value\n1,10\n2,20\n') });
  const { id: service } = await platform.call<{ id: string }>('POST', '/api/data-sources', {
    name: 'Held',
    type: 'http',
    config: { baseUrl: url, endpoints: [{ name: 'held', path: '/held' }] },
    secrets: {},
  });
  const { steps } = lightDag(files, chainOf(STEPS));
  const [begin, ...rest] = steps;
  return platform.newPipeline('Watched', {
    version: 1,
    steps: [
      { id: 'held', type: 'extract', config: { sourceId: service, object: { table: 'held' } } },
      { ...begin, dependsOn: ['held'] },
      ...rest,
    ],
  });
}

/** An answer that comes when we say so. */
async function heldAnswer() {
  const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const server = createServer(async (_request, response) => {
    asked.resolve();
    await released.promise;
    response.setHeader('content-type', 'application/json');
    response.end('[{"id":1}]');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: asked.promise,
    release: released.resolve,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Of every start and end of a step behind the held one. Throws when one did not come, or came twice. */
function lagsOf(run: RunWithSteps, { events }: EventStream): number[] {
  const reported = events.filter(({ type, data }) => type === 'step.status' && data.stepId !== 'held');
  return run.steps
    .filter(({ stepId }) => stepId !== 'held')
    .flatMap(({ stepId, startedAt, finishedAt }) =>
      Object.entries({ running: startedAt!, succeeded: finishedAt! }).map(([status, at]) => {
        const found = reported.filter(({ data }) => data.stepId === stepId && data.status === status);
        if (found.length !== 1) throw new Error(`a watcher heard ${found.length} times that ${stepId} is ${status}`);
        return found[0]!.at - Date.parse(at);
      }),
    );
}

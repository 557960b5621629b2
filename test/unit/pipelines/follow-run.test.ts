import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { followRun } from '../../../functions/pipelines/pipeline-events/follow-run.ts';
import { cancelRun } from '../../../shared/domains/pipelines/runs/cancel-run.ts';
import { retryRun } from '../../../shared/domains/pipelines/runs/retry-run.ts';
import { eventItem, readEvents } from '../../../shared/domains/pipelines/store/run-events.ts';
import { eventKey } from '../../../shared/domains/pipelines/store/run-keys.ts';
import type { StoredRun } from '../../../shared/domains/pipelines/store/run-record.ts';
import { reserveEvents } from '../../../shared/domains/pipelines/store/run-store.ts';
import { MAX_TOTAL_PAUSE_MS, transact } from '../../../shared/platform/storage/transact.ts';
import { dagOf, ONCE, ranOn, sql } from './run-dags.ts';
import { RunSetup } from './run-setup.ts';

const MINUTE_MS = 60_000;
const CHAIN = dagOf(sql('a', 'SELECT 1 AS x'), sql('b', 'SELECT * FROM a', ['a']));

let setup: RunSetup;
beforeAll(async () => {
  setup = await RunSetup.open();
});
afterAll(() => setup.close());

interface Frame {
  id: number;
  event: string;
  data: Record<string, unknown>;
  /** When it came, on the clock of who follows. */
  atMs: number;
}

interface Options {
  after?: number;
  minutes?: number;
  /** The client goes away after so many frames. */
  most?: number;
  /** When the client loses its access. */
  accessUntilMs?: number;
  /** What happens while nothing new is there. */
  meanwhile?: (atMs: number) => Promise<void>;
}

/** What a client of a run hears; waiting takes no time. */
async function heard(run: StoredRun, options: Options = {}): Promise<Frame[]> {
  const frames: Frame[] = [];
  let atMs = 0;
  await followRun(
    {
      table: setup.context.table,
      dags: { getMany: async () => new Map() },
      cursors: setup.cursors,
      now: () => new Date(atMs),
      sleep: async (ms) => {
        atMs += ms;
        await options.meanwhile?.(atMs);
      },
    },
    {
      run,
      after: options.after,
      until: new Date((options.minutes ?? 14) * MINUTE_MS),
      errors: () => ({ inRun: async (run) => run, inSteps: async (_run, steps) => [...steps] }),
      hasAccess: async () => atMs < (options.accessUntilMs ?? Number.POSITIVE_INFINITY),
      send: (text) => {
        for (const [, id, event, data] of text.matchAll(/id: (\d+)\nevent: (\S+)\ndata: (.*)\n\n/g)) {
          // Cut off in the middle of what was sent.
          if (frames.length === options.most) return false;
          frames.push({ id: Number(id), event: event!, data: JSON.parse(data!), atMs });
        }
        return true;
      },
    },
  );
  return frames;
}

const reported = (frames: Frame[]) => frames.map(({ id, event }) => [id, event]);

/** A run that stays active until the test executes its steps. */
async function givenRunning(): Promise<StoredRun> {
  const { id } = await setup.run(await setup.pipeline(CHAIN));
  return setup.stored(id);
}

/** Writes an event under a number that was handed out. */
async function write(run: StoredRun, seq: number): Promise<void> {
  const data = { runId: run.id, status: 'running', attempt: 1, at: run.createdAt };
  const place = { workspaceId: run.workspaceId, runId: run.id };
  const event = { type: 'run.status', data } as const;
  await transact(setup.context.table, [eventItem(setup.context.table, place, seq, [event], setup.context.now())]);
}

const numbersOf = async (run: StoredRun, count: number) =>
  (await reserveEvents(setup.context.table, { workspaceId: run.workspaceId, runId: run.id, epoch: 1 }, count))!.first;

describe('a reader that comes back to a run', () => {
  it('that is over, having heard all of it, is shown the run and its end at once', async () => {
    const { run } = await ranOn(setup, CHAIN);
    const frames = await heard(run, { after: run.seq });
    expect(reported(frames)).toEqual([
      [run.seq, 'snapshot'],
      [run.seq, 'end'],
    ]);
    expect(frames[0]!.data).toMatchObject({ id: run.id, status: 'succeeded' });
    expect(frames[1]).toMatchObject({ data: { status: 'succeeded' }, atMs: 0 });
  });

  it('with a number that was never handed out is new', async () => {
    const { run } = await ranOn(setup, CHAIN);
    expect(reported(await heard(run, { after: run.seq + 100 })).map(([, event]) => event)).toEqual(['snapshot', 'end']);
  });

  it('whose events have expired since is new, and does not hear what is left of them as if it were all', async () => {
    const { run } = await ranOn(setup, CHAIN);
    for (const seq of [1, 2, 3, 4]) {
      const Key = eventKey(run.workspaceId, run.id, seq);
      await setup.context.table.db.send(new DeleteCommand({ TableName: setup.context.table.name, Key }));
    }
    expect(reported(await heard(run, { after: 2 })).map(([, event]) => event)).toEqual(['snapshot', 'end']);
  });

  it('that is over, and hears only what came after its end, is shown the run and its end', async () => {
    const { run } = await ranOn(setup, CHAIN);
    // A worker that was given up and does not know it yet.
    const late = await numbersOf(run, 2);
    const data = { stepId: 'a', item: null, attempt: 1, percent: 50 };
    const { table, now } = setup.context;
    const event = eventItem(table, setup.place(run.id), late + 1, [{ type: 'step.progress', data }], now());
    await transact(table, [event]);
    const frames = await heard(await setup.stored(run.id), { after: run.seq });
    expect(reported(frames).map(([, event]) => event)).toEqual(['snapshot', 'end']);
    const others = await heard(await setup.stored(run.id), { after: late });
    expect(reported(others).map(([, event]) => event)).toEqual(['step.progress', 'snapshot', 'end']);
    expect(others.at(-1)!.atMs).toBeLessThan(1_000);
  });

  it('that failed and succeeded when it was retried hears of both attempts, and only of the end of the second', async () => {
    const sourceId = await setup.fileSource({});
    const config = { sourceId, object: { path: 'late.csv' } };
    const { run: failed } = await ranOn(setup, dagOf({ id: 'a', type: 'extract', dependsOn: [], config, retry: ONCE }));
    await setup.putFile(sourceId, 'late.csv', 'x\n1\n');
    await retryRun(setup.context, setup.place(failed.id));
    await setup.drain();
    const run = await setup.stored(failed.id);
    expect([failed.status, run.status]).toEqual(['failed', 'succeeded']);
    const stored = await readEvents(setup.context.table, setup.place(run.id), 3);
    const ends = stored.filter(({ type }) => type === 'end');
    expect(ends.map(({ data }) => data)).toEqual([{ status: 'failed' }, { status: 'succeeded' }]);
    const frames = await heard(run, { after: 3 });
    expect(frames.map(({ id, event, data }) => ({ seq: id, type: event, data }))).toEqual(
      stored.filter((event) => event !== ends[0]),
    );
    // Its end may be all that was left to hear.
    expect(reported(await heard(run, { after: run.seq - 1 }))).toEqual([[run.seq, 'end']]);
  });

  it('whose retry found no worker hears that it was queued and has failed again', async () => {
    const { run: failed } = await ranOn(setup, dagOf(sql('a', 'SELECT nothing')));
    setup.refuses = true;
    await expect(retryRun(setup.context, setup.place(failed.id))).rejects.toMatchObject({ code: 'WORKER_UNAVAILABLE' });
    setup.refuses = false;
    const frames = await heard(failed, { after: failed.seq - 1 });
    expect(frames.map(({ event, data }) => [event, data.status, data.attempt])).toEqual([
      ['run.status', 'queued', 2],
      ['run.status', 'failed', 2],
      ['end', 'failed', undefined],
    ]);
    expect(frames.at(-1)!.atMs).toBeLessThan(1_000);
  });

  it('a hundred times, cut off after each frame, hears every event once and in order', async () => {
    const steps = Array.from({ length: 50 }, (_, at) => sql(`s${at}`, 'SELECT 1 AS x', at > 0 ? [`s${at - 1}`] : []));
    const { run } = await ranOn(setup, dagOf(...steps));
    const frames: Frame[] = [];
    let after = 1;
    let connections = 0;
    do {
      const [next] = await heard(run, { after, most: 1 });
      frames.push(next!);
      after = next!.id;
      connections += 1;
    } while (frames.at(-1)!.event !== 'end');
    const stored = await readEvents(setup.context.table, { workspaceId: run.workspaceId, runId: run.id }, 1);
    expect(connections).toBeGreaterThan(100);
    expect(frames.map(({ id, event, data }) => ({ seq: id, type: event, data }))).toEqual(stored);
  });
});

describe('a reader of a run in which nothing happens', () => {
  it('hears a heartbeat every ten seconds, and after fourteen minutes a request to reconnect', async () => {
    const run = await givenRunning();
    const frames = await heard(run);
    expect([frames[0]!.event, frames.at(-1)!.event]).toEqual(['snapshot', 'reconnect']);
    const beats = frames.filter(({ event }) => event === 'heartbeat');
    expect(beats.length).toBeGreaterThanOrEqual(83);
    for (const [index, { atMs, data }] of beats.entries()) {
      expect(atMs - (index + 1) * 10_000).toBeLessThan(1_000 * 1.5);
      expect(data).toEqual({ at: new Date(atMs).toISOString() });
    }
    // It goes on where it was.
    expect(reported(await heard(run, { after: frames.at(-1)!.id, minutes: 0.1 })).map(([, event]) => event)).toEqual([
      'reconnect',
    ]);
  });

  it('loses the stream with its access, at the next heartbeat', async () => {
    const run = await givenRunning();
    const frames = await heard(run, { accessUntilMs: 25_000 });
    expect(frames.map(({ event }) => event)).toEqual(['snapshot', 'heartbeat', 'heartbeat']);
    expect(frames.at(-1)!.atMs).toBeLessThan(25_000);
  });

  it('receives its end when it is cancelled', async () => {
    const run = await givenRunning();
    let cancelled = false;
    const frames = await heard(run, {
      meanwhile: async (atMs) => {
        if (atMs < MINUTE_MS || cancelled) return;
        cancelled = true;
        await cancelRun(setup.context, { workspaceId: run.workspaceId, runId: run.id }, 'cancelled by hand');
        await setup.untilOver(run.id);
      },
    });
    expect(frames.at(-1)).toMatchObject({ event: 'end', data: { status: 'cancelled' } });
    expect(frames.at(-1)!.atMs).toBeLessThan(MINUTE_MS + 3_000);
  });
});

describe('a number that was handed out and', () => {
  it('is written as late as a writer may be that meets others every time is waited for', async () => {
    const run = await givenRunning();
    const first = await numbersOf(run, 2);
    await write(run, first + 1);
    const latestMs = MAX_TOTAL_PAUSE_MS + 1_000;
    let isLate = true;
    const frames = await heard(run, {
      after: first - 1,
      minutes: 0.1,
      meanwhile: async (atMs) => {
        if (atMs > latestMs && isLate) await write(run, first);
        isLate = atMs <= latestMs;
      },
    });
    expect(reported(frames).filter(([, event]) => event === 'run.status')).toEqual([
      [first, 'run.status'],
      [first + 1, 'run.status'],
    ]);
  });

  it('is never written holds the others up for five seconds', async () => {
    const run = await givenRunning();
    const first = await numbersOf(run, 2);
    await write(run, first + 1);
    const frames = await heard(run, { after: first - 1, minutes: 0.1 });
    const after = frames.find(({ id, event }) => id === first + 1 && event === 'run.status')!;
    expect(after.atMs).toBeGreaterThanOrEqual(4_500);
    expect(after.atMs).toBeLessThan(6_000);
  });

  it('is never written does not hold the end up', async () => {
    const run = await givenRunning();
    const first = await numbersOf(run, 1);
    await cancelRun(setup.context, setup.place(run.id), 'cancelled by hand');
    await setup.untilOver(run.id);
    const frames = await heard(run, { after: first - 1 });
    expect(frames.at(-1)).toMatchObject({ event: 'end', data: { status: 'cancelled' } });
    expect(frames.at(-1)!.atMs).toBeLessThan(1_000);
  });
});
